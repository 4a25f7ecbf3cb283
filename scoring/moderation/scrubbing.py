"""Free texts that may name a person: reasons, problems, the admin's log."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Manager, Q

from scoring.models import Correction, OutboxEvent, Player

ERASED = "(erased)"
REPLACEMENT = "-"
"""Of a word: no longer than any name, so that each text still fits its column."""


_free_texts: list[tuple[Manager[Any], str]] = [
    (Correction.objects, "reason"),
    (Correction.objects, "problem"),
    (OutboxEvent.objects, "problem"),
    (LogEntry.objects, "object_repr"),
    (LogEntry.objects, "change_message"),
]


def on_scrub(rows: Manager[Any], field: str) -> None:
    """Another column whose texts may name players."""
    _free_texts.append((rows, field))


def scrub(accounts: Iterable[Player]) -> int:
    """Take ids and names of these accounts out of all texts; returns how many texts changed. Repeatable.

    Texts about nobody else go as a whole: a person can be told by more than a name. In others ids and names are replaced
    where they stand as words. Looks at all texts there are: for rare use, and not while others wait.
    """
    accounts = list(accounts)
    names = _names(accounts)
    replace = _replacer(names)
    changed = scrub_own(accounts)
    for rows, field in _free_texts:
        changed += _scrub_field(rows, field, names, replace)
    return changed


def scrub_own(accounts: Iterable[Player]) -> int:
    """Only the texts about nobody but these accounts. A few look-ups."""
    pks = [account.pk for account in accounts]
    player_type = ContentType.objects.get_for_model(Player)
    changed = Correction.objects.filter(player__in=pks).exclude(reason=ERASED).update(reason=ERASED)
    return changed + LogEntry.objects.filter(content_type=player_type, object_id__in=map(str, pks)).update(
        object_repr=ERASED, change_message=""
    )


def scrubbed(text: str, accounts: Iterable[Player]) -> str:
    """The text with these accounts' ids and names replaced."""
    return _replacer(_names(accounts))(text)


def _names(accounts: Iterable[Player]) -> set[str]:
    return {text for account in accounts for text in (account.player_id, account.name) if text}


def _replacer(names: set[str]) -> Callable[[str], str]:
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(REPLACEMENT, text)


def _scrub_field(rows: Manager[Any], field: str, names: set[str], replace: Callable[[str], str]) -> int:
    holds_one = Q()
    for name in names:
        holds_one |= Q(**{f"{field}__icontains": name})
    changed = 0
    for pk, text in rows.exclude(**{field: ""}).filter(holds_one).values_list("pk", field):
        replaced = replace(text)
        if replaced != text:
            changed += rows.filter(pk=pk).update(**{field: replaced})
    return changed
