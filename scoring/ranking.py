"""The choices in a leaderboard's rules, and how to say them. Pure."""

from enum import StrEnum


class Operator(StrEnum):
    """How a player's events in one period become a total."""

    ADD = "add"
    BEST = "best"
    LATEST = "latest"


class Order(StrEnum):
    """Which points rank higher."""

    HIGH = "high"
    LOW = "low"

    @property
    def direction(self) -> int:
        """1 or -1: points times this are higher when they are better."""
        return 1 if self is Order.HIGH else -1


class Ties(StrEnum):
    """Who ranks higher on equal points."""

    FIRST = "first"
    LATEST_FIRST = "latest_first"
    SHARED = "shared"


OPERATOR_WORDS = {
    Operator.ADD: "Points add up.",
    Operator.BEST: "A player's best attempt counts.",
    Operator.LATEST: "A player's newest result counts.",
}
ORDER_WORDS = {
    Order.HIGH: "More points rank higher.",
    Order.LOW: "Fewer points rank higher.",
}
TIES_WORDS = {
    Ties.FIRST: "On equal points, whoever got there first ranks higher.",
    Ties.LATEST_FIRST: "On equal points, whoever got there last ranks higher.",
    Ties.SHARED: "Equal points share a rank, and the ranks after it are left out: 1, 2, 2, 4.",
}


def in_words(operator: Operator, order: Order, ties: Ties) -> str:
    """The rules as three sentences that a client can show."""
    return " ".join((OPERATOR_WORDS[operator], ORDER_WORDS[order], TIES_WORDS[ties]))
