from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard_site.simulation.cities import CITIES, CityShares
from leaderboard_site.simulation.measures import quantile
from leaderboard_site.simulation.players import Population
from scoring.submissions import Submission


@given(player=st.integers(0, 10**8 - 1))
def test_every_player_is_one_that_the_contract_accepts(player: int) -> None:
    people = Population(10**8)
    score = {
        "player_id": people.player_id(player),
        "match_id": "m",
        "points": 0,
        "name": people.name(player),
        "segments": {"city": people.city(player)},
    }
    assert len(people.player_id(player)) == 9
    msgspec.convert(score, Submission)


def test_a_player_is_the_same_in_a_larger_population() -> None:
    small, large = Population(10), Population(1_000_000)
    assert [small.name(7), small.city(7)] == [large.name(7), large.city(7)]


def test_cities_are_of_very_uneven_size() -> None:
    people = Population(20_000)
    sizes = Counter(people.city(player) for player in range(people.count))
    assert set(sizes) == set(CITIES)
    assert sizes["mum"] > 10 * sizes["goa"]
    assert 1.7 < sizes["mum"] / sizes["del"] < 2.3


@pytest.mark.parametrize("fraction", [0.0, 0.5, 1 - 2**-53])
def test_every_fraction_is_somewhere(fraction: float) -> None:
    assert CityShares(["hyd", "blr", "vtz"]).city_at(fraction) in {"hyd", "blr", "vtz"}


@given(values=st.lists(st.integers(), min_size=1), share=st.floats(0, 1))
def test_a_quantile_is_a_value_with_its_share_at_or_below(values: list[int], share: float) -> None:
    found = quantile(values, share)
    assert found in values
    assert sum(value <= found for value in values) >= share * len(values)


def test_nothing_has_no_quantile() -> None:
    assert quantile([], 0.5) is None
