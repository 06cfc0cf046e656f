"""`python -m tilewright`: the command ``tw``."""

import sys

from .tools.start import tw

if __name__ == "__main__":
    sys.exit(tw())
