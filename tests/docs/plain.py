"""Runs pages, one after another, in a folder each, as if some modules were not installed.

python -m tests.docs.plain PAGE… [--without MODULE…]
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from .blocks import blocks


def main(pages: Sequence[str], forbidden: Sequence[str]) -> None:
    sys.modules.update(dict.fromkeys(forbidden))  # None: an import fails
    start = Path.cwd()
    for page in map(Path, pages):
        folder = start / page.stem
        folder.mkdir()
        os.chdir(folder)
        run_page(page, folder)


def run_page(page: Path, folder: Path) -> None:
    """Run the blocks of a page; Python blocks can import the files that the page writes."""
    from .pages import run_blocks, write_files

    own = list(blocks(page))
    sys.path.insert(0, str(folder))
    files = write_files(own, folder)
    run_blocks(own)
    sys.path.remove(str(folder))
    for path in files:  # Another page may have a file of that name.
        sys.modules.pop(path.stem, None)


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--without", nargs="*", default=[])
    options = parser.parse_args()
    main(options.pages, options.without)
