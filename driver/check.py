"""validate_pipeline: run a program after every pass and compare with what it computed before.

The interpreters of graph, te, loop and host programs are the judges; no code is generated.  After
each pass the module verifies strictly, prints and parses back equal, holds ops of its level
only, and gives the results that the imported graph gave.  Passes that record weight layouts
leave a program that runs again only after packed-pack-constants; their kernels are compared
one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from ..dialects.dtypes import element_type, is_float, numpy_dtype
from ..dialects.graph import GraphOp
from ..dialects.packed import CallOp
from ..dialects.shape import dims_of, type_of
from ..dialects.te import KernelOp, kernels_of
from ..interp import packed, te
from ..interp.graph import run_graph
from ..passes.packed.pack_constants import pack_array
from ..support.diagnostics import TilewrightError
from ..support.precision import Precision
from ..support.registry import new_context
from ..support.target import Target
from ..support.verify import verify_module
from .extension import Extension
from .pipeline import LEVEL_OF, check_level, passes_by_place, run_pipeline

Array: TypeAlias = NDArray[Any]

EPSILONS = 84
"""Relative error allowed in units of the type's epsilon: 1e-5 for f32."""

NARROW_EPSILONS = 8
"""The same for types of at most 16 bits, whose sums are accumulated in a wider type."""

EXACT_PASSES = frozenset(
    {
        "cpu-plan",
        "cpu-plan-graph",
        "graph-cse",
        "graph-dce",
        "loop-workspace",
        "packed-pack-constants",
        "packed-plan-memory",
        "te-bufferize",
        "te-deduplicate",
        "te-outline",
        "te-stage-boundaries",
    }
)
"""Passes after which every element has the bits that it had before."""


def validate_pipeline(
    module: ModuleOp,
    target: Target,
    inputs: Sequence[Array],
    *,
    to: str = "packed",
    ctx: Context | None = None,
    precision: Precision = Precision.DEFAULT,
    extensions: Sequence[Extension] = (),
) -> None:
    """Lower an imported module to a level, in place, and check it after every pass.

    ctx: knows the dialects of the module, if they are not those of ``new_context``.
    Errors: TilewrightError that names the pass and the result, or the first kernel, that changed.
    Cost: one run of the interpreters per pass that changes the text.
    """
    context = new_context() if ctx is None else ctx
    check = _Check(module, inputs, context, extensions)
    run_pipeline(
        module,
        context,
        target,
        to=to,
        precision=precision,
        observe=check.after,
        extensions=extensions,
    )


def random_inputs(module: ModuleOp, *, seed: int = 0) -> list[Array]:
    """Return normal floats, and integers 0 and 1, for the arguments of a graph's main."""
    rng = np.random.default_rng(seed)
    arrays: list[Array] = []
    for argument in _main(module).body.block.args:
        shape = [d.value for d in dims_of(type_of(argument))]
        if None in shape:
            raise TilewrightError("input has a symbolic size", got=argument.type)
        dtype = numpy_dtype(type_of(argument).element_type)
        sizes = cast("list[int]", shape)
        values = rng.standard_normal(sizes) if _is_float(dtype) else rng.integers(0, 2, sizes)
        arrays.append(values.astype(dtype))
    return arrays


def interpret(module: ModuleOp, inputs: Sequence[Array]) -> tuple[Array, ...]:
    """Return what main of a program of any level gives.

    Errors: TilewrightError if there is no main, or the program fails on these inputs.
    """
    if _is_bufferized(module):
        return packed.run(module, *inputs)
    main = _main(module)
    if any(isinstance(op, GraphOp) for op in main.body.block.ops):
        return run_graph(main, *inputs)
    return te.run(module, *inputs)


class _Check:
    """What the program computed last (None: it could not be run then), and its module then."""

    def __init__(
        self,
        module: ModuleOp,
        inputs: Sequence[Array],
        ctx: Context,
        extensions: Sequence[Extension],
    ) -> None:
        self.inputs, self.ctx = inputs, ctx
        placed = passes_by_place(extensions)
        own = {step.name: LEVEL_OF[place] for place, steps in placed.items() for step in steps}
        self.levels = {**LEVEL_OF, **own}
        self.reference = interpret(module, inputs)
        self.previous: tuple[Array, ...] | None = self.reference
        self.text = ""
        self.before = module

    def after(self, name: str, module: ModuleOp) -> None:
        """Check the module that a pass left; see validate_pipeline."""
        try:
            self._after(name, module)
        except TilewrightError as err:
            place = f" ({err.where})" if err.where else ""
            raise TilewrightError(
                f"{err.rule}{place}", expected=err.expected, got=err.got, hint=err.hint, where=name
            ) from err

    def _after(self, name: str, module: ModuleOp) -> None:
        level = self.levels[name]
        verify_module(module)
        check_level(module, level)
        text = str(module)
        if text == self.text:
            return
        copy = _parse_back(module, text, self.ctx)
        if _records_packs(module):
            compare_kernels(self.before, module, self.inputs)
            self.previous = None
        else:
            self._compare_results(name, module)
        self.text, self.before = text, copy

    def _compare_results(self, name: str, module: ModuleOp) -> None:
        try:
            results = interpret(module, self.inputs)
            for n, array in enumerate(results):
                what = _result_name(module, n)
                expect_close(array, self.reference[n], what)
                if name in EXACT_PASSES and self.previous is not None:
                    expect_equal(array, self.previous[n], what)
        except TilewrightError:
            if _is_bufferized(self.before) and not _records_packs(self.before):
                compare_kernels(self.before, module, self.inputs)
            raise
        self.previous = results


def compare_kernels(before: ModuleOp, after: ModuleOp, inputs: Sequence[Array]) -> None:
    """Run the program before a pass, and at each call also the kernel after the pass.

    Before: both modules hold kernels of the same names in buffer form or at the loop level.
    Errors: TilewrightError that names the first kernel that fails or gives other values.
    """
    changed = packed.symbols(after)

    def call(op: CallOp, kernel: KernelOp | FuncOp, arrays: Sequence[Array]) -> None:
        other = changed.get(op.kernel_name)
        if other is None:
            raise TilewrightError("the kernel is gone", where=f"@{op.kernel_name}")
        packs = other.pack_maps if isinstance(other, KernelOp) else {}
        given = [
            pack_array(array, packs[i]) if i in packs else array.copy()
            for i, array in enumerate(arrays)
        ]
        packed.call_kernel(kernel, arrays)
        try:
            packed.call_kernel(other, given)
            for i, (got, expected) in enumerate(zip(given, arrays, strict=True)):
                if i not in packs:
                    expect_close(got, expected, f"argument {i}")
        except TilewrightError as err:
            raise err.named(f"kernel @{op.kernel_name}") from None

    packed.run(before, *inputs, call=call)


def expect_close(got: Array, expected: Array, what: str) -> None:
    """Compare an array with its reference: integers exactly, floats within a relative bound.

    Floats pass if the L2 norm of the difference is within the bound of the reference's, or if
    every element is; NaN and infinities have to stand at the same places.
    Errors: TilewrightError.
    """
    if not _is_float(expected.dtype):
        expect_equal(got, expected, what)
        return
    _expect_type(got, expected, what)
    a, b = got.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(b)
    # Infinities equal themselves; NaN is compared as a place.
    same = np.array_equal(np.where(finite, 0, a), np.where(finite, 0, b), equal_nan=True)
    difference, b = np.abs(a[finite] - b[finite]), np.abs(b[finite])
    bound = relative_bound(expected.dtype)
    close = np.linalg.norm(difference) <= bound * np.linalg.norm(b)
    if same and (close or bool(np.all(difference <= bound * (1 + b)))):
        return
    raise _changed(got, expected, what, lambda x, y: ~np.isclose(x, y, bound, bound, True))


def expect_equal(got: Array, expected: Array, what: str) -> None:
    """Compare an array with its reference bit by bit (any NaN equals any NaN).

    Errors: TilewrightError.
    """
    _expect_type(got, expected, what)
    if not np.array_equal(got, expected, equal_nan=_is_float(expected.dtype)):
        raise _changed(got, expected, what, lambda x, y: ~((x == y) | ((x != x) & (y != y))))


def relative_bound(dtype: np.dtype[Any]) -> float:
    """Return the relative error that a float type is allowed."""
    epsilons = NARROW_EPSILONS if dtype.itemsize <= 2 else EPSILONS
    return epsilons * float(ml_dtypes.finfo(dtype).eps)


def _is_float(dtype: np.dtype[Any]) -> bool:
    return is_float(element_type(dtype))


def _expect_type(got: Array, expected: Array, what: str) -> None:
    if (got.dtype, got.shape) != (expected.dtype, expected.shape):
        raise TilewrightError(
            f"{what} is of another type",
            expected=f"{expected.dtype}{list(expected.shape)}",
            got=f"{got.dtype}{list(got.shape)}",
        )


def _changed(
    got: Array, expected: Array, what: str, differs: Callable[[Array, Array], Array]
) -> TilewrightError:
    """Return the error that shows the first element that differs."""
    wide = _is_float(expected.dtype)
    x, y = (a.astype(np.float64) if wide else a for a in (got, expected))
    places = np.argwhere(differs(x, y))
    where = tuple(int(i) for i in places[0]) if len(places) else (0,) * got.ndim
    return TilewrightError(
        f"{what} changed",
        expected=f"{expected[where]} at {list(where)}",
        got=f"{got[where]}; {len(places)} of {got.size} elements differ",
    )


def _parse_back(module: ModuleOp, text: str, ctx: Context) -> ModuleOp:
    try:
        copy = Parser(ctx, text).parse_module()
    except (ParseError, VerifyException) as err:
        raise TilewrightError("the printed module does not parse back", got=str(err)) from err
    if not module.is_structurally_equivalent(copy):
        raise TilewrightError(
            "the printed module parses back different", got=_first_difference(text, str(copy))
        )
    return copy


def _first_difference(text: str, again: str) -> str:
    for old, new in zip(text.splitlines(), again.splitlines(), strict=False):
        if old != new:
            return f"{new.strip()} for {old.strip()}"
    return "something that is not printed"


def _main(module: ModuleOp) -> FuncOp:
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == "main":
            return op
    raise TilewrightError("module has no func.func @main")


def _is_bufferized(module: ModuleOp) -> bool:
    return not _main(module).function_type.outputs.data


def _records_packs(module: ModuleOp) -> bool:
    return any(kernel.pack_maps for kernel in kernels_of(module))


def _result_name(module: ModuleOp, n: int) -> str:
    names = _main(module).attributes.get("tw.result_names")
    data = getattr(names, "data", ())
    return f"result {n} ('{data[n].data}')" if n < len(data) else f"result {n}"


__all__ = [
    "compare_kernels",
    "expect_close",
    "expect_equal",
    "interpret",
    "random_inputs",
    "relative_bound",
    "validate_pipeline",
]
