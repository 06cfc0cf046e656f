"""Interpreter of programs of any level: graph, te, or a host program with its kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp, TensorType

from ..dialects.dtypes import is_float, numpy_dtype
from ..dialects.graph import GraphOp
from ..support.diagnostics import TilewrightError
from ..support.entry import entry_of
from . import packed, te
from .graph import run_graph
from .signature import recorded_dtypes

Array: TypeAlias = NDArray[Any]


def random_inputs(module: ModuleOp, *, seed: int = 0) -> list[Array]:
    """Return random arguments of main: normally distributed floats, integers that are 0 or 1."""
    rng = np.random.default_rng(seed)
    main = entry_of(module)
    types = cast("list[TensorType | MemRefType]", [a.type for a in main.args])
    if is_bufferized(module):
        types = types[: len(recorded_dtypes(main, "tw.arg_dtypes") or types)]
    arrays: list[Array] = []
    for type_ in types:
        sizes, element = type_.get_shape(), type_.get_element_type()
        if DYNAMIC_INDEX in sizes:
            raise TilewrightError(
                "input has a symbolic size",
                expected="static sizes",
                got=type_,
                hint="write the program with numbers as sizes of its inputs",
            )
        values = rng.standard_normal(sizes) if is_float(element) else rng.integers(0, 2, sizes)
        arrays.append(values.astype(numpy_dtype(element)))
    return arrays


def interpret(module: ModuleOp, inputs: Sequence[Array]) -> tuple[Array, ...]:
    """Interpret the main function of a program of any level, and return its results.

    Errors: TilewrightError if there is no main function, or the program fails on these inputs.
    """
    if is_bufferized(module):
        return packed.run(module, *inputs)
    main = entry_of(module)
    if any(isinstance(op, GraphOp) for op in main.body.block.ops):
        return run_graph(main, *inputs)
    return te.run(module, *inputs)


def is_bufferized(module: ModuleOp) -> bool:
    """Return whether main takes a buffer for each input and for each result."""
    return not entry_of(module).function_type.outputs.data


def result_label(module: ModuleOp, number: int) -> str:
    """Return ``result N`` for result ``number`` of main, followed by its recorded name if any."""
    names = entry_of(module).attributes.get("tw.result_names")
    data = getattr(names, "data", ())
    return f"result {number} ('{data[number].data}')" if number < len(data) else f"result {number}"
