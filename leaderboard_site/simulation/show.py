"""Playing a whole night with a progress bar, and playing the demo without end."""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from datetime import UTC, datetime

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from leaderboard_site.simulation.measures import Tally, quantile
from leaderboard_site.simulation.quiz import Night, Quiz, await_ready, open_night
from leaderboard_site.simulation.standings import NightBoard

REFRESH_SECONDS = 0.2


def new_match_prefix() -> str:
    """`night-20261019-201500`: matches are accepted once, so each night needs its own."""
    return f"night-{datetime.now(UTC):%Y%m%d-%H%M%S}"


async def play_night(quiz: Quiz, match_prefix: str, tally: Tally, console: Console) -> NightBoard:
    """All questions, with a progress bar. Raises Refused or NoAnswer, alone or in groups."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    await await_ready(quiz)
    async with open_night(quiz, match_prefix, tally) as night:
        with Progress(*columns, console=console) as progress:
            await _play_questions(quiz, night, tally, progress)
        return night.board


async def _play_questions(quiz: Quiz, night: Night, tally: Tally, progress: Progress) -> None:
    bar = progress.add_task("connecting", total=quiz.people.count * quiz.questions)

    async def keep_moving() -> None:
        while True:
            progress.update(bar, completed=tally.accepted + tally.rejected)
            await asyncio.sleep(REFRESH_SECONDS)

    moving = asyncio.create_task(keep_moving())
    try:
        for number in range(1, quiz.questions + 1):
            progress.update(bar, description=f"question {number} of {quiz.questions}")
            await night.play_question(number)
    finally:
        moving.cancel()
        progress.update(bar, completed=tally.accepted + tally.rejected)


async def play_demo(quiz: Quiz, show: Callable[[str], None]) -> None:
    """Night after night, one line a question, until SIGTERM or SIGINT; then returns."""
    loop, playing = asyncio.get_running_loop(), asyncio.current_task()
    assert playing is not None
    for sent in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sent, playing.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await await_ready(quiz)
        while True:
            await _play_demo_night(quiz, show)


async def _play_demo_night(quiz: Quiz, show: Callable[[str], None]) -> None:
    match_prefix = new_match_prefix()
    tally = Tally()
    async with open_night(quiz, match_prefix, tally) as night:
        for number in range(1, quiz.questions + 1):
            before = tally.accepted
            tally.visible_after.clear()
            await night.play_question(number)
            visible_after = quantile(tally.visible_after, 0.5)
            seen = f", on the board after {visible_after * 1000:.0f} ms" if visible_after is not None else ""
            show(f"{match_prefix} question {number} of {quiz.questions}: {tally.accepted - before} answers{seen}")
