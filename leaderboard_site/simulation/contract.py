"""The parts of API.md that game servers and apps use, as types."""

import msgspec

from leaderboard_site.simulation.http_parsing import Response


class Refused(Exception):
    """The server has answered with something that repeating does not help against."""

    def __init__(self, response: Response) -> None:
        try:
            told = msgspec.json.decode(response.body, type=ErrorAnswer)
            super().__init__(f"{response.status} {told.code}: {told.detail}")
        except msgspec.MsgspecError:
            super().__init__(f"status {response.status}")


class ErrorAnswer(msgspec.Struct):
    code: str
    detail: str


class Score(msgspec.Struct, omit_defaults=True, gc=False):
    leaderboard: str
    player_id: str
    match_id: str
    points: int
    name: str | None = None
    segments: dict[str, str] | None = None


class ScoreBatch(msgspec.Struct):
    scores: list[Score]


class Result(msgspec.Struct, gc=False):
    """`totals` by period label; empty for a rejected score."""

    index: int
    status: str
    code: str = ""
    detail: str = ""
    totals: dict[str, int] = {}


class BatchAnswer(msgspec.Struct):
    accepted: int
    duplicates: int
    rejected: int
    results: list[Result]


class TopAnswer(msgspec.Struct):
    """`board` is the full id, also when it was asked for without its period's label."""

    board: str


class StandingAnswer(msgspec.Struct):
    rank: int
    points: int
    updating: bool


class Entry(msgspec.Struct):
    points: int | None


class RanksAnswer(msgspec.Struct):
    entries: list[Entry]


decode_batch_answer = msgspec.json.Decoder(BatchAnswer).decode
decode_top = msgspec.json.Decoder(TopAnswer).decode
decode_standing = msgspec.json.Decoder(StandingAnswer).decode
decode_ranks = msgspec.json.Decoder(RanksAnswer).decode
encode = msgspec.json.Encoder().encode
