"""A process that closes periods as if it were a given instant: `python -m tests.archive.closer 2026-10-20T00:10:10Z`.

Prints how many it has archived.
"""

import sys
from datetime import datetime

import django


def main() -> None:
    django.setup()
    # Here and not above: the models need Django to be set up.
    from rebuilds.closing import close_periods

    now = datetime.fromisoformat(sys.argv[1])
    sys.stdout.write(f"archived: {close_periods(lambda: now)}\n")


if __name__ == "__main__":
    main()
