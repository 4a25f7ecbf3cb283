"""Erasure: a person is forgotten, while everybody's sums stay what they are.

At once, in PostgreSQL, the player's rows lose name, segments, details and the id, which a random one replaces. The boards
are told by the outbox whom to remove. The former id is remembered a little longer, for as long as somebody may still write
to the boards what was read before; then the last traces go, and only the proof is left.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from scoring.ledger_locks import hold_ledgers
from scoring.models import (
    Correction,
    Erasure,
    FormerId,
    Leaderboard,
    OutboxEvent,
    Period,
    Player,
    ReviewState,
    ScoreEvent,
    Total,
)
from scoring.moderation.decisions import (
    Corrected,
    Decision,
    digest_of,
    find_repeat,
    finish,
    load_player,
    lock_player,
    lock_players,
    note,
)
from scoring.moderation.scrubbing import scrub, scrub_own, scrubbed
from scoring.outbox import write_event

REMEMBERED = timedelta(seconds=60)
"""How long a former id is kept: longer than a task may run, so that nobody is left who read it."""

Counts = dict[str, int]

_listeners: list[Callable[[Sequence[int]], Counts]] = []


def on_erase(listener: Callable[[Sequence[int]], Counts]) -> None:
    """Have `listener(players)` remove what it keeps about these primary keys, in the erasing transaction.

    It returns what it removed, by name, for the proof.
    """
    _listeners.append(listener)


def erase_player(player_id: str, decision: Decision) -> Corrected:
    """Forget the person behind this id, and behind the accounts that were merged into it.

    One transaction, in which no scores are accepted. The correction has an `erasure` with the proof, finished about a
    minute later. The same id may come back as a new player at once. PlayerNotFound, CorrectionConflict.
    """
    # By the id that leads nowhere afterwards; told apart by nothing but the key that the caller has.
    began_at = time.monotonic()
    request = digest_of(decision, [Correction.Kind.ERASE, player_id])
    repeat = find_repeat(decision, request)
    texts = 0 if repeat else scrub(_accounts_of(player_id))
    with transaction.atomic():
        hold_ledgers(Leaderboard.objects.values_list("pk", flat=True))
        repeat = find_repeat(decision, request)
        if repeat is not None:
            return Corrected(repeat, is_repeat=True)
        player = lock_player(player_id)
        accounts = lock_players([account.pk for account in _accounts_of(player_id)])
        # Whoever wrote something about him since then.
        texts += scrub_own(accounts)
        decision = replace(decision, reason=scrubbed(decision.reason, accounts))
        correction = note(Correction.Kind.ERASE, decision, player=player, request=request).correction
        correction.player_count = len(accounts)
        # The time for which the id is remembered counts from here, not from before the wait for the ledgers.
        finish(correction, decision.made_at + timedelta(seconds=time.monotonic() - began_at))
        _forget(accounts, Erasure(correction=correction, proof={"texts": texts}))
        write_event(
            OutboxEvent.Queue.CORRECTIONS, [account.pk for account in accounts], decision.made_at, names_changed=True
        )
    return Corrected(correction, is_repeat=False)


def load_unfinished_erasures(now: datetime) -> list[Erasure]:
    """Erasures whose former ids need not be remembered any longer. 1 query."""
    return list(
        Erasure.objects.filter(finished_at__isnull=True, correction__finished_at__lt=now - REMEMBERED).order_by("pk")
    )


def finish_erasure(erasure: Erasure, removed: Counts, now: datetime) -> None:
    """The boards hold no trace any more: forget the former ids too. `removed` goes into the proof."""
    with transaction.atomic():
        erasure.former_ids.all().delete()
        erasure.proof = {**erasure.proof, **removed}
        erasure.finished_at = now
        erasure.save()


def _forget(accounts: list[Player], erasure: Erasure) -> None:
    pks = [account.pk for account in accounts]
    events = ScoreEvent.objects.filter(player__in=pks)
    totals = _totals_of(pks)
    erasure.proof |= {
        "accounts": len(accounts),
        "events": events.count(),
        "event_details": events.filter(details__isnull=False).update(details=None),
        "totals": totals.count(),
        "total_details": totals.filter(details__isnull=False).update(details=None),
        "names": sum(bool(account.name) for account in accounts),
        "segments": sum(len(account.segments) for account in accounts),
    }
    for listener in _listeners:
        erasure.proof |= listener(pks)
    erasure.save()
    for account in accounts:
        _forget_account(account, erasure)


def _accounts_of(player_id: str) -> list[Player]:
    """The account of this id, and all that are one with it by merges."""
    player = load_player(player_id)
    root = player.merged_into_id or player.pk
    return list(Player.objects.filter(Q(pk=root) | Q(merged_into=root)))


def _totals_of(pks: list[int]) -> QuerySet[Total]:
    # By all periods there are: the key starts with the period, and without it the whole table would be read.
    return Total.objects.filter(period__in=list(Period.objects.values_list("pk", flat=True)), player__in=pks)


def _forget_account(account: Player, erasure: Erasure) -> None:
    highest = _totals_of([account.pk]).aggregate(epoch=Max("epoch"))["epoch"] or 0
    account.epoch += 1
    account.name_version += 1
    FormerId.objects.create(
        player=account,
        erasure=erasure,
        former_id=account.player_id,
        scopes=sorted({*account.former_scopes, *(f"{name}:{value}" for name, value in account.segments.items())}),
        # Two steps above what boards may have been shown: the lower one is for removing whose total goes after this.
        next_epoch=max(account.epoch + highest, account.name_version) + 2,
    )
    account.player_id = f"erased:{secrets.token_hex(12)}"
    account.name = ""
    account.segments = {}
    account.former_scopes = []
    account.review_state = ReviewState.ERASED
    account.save()
