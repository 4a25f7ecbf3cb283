from django.urls import path

from scoring.api.moderation_views import (
    CorrectionsView,
    CorrectionView,
    ErasureView,
    FlagView,
    MergeView,
    UnflagView,
)
from scoring.api.views import ScoresBatchView, ScoresView

urlpatterns = [
    path("scores", ScoresView.as_view()),
    path("scores/batch", ScoresBatchView.as_view()),
    path("corrections", CorrectionsView.as_view()),
    path("corrections/<int:correction_id>", CorrectionView.as_view()),
    path("erasures/<int:erasure_id>", ErasureView.as_view()),
    path("players/<str:player_id>/flag", FlagView.as_view()),
    path("players/<str:player_id>/unflag", UnflagView.as_view()),
    path("players/<str:player_id>/merge", MergeView.as_view()),
]
