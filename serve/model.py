"""Models that the server can run: a small protocol, and a compiled module that implements it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Protocol

import numpy as np

from ..runtime import load_module
from ..runtime.abi.library import LoadError
from ..runtime.abi.ndarray import Array, numpy_dtype
from ..runtime.errors import ArgumentError, Error
from ..runtime.file.manifest import TensorSpec
from ..runtime.module.module import Module

DATATYPES = {
    "bool": "BOOL",
    "uint8": "UINT8",
    "uint16": "UINT16",
    "uint32": "UINT32",
    "uint64": "UINT64",
    "int8": "INT8",
    "int16": "INT16",
    "int32": "INT32",
    "int64": "INT64",
    "float16": "FP16",
    "float32": "FP32",
    "float64": "FP64",
    "bfloat16": "BF16",
}
"""Names of element types in the protocol, by numpy's."""


class Servable(Protocol):
    """A model as the server runs it; another runtime can implement this interface.

    platform: the name of the runtime, for the metadata of the model.
    """

    platform: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]

    def run(self, arrays: Sequence[Array], threads: int) -> list[Array]:
        """Run the model on inputs in order; return the outputs. The server calls this in threads.

        threads: the number of threads that the model may use.

        Errors: ArgumentError or OutOfRangeError if the inputs are wrong; any other exception means
        that the model failed, and the server answers with an internal error.
        """
        ...


class CompiledModel:
    """A `Servable` that the runtime has loaded from an exported file."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.platform = f"tilewright_{module.kind}"
        self.inputs, self.outputs = module.inputs, module.outputs

    @staticmethod
    def load(path: Path, trusted: Sequence[str] = ()) -> CompiledModel:
        """Load an exported file.

        trusted: paths of public keys; see `Settings`.

        Errors: LoadError as `load_module` raises, and for results that are no tensors.
        """
        module = load_module(path, trusted=trusted or None)
        if not isinstance(module, Module):
            raise LoadError(
                f"{path} has no manifest, so its inputs are unknown",
                hint="serve a file that export_library has written",
            )
        if module.manifest.forms:
            raise LoadError(
                f"{path} returns sequences or optionals, which the protocol lacks",
                expected="a model whose results are tensors",
                got=module.manifest.signature,
            )
        return CompiledModel(module)

    def run(self, arrays: Sequence[Array], threads: int) -> list[Array]:
        """Run the model on inputs in order, with a number of threads; return the outputs."""
        return [np.asarray(each) for each in self.module.run(arrays, threads=threads)]


def check_datatypes(model: Servable) -> None:
    """Raise an error for a model with element types that the protocol lacks.

    Errors: LoadError.
    """
    for spec in chain(model.inputs, model.outputs):
        if spec.dtype not in DATATYPES:
            raise LoadError(
                f"{spec.name} has an element type that the protocol lacks",
                expected=", ".join(DATATYPES),
                got=spec.dtype,
            )


def check_inputs(model: Servable, arrays: Sequence[Array]) -> None:
    """Compare the inputs of a request with the specs of a model.

    Errors: ArgumentError that names the first wrong input.
    """
    sizes: dict[str, tuple[int, str]] = {}
    for spec, array in zip(model.inputs, arrays, strict=True):
        wrong = array.dtype.name != spec.dtype or array.ndim != len(spec.shape)
        pairs = list(zip(spec.shape, array.shape, strict=False))
        wrong = wrong or any(isinstance(size, int) and size != got for size, got in pairs)
        if wrong:
            got = f"{array.dtype.name}{list(array.shape)}"
            raise ArgumentError(f"input {spec.name} does not fit", expected=spec, got=got)
        for size, extent in pairs:
            if not isinstance(size, str) or not size.isidentifier():
                continue
            known, owner = sizes.setdefault(size, (extent, spec.name))
            if known != extent:
                raise ArgumentError(
                    f"input {spec.name} contradicts {owner} in the size {size}",
                    expected=f"{size} = {known}",
                    got=extent,
                )


def batch_size(model: Servable) -> str:
    """Return the name of the symbolic size that is the first size of all inputs and outputs.

    This size is the batch size: requests are combined along it.

    Errors: LoadError that names a tensor with another first size, or with the batch size in a
    further dimension.
    """
    first = model.inputs[0].shape[:1] if model.inputs else ()
    name = first[0] if first and isinstance(first[0], str) and first[0].isidentifier() else ""
    for spec in chain(model.inputs, model.outputs):
        rest = " ".join(map(str, spec.shape[1:]))
        is_shared = name and spec.shape[:1] == (name,) and not spec.is_data_dependent()
        if not is_shared or re.search(rf"\b{re.escape(name)}\b", rest):
            raise LoadError(
                "the model cannot combine requests to batches",
                expected="one named size that is the first of all inputs and outputs, only there",
                got=f"{spec.name}: {spec}",
                hint="set max_batch to 1, or export the model with a named batch size",
            )
    return name


def check_rows(model: Servable, threads: int) -> None:
    """Check that a model computes each row of a batch independently of the other rows.

    The model runs on a random batch, and on each of its rows alone; the results must agree. A model
    whose rows depend on each other, such as a softmax over the batch, would give wrong answers to
    combined requests. A model that refuses the random values is not checked.

    Errors: LoadError if the results differ.
    """
    rng = np.random.default_rng(0)
    sizes: Mapping[str, int] = {batch_size(model): 3}

    def drawn(spec: TensorSpec) -> Array:
        shape = [size if isinstance(size, int) else sizes.get(size, 4) for size in spec.shape]
        is_float = spec.dtype in ("float16", "float32", "float64", "bfloat16")
        values = rng.standard_normal(shape) if is_float else rng.integers(0, 2, shape)
        return values.astype(numpy_dtype(spec.dtype))

    arrays = [drawn(spec) for spec in model.inputs]
    try:
        whole = model.run(arrays, threads)
        rows = [model.run([array[n : n + 1] for array in arrays], threads) for n in range(3)]
    except (Error, IndexError):
        return
    for spec, together, *alone in zip(model.outputs, whole, *rows, strict=True):
        wide = np.concatenate(alone).astype(np.float64), together.astype(np.float64)
        loose = 1e-3 if spec.dtype in ("float32", "float64") else 5e-2
        if not np.allclose(*wide, rtol=loose, atol=loose, equal_nan=True):
            raise LoadError(
                "the model cannot combine requests to batches: its rows depend on each other",
                expected=f"equal rows of {spec.name} for a batch of 3 and for single rows",
                got=f"a difference of {np.abs(wide[0] - wide[1]).max():.3g}",
                hint="set max_batch to 1",
            )
