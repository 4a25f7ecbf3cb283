from django.urls import path

from scoring.api.views import ScoresBatchView, ScoresView

urlpatterns = [
    path("scores", ScoresView.as_view()),
    path("scores/batch", ScoresBatchView.as_view()),
]
