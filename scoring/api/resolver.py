"""Which leaderboard a score is for, and whether its sender may use it."""

from scoring.errors import FieldError
from scoring.grants import Grant, require_scope
from scoring.models import ApiKey
from scoring.rules import Rules, all_rules


class LeaderboardResolver:
    """Callable from a score's `leaderboard` (None: left out) to its rules, or what is wrong. One request's use."""

    def __init__(self, grant: Grant | None) -> None:
        self._grant = require_scope(grant, ApiKey.Scope.SUBMIT)
        self._rules = all_rules()
        self._answers: dict[str | None, Rules | FieldError] = {}

    def __call__(self, slug: str | None) -> Rules | FieldError:
        answer = self._answers.get(slug)
        if answer is None:
            answer = self._answers[slug] = self._find(slug)
        return answer

    def _find(self, slug: str | None) -> Rules | FieldError:
        if slug is None:
            usable = [name for name in self._rules if self._grant.may_use(name)]
            if len(usable) != 1:
                return FieldError(
                    "leaderboard", "required", "leaderboard is missing, and there is more than one to choose from"
                )
            slug = usable[0]
        if slug not in self._rules:
            return FieldError("leaderboard", "leaderboard_not_found", f"there is no leaderboard {slug[:64]!r}")
        if not self._grant.may_use(slug):
            return FieldError("leaderboard", "leaderboard_not_allowed", f"this API key may not use {slug}")
        return self._rules[slug]
