"""Runs a page in this folder as if some modules were not installed.

python -m tests.docs.plain PAGE MODULE…
"""

from __future__ import annotations

import sys
from pathlib import Path

from .blocks import blocks


def main(page: Path, forbidden: list[str]) -> None:
    sys.modules.update(dict.fromkeys(forbidden))  # None: an import fails
    sys.path.insert(0, str(Path.cwd()))  # Python blocks import the files of their page
    from .pages import run_blocks, write_files

    own = list(blocks(page))
    write_files(own, Path.cwd())
    run_blocks(own)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
