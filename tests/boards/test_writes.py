"""What a player's row means for the boards: shown on each of its scopes, removed from those left."""

from boards.keys import board_keys
from boards.store import Call
from boards.writes import PeriodBoards, ShownPlayer
from scoring.periods import ALL_TIME
from scoring.totals import PeriodInfo
from tests.boards.bare_boards import NOW, RULES, pack

FIRST_ACCEPT_NO = 5_000_000
PACKED = pack(120, 4_000_000)


def calls(player: ShownPlayer, epoch: int) -> dict[str, list[object]]:
    """The arguments of the writes by scope, without those about the board."""
    boards = PeriodBoards(RULES, PeriodInfo("quiz", ALL_TIME.label, FIRST_ACCEPT_NO), NOW)
    boards.show(player, 120, FIRST_ACCEPT_NO + 4_000_000, epoch, None)
    return {scope(call): list(call.arguments[2:]) for call in boards.calls()}


def scope(call: Call) -> str:
    live = call.keys[0]
    assert call.keys == board_keys(live.removeprefix("lb:"))
    return live.removeprefix("lb:quiz:all:")


def player(segments: str = "{}", former_scopes: tuple[str, ...] = (), *, is_hidden: bool = False) -> ShownPlayer:
    return ShownPlayer("ann", segments, former_scopes, is_hidden)


def test_a_row_of_epoch_0_is_a_raise_on_each_board_of_its_player() -> None:
    written = calls(player('{"city": "hyd", "clan": "red"}'), epoch=0)

    assert written == {"global": [1, 0, PACKED, "ann"], "city:hyd": [1, 0, PACKED, "ann"]}


def test_acceptance_numbers_count_from_the_start_of_the_period() -> None:
    assert calls(player(), epoch=0) == {"global": [1, 0, 1_209_995_999_999, "ann"]}


def test_a_corrected_row_brings_its_epoch() -> None:
    assert calls(player(), epoch=2) == {"global": [0, 1, "ann", 2, PACKED]}


def test_who_has_left_a_scope_is_removed_there() -> None:
    written = calls(player('{"city": "pune"}', ("city:hyd", "clan:red")), epoch=1)

    shown, removed = [0, 1, "ann", 1, PACKED], [0, 1, "ann", 1, ""]
    assert written == {"global": shown, "city:pune": shown, "city:hyd": removed}


def test_who_is_hidden_is_removed_everywhere() -> None:
    written = calls(player('{"city": "hyd"}', is_hidden=True), epoch=1)

    assert written == {"global": [0, 1, "ann", 1, ""], "city:hyd": [0, 1, "ann", 1, ""]}


def test_a_hidden_player_without_an_epoch_is_removed_too() -> None:
    """Flagged from the start, say by an import: a removal is no raise."""
    assert calls(player(is_hidden=True), epoch=0) == {"global": [0, 1, "ann", 0, ""]}
