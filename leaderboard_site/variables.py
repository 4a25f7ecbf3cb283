"""How an environment variable is declared: a field of a dataclass, with what the README says of it."""

from dataclasses import Field, dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


class WrongEnvironment(Exception):
    """One sentence that names the variable, what is wrong with it, and a value that works."""


@dataclass(frozen=True, kw_only=True)
class Description:
    """What the README says about a variable, and what is refused."""

    reason: str
    example: str
    unit: str = ""
    least: float | None = None
    most: float | None = None
    one_of: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    default_in_words: str = ""


def variable(default: T, **description: Any) -> T:
    """A field of :class:`Environment`; the keywords are those of :class:`Description`."""
    described: T = field(default=default, metadata={"description": Description(**description)})
    return described


def name_of(declared: Field[Any]) -> str:
    return declared.name.upper()


def description_of(declared: Field[Any]) -> Description:
    described = declared.metadata["description"]
    assert isinstance(described, Description)
    return described
