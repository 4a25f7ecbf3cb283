"""The machine and the versions that figures were measured with."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import psutil
from django.db import connection

from benchmarks.services import redis_client

PROJECT_DIRECTORY = Path(__file__).parent.parent


def machine_facts() -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        (postgres,) = cursor.fetchone()
    return {
        "cpus": os.cpu_count(),
        "cpu": _cpu_model(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "postgres": postgres,
        "redis": redis_client().info("server")["redis_version"],
        "revision": _revision(),
    }


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _revision() -> str:
    """As git describes it; "-dirty" with uncommitted changes, "unknown" outside of a repository."""
    command = ["git", "-C", str(PROJECT_DIRECTORY), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
