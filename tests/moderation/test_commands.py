"""The commands of moderation: what they print, and what they say of arguments that are no good."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Correction, Player
from tests.factories import LeaderboardFactory, accept_all, score, total

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quiz() -> None:
    LeaderboardFactory.create(min_total=0, min_points=-100)
    accept_all(score("ann", 30, "m1"), score("bob", 5, "m1"), score("bob", 7, "m2"))


def run(*arguments: str) -> list[str]:
    """The lines that the command prints."""
    out = StringIO()
    call_command(*arguments, "--reason", "bot", stdout=out)
    return out.getvalue().splitlines()


def test_adjust_player_tells_what_changed() -> None:
    lines = run("adjust_player", "quiz", "ann", "--points=-20", "--by", "night shift", "--idempotency-key", "k")
    again = run("adjust_player", "quiz", "ann", "--points=-20", "--idempotency-key", "k")

    correction = Correction.objects.get()
    assert lines == ["ann all: 30 -> 10", f"correction {correction.pk}: 1 players, done"]
    assert again == ["ann all: 30 -> 10", f"correction {correction.pk}: 1 players, done, made before"]
    assert (correction.made_by, correction.reason) == ("night shift", "bot")


def test_void_match_for_one_and_for_all() -> None:
    assert run("void_match", "quiz", "m1", "--player", "ann")[0] == "ann all: 30 -> none"
    assert run("void_match", "quiz", "m1", "--all")[0] == "bob all: 12 -> 7"


def test_void_match_names_whom_it_left_out() -> None:
    accept_all(score("bob", -10))
    lines = run("void_match", "quiz", "m1", "--all")

    assert len(lines) == 2 + 1
    assert "bob would have -3 in quiz:all" in run("void_match", "quiz", "m2", "--all")[-1] or "bob" in lines[-1]


def test_flag_and_unflag_player() -> None:
    assert run("flag_player", "ann") == [f"correction {Correction.objects.get().pk}: 1 players, done"]
    assert Player.objects.get(player_id="ann").review_state == 1
    run("unflag_player", "ann")
    assert Player.objects.get(player_id="ann").review_state == 0


def test_merge_players() -> None:
    with pytest.raises(CommandError, match=r"(?s)say whose event counts.*match m1, ann has 30 points and bob has 5"):
        run("merge_players", "ann", "bob")
    lines = run("merge_players", "ann", "bob", "--keep-in", "quiz/m1=from")

    assert sorted(lines[:2]) == ["ann all: 30 -> none", "bob all: 12 -> 37"]


def test_erase_player_ends_with_the_proof() -> None:
    *_, proof = run("erase_player", "ann")

    assert json.loads(proof)["events"] == 1
    assert not Player.objects.filter(player_id="ann").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["adjust_player", "quiz", "ann", "--points", "many"], "'many' is not a number"),
        (["adjust_player", "quiz", "ann", "--points", "NaN"], "points must be a number"),
        (["adjust_player", "quiz", "ann", "--points", "Infinity"], "points must be a number"),
        (["adjust_player", "quiz", "ann", "--points", "0.5"], "points must be a number"),
        (["adjust_player", "quiz", "ann", "--points", "1e999999"], "points must be a number"),
        (["adjust_player", "quiz", "ann", "--points=-31"], "ann would have -1 in quiz:all"),
        (["adjust_player", "quiz", "ann", "--points=1", "--occurred", "2026-10-19"], "has no offset"),
        (["adjust_player", "quiz", "ann", "--points=1", "--occurred", "soon"], "is not a time in ISO 8601"),
        (["adjust_player", "quiz", "nobody", "--points=1"], "there is no player 'nobody'"),
        (["adjust_player", "chess", "ann", "--points=1"], "there is no leaderboard 'chess'"),
        (["adjust_player", "quiz", "ann"], "--points"),
        (["adjust_player", "quiz", "ann", "--points=1", "--by", "x" * 300], "200 printable characters"),
        (["void_match", "quiz", "m1"], "one of the arguments --player --all is required"),
        (["void_match", "quiz", "m1", "--all", "--player", "ann"], "not allowed with"),
        (["void_match", "quiz", "m9", "--all"], "no score of match 'm9' counts in quiz"),
        (["void_match", "quiz", "x" * 65, "--all"], "there is no match"),
        (["void_match", "quiz", "", "--all"], "there is no match"),
        (["void_match", "quiz", "m\x00", "--all"], "there is no match"),
        (["flag_player", "a\x00"], "there is no player"),
        (["flag_player", "\udcff"], "there is no player"),
        (["merge_players", "ann", "ann"], "are one account"),
        (["merge_players", "ann", "bob", "--keep-in", "m1=from"], "is not like quiz/match-7=into"),
        (["merge_players", "ann", "bob", "--keep", "both"], "invalid"),
        (["erase_player", "x" * 65], "there is no player"),
    ],
    ids=" ".join,
)
def test_bad_arguments_are_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*arguments)
    assert not Correction.objects.exists()
    assert total("ann")[0] == 30


@pytest.mark.parametrize("reason", ["", "  ", "a\nb", "x" * 501])
def test_a_reason_that_tells_nothing_is_refused(reason: str) -> None:
    with pytest.raises(CommandError, match="reason"):
        call_command("flag_player", "ann", "--reason", reason)
    assert not Correction.objects.exists()
