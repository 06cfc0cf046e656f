"""validate_pipeline: interpret a program after every pass and compare its results.

The interpreters of graph, te, loop and host programs run the module; no code is generated.  After
each pass, the module must pass the strict verifier, print and parse back equal, contain only ops of
its level, and compute the results of the imported graph.  After a pass that records weight layouts,
the program cannot run until the pass packed-pack-constants; until then, the kernels are compared
one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ..analysis.verify import parse_back, verify_module
from ..dialects.packed import CallOp
from ..dialects.te import KernelOp, kernels_of
from ..interp import packed
from ..interp.compare import expect_close, expect_equal
from ..interp.program import interpret, is_bufferized, result_label
from ..machines.target import Target
from ..passes.packed.pack_constants import pack_array
from ..support.diagnostics import TilewrightError
from ..support.passes import ExactPass, named_failures
from ..support.precision import Precision
from ..targets.backend import Backend
from .backends import backend_of
from .extension import Extension, context_of
from .pipeline import check_level, passes_by_place, run_pipeline

Array: TypeAlias = NDArray[Any]


def validate_pipeline(
    module: ModuleOp,
    target: Target,
    inputs: Sequence[Array],
    *,
    start: str | None = None,
    to: str | None = None,
    ctx: Context | None = None,
    precision: Precision = Precision.DEFAULT,
    extensions: Sequence[Extension] = (),
) -> None:
    """Lower a module to a level, in place, and check it after every pass.

    start: the first stage; by default that of an imported module.  to: the level, by default the
    last one.  ctx: a Context with the module's dialects; by default that of the extensions.
    Errors: TilewrightError that names the pass, and the result or the first kernel whose values
    changed.
    Cost: one run of the interpreters for each pass that changes the printed IR.
    """
    context = context_of(extensions) if ctx is None else ctx
    backend = backend_of(target, extensions)
    check = _Check(module, inputs, context, backend, extensions)
    run_pipeline(
        module,
        context,
        target,
        start=start,
        to=to,
        precision=precision,
        observe=check.after,
        extensions=extensions,
    )


def validate_passes(
    module: ModuleOp, passes: Sequence[ModulePass], inputs: Sequence[Array], ctx: Context
) -> None:
    """Run passes on a module of any level, in place, and check it after each pass.

    Errors, Cost: see validate_pipeline.
    """
    check = _Check(module.clone(), inputs, ctx)
    for step in passes:
        with named_failures(step.name):
            step.apply(ctx, module)
            check.after(step, module)


class _Check:
    """The state of a validation.

    reference: the results of the module before the first pass.  before: the module after the last
    pass.  text: its printed IR.  previous: its results, None if it could not run.
    """

    def __init__(
        self,
        module: ModuleOp,
        inputs: Sequence[Array],
        ctx: Context,
        backend: Backend | None = None,
        extensions: Sequence[Extension] = (),
    ) -> None:
        self.inputs, self.ctx, self.backend = inputs, ctx, backend
        self.levels: Mapping[str, str] = {}
        if backend is not None:
            levels, placed = backend.level_of, passes_by_place(backend, extensions)
            own = {step.name: levels[place] for place, steps in placed.items() for step in steps}
            self.levels = {**levels, **own}
        self.reference = interpret(module, inputs)
        self.previous: tuple[Array, ...] | None = self.reference
        self.text = ""
        self.before = module

    def after(self, step: ModulePass, module: ModuleOp) -> None:
        """Check the module after a pass.

        Errors: TilewrightError that names the pass; see `validate_pipeline`.
        """
        try:
            self._after(step, module)
        except TilewrightError as err:
            place = f" ({err.where})" if err.where else ""
            raise TilewrightError(
                f"{err.rule}{place}",
                expected=err.expected,
                got=err.got,
                hint=err.hint,
                where=step.name,
            ) from err
        except VerifyException as err:
            raise TilewrightError(
                "the pass makes invalid IR", got=str(err).partition("\n")[0], where=step.name
            ) from err

    def _after(self, step: ModulePass, module: ModuleOp) -> None:
        level = self.levels.get(step.name)
        verify_module(module)
        if level is not None and self.backend is not None:
            check_level(module, level, self.backend)
        text = str(module)
        if text == self.text:
            return
        copy = parse_back(module, text, self.ctx)
        if _records_packs(module):
            compare_kernels(self.before, module, self.inputs)
            self.previous = None
        else:
            self._compare_results(step, module)
        self.text, self.before = text, copy

    def _compare_results(self, step: ModulePass, module: ModuleOp) -> None:
        try:
            results = interpret(module, self.inputs)
            for n, array in enumerate(results):
                what = result_label(module, n)
                expect_close(array, self.reference[n], what)
                if isinstance(step, ExactPass) and self.previous is not None:
                    expect_equal(array, self.previous[n], what)
        except TilewrightError:
            comparable = is_bufferized(self.before) and not _records_packs(self.before)
            if comparable and packed.symbols(self.before).keys() == packed.symbols(module).keys():
                compare_kernels(self.before, module, self.inputs)
            raise
        self.previous = results


def compare_kernels(before: ModuleOp, after: ModuleOp, inputs: Sequence[Array]) -> None:
    """Interpret a program; run the changed kernel at each kernel call, too, and compare the values.

    Before: both modules have kernels with the same names, in buffer form or at the loop
    level.
    Errors: TilewrightError that names the first kernel that fails or computes different values.
    """
    changed = packed.symbols(after)

    def call(op: CallOp, kernel: KernelOp | FuncOp, arrays: Sequence[Array]) -> None:
        other = changed.get(op.kernel_name)
        if other is None:
            raise TilewrightError("the kernel no longer exists", where=f"@{op.kernel_name}")
        packs = other.pack_maps if isinstance(other, KernelOp) else {}
        given = [
            pack_array(array, packs[i]) if i in packs else array.copy()
            for i, array in enumerate(arrays)
        ]
        packed.call_kernel(kernel, arrays)
        try:
            packed.call_kernel(packed.with_call_sizes(other, op), given)
            for i, (got, expected) in enumerate(zip(given, arrays, strict=True)):
                if i not in packs:
                    expect_close(got, expected, f"argument {i}")
        except TilewrightError as err:
            raise err.named(f"kernel @{op.kernel_name}") from None

    packed.run(before, *inputs, call=call)


def _records_packs(module: ModuleOp) -> bool:
    return any(kernel.pack_maps for kernel in kernels_of(module))


__all__ = [
    "compare_kernels",
    "validate_passes",
    "validate_pipeline",
]
