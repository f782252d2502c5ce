"""The command line: ``ragclean refine``, ``ragclean doctor``. One command a file, :mod:`ragclean.cli.app` joins them."""

from ragclean.cli.app import main

__all__ = ["main"]
