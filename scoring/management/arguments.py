"""Parsing of command line arguments, shared by commands."""

from argparse import ArgumentTypeError
from datetime import datetime
from decimal import Decimal, InvalidOperation


def names(text: str) -> list[str]:
    """A list written with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def points(text: str) -> Decimal:
    """Points as people write them."""
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ArgumentTypeError(f"{text!r} is not a number") from None


def instant(text: str) -> datetime:
    """An aware time in ISO 8601."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a time in ISO 8601") from None
    if value.tzinfo is None:
        raise ArgumentTypeError(f"{text!r} has no offset; write 2026-10-01T00:00:00+05:30")
    return value
