"""Interpreter of programs of any level: graph, te, or a host program with its kernels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType

from ..dialects.dtypes import numpy_dtype
from ..dialects.graph import GraphOp
from ..dialects.shape import dims_of, symbols_of
from ..dialects.sizes import recorded_limits
from ..support.entry import entry_of
from . import packed, te
from .graph import run_graph
from .scalar import random_array
from .signature import recorded_dtypes

Array: TypeAlias = NDArray[Any]

_SIZES = (13, 7, 11, 5)
"""The symbolic sizes of random arguments, in alphabetical order of the symbols."""


def random_inputs(module: ModuleOp, *, seed: int = 0) -> list[Array]:
    """Return random arguments of main: normally distributed floats, integers that are 0 or 1.

    The symbolic sizes are small primes, or the nearest sizes within their recorded limits.
    """
    rng = np.random.default_rng(seed)
    main = entry_of(module)
    types = cast("list[TensorType | MemRefType]", [a.type for a in main.args])
    if is_bufferized(module):
        types = types[: len(recorded_dtypes(main, "tw.arg_dtypes") or types)]
    names = sorted({name for type_ in types for name in symbols_of(type_)})
    drawn = dict(zip(names, cycle(_SIZES), strict=False))
    for name, (least, most) in recorded_limits(main).items():
        if str(name) in drawn:
            drawn[str(name)] = max(least, min(drawn[str(name)], most))
    arrays: list[Array] = []
    for type_ in types:
        sizes, element = [n.evaluate(drawn) for n in dims_of(type_)], type_.get_element_type()
        arrays.append(random_array(sizes, numpy_dtype(element), rng))
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
