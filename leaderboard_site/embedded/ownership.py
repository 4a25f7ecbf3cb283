"""Who owns the data of a server that refuses to run as root.

PostgreSQL does. When we are root it runs as an unprivileged user, who must be able to reach its
programs and its data: both may lie below a directory that is closed to others, such as /root.
"""

import os
import pwd
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

# Exists on every Unix, so that nothing has to be added to the machine.
UNPRIVILEGED_USER = "nobody"


@dataclass(frozen=True)
class Owner:
    user_id: int
    group_id: int


def unprivileged_owner() -> Owner | None:
    """Whom to run as: None means ourselves, since we are not root."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(UNPRIVILEGED_USER)
    return Owner(entry.pw_uid, entry.pw_gid)


def own_directory(directory: Path, owner: Owner | None) -> None:
    """Make `directory` and what leads to it, closed to all but `owner`."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.chmod(0o700)
    if owner is not None:
        os.chown(directory, owner.user_id, owner.group_id)
        open_way_to(directory)


def open_way_to(target: Path) -> None:
    """Let others pass through (not look into) the directories that lead to `target`.

    Says so on stderr, since a directory of the machine may be among them.
    """
    for directory in target.resolve().parents:
        mode = stat.S_IMODE(directory.stat().st_mode)
        if not mode & stat.S_IXOTH:
            directory.chmod(mode | stat.S_IXOTH)
            print(
                f"opened {directory} for passing through (chmod o+x):"
                f" PostgreSQL does not run as root, and {UNPRIVILEGED_USER} must reach {target}",
                file=sys.stderr,
            )


def open_for_reading(tree: Path) -> None:
    """Let others read and run the programs below `tree`; a strict umask may have closed them."""
    open_way_to(tree)
    for path in (tree, *tree.rglob("*")):
        if path.is_symlink():
            continue
        mode = stat.S_IMODE(path.stat().st_mode)
        wanted = mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0)
        if wanted != mode:
            path.chmod(wanted)
