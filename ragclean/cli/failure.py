"""What a command raises to end with one line on standard error instead of a traceback."""

from __future__ import annotations

EXIT_OK = 0
#: Something is wrong with the installation, or the program failed in a way that is not the input's fault.
EXIT_FAILED = 1
#: Bad input or bad usage; argparse uses the same number.
EXIT_BAD_INPUT = 2
#: What a shell reports of a program that a signal ended: 128 + SIGINT, 128 + SIGPIPE.
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class CommandError(Exception):
    """Bad input, with a message that names the place. Ends the command with ``exit_code``.

    Args:
        see: the command whose ``--help`` says how it is done right.
    """

    def __init__(self, message: str, exit_code: int = EXIT_BAD_INPUT, *, see: str = "") -> None:
        super().__init__(message)
        self.exit_code, self.see = exit_code, see
