"""Inferred integer ranges are sound; constants out of range are errors."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from tilewright.analysis.bounds.ranges import Ranges
from tilewright.dialects.dtypes import is_integer
from tilewright.dialects.graph import CheckIndicesOp, ConstantOp
from tilewright.dialects.shape import type_of
from tilewright.interp.graph import run_graph
from tilewright.passes.graph.prove_indices import ProveIndices
from tilewright.support.diagnostics import ModelError
from tilewright.support.registry import new_context
from tilewright.testing.op_case import OpCase

from ...ops.cases import CASES


def returns_integers(case: OpCase) -> bool:
    results = case.function()[1].function_type.outputs
    return any(is_integer(t.get_element_type()) for t in results)  # pyright: ignore


INTEGERS = [case for case in CASES if returns_integers(case)]


@pytest.mark.parametrize("case", INTEGERS, ids=lambda case: case.name)
def test_elements_are_in_the_range_that_is_known(case: OpCase) -> None:
    _, func = case.function()
    arrays = case.arrays()
    last = func.body.block.last_op
    assert isinstance(last, ReturnOp)
    ranges = Ranges()
    for value, array in zip(last.operands, run_graph(func, *arrays), strict=True):
        span = ranges.of(value) if isinstance(type_of(value).element_type, IntegerType) else None
        if span is not None and array.size:
            assert span[0] <= array.min()
            assert array.max() <= span[1]


def test_ranges_are_known_of_positions() -> None:
    known: set[str] = set()
    for case in INTEGERS:
        for op in case.function()[1].walk():
            if any(r.uses and Ranges().of(r) is not None for r in op.results):
                known.add(op.name.removeprefix("graph."))
    positions = {"arg_reduce", "max_pool_indices", "non_zero", "top_k", "unique"}
    assert positions <= known


def program(array: np.ndarray, size: int) -> ModuleOp:
    """Return a function that checks constant indices."""
    constant = ConstantOp(array)
    check = CheckIndicesOp(constant.results[0], [size], "Gather 'n'", wraps=True)
    block = Block([constant, check, ReturnOp(constant.results[0])])
    return ModuleOp([FuncOp("main", ((), [constant.results[0].type]), Region(block))])


def test_constants_are_checked_now() -> None:
    module = program(np.array([[0, -5], [4, 3]]), 5)
    ProveIndices().apply(new_context(), module)
    assert "check_indices" not in str(module)
    with pytest.raises(ModelError) as caught:
        ProveIndices().apply(new_context(), program(np.array([[0, -6], [4, 3]]), 5))
    assert str(caught.value).startswith("Gather 'n': an index is out of range\n    expected: -5..4")
    assert "got: -6 at [0, 1] of the indices" in str(caught.value)
