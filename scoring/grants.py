"""What an API key allows. Known to the process for RULES_CACHE_SECONDS, so that no request asks the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.conf import settings

from scoring.errors import LeaderboardNotAllowed, NotAuthenticated, WrongScope
from scoring.models import ApiKey
from scoring.rules import Rules
from scoring.snapshot import Snapshot

LOOK_AGAIN_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Grant:
    """A valid key's rights. `leaderboards` of None: all of them."""

    prefix: str
    scopes: frozenset[str]
    leaderboards: frozenset[str] | None
    expires_at: datetime | None
    requests_per_minute: int | None

    def may_use(self, slug: str) -> bool:
        return self.leaderboards is None or slug in self.leaderboards


def find_grant(authorization: str | None, now: datetime) -> Grant | None:
    """The rights behind an `Authorization` header; None if there is no header. NotAuthenticated if the key is no good."""
    if authorization is None:
        return None
    scheme, _, key = authorization.partition(" ")
    if scheme.lower() != "api-key" or not key:
        raise NotAuthenticated('the Authorization header must be "Api-Key <key>"')
    hashed = _hash_of(key.strip())
    # A key that was made a moment ago is worth another look; wrong ones cost no more than a few looks a second.
    grant = grants_snapshot.get().get(hashed) or grants_snapshot.get(LOOK_AGAIN_SECONDS).get(hashed)
    if grant is None or (grant.expires_at is not None and grant.expires_at <= now):
        raise NotAuthenticated("this API key is unknown, revoked or expired")
    return grant


@lru_cache(maxsize=1_000)
def _hash_of(key: str) -> str:
    """A game server sends the same key with each of its requests."""
    hashed: str = ApiKey.objects.key_generator.hash(key)
    return hashed


def require_scope(grant: Grant | None, scope: str) -> Grant:
    """The grant, if it holds the scope. NotAuthenticated without a key, WrongScope with a lesser one."""
    if grant is None:
        raise NotAuthenticated("this call needs an API key")
    if scope not in grant.scopes:
        raise WrongScope(f"this API key does not have the scope {scope!r}")
    return grant


def require_read(grant: Grant | None, rules: Rules) -> None:
    """Let public leaderboards be read by everyone, others by keys with the scope read for this leaderboard."""
    if rules.is_public:
        return
    if not require_scope(grant, ApiKey.Scope.READ).may_use(rules.slug):
        raise LeaderboardNotAllowed(f"this API key may not use {rules.slug}")


def may_read(grant: Grant | None, rules: Rules) -> bool:
    """Whether the leaderboard is public, or the key may read it."""
    if rules.is_public:
        return True
    return grant is not None and ApiKey.Scope.READ in grant.scopes and grant.may_use(rules.slug)


def forget_grants() -> None:
    """Make the next caller in this process load them anew."""
    grants_snapshot.forget()


def load_grants() -> Mapping[str, Grant]:
    """The grants of all keys that were not revoked, by hash of the key. 2 queries."""
    grants = {}
    for key in ApiKey.objects.get_usable_keys().prefetch_related("leaderboards"):
        slugs = frozenset(leaderboard.slug for leaderboard in key.leaderboards.all())
        grants[key.hashed_key] = Grant(
            key.prefix, frozenset(key.scopes), slugs or None, key.expiry_date, key.requests_per_minute
        )
    return grants


grants_snapshot: Snapshot[Mapping[str, Grant]] = Snapshot(load_grants, settings.RULES_CACHE_SECONDS)
