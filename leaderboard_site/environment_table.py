"""The README's table of variables: ``python -m leaderboard_site.environment_table``."""

from dataclasses import fields

from leaderboard_site.environment import Environment
from leaderboard_site.variables import description_of, name_of

HEADER = "| variable | default | unit | reason |\n| --- | --- | --- | --- |\n"


def environment_table() -> str:
    """One line a variable, in the order of the declaration."""
    lines = []
    for declared in fields(Environment):
        described = description_of(declared)
        default = described.default_in_words or _shown(declared.default)
        lines.append(f"| `{name_of(declared)}` | {default} | {described.unit} | {described.reason} |\n")
    return HEADER + "".join(lines)


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return f"`{','.join(default)}`" if default else "none"
    if isinstance(default, float):
        return f"{default:g}"
    return str(default)


if __name__ == "__main__":
    print(environment_table(), end="")
