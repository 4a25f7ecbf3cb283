"""API keys for Django REST framework. The rights themselves are `scoring.grants`."""

from typing import Any, cast

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from scoring.grants import Grant, find_grant, require_scope


class ApiKeyAuthentication(BaseAuthentication):
    """`request.auth` is the Grant of the key, None without one. There is no user behind a key."""

    def authenticate(self, request: Request) -> tuple[None, Grant] | None:
        grant = find_grant(request.META.get("HTTP_AUTHORIZATION"), timezone.now())
        return None if grant is None else (None, grant)

    def authenticate_header(self, request: Request) -> str:
        return "Api-Key"


def grant_of(request: Request) -> Grant | None:
    """The rights of the request's key, None without a key."""
    return cast("Grant | None", request.auth)


def HasScope(scope: str) -> type[BasePermission]:  # noqa: N802 - it makes a class, and is used like one
    """A permission that asks for a key with this scope."""

    class Permission(BasePermission):
        def has_permission(self, request: Request, view: Any) -> bool:
            require_scope(grant_of(request), scope)
            return True

    return Permission
