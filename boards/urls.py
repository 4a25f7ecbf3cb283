from django.urls import path

from boards.api.views import PlayerView, RanksView, TopView

urlpatterns = [
    path("leaderboards/<str:board>/top", TopView.as_view()),
    path("leaderboards/<str:board>/players/<str:player_id>", PlayerView.as_view()),
    path("leaderboards/<str:board>/ranks", RanksView.as_view()),
]
