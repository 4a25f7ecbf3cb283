"""People at the admin."""

from django.contrib.auth.models import Group, User
from django.test import Client

from leaderboard_site.groups import install_groups

PLAYERS = "/admin/scoring/player/"


def member_of(group: str) -> Client:
    """The browser of somebody in this group, who may enter the admin and has no other permission."""
    install_groups()
    user = User.objects.create(username=f"one {group}", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def superuser() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client
