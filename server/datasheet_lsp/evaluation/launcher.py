"""Run as a program of its own: starts another one and prints what it used.

``launcher.py STDOUT STDERR PROGRAM ARGUMENT...`` prints ``exit user system peak``: the exit status
as the system gives it, CPU seconds, and the largest resident set in the system's unit.

On Linux the peak of a new process begins with the size of the one that started it, so a program
measured from a large process would seem large. This one imports next to nothing.
"""

import os
import sys


def main() -> None:
    """Start the program, wait for it, print."""
    out, err, program = sys.argv[1], sys.argv[2], sys.argv[3:]
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    child = os.posix_spawn(
        program[0],
        program,
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, out, write, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, err, write, 0o600),
        ],
    )
    _, status, used = os.wait4(child, 0)
    print(os.waitstatus_to_exitcode(status), used.ru_utime, used.ru_stime, used.ru_maxrss)


if __name__ == "__main__":
    main()
