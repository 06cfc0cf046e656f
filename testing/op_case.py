"""Op cases: an op on operands of given types, its reference in numpy, and a check of every level.

    case = OpCase("relu", ReluOp, (float_input(3, 5),), lambda x: np.maximum(x, 0))
    check_op(case)

``check_op`` checks an op of any package as strictly as the project's own: its type and text, the
interpreter, its te definition, every pass of the pipeline, and machine code on the host, in a
worker process between inaccessible pages.  A failure is an AssertionError or a TilewrightError
that names the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from ..analysis.verify import verify_module
from ..dialects.dtypes import element_type
from ..dialects.shape import tensor_type
from ..driver.passes.check import validate_pipeline
from ..interp import te
from ..interp.compare import expect_close
from ..interp.graph import run_graph
from ..lowering.graph_to_te.convert import GraphToTe
from ..machines.target import Target
from ..support.registry import new_context
from .native import Native

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Reference: TypeAlias = Callable[..., Any]

Runner: TypeAlias = Callable[
    [ModuleOp, tuple[Array, ...], str, Mapping[str, str]], Sequence[Sequence[Array]]
]
"""Compiles a module for a target and runs it any number of times: `Native`, or an emulator."""

SEEDS = range(3)
"""Seeds of the random operands with which an op is interpreted."""


@dataclass(frozen=True)
class Input:
    """The type of an operand, and the range of its random values.

    low, high: the range; integers include both ends.
    """

    dtype: str
    shape: tuple[int, ...]
    low: float = -4.0
    high: float = 4.0

    def array(self, rng: np.random.Generator) -> Array:
        """Return random values of this type and range."""
        dtype = np_dtype(self.dtype)
        if self.dtype == "bool":
            return rng.integers(0, 2, self.shape).astype(bool)
        if dtype.kind in "iu" or self.dtype.startswith(("int", "uint")):
            low = max(self.low, 0) if self.dtype.startswith("u") else self.low
            return rng.integers(int(low), int(self.high) + 1, self.shape).astype(dtype)
        return rng.uniform(self.low, self.high, self.shape).astype(dtype)


def float_input(*shape: int) -> Input:
    """Return an f32 operand with values from -4 to 4."""
    return Input("float32", shape)


@dataclass(frozen=True)
class OpCase:
    """An op on operands of fixed types, and its expected results.

    build: makes the op from its operands.  reference: returns the expected results, from numpy
    arrays.  ulp: the allowed difference; 0 compares bitwise.
    dialects: dialects of other packages that the op needs, as ``{"name": "module:ATTRIBUTE"}``; the
    worker process imports them.
    """

    name: str
    build: Callable[..., Operation]
    inputs: tuple[Input, ...]
    reference: Reference
    ulp: float = 0.0
    dialects: Mapping[str, str] = field(default_factory=dict[str, str])

    def arrays(self, seed: int = 0) -> tuple[Array, ...]:
        """Return random values for the operands."""
        rng = np.random.default_rng(seed)
        return tuple(one.array(rng) for one in self.inputs)

    def function(self) -> tuple[ModuleOp, FuncOp]:
        """Return a module whose function ``main`` consists of the op and returns its results."""
        types = [tensor_type(element_type(np_dtype(i.dtype)), i.shape) for i in self.inputs]
        func = FuncOp("main", (types, []))
        op = self.build(*func.body.block.args)
        func.body.block.add_ops([op, ReturnOp(*op.results)])
        func.update_function_type()
        return ModuleOp([func]), func

    def expected(self, *arrays: Array) -> tuple[Array, ...]:
        """Return the results of the reference for values of the operands."""
        with np.errstate(all="ignore"):
            results = self.reference(*arrays)
        if not isinstance(results, tuple | list):
            results = (results,)
        return tuple(np.asarray(r) for r in results)

    def context(self) -> Context:
        """Return a new context that contains the op's dialect."""
        return new_context(self.dialects)


def check_op(
    case: OpCase, *, targets: Sequence[Target | None] = (None,), native: Native | None = None
) -> None:
    """Check an op at every level of the compiler.

    targets: the machines for which the op is compiled; None is this one.  native: a worker to
    compile and run in; without one, this call starts a process.
    Errors: AssertionError or TilewrightError of the first level that is wrong.
    """
    if native is None:
        with Native() as started:
            check_op(case, targets=targets, native=started)
        return
    check_text(case)
    check_interpreter(case)
    check_te(case)
    for target in targets:
        check_passes(case, target or Target.native())
        check_native(case, target or Target.native(), native)


def check_text(case: OpCase) -> None:
    """Check that the op verifies, prints, and parses back equal."""
    module, _ = case.function()
    verify_module(module)
    text = str(module)
    parsed = Parser(case.context(), text).parse_module()
    verify_module(parsed)
    assert parsed.is_structurally_equivalent(module), f"{case.name} parses back different:\n{text}"
    assert str(parsed) == text, f"{case.name} prints different when parsed back:\n{text}"


def check_interpreter(case: OpCase) -> None:
    """Check that the interpreter's results agree with the reference."""
    _, func = case.function()
    for arrays in map(case.arrays, SEEDS):
        results = run_graph(func, *arrays)
        for got, expected in zip(results, case.expected(*arrays), strict=True):
            assert_close(got, expected, case.ulp)


def check_te(case: OpCase) -> None:
    """Check that the op's te definition agrees with the interpreter, and parses back equal."""
    module, func = case.function()
    samples = [case.arrays(seed) for seed in SEEDS]
    expected = [run_graph(func, *arrays) for arrays in samples]
    GraphToTe().apply(case.context(), module)
    verify_module(module)
    parsed = Parser(new_context(), str(module)).parse_module()
    assert parsed.is_structurally_equivalent(module), f"te of {case.name} parses back different"
    for arrays, results in zip(samples, expected, strict=True):
        for got, result in zip(te.run(module, *arrays), results, strict=True):
            # Both results are rounded, and the te definition may sum in another order.
            assert_close(got, result, max(2 * case.ulp, 4 if result.dtype.kind == "f" else 0))


def check_passes(case: OpCase, target: Target) -> None:
    """Check that no pass of the pipeline changes the results of the op."""
    module, _ = case.function()
    validate_pipeline(module, target, case.arrays(), ctx=case.context())


def check_native(case: OpCase, target: Target, native: Runner) -> None:
    """Compare the results of the op's machine code with the interpreter.

    native: compiles and runs the code; `Native` only compiles it for other machines.
    """
    module, func = case.function()
    arrays = case.arrays()
    expected = run_graph(func, *arrays)
    for results in native(module, arrays, str(target), case.dialects):
        for got, want in zip(results, expected, strict=True):
            if case.ulp <= 1:
                assert_close(got, want, case.ulp)
            else:
                expect_close(got, want, case.name)


def np_dtype(name: str) -> np.dtype[Any]:
    """Return a numpy or ml_dtypes dtype by name."""
    return np.dtype(getattr(ml_dtypes, name, name))


def assert_close(got: Array, expected: Array, ulp: float) -> None:
    """Check that arrays are equal bitwise for integers and for ``ulp`` 0, else within a bound.

    ulp: the bound, in units in the last place of each element, or of the largest one (or of 1, if
    that is smaller) for small elements.  NaN equals NaN.
    """
    assert got.dtype == expected.dtype, f"{got.dtype} is not {expected.dtype}"
    assert got.shape == expected.shape, f"{got.shape} is not {expected.shape}"
    if expected.dtype.kind in "biu" or ulp == 0:
        np.testing.assert_array_equal(got, expected)
        return
    eps = float(ml_dtypes.finfo(expected.dtype).eps)
    a, b = got.astype(np.float64), expected.astype(np.float64)
    finite = np.abs(b[np.isfinite(b)])
    scale = float(finite.max()) if finite.size else 0.0
    np.testing.assert_allclose(a, b, rtol=ulp * eps, atol=ulp * eps * min(scale, 1.0))
