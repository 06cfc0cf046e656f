"""Libraries for other targets that the main function of a program for a device calls.

    lengths (JSON) | 0 | library and weights of each part

Each such library is a *part* of the model. In: the parts as shared objects, by the name of the
function that main calls. Out: bytes, and later loaded modules, whose functions write their outputs
to the arrays that follow their inputs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from typing import TypeAlias

from ..abi.packed import PackedFunc
from .module import Module

LoadPart: TypeAlias = Callable[[bytes, bytes, None], Module]
"""A function that loads a shared object with its weights: `load_saved` of exported.py."""
_SEPARATOR = b"\0"
"""A byte that JSON text does not contain."""


def encoded_parts(parts: Mapping[str, tuple[bytes, bytes]]) -> bytes:
    """Return the parts of a model, its libraries for other targets, as one byte string.

    parts: the shared object and the weights of each part, by the name of its function.
    """
    lengths = {name: [len(data) for data in part] for name, part in parts.items()}
    files = [data for part in parts.values() for data in part]
    return _SEPARATOR.join([json.dumps(lengths).encode(), b"".join(files)])


def loaded_parts(data: bytes, load: LoadPart) -> Mapping[str, Module]:
    """Load the parts of a model; return their modules by the names of their functions.

    data: bytes that `encoded_parts` returned; empty if there are no parts.  load: loads one part.

    Errors: LoadError for a damaged part.
    """
    if not data:
        return {}
    lengths, files = data.split(_SEPARATOR, 1)
    stream, rows = BytesIO(files), json.loads(lengths)
    return {n: load(stream.read(a), stream.read(b), None) for n, (a, b) in rows.items()}


def functions_of(parts: Mapping[str, Module]) -> Mapping[str, PackedFunc]:
    """Return the function of each part, by the name under which main calls it."""
    return {
        name: PackedFunc.of_python(partial(_filled, part), name, keeps_arrays=False)
        for name, part in parts.items()
    }


def _filled(module: Module, *tensors: object) -> None:
    module.fill(tensors)
