"""Asking until there is an answer: what a well-behaved game server does. Safe, since every score has its match id."""

import asyncio

from leaderboard_site.simulation.http_client import Client
from leaderboard_site.simulation.http_parsing import Response
from leaderboard_site.simulation.measures import Tally

AGAIN_LATER = frozenset({429, 502, 503, 504})
FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 2.0


class NoAnswer(Exception):
    """The server can't be reached, or says "later", for longer than we are willing to wait."""


class PersistentClient:
    """Repeats what could not be answered, with Retry-After honoured."""

    def __init__(self, client: Client, tally: Tally, give_up_seconds: float) -> None:
        self.client = client
        self._tally = tally
        self._give_up_seconds = give_up_seconds

    async def get(self, target: str) -> Response:
        return await self.send(self.client.encode("GET", target))

    async def post(self, target: str, body: bytes) -> Response:
        return await self.send(self.client.encode("POST", target, body))

    async def send(self, message: bytes) -> Response:
        """The first response that is not "later". Raises NoAnswer after `give_up_seconds` without one."""
        loop = asyncio.get_running_loop()
        give_up_at = loop.time() + self._give_up_seconds
        pause_seconds = FIRST_PAUSE_SECONDS
        while True:
            try:
                response = await self.client.send(message)
            except OSError as error:
                wait_seconds, problem = pause_seconds, str(error) or type(error).__name__
            else:
                if response.status not in AGAIN_LATER:
                    return response
                wait_seconds, problem = retry_after_seconds(response, pause_seconds), f"status {response.status}"
            if loop.time() + wait_seconds > give_up_at:
                raise NoAnswer(f"no answer for {self._give_up_seconds:g} seconds: {problem}")
            self._tally.repeated_requests += 1
            pause_seconds = min(2 * pause_seconds, LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(wait_seconds)


def retry_after_seconds(response: Response, otherwise: float) -> float:
    """What the server asks for; `otherwise` if it says nothing, or a date."""
    header = response.header("Retry-After")
    return float(header) if header and header.isdigit() else otherwise
