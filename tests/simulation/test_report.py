from leaderboard_site.simulation.measures import Tally
from leaderboard_site.simulation.report import rows
from leaderboard_site.simulation.sums import Sums


def test_sums_agree_only_if_all_three_are_equal() -> None:
    assert Sums(1, 10, ledger=30, totals=30, board=30).agree
    assert not Sums(1, 10, ledger=30, totals=30, board=20).agree
    assert not Sums(1, 10, ledger=30, totals=40, board=40).agree


def test_a_difference_is_said_loudly() -> None:
    shown = dict(rows(Tally(), Sums(1, 10, ledger=30, totals=30, board=20)))
    assert shown["points in ledger = totals = board"] == "30 / 30 / 20  THEY DIFFER"


def test_rejections_are_named() -> None:
    tally = Tally(rejected=2)
    tally.rejected_codes.update(["period_closed: too late"] * 2)
    assert ("  period_closed: too late", "2") in rows(tally, Sums(0, 0, 0, 0, 0))
