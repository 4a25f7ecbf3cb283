"""Whatever is sent, parsing answers with scores, named errors, or an error of the contract."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import FieldError, LeaderboardError
from scoring.submissions import Submission, parse_batch, parse_score

FIELDS = ["player_id", "match_id", "points", "leaderboard", "occurred_at", "name", "segments"]

any_text = st.text(st.characters(codec=None), max_size=8)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | any_text
any_json = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4)
)
points = st.integers(-5, 5) | any_json
nearly_scores = st.fixed_dictionaries(
    {"player_id": st.just("ann") | any_json, "match_id": st.just("m1") | any_json, "points": points},
    optional=dict.fromkeys(FIELDS[3:], any_json) | {"segments": st.dictionaries(any_text, any_text) | any_json},
)


def parses_or_refuses(parse: Callable[[bytes], Any], body: bytes) -> list[Any]:
    """Whatever came out; LeaderboardError counts as nothing, any other exception fails the test."""
    try:
        parsed = parse(body)
    except LeaderboardError:
        return []
    return parsed if isinstance(parsed, list) else [parsed]


def check(body: bytes) -> None:
    for parse in (parse_score, parse_batch):
        for item in parses_or_refuses(parse, body):
            assert isinstance(item, Submission | FieldError)


@given(st.binary(max_size=200))
def test_any_bytes(body: bytes) -> None:
    check(body)


@given(any_json)
def test_any_json(document: Any) -> None:
    check(json.dumps(document).encode())
    check(json.dumps({"scores": document}).encode())


@given(nearly_scores)
def test_a_score_with_anything_in_its_fields(item: dict[str, Any]) -> None:
    check(json.dumps(item).encode())
    check(json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@given(st.lists(nearly_scores, max_size=5))
def test_a_batch_of_them_has_one_answer_for_each(items: list[dict[str, Any]]) -> None:
    parsed = parses_or_refuses(parse_batch, json.dumps({"scores": items}).encode())

    assert len(parsed) == len(items)


@given(nearly_scores, st.data())
def test_a_score_that_was_cut_or_damaged(item: dict[str, Any], data: st.DataObject) -> None:
    body = bytearray(json.dumps(item).encode())
    position = data.draw(st.integers(0, len(body) - 1))
    body[position] = data.draw(st.integers(0, 255))

    check(bytes(body))
    check(bytes(body[:position]))
