"""The web application, for any ASGI server: the front door, with all of Django behind it."""

import os

from django.core.wsgi import get_wsgi_application

from leaderboard_site.door.messages import AsgiApplication
from leaderboard_site.heap import settle_heap

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard_site.settings")


def _open() -> AsgiApplication:
    django = get_wsgi_application()
    # Not above: the door's modules can be imported once Django is set up.
    from leaderboard_site.door.build import build_door

    door = build_door(django)
    settle_heap()
    return door


application = _open()
