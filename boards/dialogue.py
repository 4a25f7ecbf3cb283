"""A dialogue: what some answer needs of Redis, one call after another, by whichever way they are carried.

A generator that yields calls and is sent their replies, or has BoardsUnavailable thrown into it. So Django's views, which
wait, and the front door, which does not, go through the same steps.
"""

from collections.abc import Generator
from typing import Any, TypeVar

from boards import store
from boards.reads import Read, WindowRead
from boards.store import BoardsUnavailable, Call
from boards.windows import is_built

T = TypeVar("T")

Dialogue = Generator[Call, Any, T]


def read(wanted: WindowRead[T] | Read[T] | T) -> Dialogue[T]:
    """One read; what is here already, from the archive, needs no call. Raises what its parser raises."""
    if isinstance(wanted, WindowRead):
        if not is_built((yield wanted.use)):
            unbuilt: T = wanted.unbuilt()
            return unbuilt
        wanted = wanted.then
    if not isinstance(wanted, Read):
        return wanted
    reply = yield wanted.call
    answer: T = wanted.parse(reply)
    return answer


def hold(dialogue: Dialogue[T]) -> T:
    """Go through it, 1 round trip a call."""
    try:
        call = next(dialogue)
        while True:
            try:
                (reply,) = store.run([call])
            except BoardsUnavailable as error:
                call = dialogue.throw(error)
            else:
                call = dialogue.send(reply)
    except StopIteration as end:
        result: T = end.value
        return result
