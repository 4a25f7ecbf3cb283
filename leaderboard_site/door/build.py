"""The front door, put together as the environment says."""

import asyncio

from django.conf import settings
from django.db import connection

from boards.store.stream import Stream
from leaderboard_site.door.batches import Batches
from leaderboard_site.door.calls import Calls
from leaderboard_site.door.commits import Commits
from leaderboard_site.door.definitions import Definitions
from leaderboard_site.door.django import Django, WsgiApplication
from leaderboard_site.door.door import FrontDoor
from leaderboard_site.door.flushes import Flushes
from leaderboard_site.door.messages import BodyLimits
from leaderboard_site.door.read_saver import ReadSaver
from leaderboard_site.door.threads import Threads
from leaderboard_site.door.transactions import Transactions
from scoring.grants import grants_snapshot
from scoring.rules import rules_snapshot

WAITING_A_THREAD = 16
"""How many requests may wait for each thread of Django's; more are told to come back. Each holds a body of up to 2 MiB."""

WAITING_BATCHES = 64
"""Likewise in a web process."""


def build_door(application: WsgiApplication) -> FrontDoor:
    environment = settings.ENVIRONMENT
    threads = Threads("django", environment.web_threads, waiting=environment.web_threads * WAITING_A_THREAD)
    body_limits = BodyLimits(settings.DATA_UPLOAD_MAX_MEMORY_SIZE, environment.web_body_seconds)
    django = Django(application, threads, body_limits)
    read_saver = ReadSaver()
    if not environment.front_door:

        async def close_threads() -> None:
            read_saver.close()
            await asyncio.to_thread(threads.close)

        return FrontDoor(django, None, close_threads)
    definitions = Definitions([rules_snapshot, grants_snapshot], settings.RULES_CACHE_SECONDS)
    stream = Stream()
    flushes = Flushes(Transactions(connection.get_connection_params()), environment.door_flushes)
    commits = Commits(flushes.accept, flushes=environment.door_flushes, waiting=environment.door_waiting_scores)
    batches = Batches(together=environment.batches_together, at_once=environment.door_batches, waiting=WAITING_BATCHES)

    async def close() -> None:
        read_saver.close()
        await commits.drain()
        await flushes.close()
        await batches.drain()
        await stream.close()
        for each in (threads, definitions):
            await asyncio.to_thread(each.close)

    return FrontDoor(django, Calls(definitions, stream, commits, batches, body_limits), close)
