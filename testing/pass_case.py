"""Pass cases: a program before and after passes, whose meaning must not change.

    check_pass(before, "graph-simplify", after=after)        text in, text out
    after = check_pass(before, MyPass(), idempotent=True)    modules and passes as objects

Equality is structural: names of values, comments and blanks are ignored.  The programs are
interpreted on small integers, whose sums and products are exact in any order.  A failure is an
AssertionError or a TilewrightError.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_pipeline

from ..analysis.verify import verify_module
from ..dialects.dtypes import numpy_dtype
from ..dialects.shape import static_shape
from ..dialects.weights import load_weights, save_weights
from ..interp.compare import expect_close, expect_equal
from ..interp.program import interpret, random_inputs
from ..support.diagnostics import TilewrightError
from ..support.entry import find_entry
from ..support.ir_parser import IrParser
from ..support.registry import find_pass, new_context

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Passes: TypeAlias = str | ModulePass | Sequence[ModulePass]
"""A pipeline in the syntax of ``tw-opt -p``, or passes."""


def check_pass(
    before: str | ModuleOp,
    passes: Passes,
    *,
    after: str | ModuleOp | None = None,
    exact: bool = True,
    idempotent: bool = False,
    inputs: Sequence[Array] | None = None,
    ctx: Context | None = None,
) -> ModuleOp:
    """Run passes on a copy of a program, check the result, and return it.

    The program must verify after each pass, compute the same results as before, and equal ``after``
    if that is given.
    exact: compare results bit by bit, else within the bound of interp.compare.  idempotent: whether
    a second run must change nothing.
    inputs: inputs of main; default: small integers.  ctx: contains the dialects.
    """
    context = new_context() if ctx is None else ctx
    old = parsed(before, context)
    new = run_passes(old, passes, context)
    check_same_results(old, new, inputs, exact=exact)
    if after is not None:
        check_equal(new, parsed(after, context))
    if idempotent:
        check_equal(run_passes(new, passes, context), new)
    return new


def parsed(program: str | ModuleOp, ctx: Context | None = None) -> ModuleOp:
    """Parse and verify a text; return a module unchanged."""
    if isinstance(program, ModuleOp):
        return program
    module = IrParser(new_context() if ctx is None else ctx, program).parse_module()
    verify_module(module)
    return module


def run_passes(module: ModuleOp, passes: Passes, ctx: Context | None = None) -> ModuleOp:
    """Return a copy of a module on which the passes have run; the copy is verified after each.

    Errors: TilewrightError for an unknown pass, and any error of a pass or the verifier.
    """
    copy = module.clone()
    context = new_context() if ctx is None else ctx
    for step in _as_passes(passes):
        step.apply(context, copy)
        verify_module(copy)
    return copy


def check_same_results(
    before: ModuleOp,
    after: ModuleOp,
    inputs: Sequence[Array] | None = None,
    *,
    exact: bool = True,
) -> None:
    """Interpret main of two programs, of any level, and compare the results.

    inputs: the inputs of both; None: small integers.  exact: compare bit by bit, else within the
    bound of interp.compare.
    """
    given = small_integers(before) if inputs is None else inputs
    compare = expect_equal if exact else expect_close
    pairs = zip(interpret(before, given), interpret(after, given), strict=True)
    for n, (expected, got) in enumerate(pairs):
        compare(got, expected, f"result {n}")


def check_equal(got: ModuleOp, expected: ModuleOp) -> None:
    """Check that two programs are equal except for the names of values.

    Errors: AssertionError that shows the lines that differ.
    """
    if not got.is_structurally_equivalent(expected):
        lines = difflib.unified_diff(
            str(expected).splitlines(), str(got).splitlines(), "expected", "got", lineterm=""
        )
        raise AssertionError("\n".join(("programs differ", *lines)))


def small_integers(module: ModuleOp, seed: int = 0) -> list[Array]:
    """Return random integers from -3 to 3, or from 0 for unsigned types, for the arguments of main.

    Errors: TilewrightError without a main on tensors of static sizes.
    """
    main = find_entry(module)
    if main is None or not _is_on_tensors(main):
        raise TilewrightError("the module has no entry on tensors")
    rng = np.random.default_rng(seed)
    return [_small(rng, cast("TensorType[Any]", arg.type)) for arg in main.body.block.args]


def call_inputs(module: ModuleOp) -> list[Array]:
    """Return inputs for main: small integers for tensors, random numbers for buffers."""
    main = find_entry(module)
    if main is None or _is_on_tensors(main):
        return small_integers(module)
    return random_inputs(module)


def read_ir(file: Path) -> tuple[str, Mapping[str, Any]]:
    """Return the text of a file of IR, and the weights by key from the file next to it, if any."""
    arrays = file.with_suffix(".safetensors")
    return file.read_text(), load_weights(arrays) if arrays.exists() else {}


def write_ir(module: ModuleOp, file: Path) -> None:
    """Write the text of a module to a file, and its weights to a file next to it."""
    file.write_text(str(module))
    save_weights(module, file.with_suffix(".safetensors"))


def _small(rng: np.random.Generator, tensor: TensorType[Any]) -> Array:
    dtype, shape = numpy_dtype(tensor.element_type), static_shape(tensor)
    if dtype == np.dtype(bool):
        return rng.integers(0, 2, shape).astype(dtype)
    low = 0 if dtype.name.startswith("u") else -3
    return rng.integers(low, 4, shape).astype(dtype)


def _is_on_tensors(func: FuncOp) -> bool:
    return all(isinstance(arg.type, TensorType) for arg in func.body.block.args)


def _as_passes(passes: Passes) -> Iterable[ModulePass]:
    if isinstance(passes, str):
        return [find_pass(spec.name).from_pass_spec(spec) for spec in parse_pipeline(passes)]
    return [passes] if isinstance(passes, ModulePass) else passes
