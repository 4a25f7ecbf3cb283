from django.urls import path

from boards.api.board_views import BoardView, LeaderboardsView
from boards.api.player_views import FriendsView, PlayerBoardsView
from boards.api.views import PlayerView, RanksView, TopView

urlpatterns = [
    path("leaderboards", LeaderboardsView.as_view()),
    path("leaderboards/<str:board>", BoardView.as_view()),
    path("leaderboards/<str:board>/top", TopView.as_view()),
    path("leaderboards/<str:board>/players/<str:player_id>", PlayerView.as_view()),
    path("leaderboards/<str:board>/ranks", RanksView.as_view()),
    path("leaderboards/<str:board>/friends", FriendsView.as_view()),
    path("players/<str:player_id>", PlayerBoardsView.as_view()),
]
