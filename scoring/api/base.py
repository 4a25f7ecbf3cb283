"""What every API view has: the key's rights, and what is left of its limit."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.api.authentication import ApiKeyAuthentication
from scoring.api.rate_limit import RateLimit


class ApiView(APIView):
    authentication_classes = (ApiKeyAuthentication,)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Tell a limited key how it stands; also on errors."""
        response = super().finalize_response(request, response, *args, **kwargs)
        rate_limit: RateLimit | None = getattr(request, "rate_limit", None)
        if rate_limit is not None:
            for name, value in rate_limit.headers():
                response.headers[name] = value
        return response
