"""``python -m ragclean`` is the ``ragclean`` command."""

import sys

from ragclean.cli import main

if __name__ == "__main__":
    sys.exit(main())
