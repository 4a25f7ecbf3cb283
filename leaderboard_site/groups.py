"""The groups that people of the admin belong to, and what each may do.

Said here and nowhere else: installing them makes them so again. Whoever wants another mixture makes a group of his own.
"""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from django.contrib.auth.models import Group, Permission
from django.db import transaction

GROUPS: Mapping[str, Sequence[str]] = {
    "reviewer": (
        "scoring.view_player",
        "scoring.view_correction",
        "scoring.view_leaderboard",
        "scoring.view_period",
        "scoring.review_player",
    ),
    "operator": (
        "scoring.view_*",
        "scoring.add_leaderboard",
        "scoring.change_leaderboard",
        "scoring.add_period",
        "scoring.change_period",
        "scoring.add_apikey",
        "scoring.change_apikey",
        "scoring.change_outboxevent",
        "boards.view_*",
        "rebuilds.*",
        "django_celery_beat.*",
    ),
    "read-only": ("scoring.view_*", "boards.view_*", "rebuilds.view_*", "django_celery_beat.view_*"),
}
"""Patterns of permissions, `app.codename`. A model that comes later is seen by those who see all of its app."""


@transaction.atomic
def install_groups() -> list[str]:
    """Make each of GROUPS have exactly its permissions; its members stay. Repeatable. Returns the names of new ones.

    After `migrate`, which makes the permissions.
    """
    permissions = {
        f"{permission.content_type.app_label}.{permission.codename}": permission
        for permission in Permission.objects.select_related("content_type")
    }
    created = []
    for name, patterns in GROUPS.items():
        group, is_new = Group.objects.get_or_create(name=name)
        group.permissions.set(
            permission
            for full_name, permission in permissions.items()
            if any(fnmatchcase(full_name, pattern) for pattern in patterns)
        )
        if is_new:
            created.append(name)
    return created
