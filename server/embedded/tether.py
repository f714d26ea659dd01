"""Run a program that dies with its parent, as another user if need be.

A script of its own and not a `preexec_fn`, which may hang in a process with threads. Everything is
imported before the user changes, who may not be able to read this interpreter's folder; the signal
is asked for afterwards, because the kernel forgets it when the user changes.

Called as: python -I -S tether.py PARENT_PID SIGNAL UID GID PROGRAM ARGUMENT...   (UID -1: stay)
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Become PROGRAM; the thread that started us is the parent whose death counts."""
    parent_pid, death_signal, uid, gid = (int(word) for word in arguments[:4])
    program = arguments[4:]
    prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    os.umask(0o077)
    if prctl is not None and prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent_pid:
        sys.exit("the parent has gone")
    os.execv(program[0], program)  # noqa: S606 -- the launcher's own argv, no shell


if __name__ == "__main__":
    main(sys.argv[1:])
