"""Ties a child's life to the launcher's: the kernel ends it when the launcher is gone, however it went."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def tie(death_signal: signal.Signals) -> Callable[[], None]:
    """What the child runs between fork and exec. The signal fires when the *thread* that forked ends: fork on main."""
    parent = os.getpid()

    def ask_kernel() -> None:
        if _LIBC is None:
            return
        _LIBC.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:  # the launcher went before the kernel knew
            os._exit(1)

    return ask_kernel
