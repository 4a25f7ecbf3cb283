"""The truth, as tables. Every name here is one of DESIGN's words."""

from scoring.models.api_key import ApiKey
from scoring.models.correction import CorrectedTotal, Correction
from scoring.models.erasure import Erasure, FormerId
from scoring.models.hint import Hint, HintProgress
from scoring.models.leaderboard import Leaderboard
from scoring.models.outbox_event import OutboxEvent
from scoring.models.period import Period
from scoring.models.player import Player, ReviewState
from scoring.models.score_event import ScoreEvent
from scoring.models.standings_snapshot import SnapshotEntry, SnapshotPeriod, StandingsSnapshot
from scoring.models.total import Total

__all__ = [
    "ApiKey",
    "CorrectedTotal",
    "Correction",
    "Erasure",
    "FormerId",
    "Hint",
    "HintProgress",
    "Leaderboard",
    "OutboxEvent",
    "Period",
    "Player",
    "ReviewState",
    "ScoreEvent",
    "SnapshotEntry",
    "SnapshotPeriod",
    "StandingsSnapshot",
    "Total",
]
