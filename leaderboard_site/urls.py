"""Every path of the site."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from leaderboard_site import errors, health, metrics

urlpatterns = [
    path("", RedirectView.as_view(url="/v1/docs")),
    path("v1/", include("scoring.urls")),
    path("v1/", include("boards.urls")),
    path("v1/", include("rebuilds.urls")),
    path("v1/schema", SpectacularAPIView.as_view(), name="schema"),
    path("v1/docs", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
    # Also with DEBUG on, when Django would answer with a page of its own.
    re_path(r"^v1/", errors.not_found),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics.metrics),
    path("admin/", admin.site.urls),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.internal_error
