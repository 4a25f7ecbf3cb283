import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard_site.simulation.http_parsing import BrokenResponse, Response, ResponseParser, encode_request


def feed_in_pieces(data: bytes, cuts: list[int]) -> list[Response]:
    parser = ResponseParser()
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    pieces = [data[start:end] for start, end in itertools.pairwise(places)]
    return [response for piece in pieces if (response := parser.feed(piece)) is not None]


def with_length(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\nRetry-After: 3\r\n\r\n%s" % (len(body), body)


def in_chunks(chunks: list[bytes]) -> bytes:
    framed = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return b"HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n" + framed + b"0\r\n\r\n"


@given(body=st.binary(max_size=300), cuts=st.lists(st.integers(min_value=0), max_size=10))
def test_a_body_of_known_length_is_read_however_it_arrives(body: bytes, cuts: list[int]) -> None:
    (response,) = feed_in_pieces(with_length(body), cuts)
    assert (response.status, response.body, response.header("retry-after")) == (200, body, "3")


@given(
    chunks=st.lists(st.binary(min_size=1, max_size=40), max_size=6),
    cuts=st.lists(st.integers(min_value=0), max_size=10),
)
def test_a_body_in_chunks_is_read_however_it_arrives(chunks: list[bytes], cuts: list[int]) -> None:
    (response,) = feed_in_pieces(in_chunks(chunks), cuts)
    assert (response.status, response.body) == (202, b"".join(chunks))


def test_a_body_without_a_length_ends_with_the_connection() -> None:
    parser = ResponseParser()
    assert parser.feed(b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\nall") is None
    assert parser.feed(b" of it") is None
    response = parser.end()
    assert response is not None
    assert response.body == b"all of it"


def test_a_body_cut_short_is_no_response() -> None:
    parser = ResponseParser()
    assert parser.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhal") is None
    assert parser.end() is None


def test_responses_follow_each_other() -> None:
    parser = ResponseParser()
    bodies = [parser.feed(data) for data in (with_length(b"one"), in_chunks([b"two"]), with_length(b""))]
    assert [response.body for response in bodies if response] == [b"one", b"two", b""]


@pytest.mark.parametrize("status", [204, 304])
def test_a_response_without_content_has_no_body(status: int) -> None:
    response = ResponseParser().feed(b"HTTP/1.1 %d x\r\nServer: y\r\n\r\n" % status)
    assert response is not None
    assert response.body == b""


@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_what_is_no_response_is_an_error(data: bytes) -> None:
    with pytest.raises(BrokenResponse):
        ResponseParser().feed(data)


def test_a_request_tells_the_length_of_its_body() -> None:
    message = encode_request("POST", "/v1/scores", "h:1", {"Authorization": "Api-Key k"}, b"{}")
    assert message == (
        b"POST /v1/scores HTTP/1.1\r\nHost: h:1\r\nAuthorization: Api-Key k\r\n"
        b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    )
