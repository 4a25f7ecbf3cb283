"""What a score tells about its player: name and segments, each change with its outbox event and its version."""

from datetime import timedelta

import pytest

from scoring.models import OutboxEvent, Period, Player, ScoreEvent
from tests.factories import NOW, LeaderboardFactory, accept, accept_all, codes, score

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quiz() -> None:
    LeaderboardFactory.create(scopes=["city"])


def player(player_id: str = "ann") -> Player:
    return Player.objects.get(player_id=player_id)


def changes() -> list[tuple[str, bool, list[int] | None]]:
    """Queue, names changed, periods of the outbox events that are not about points alone."""
    about_players = OutboxEvent.objects.exclude(queue="live", names_changed=False).order_by("id")
    return [(event.queue, event.names_changed, event.period_ids) for event in about_players]


def test_a_new_player_comes_with_name_and_segments() -> None:
    accept_all(score("ann", name="Ann", segments={"city": "hyd", "clan": None}))

    ann = player()
    assert (ann.name, ann.name_version, ann.segments, ann.epoch, ann.former_scopes) == (
        "Ann",
        1,
        {"city": "hyd"},
        0,
        [],
    )
    assert changes() == [("live", True, [])]


def test_a_new_player_needs_neither() -> None:
    accept_all(score("ann"))

    assert (player().name, player().name_version, player().segments) == ("", 0, {})
    assert changes() == []


def test_a_rename_is_a_new_version_and_no_correction() -> None:
    accept_all(score("ann", name="Ann"))
    accept_all(score("ann", name="Anna"))

    assert (player().name, player().name_version, player().epoch) == ("Anna", 2, 0)
    assert changes() == [("live", True, [])] * 2


def test_the_same_name_again_changes_nothing() -> None:
    accept_all(score("ann", name="Ann", segments={"city": "hyd"}))
    accept_all(score("ann", name="Ann", segments={"city": "hyd"}), score("ann"))

    assert (player().name_version, player().epoch) == (1, 0)
    assert len(changes()) == 1


def test_segments_are_merged_and_null_takes_one_away() -> None:
    accept_all(score("ann", segments={"city": "hyd", "clan": "red"}))
    accept_all(score("ann", segments={"clan": None, "country": "in"}))

    assert player().segments == {"city": "hyd", "country": "in"}


def test_a_change_of_segment_is_a_correction_in_a_new_epoch() -> None:
    LeaderboardFactory.create(slug="race", period_kinds=["day", "all"])
    accept_all(score("bob", leaderboard="race"), now=NOW - timedelta(days=2))
    accept_all(score("ann", segments={"city": "hyd"}))
    accept_all(score("ann", segments={"city": "pune"}))

    ann = player()
    assert (ann.segments, ann.epoch, ann.former_scopes) == ({"city": "pune"}, 1, ["city:hyd"])
    # Of all leaderboards, for as long as they take scores: the day before yesterday is over.
    open_ids = Period.objects.filter(label="all").values_list("pk", flat=True)
    assert [(queue, named, sorted(ids or ())) for queue, named, ids in changes()] == [
        ("corrections", False, sorted(open_ids))
    ]
    assert len(open_ids) == 2


def test_who_comes_back_is_no_longer_a_former_member() -> None:
    for city in ("hyd", "pune", "hyd"):
        accept_all(score("ann", segments={"city": city}))

    assert (player().epoch, player().former_scopes) == (2, ["city:pune"])


def test_a_removed_segment_is_a_former_scope() -> None:
    accept_all(score("ann", segments={"city": "hyd"}))
    accept_all(score("ann", segments={"city": None}))

    assert (player().segments, player().former_scopes, player().epoch) == ({}, ["city:hyd"], 1)


def test_the_last_word_of_a_batch_counts() -> None:
    accept_all(score("ann", name="A", segments={"city": "hyd"}), score("ann", name="B", segments={"city": "pune"}))

    assert (player().name, player().segments, player().epoch) == ("B", {"city": "pune"}, 0)


def test_who_would_have_too_many_segments_is_refused_and_the_others_are_not() -> None:
    full = {f"s{n}": "v" for n in range(8)}
    accept_all(score("ann", segments=full))

    outcomes = accept(score("ann", name="New", segments={"more": "v"}), score("bob", name="Bob"))

    assert codes(outcomes) == ["too_many_segments", "accepted"]
    assert (player().name, player().segments) == ("", full)
    assert ScoreEvent.objects.count() == 2


def test_a_full_player_may_swap_one_segment_for_another() -> None:
    accept_all(score("ann", segments={f"s{n}": "v" for n in range(8)}))

    assert codes(accept(score("ann", segments={"s0": None, "more": "v"}))) == ["accepted"]


def test_a_new_player_can_not_have_too_many_segments_by_two_scores_of_a_batch() -> None:
    halves = [{f"{half}{n}": "v" for n in range(5)} for half in ("a", "b")]

    assert codes(accept(*(score("ann", segments=half) for half in halves))) == ["too_many_segments"] * 2
    assert not Player.objects.filter(player_id="ann").exists()


def test_a_name_is_kept_with_every_character() -> None:
    for name in ("'; DROP", '"{},\\', "हैदराबाद 🎉", "null", "NULL"):
        accept_all(score("ann", name=name))
        assert player().name == name


def test_a_profile_that_comes_with_a_repeat_is_saved() -> None:
    accept_all(score("ann", 10, "m1"))

    assert codes(accept(score("ann", 10, "m1", name="Ann"))) == ["duplicate"]
    assert player().name == "Ann"


def test_what_a_repeat_within_one_call_says_is_saved_too() -> None:
    accept_all(score("ann"))

    assert codes(accept(score("ann", 10, "m1"), score("ann", 10, "m1", name="Ann"))) == ["accepted", "duplicate"]
    assert player().name == "Ann"


def test_a_leaderboard_that_locks_its_players_saves_what_is_told_of_them() -> None:
    LeaderboardFactory.create(slug="ratings", operator="latest")
    for name, city in (("Ann", "hyd"), ("Anna", "pune")):
        accept_all(score("ann", leaderboard="ratings", name=name, segments={"city": city}))

        assert (player().name, player().segments) == (name, {"city": city})


def test_who_would_have_too_many_segments_is_refused_there_too() -> None:
    LeaderboardFactory.create(slug="ratings", operator="latest")
    accept_all(score("ann", leaderboard="ratings", segments={f"s{n}": "v" for n in range(8)}))

    outcomes = accept(score("ann", leaderboard="ratings", segments={"more": "v"}), score("bob", leaderboard="ratings"))

    assert codes(outcomes) == ["too_many_segments", "accepted"]
