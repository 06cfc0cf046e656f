"""Validation: interpret a program after every pass and compare its results.

    with tilewright.PassContext(instruments=[Validation()]):
        tilewright.compile(model)

The interpreters of graph, te, loop and host programs run the module; no code is generated.  After
each pass, the module must pass the strict verifier, print and parse back equal, contain only ops of
its level, and compute the results of the imported graph.  After a pass that records weight layouts,
the program cannot run until the pass packed-pack-constants; until then, the kernels are compared
one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ...analysis.verify import check_level, parse_back, verify_module
from ...dialects.te import kernels_of
from ...gradient.graph_gradient import GraphGradient
from ...interp import packed
from ...interp.compare import expect_close, expect_equal
from ...interp.program import interpret, is_bufferized, random_inputs, result_label
from ...machines.target import Target
from ...support.diagnostics import TilewrightError, WrongStage
from ...support.instruments import PassInfo, PassInstrument
from ...support.passes import ExactPass, named_failures
from ...support.precision import Precision
from ..extension import Extension, context_of
from .kernel_checks import PLACE_BARRIERS, check_races, compare_kernels
from .pass_context import DEFAULT, PassContext
from .pipeline import run_pipeline

Array: TypeAlias = NDArray[Any]


def validate_pipeline(
    module: ModuleOp,
    target: Target,
    inputs: Sequence[Array] | None = None,
    *,
    start: str | None = None,
    to: str | None = None,
    ctx: Context | None = None,
    precision: Precision = Precision.DEFAULT,
    extensions: Sequence[Extension] = (),
    context: PassContext = DEFAULT,
) -> None:
    """Lower a module to a level, in place, and check it after every pass.

    inputs: the arguments of main; None: random arguments. start: the first stage; by default the
    first stage for an imported module.  to: the level, by default the last one.
    ctx: a Context with the module's dialects; by default the Context for the extensions.
    context: the choice of passes.
    Errors: TilewrightError that names the pass, and the result or the first kernel whose values
    changed.
    Cost: one run of the interpreters for each pass that changes the printed IR.
    """
    run_pipeline(
        module,
        context_of(extensions) if ctx is None else ctx,
        target,
        start=start,
        to=to,
        precision=precision,
        instruments=[Validation(inputs)],
        extensions=extensions,
        context=context,
    )


def validate_passes(
    module: ModuleOp, passes: Sequence[ModulePass], inputs: Sequence[Array] | None, ctx: Context
) -> None:
    """Run passes on a module of any level, in place, and check it after each pass.

    Errors, Cost: see validate_pipeline.
    """
    check = Validation(inputs)
    check.run_before_pipeline(module, ctx)
    for step in passes:
        with named_failures(step.name):
            step.apply(ctx, module)
            check.run_after_pass(module, PassInfo(step))


def moved(err: TilewrightError, where: str, hint: str) -> WrongStage:
    """Return an error that names the pass or stage in which another error occurred.

    err: the other error; its text becomes part of the new one.  where: the name of the pass or
    stage.  hint: the new hint.
    """
    rule = f"{err.rule} ({err.where})" if err.where else err.rule
    return WrongStage(rule, expected=err.expected, got=err.got, hint=hint, where=where)


class Validation(PassInstrument):
    """An instrument that interprets the program after each pass and compares its results.

    inputs: the arguments of main; None: random arguments.
    Errors: TilewrightError that names the pass, and the result or the first kernel whose values
    changed.
    """

    def __init__(self, inputs: Sequence[Array] | None = None) -> None:
        self._given = inputs

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._ctx = ctx
        self._inputs = random_inputs(module) if self._given is None else self._given
        # The results before the first pass, and those of the last program that could run.
        self._reference = interpret(module, self._inputs)
        self._previous: tuple[Array, ...] | None = self._reference
        # The program after the last pass that changed its printed IR.
        self._text, self._before = "", module.clone()

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        try:
            self._compare(module, info)
        except TilewrightError as err:
            raise moved(err, info.name, err.hint) from err
        except VerifyException as err:
            raise WrongStage(
                "the pass makes invalid IR", got=str(err).partition("\n")[0], where=info.name
            ) from err

    def _compare(self, module: ModuleOp, info: PassInfo) -> None:
        verify_module(module)
        if info.level:
            check_level(module, info.level, info.dialects)
        if info.name == PLACE_BARRIERS:
            check_races(module, self._inputs)
        text = str(module)
        if text == self._text:
            return
        copy = parse_back(module, text, self._ctx)
        if _records_packs(module):
            compare_kernels(self._before, module, self._inputs)
            self._previous = None
        else:
            self._compare_results(info, module)
        self._text, self._before = text, copy

    def _compare_results(self, info: PassInfo, module: ModuleOp) -> None:
        try:
            results = interpret(module, self._inputs)
            if info.name == GraphGradient.name:  # appends results
                self._reference += results[len(self._reference) :]
            for n, array in enumerate(results):
                what = result_label(module, n)
                expect_close(array, self._reference[n], what)
                if isinstance(info.step, ExactPass) and self._previous is not None:
                    expect_equal(array, self._previous[n], what)
        except TilewrightError:
            before = self._before
            comparable = is_bufferized(before) and not _records_packs(before)
            if comparable and packed.symbols(before).keys() == packed.symbols(module).keys():
                compare_kernels(before, module, self._inputs)
            raise
        self._previous = results


def _records_packs(module: ModuleOp) -> bool:
    return any(kernel.pack_maps for kernel in kernels_of(module))
