"""Who plays: ids, display names, cities. Pure, and the same for everyone: player 17 is the same person every night."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from leaderboard_site.simulation.cities import CITIES, CityShares

GIVEN_NAMES = (
    "Aarav", "Aditi", "Akash", "Ananya", "Anil", "Anjali", "Arjun", "Asha", "Bhavna", "Chetan", "Deepa", "Dev", "Divya",
    "Farhan", "Gauri", "Harish", "Imran", "Isha", "Jaya", "Kabir", "Karthik", "Kavya", "Kiran", "Lakshmi", "Leela",
    "Madhav", "Maya", "Meera", "Mohan", "Nandini", "Naveen", "Neha", "Nikhil", "Pooja", "Pranav", "Priya", "Rahul",
    "Rajesh", "Ravi", "Rekha", "Rohan", "Ruchi", "Sahil", "Sana", "Sanjay", "Shreya", "Suresh", "Tara", "Uma", "Varun",
    "Vidya", "Vikram", "Yash", "Zoya",
)  # fmt: skip
FAMILY_NAMES = (
    "Agarwal", "Ahmed", "Banerjee", "Bhat", "Chopra", "Das", "Desai", "D'Souza", "Fernandes", "Ghosh", "Gupta", "Iyer",
    "Jain", "Joshi", "Kapoor", "Khan", "Kulkarni", "Kumar", "Mehta", "Menon", "Mishra", "Nair", "Naidu", "Patel",
    "Pillai", "Rao", "Reddy", "Sen", "Shah", "Sharma", "Singh", "Verma",
)  # fmt: skip


@dataclass(frozen=True)
class Population:
    """`count` players, numbered from 0. Ids have 9 characters with the default prefix."""

    count: int
    cities: Sequence[str] = CITIES
    prefix: str = "p"

    def player_id(self, player: int) -> str:
        return f"{self.prefix}{player:08d}"

    def name(self, player: int) -> str:
        digest = crc32(f"name {player}".encode())
        digest, given = divmod(digest, len(GIVEN_NAMES))
        digest, family = divmod(digest, len(FAMILY_NAMES))
        # Some show their family name in full, most an initial.
        shown = FAMILY_NAMES[family] if digest % 4 == 0 else f"{FAMILY_NAMES[family][0]}."
        return f"{GIVEN_NAMES[given]} {shown}"

    def city(self, player: int) -> str:
        return self._shares.city_at(crc32(f"city {player}".encode()) / 2**32)

    @cached_property
    def _shares(self) -> CityShares:
        return CityShares(self.cities)
