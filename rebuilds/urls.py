from django.urls import path

from rebuilds.api.views import RebuildsView, RebuildView

urlpatterns = [
    path("rebuilds", RebuildsView.as_view()),
    path("rebuilds/<str:rebuild_id>", RebuildView.as_view()),
]
