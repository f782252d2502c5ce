"""The command line: ``ragclean refine``, ``ragclean doctor``. One command a file, joined by ``app``."""

from ragclean.cli.app import main

__all__ = ["main"]
