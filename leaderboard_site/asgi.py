"""The web application, for any ASGI server: the front door, with all of Django behind it."""

import os

from django.core.wsgi import get_wsgi_application

from leaderboard_site.door.messages import AsgiApplication

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard_site.settings")


def _open() -> AsgiApplication:
    django = get_wsgi_application()
    # Not above: the door's modules can be imported once Django is set up.
    from leaderboard_site.door.build import build_door

    return build_door(django)


application = _open()
