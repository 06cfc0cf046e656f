"""Listings: one readable text of a whole program, whose parts are compiled separately.

In: a label and the text of each part. Out: one LLVM IR module that LLVM parses, or one assembly
text that an assembler accepts. A comment names each part. These texts are only for reading:
`join_assembly` renames local labels, and `join_ir` prints names as LLVM numbers them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .llvm import Machine, link_ir

# A function that a text defines.
_DEFINED = re.compile(r'^define [^@\n]*@("[^"]+"|[\w.$-]+)', re.MULTILINE)
# A label of assembly at the start of a line; a name that is visible to other objects.
_LABEL = re.compile(r'^("[^"]+"|[\w.$]+):', re.MULTILINE)
_SHARED = re.compile(r'^\s+\.(?:globl|weak|comm)\s+("[^"]+"|[\w.$]+)', re.MULTILINE)
# The name of a module; the file of a line table, whose number directives refer to.
_MODULE = re.compile(r'^\s+\.file\s+".*\n', re.MULTILINE)
_FILE = re.compile(r"^\s+\.file\s+\d+ .*\n", re.MULTILINE)
_TEXT_LINE = re.compile(r"^\s+\.(?:ascii|asciz|string)\s")


class ListedText(NamedTuple):
    """A part of a program as text, with a label that names the part."""

    label: str
    text: str


def join_ir(parts: Sequence[ListedText], machine: Machine) -> str:
    """Return one LLVM IR module that contains all parts, for reading.

    machine: the target for which LLVM parses the parts.
    Errors: CodegenError if LLVM refuses a part, or two parts define one name.
    """
    text = link_ir([part.text for part in parts], machine)
    labels = {
        found[1]: part.label for part in parts for found in list(_DEFINED.finditer(part.text))[:1]
    }
    return _DEFINED.sub(
        lambda found: f"; {labels[found[1]]}\n{found[0]}" if found[1] in labels else found[0], text
    )


def join_assembly(parts: Sequence[ListedText]) -> str:
    """Return one assembly text that contains all parts, for reading.

    Local labels are renamed, so that they are unique.
    """
    taken: set[str] = set()
    files: set[str] = set()
    texts: list[str] = []
    for number, part in enumerate(parts):
        labels, shared = set(_LABEL.findall(part.text)), set(_SHARED.findall(part.text))
        local = sorted(label for label in labels - shared if label in taken)
        taken |= labels
        renamed = _renamed(_without_files(part.text, files), local, f"_{number}")
        texts.append(f"# {part.label}\n{renamed}")
    return "\n".join(texts)


def _without_files(assembly: str, known: set[str]) -> str:
    """Remove module names and repeated declarations of files from the assembly of one part.

    known: the files that earlier parts declared; the files of this part are added.
    """
    assembly = _MODULE.sub("", assembly)
    found = set(_FILE.findall(assembly))
    assembly = _FILE.sub(lambda file: "" if file[0] in known else file[0], assembly)
    known |= found
    return assembly


def _renamed(assembly: str, names: Sequence[str], suffix: str) -> str:
    """Append a suffix to local names in assembly, but not in strings.

    names: the local names.
    """
    if not names:
        return assembly
    found = re.compile(rf"(?<![\w.$])(?:{'|'.join(map(re.escape, names))})(?![\w.$])")
    lines = (
        line if _TEXT_LINE.match(line) else found.sub(lambda m: _suffixed(m[0], suffix), line)
        for line in assembly.splitlines(keepends=True)
    )
    return "".join(lines)


def _suffixed(name: str, suffix: str) -> str:
    return f'{name[:-1]}{suffix}"' if name.endswith('"') else name + suffix
