"""Flags: a player under suspicion is on no board, while scores go on being recorded."""

from django.db import transaction

from scoring.models import Correction, OutboxEvent, Player, ReviewState
from scoring.moderation.decisions import Corrected, Decision, finish, lock_player, note
from scoring.outbox import write_event


def flag_player(player_id: str, decision: Decision) -> Corrected:
    """Take the player off every board of every leaderboard. Flagged already: the decision is kept, nothing changes.

    One transaction. PlayerNotFound, CorrectionConflict.
    """
    return _set_state(player_id, decision, Correction.Kind.FLAG, ReviewState.FLAGGED)


def unflag_player(player_id: str, decision: Decision) -> Corrected:
    """Put the player back on the boards, with the totals as they are now. Otherwise like `flag_player`."""
    return _set_state(player_id, decision, Correction.Kind.UNFLAG, ReviewState.CLEAR)


def _set_state(player_id: str, decision: Decision, kind: Correction.Kind, state: ReviewState) -> Corrected:
    with transaction.atomic():
        player = lock_player(player_id)
        corrected = note(kind, decision, player=player)
        if not corrected.is_repeat:
            if player.review_state != state:
                set_review_state(player, state)
                write_event(OutboxEvent.Queue.CORRECTIONS, [player.pk], decision.made_at)
                corrected.correction.player_count = 1
            finish(corrected.correction, decision.made_at)
        return corrected


def set_review_state(player: Player, state: ReviewState) -> None:
    """Save the state of a locked player. It decides what boards show, so it begins a new epoch."""
    player.review_state = state
    player.epoch += 1
    player.save(update_fields=["review_state", "epoch"])
