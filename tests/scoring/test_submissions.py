"""Parsing: each thing that can be wrong with a score is named with its field, the good ones stay."""

from typing import Any

import msgspec
import pytest

from scoring.errors import BatchTooLarge, FieldError, InvalidRequest, MalformedJson
from scoring.submissions import MAX_BATCH, Submission, parse_batch, parse_score

GOOD = {"player_id": "ann", "match_id": "m1", "points": 10}


def body(**changes: Any) -> bytes:
    return msgspec.json.encode({**GOOD, **changes})


def with_raw(field: str, value: str) -> bytes:
    """A score whose `field` is written exactly so."""
    others = "".join(f'"{name}":{msgspec.json.encode(v).decode()},' for name, v in GOOD.items() if name != field)
    return f'{{{others}"{field}":{value}}}'.encode()


def batch(*items: bytes) -> bytes:
    return b'{"scores":[' + b",".join(items) + b"]}"


def error_of(item: bytes) -> FieldError:
    """What is wrong with the item: the same alone and in a batch, where its neighbours stay."""
    parsed = parse_score(item)
    assert isinstance(parsed, FieldError), parsed
    before, same, after = parse_batch(batch(body(), item, body()))
    assert isinstance(before, Submission)
    assert isinstance(after, Submission)
    assert same == parsed
    assert parsed.detail
    return parsed


def test_a_score_with_everything() -> None:
    parsed = parse_score(
        body(
            leaderboard="quiz",
            occurred_at="2026-10-19T20:15:00+05:30",
            name="Ann 🎉",
            segments={"city": "hyd", "clan": None},
        )
    )

    assert isinstance(parsed, Submission)
    assert parsed.occurred_at is not None
    assert parsed.occurred_at.isoformat() == "2026-10-19T20:15:00+05:30"
    assert (parsed.name, parsed.segments) == ("Ann 🎉", {"city": "hyd", "clan": None})


@pytest.mark.parametrize("id_", ["a", "A-z_0.9:@", "x" * 64])
def test_good_ids(id_: str) -> None:
    assert parse_score(body(player_id=id_, match_id=id_)) == Submission(id_, id_, 10)


@pytest.mark.parametrize("field", ["player_id", "match_id"])
@pytest.mark.parametrize(
    "id_",
    ["", "x" * 65, "a b", "a\n", "\na", "a\x00", "é", "a/b", 'a"b', "a\\b", "a{b", "a,b", "\uff41", 5, None, ["a"]],
)
def test_bad_ids(field: str, id_: object) -> None:
    error = error_of(body(**{field: id_}))

    assert (error.field, error.code) == (field, "invalid")


@pytest.mark.parametrize(
    "points",
    ["true", "null", '""', '"ten"', '"0x1"', "NaN", "Infinity", "-Infinity", "[]", "{}", "1" + "0" * 5000],
)
def test_points_that_are_no_number(points: str) -> None:
    error = error_of(with_raw("points", points))

    assert (error.field, error.code) == ("points", "invalid")


@pytest.mark.parametrize("points", [0, -5, 2**63, -(2**63) - 1, 10**30])
def test_every_whole_number_is_parsed_and_left_to_the_rules(points: int) -> None:
    assert parse_score(with_raw("points", str(points))) == Submission("ann", "m1", points)


@pytest.mark.parametrize("field", ["player_id", "match_id", "points"])
def test_a_missing_field_is_named(field: str) -> None:
    error = error_of(msgspec.json.encode({name: value for name, value in GOOD.items() if name != field}))

    assert (error.field, error.code) == (field, "required")


@pytest.mark.parametrize(
    "occurred_at", ["2026-10-19T20:15:00", "2026-10-19", "yesterday", "", "2026-02-30T00:00:00Z", 1_760_000_000, True]
)
def test_a_time_without_offset_is_none(occurred_at: object) -> None:
    error = error_of(body(occurred_at=occurred_at))

    assert (error.field, error.code) == ("occurred_at", "invalid")


@pytest.mark.parametrize("name", ["x" * 65, "a\nb", "a\x00", "\x1f", "\x7f", 5, ["a"]])
def test_bad_names(name: object) -> None:
    error = error_of(body(name=name))

    assert (error.field, error.code) == ("name", "invalid")


def test_half_a_character_is_no_name() -> None:
    assert error_of(with_raw("name", r'"a\ud800"')).field == "name"


def test_a_name_of_64_characters_of_any_script_is_fine() -> None:
    parsed = parse_score(body(name="हैदराबाद" * 8))

    assert isinstance(parsed, Submission)


@pytest.mark.parametrize(
    "segments",
    [
        {f"s{n}": "v" for n in range(9)},
        {"City": "hyd"},
        {"": "hyd"},
        {"city\n": "hyd"},
        {"c" * 33: "hyd"},
        {"city": ""},
        {"city": "a b"},
        {"city": "a:b"},
        {"city": "x" * 65},
        {"city": 5},
        {"city": {"deep": "er"}},
        ["city"],
        "city",
    ],
)
def test_bad_segments(segments: object) -> None:
    error = error_of(body(segments=segments))

    assert (error.field, error.code) == ("segments", "invalid")


@pytest.mark.parametrize("item", [b"null", b"5", b'"text"', b"[]", b"true"])
def test_an_item_that_is_no_object(item: bytes) -> None:
    assert error_of(item).code == "invalid"


def test_of_a_key_that_comes_twice_the_last_counts() -> None:
    parsed = parse_score(b'{"player_id":"ann","match_id":"m1","points":1,"points":2}')

    assert parsed == Submission("ann", "m1", 2)


def test_unknown_fields_are_ignored() -> None:
    assert parse_score(body(version=2, extra={"a": [1]})) == Submission("ann", "m1", 10)


@pytest.mark.parametrize("text", [b"", b"{", b'{"player_id":', b"hello", b"\xff\xfe", b"\x00"])
def test_what_is_no_json_is_refused_as_a_whole(text: bytes) -> None:
    with pytest.raises(MalformedJson):
        parse_score(text)
    with pytest.raises(MalformedJson):
        parse_batch(text)


def test_bytes_that_are_no_utf_8_are_no_json() -> None:
    item = with_raw("name", '"?"').replace(b"?", b"\xff")

    with pytest.raises(MalformedJson):
        parse_score(item)
    with pytest.raises(MalformedJson):
        parse_batch(batch(body(), item))


def test_a_bad_item_before_broken_json_does_not_hide_that_it_is_broken() -> None:
    with pytest.raises(MalformedJson):
        parse_batch(b'{"scores":[null,')


def test_a_bad_item_beside_a_nan_is_named_as_well() -> None:
    bad, nan, good = parse_batch(batch(b"null", with_raw("points", "NaN"), body()))

    assert isinstance(bad, FieldError)
    assert isinstance(nan, FieldError)
    assert isinstance(good, Submission)


@pytest.mark.parametrize("text", [b"[]", b"5", b"null", b"{}", b'{"scores":{}}', b'{"scores":null}', b'{"scores":"a"}'])
def test_a_batch_that_is_no_list_is_refused_as_a_whole(text: bytes) -> None:
    with pytest.raises(InvalidRequest):
        parse_batch(text)
    with pytest.raises(InvalidRequest):
        parse_batch(b'{"x":NaN,"scores":5}')


def test_a_byte_order_mark_is_no_reason_to_lose_a_score() -> None:
    assert parse_score(b"\xef\xbb\xbf" + body()) == Submission("ann", "m1", 10)
    assert parse_batch(b"\xef\xbb\xbf" + batch(body())) == [Submission("ann", "m1", 10)]


@pytest.mark.parametrize("nested", [b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b'{"a":' * 100_000])
def test_deep_nesting_is_an_error_of_the_body(nested: bytes) -> None:
    with pytest.raises((MalformedJson, InvalidRequest)):
        parse_batch(b'{"scores":[' + nested)
    with pytest.raises((MalformedJson, InvalidRequest)):
        parse_batch(nested)


def test_deep_nesting_in_a_field_that_nobody_reads_is_an_error_too() -> None:
    with pytest.raises(MalformedJson):
        parse_score(with_raw("extra", "[" * 50_000 + "]" * 50_000))


def test_a_batch_of_5000_is_taken_and_one_more_is_not() -> None:
    assert len(parse_batch(batch(*[body()] * MAX_BATCH))) == MAX_BATCH
    with pytest.raises(BatchTooLarge):
        parse_batch(batch(*[body()] * (MAX_BATCH + 1)))
    with pytest.raises(BatchTooLarge):
        parse_batch(batch(*[b"null"] * (MAX_BATCH + 1)))


def test_an_empty_batch_is_an_empty_list() -> None:
    assert parse_batch(b'{"scores":[]}') == []
