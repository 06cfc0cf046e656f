"""WebAssembly modules in wasmtime, an engine without JavaScript, called from Python."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.codegen.webassembly import find_wasm_linker
from tilewright.runtime.abi.constants import DTYPES
from tilewright.runtime.abi.ndarray import numpy_dtype
from tilewright.tools.tensors import Array

VALUE_BYTES, TENSOR_BYTES, TENSOR_POINTER, CPU, ALIGNMENT = 16, 40, 7, 1, 64
"""The structures of runtime/native/packed.h with addresses of 32 bits."""
FUEL = 1 << 40
_MISSING = [
    *(["wasmtime (pip install wasmtime)"] if find_spec("wasmtime") is None else []),
    *(["wasm-ld (pip install tilewright[cross])"] if find_wasm_linker() is None else []),
]
needs_wasmtime = pytest.mark.skipif(bool(_MISSING), reason=f"needs {' and '.join(_MISSING)}")


def in_wasmtime(
    module: tilewright.CompiledModule, inputs: Mapping[str, Array], folder: Path
) -> tuple[Mapping[str, Array], int]:
    """Export a module, run it in wasmtime, and return its outputs and the instructions of the call.

    The outputs must have known sizes.
    """
    module.export_library(folder / "model.wasm")
    functions, store = _loaded(folder / "model.wasm")
    given = [np.ascontiguousarray(inputs[spec.name]) for spec in module.inputs]
    specs = (*module.inputs, *module.outputs)
    made = [np.zeros(spec.sizes(), numpy_dtype(spec.dtype)) for spec in module.outputs]
    arrays = [*given, *made]
    data, places, base = _call_bytes(arrays, [spec.dtype for spec in specs], functions, store)
    memory = functions["memory"]
    memory.write(store, data, base)
    before = store.get_fuel()
    status = functions["__tvm_ffi_main"](store, 0, base, len(arrays), 0)
    assert status == 0, _last_error(functions, store)
    results = {
        spec.name: np.frombuffer(
            memory.read(store, base + place, base + place + array.nbytes), array.dtype
        ).reshape(array.shape)
        for spec, array, place in zip(module.outputs, made, places[len(given) :], strict=True)
    }
    return results, before - store.get_fuel()


def _loaded(path: Path) -> tuple[Any, Any]:
    """Return the exports of a module and the store of its instance, with fuel."""
    wasmtime: Any = import_module("wasmtime")
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    store.set_fuel(FUEL)
    instance = wasmtime.Instance(store, wasmtime.Module.from_file(engine, str(path)), [])
    return instance.exports(store), store


def _call_bytes(
    arrays: list[np.ndarray], dtypes: list[str], functions: Any, store: Any
) -> tuple[bytes, list[int], int]:
    """Return the memory of a call, the offset of each array in it, and its address."""
    at = _aligned((VALUE_BYTES + TENSOR_BYTES) * len(arrays))
    shapes_at, places = list[int](), list[int]()
    for array in arrays:
        shapes_at.append(at)
        places.append(_aligned(at + 8 * array.ndim))
        at = _aligned(places[-1] + array.nbytes)
    base = functions["tw_allocate_memory"](store, at) & 0xFFFFFFFF
    assert base, "no memory"
    data = bytearray(at)
    for number, (array, dtype) in enumerate(zip(arrays, dtypes, strict=True)):
        tensor = VALUE_BYTES * len(arrays) + TENSOR_BYTES * number
        struct.pack_into("<iiI", data, VALUE_BYTES * number, TENSOR_POINTER, 0, base + tensor)
        code, bits = DTYPES[dtype]
        place, shape_at = places[number], shapes_at[number]
        fields = (base + place, CPU, 0, array.ndim, code | bits << 8 | 1 << 16, base + shape_at)
        struct.pack_into("<6i", data, tensor, *(ctypes.c_int32(each).value for each in fields))
        struct.pack_into(f"<{array.ndim}q", data, shape_at, *array.shape)
        data[place : place + array.nbytes] = array.tobytes()
    return bytes(data), places, base


def _last_error(functions: Any, store: Any) -> str:
    at = functions["__tw_last_error"].value(store)
    text = functions["memory"].read(store, at, at + 1024)
    return text[: text.index(0)].decode()


def _aligned(count: int) -> int:
    return -(-count // ALIGNMENT) * ALIGNMENT
