"""Op cases with symbolic axes: one compilation, run at many sizes.

Each axis is symbolic in turn, then as many as the type rule of the op allows.  The results equal
those of the graph interpreter on the op bound to the sizes, and at the sizes of the case those of
its reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

import numpy as np
import pytest

import tilewright
from tilewright.analysis.bounds.positions import OutsideBuffer
from tilewright.dialects.graph import ELEMENTWISE, BindingOp
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp.compare import expect_close
from tilewright.interp.graph import run_graph
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import TilewrightError

from ..sweeps import NIGHTLY, sampled
from .case import Array, OpCase, assert_close
from .cases import CASES
from .symbolic import SymbolicCase, bound, symbolic_cases

NEED_ELEMENTS = ("pad_edge*", "pad_reflect*", "pad_wrap*", "resample*")
"""The cases without a result for some empty axis; an import limits its size."""

UNDEFINED = {
    **dict.fromkeys(NEED_ELEMENTS, "an element of an empty axis"),
    "arg_*": "the position of an element of an empty axis",
    "grid_sample*": "a sample of an empty image",
    "top_k*": "more elements than the axis has",
    "gather*": "an index outside of x",
    "roi_*": "a region of an image outside of x",
    "scatter_elements*": "updates outside of x",
    "update_slice*": "updates outside of x",
    "slice*": "a slice outside of x",
}
"""The ops whose results are not defined for some sizes, and why. An import of a model adds a limit
or a check of indices for such sizes (tests/driver/sizes/test_required_sizes.py), or cuts the
slice."""

CONDITIONED = {"det_of_one_f64": 1e-9}
"""The relative errors of ops whose rounding errors grow with the condition of a drawn operand."""

OF_VECTORS = (1, 2, 13, 15, 16, 17, 33)
OF_TILES = (7, 31, 47, 48, 49, 63, 64, 65, 127, 128, 129)
"""Sizes around vectors, and primes and sizes around tiles."""

ELEMENTWISE_SAMPLE = ("add_f32", "exp_f32", "div_i32", "eq_f32")
"""All elementwise ops have one lowering."""


def is_covered(case: OpCase) -> bool:
    """Return whether the sizes of a case may be symbols, and no other case stands for it."""
    op = case.function()[1].body.block.first_op
    if isinstance(op, BindingOp):
        return False  # data decides a size
    return not isinstance(op, tuple(ELEMENTWISE.values())) or case.name in ELEMENTWISE_SAMPLE


SYMBOLIC_CASES = [one for case in CASES if is_covered(case) for one in symbolic_cases(case)]


def runs(one: SymbolicCase) -> list[dict[str, int]]:
    """Return the sizes to run a case with: its own, equal ones, and different ones.

    A single symbol also has the sizes of vectors and their neighbors, and by night those of tiles.
    """
    symbols = list(one.originals)
    if len(symbols) == 1:
        sizes = (*OF_VECTORS, *(OF_TILES if NIGHTLY else ()))
        return [one.originals, *({symbols[0]: size} for size in sizes)]
    mixed = {s: 3 + 4 * n for n, s in enumerate(symbols)}
    return [one.originals, *(dict.fromkeys(symbols, size) for size in (1, 2, 13)), mixed]


@pytest.mark.parametrize(
    "one", sampled(SYMBOLIC_CASES, lambda one: one.name, one_in=16, each_family=False)
)
def test_one_module_runs_at_all_sizes(one: SymbolicCase) -> None:
    compiled = tilewright.compile_module(one.module(), cache=False, strict_plan=True)
    for sizes in runs(one):
        check(one, compiled, sizes)


@pytest.mark.parametrize(
    "one", sampled(SYMBOLIC_CASES, lambda one: f"{one.name} of 0", one_in=75, each_family=False)
)
def test_sizes_may_be_zero(one: SymbolicCase) -> None:
    one = one.from_zero()
    try:
        compiled = tilewright.compile_module(one.module(), cache=False, strict_plan=True)
    except OutsideBuffer:
        assert any(fnmatchcase(one.name, pattern) for pattern in NEED_ELEMENTS)
        return
    for symbol in one.originals:
        check(one, compiled, {**one.originals, symbol: 0})
    check(one, compiled, dict.fromkeys(one.originals, 0))
    check(one, compiled, one.originals)


def check(one: SymbolicCase, compiled: CompiledModule, sizes: Mapping[str, int]) -> None:
    """Compare the results for given sizes, of one thread and of two."""
    case = one.at(sizes)
    arrays = list(case.arrays())
    try:
        expected = run_graph(bound(one.module(), sizes), *arrays)
    except (TilewrightError, IndexError) as err:
        check_refusal(one, compiled, arrays, err)
        return
    results = [np.asarray(got) for got in compiled.run(arrays, threads=1)]
    compare(results, expected, case)
    if sizes == one.originals:
        compare(results, case.expected(*arrays), case)
    for got, shared in zip(results, compiled.run(arrays, threads=2), strict=True):
        np.testing.assert_array_equal(np.asarray(shared), got)


def check_refusal(
    one: SymbolicCase, compiled: CompiledModule, arrays: list[Array], error: Exception
) -> None:
    """Check that a call for which the op is not defined is an error, or that an import refuses it.

    error: that of the interpreter.
    """
    if "size is negative" in str(error):
        with pytest.raises(ArgumentError, match="the inputs are too small"):
            compiled.run(arrays)
    else:
        assert any(fnmatchcase(one.case.name, pattern) for pattern in UNDEFINED), error


def compare(results: list[Array], expected: tuple[Array, ...] | list[Array], case: OpCase) -> None:
    """Compare results as exactly as the case of the op promises."""
    for got, want in zip(results, expected, strict=True):
        if case.name in CONDITIONED:
            np.testing.assert_allclose(got, want, rtol=CONDITIONED[case.name])
        elif case.ulp <= 1:
            assert_close(got, want, 2 * case.ulp)
        else:
            expect_close(got, want, case.name)
