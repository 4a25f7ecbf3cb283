"""A worker taken apart: it has read rows at one moment, and writes them to the boards at another, or never, or twice."""

from boards import store
from boards.carried import carried_by, load_carried_calls
from boards.row_calls import calls_of
from boards.store import Call
from boards.writes import PeriodBoards
from scoring.models import OutboxEvent, Period, Player
from scoring.rules import get_rules
from scoring.totals import load_period, load_rows, with_former_ids
from tests.factories import NOW


class Worker:
    """Reads when made: what `event` is about in the leaderboard, as far as it does not carry it; or every player's rows of it."""

    def __init__(self, slug: str, event: OutboxEvent | None = None) -> None:
        period_ids = list(Period.objects.filter(leaderboard__slug=slug).values_list("pk", flat=True))
        if event and event.period_ids is not None:
            period_ids = [period_id for period_id in period_ids if period_id in event.period_ids]
        players = event.player_ids if event else list(Player.objects.values_list("pk", flat=True))

        def begin() -> list[PeriodBoards]:
            return [PeriodBoards(get_rules(slug), load_period(period_id), NOW) for period_id in period_ids]

        self.calls: list[Call] = []
        if event and (carried := carried_by(event, NOW)):
            assert period_ids == event.period_ids
            ((self.calls, players),) = load_carried_calls([carried], begin)
        rows = with_former_ids(load_rows(players, period_ids))
        calls, problems = calls_of(rows, begin(), totals_removed=bool(event and event.totals_removed))
        self.calls += calls
        assert not problems

    def write(self) -> None:
        store.run(self.calls)
