"""`python -m tilewright`: the command ``tw``."""

import sys

from .tools.cli import main

if __name__ == "__main__":
    sys.exit(main())
