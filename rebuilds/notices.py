"""Notices of final standings: written with the archive, told to the webhooks that are to know."""

from datetime import datetime

import msgspec
from django.conf import settings
from django.db.models import Q

from boards.archive import ArchivedBoardReader
from boards.board_ids import find_board
from boards.entries import Entry
from boards.models import ArchivedBoard, ArchivedPeriod
from rebuilds.models import PeriodNotice, Webhook, WebhookDelivery
from scoring.api.reply import encode
from scoring.models import Period

MOST_BOARDS = 100
TOP = 3


class NoticeBoard(msgspec.Struct):
    """One board of the period, as sent: how many were ranked, the best, and where to read them all."""

    board: str
    players: int
    top: list[Entry]
    standings: str


class NoticeBody(msgspec.Struct):
    """What is sent. `boards` are the largest MOST_BOARDS of `boards_count`. Deliveries may repeat, and may come in any order;
    `id` stays the same."""

    id: str
    type: str
    created_at: datetime
    leaderboard: str
    period: str
    starts_at: datetime | None
    ends_at: datetime | None
    closed_at: datetime
    archived_at: datetime | None
    boards_count: int
    boards: list[NoticeBoard]


def write_notice(period: Period, kind: PeriodNotice.Kind, now: datetime) -> None:
    """Leave a notice, and a delivery for each webhook that it is for, in the caller's transaction."""
    notice = PeriodNotice.objects.create(period=period, kind=kind, created_at=now)
    is_for = Q(leaderboards=period.leaderboard_id) | Q(leaderboards__isnull=True)
    webhooks = Webhook.objects.filter(is_for, is_active=True)
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(notice=notice, webhook=webhook, retry_at=now) for webhook in webhooks
    )


def load_body(notice: PeriodNotice, now: datetime) -> bytes:
    """The JSON to send, with the standings as the archive has them now. A query for each board, and two."""
    period = notice.period
    archived = ArchivedPeriod.objects.get(period=period)
    boards = ArchivedBoard.objects.filter(archived_period=archived).order_by("-players", "scope")
    prefix = f"{period.leaderboard.slug}:{period.label}"
    body = NoticeBody(
        str(notice.notice_id),
        notice.kind,
        notice.created_at,
        period.leaderboard.slug,
        period.label,
        period.starts_at,
        period.ends_at,
        archived.closed_at,
        archived.archived_at,
        boards.count(),
        [_describe(f"{prefix}:{board.scope}", board, now) for board in boards[:MOST_BOARDS]],
    )
    return encode(body)


def _describe(board_id: str, archived: ArchivedBoard, now: datetime) -> NoticeBoard:
    top = ArchivedBoardReader(find_board(board_id, now), archived.archived_period_id).top(TOP, 0)
    return NoticeBoard(board_id, top.players, top.entries, f"{settings.PUBLIC_URL}/v1/leaderboards/{board_id}/top")
