"""A child that ends when its parent does, even when the parent was killed outright."""

import ctypes
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def die_with_parent(sent: signal.Signals) -> Callable[[], None] | None:
    """For ``Popen(preexec_fn=…)``: the kernel sends `sent` to the child when the parent ends.

    None where the kernel has no such thing (macOS); there, the next start clears leftovers away.
    The parent must call Popen in a thread that lives as long as it does, and must have no other:
    the function runs between fork and exec, where another thread's lock would never be released.
    """
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def ask_kernel() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(sent), 0, 0, 0)

    return ask_kernel
