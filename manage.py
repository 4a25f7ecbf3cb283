#!/usr/bin/env python
"""The command line of the project: ``manage.py help`` lists what there is."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard_site.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
