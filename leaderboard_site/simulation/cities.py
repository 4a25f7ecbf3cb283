"""Cities of very uneven size. Pure."""

import itertools
from bisect import bisect_right
from collections.abc import Sequence

CITIES = (
    "mum", "del", "blr", "hyd", "maa", "ccu", "amd", "pnq", "jai", "lko", "knp", "nag", "idr", "bho", "vtz", "pat",
    "coi", "kch", "gau", "trv", "ixc", "mys", "bbi", "rpr", "goa",
)  # fmt: skip
"""Codes of Indian cities, the largest first."""


class CityShares:
    """Zipf's law: the city at place k has 1/k as many players as the first."""

    def __init__(self, cities: Sequence[str]) -> None:
        self._cities = tuple(cities)
        weights = [1 / place for place in range(1, len(self._cities) + 1)]
        total = sum(weights)
        self._upper_bounds = [bound / total for bound in itertools.accumulate(weights)]

    def city_at(self, fraction: float) -> str:
        """The city whose share holds `fraction`, 0 <= fraction < 1."""
        place = bisect_right(self._upper_bounds, fraction)
        return self._cities[min(place, len(self._cities) - 1)]
