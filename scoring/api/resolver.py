"""Which leaderboard a score is for, and whether its sender may use it."""

from collections.abc import Iterable

from scoring.errors import FieldError
from scoring.grants import Grant, require_scope
from scoring.intake import Addressed
from scoring.models import ApiKey
from scoring.rules import Rules, all_rules
from scoring.submissions import Parsed, Submission


class LeaderboardResolver:
    """Finds what scores call their leaderboard (None: left out). For one request's use."""

    def __init__(self, grant: Grant | None) -> None:
        self._grant = require_scope(grant, ApiKey.Scope.SUBMIT)
        self._rules = all_rules()
        self._answers: dict[str | None, Rules | FieldError] = {}

    def address(self, parsed: Iterable[Parsed]) -> list[Addressed | FieldError]:
        """Each score with its rules, or what is wrong with it, in the order given."""
        return [item if isinstance(item, FieldError) else self._address(item) for item in parsed]

    def _address(self, submission: Submission) -> Addressed | FieldError:
        rules = self._rules_of(submission.leaderboard)
        return rules if isinstance(rules, FieldError) else Addressed(submission, rules)

    def _rules_of(self, slug: str | None) -> Rules | FieldError:
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
