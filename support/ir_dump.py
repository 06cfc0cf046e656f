"""Dump the IR of a program after each pass of a pipeline to files in a folder.

In: the program before the first pass and after each pass. Out: a file for each pass that changed
the program, and `INDEX`, with a line for every pass. File names sort in the order of the passes.
Files of an earlier dump in the folder are removed, so that all files belong to one pipeline.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .instruments import PassInfo, PassInstrument

INDEX = "index.txt"
_START = "input"
"""Replaces the pass name in the name of the first file: the program before any pass."""
_DUMPED = re.compile(r"\d{3,}-.*\.mlir")


@dataclass
class IrDump(PassInstrument):
    """An instrument that writes the IR to a file after each pass that has changed it.

    folder: created if it does not exist.  files: the paths of the files so far.
    Errors: OSError for a folder that cannot be written.
    """

    folder: Path
    files: list[Path] = field(default_factory=list[Path])
    _rows: list[str] = field(default_factory=list[str])
    _text: str = ""

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._start()
        self._add(_START, module)

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self._add(info.name, module)

    def _start(self) -> None:
        """Create the folder, and remove the files of an earlier dump from it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        earlier = [] if self._rows else [*self.folder.iterdir()]
        for path in earlier:
            if _DUMPED.fullmatch(path.name):
                path.unlink()

    def _add(self, name: str, module: ModuleOp) -> None:
        text = f"{module!s}\n"
        file = f"{len(self._rows):03}-{name}.mlir"
        if text == self._text:
            row = f"{'unchanged':40}"
        else:
            path = self.folder / file
            path.write_text(text, encoding="utf-8")
            self.files.append(path)
            row = f"{file:40}"
        ops = sum(1 for _ in module.walk())
        self._rows.append(f"{len(self._rows):03} {name:36} {row} {ops} ops")
        self._text = text
        # Written after each pass, so that the index is complete if a later pass fails.
        index = "\n".join(["pass, file, ops after it", *self._rows, ""])
        (self.folder / INDEX).write_text(index, encoding="utf-8")
