"""The list of planted bugs as data, read from bugs.toml next to this file.

A bug is a text of one file and the text that replaces it.  If the old text no longer occurs exactly
once, the bug is refused: the code changed, and the entry needs a new text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...support.diagnostics import TilewrightError

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""

KINDS = (
    "wrong index", "dropped epilogue", "off-by-one tail", "swapped operand", "wrong rounding",
    "missing init", "missing barrier", "missing check",
)  # fmt: skip


@dataclass(frozen=True)
class Bug:
    """A planted bug: a text of a file, and the text that replaces it.

    kind: one of `KINDS`.  file: the path of the file in the checkout.  old, new: the text of the
    file, which occurs once, and its replacement.
    probes: programs that ought to show the bug, as ``family:seed`` of ``tw fuzz``, with ``@target``
    for another target than the host.  tests: files of tests that ought to fail.
    """

    name: str
    kind: str
    file: str
    old: str
    new: str
    probes: Sequence[str] = ()
    tests: Sequence[str] = ()

    def planted(self, text: str) -> str:
        """Return the text of the file with the bug in it.

        text: the contents of the file.
        Errors: TilewrightError if the old text does not occur exactly once.
        """
        count = text.count(self.old)
        if count != 1:
            raise TilewrightError(
                f"bug {self.name} fits no longer",
                expected=f"one occurrence of {self.old.strip()!r} in {self.file}",
                got=f"{count} occurrences",
                hint="give its entry in bugs.toml the text that the file has now",
            )
        return text.replace(self.old, self.new)

    def text(self) -> str:
        """Return the entry of bugs.toml for this bug."""
        lines = [
            "[[bug]]",
            f'name = "{self.name}"',
            f'kind = "{self.kind}"',
            f'file = "{self.file}"',
            f"old = '''\n{self.old}'''",
            f"new = '''\n{self.new}'''",
            f"probes = {list(self.probes)}",
            f"tests = {list(self.tests)}",
        ]
        return "\n".join(lines)


def known_bugs() -> list[Bug]:
    """Return the bugs of bugs.toml, in its order."""
    data = tomllib.loads((Path(__file__).parent / "bugs.toml").read_text())
    return [Bug(**entry) for entry in data["bug"]]
