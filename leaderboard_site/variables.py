"""How an environment variable is described, and read as that says."""

from collections.abc import Callable
from dataclasses import Field, dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from environs import Env, EnvError

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


def read_variable(source: Env, declared: Field[Any], kind: Any) -> Any:
    """Its value, of the type `kind`; the default where it is not given. WrongEnvironment."""
    name, described, default = name_of(declared), description_of(declared), declared.default
    # `PORT=` in a shell or a compose file means "not given", not an empty port.
    if not source.str(name, "").strip():
        return default
    readers: dict[Any, Callable[[str], Any]] = {
        bool: source.bool,
        int: source.int,
        float: source.float,
        str: source.str,
    }
    wanted = {bool: "true or false", int: "a whole number", float: "a number"}
    value: Any
    try:
        value = readers[kind](name) if kind in readers else tuple(source.list(name))
    except (EnvError, ValueError):
        raise wrong(name, f"is not {wanted.get(kind, 'readable')}", described) from None
    if described.least is not None and not value >= described.least:
        raise wrong(name, f"must be at least {described.least:g}", described)
    if described.most is not None and not value <= described.most:
        raise wrong(name, f"must be at most {described.most:g}", described)
    if described.one_of and value not in described.one_of:
        raise wrong(name, f"must be one of {', '.join(described.one_of)}", described)
    if described.schemes and not _is_url(value, described.schemes):
        starts = ", ".join(f"{scheme}://" for scheme in described.schemes)
        raise wrong(name, f"must be a URL that starts with {starts}", described)
    return value


def _is_url(value: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(value)
        _ = parts.port  # parsed only when asked for; raises for `host:notaport`
    except ValueError:
        return False
    return parts.scheme in schemes and value.startswith(f"{parts.scheme}://")


def wrong(name: str, problem: str, described: Description) -> WrongEnvironment:
    """The error to raise."""
    # The value itself is not shown: it may hold a password.
    return WrongEnvironment(f"{name} {problem}, for example {name}={described.example}")
