"""Imported modules in an exported file: each module once, and which module imports which.

    length of the header | header (JSON) | library and weights of each module, at multiples of 64

The header lists the lengths of the files and the imports of each module, by position; the imports
of the exported module come first. In: a module that is exported, or bytes of this form. Out: bytes
of this form, or the files in them. Device modules, and the programs of a module for other targets,
belong to its code, so the bytes contain only the modules that `import_module` has added.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from .functions import ModuleFunctions

_ALIGNMENT_BYTES = 64
_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class ImportedFile:
    """The bytes of an imported module in an exported file.

    library: a library or an archive.  weights: empty if the library contains them.  imports: the
    modules that this module imports, as positions in the file's list of all modules.
    """

    library: memoryview
    weights: memoryview
    imports: Sequence[int]


def encoded_imports(module: ModuleFunctions) -> bytes:
    """Return the bytes of all modules that a module imports, directly or not.

    Return no bytes if there is no such module.

    Errors: ArgumentError for a module that has no files.
    """
    positions, order = dict[int, int](), list[ModuleFunctions]()
    stack = [*module.functions.imported[::-1]]
    while stack:
        each = stack.pop()
        if id(each) not in positions:
            positions[id(each)] = len(order)
            order.append(each)
            stack += each.functions.imported[::-1]
    if not order:
        return b""
    files = [each.saved() for each in order]
    header = {
        "imports": [
            [positions[id(imported)] for imported in each.functions.imported]
            for each in (module, *order)
        ],
        "files": [[len(data) for data in pair] for pair in files],
    }
    text = json.dumps(header).encode()
    parts = [_padded(_LENGTH.pack(len(text)) + text)]
    parts += [_padded(data) for pair in files for data in pair]
    return b"".join(parts)


def decoded_imports(data: memoryview) -> tuple[Sequence[int], Sequence[ImportedFile]]:
    """Return the modules that an exported file contains for its imports.

    Return the positions (in the list of modules) of those that the exported module itself imports,
    and the list, which also has the imports of these modules.

    data: bytes that `encoded_imports` returned.
    """
    (length,) = _LENGTH.unpack_from(data)
    header = json.loads(bytes(data[_LENGTH.size : _LENGTH.size + length]))
    own, *imports = header["imports"]
    at, rows = _aligned(_LENGTH.size + length), list[ImportedFile]()
    for sizes, imported in zip(header["files"], imports, strict=True):
        pair: list[memoryview] = []
        for size in sizes:
            pair.append(data[at : at + size])
            at += _aligned(size)
        rows.append(ImportedFile(*pair, imports=imported))
    return own, rows


def _aligned(size_bytes: int) -> int:
    return -(-size_bytes // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES


def _padded(data: bytes) -> bytes:
    return data.ljust(_aligned(len(data)), b"\0")
