"""Validation of a compilation: every stage, then the results of the code.

In: a request.  Out: the module, and the table of the checked parts (passes/stage_check.py).  The
results of the code are compared with the interpreter's results for the imported graph, and with
onnxruntime, or else with onnx.reference.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...interp.compare import expect_close, relative_bound, scaled_error
from ...support.diagnostics import TilewrightError
from ..lowered import lower
from ..model_import import imported
from ..module.called_module import module_of
from ..module.compiled_module import CompiledModule
from ..passes.checked_parts import CheckedPart, ValidationTable
from ..passes.stage_check import StageValidation
from ..request import Request
from ..source import ModelSource

Array: TypeAlias = NDArray[Any]

_CODE = "code"
_ERRORS_OF_OTHERS = 4.0
"""Results may differ from another runtime by this multiple of its own error."""


def validated(request: Request) -> tuple[CompiledModule | None, ValidationTable]:
    """Compile a request, and check every stage and the results of the code, on random inputs.

    Return the module and the table of the checks.  If this machine cannot run code for the target,
    only the stages are checked, and None takes the place of the module.

    Errors: TilewrightError that names the first stage, and the kernel or result that is wrong.

    Cost: that of interpreting the model five times in numpy, and of samples of its kernels.
    """
    check = StageValidation()
    context = request.settings.context
    watched = replace(context, instruments=(*context.instruments, check))
    request = request.with_settings(context=watched)
    if not request.settings.can_run():
        lower(imported(request), request.watch)
        return None, ValidationTable(check.rows)
    module = module_of(request)
    table = ValidationTable([*check.rows, *_checked_results(module, request, check)])
    module.validation = table
    return module, table


def _checked_results(
    module: CompiledModule, request: Request, check: StageValidation
) -> list[CheckedPart]:
    """Run the code, and compare its results with those of the interpreter and another runtime."""
    results = [np.asarray(each) for each in module.run(list(check.inputs))]
    rows = [_row("interpreter", results, check.reference, check.reference)]
    names = [spec.name for spec in module.inputs]
    feeds = dict(zip(names, check.inputs, strict=True))
    other = _other_results(request, feeds)
    if other is not None:
        rows.append(_row(other[0], results, other[1], check.reference))
    return rows


def _row(
    runtime: str, got: Sequence[Array], expected: Sequence[Array], exact: Sequence[Array]
) -> CheckedPart:
    """Compare the results of the code with those of a runtime; return a row for the table.

    runtime: its name.  got: the results of the code.  expected: the results of the runtime.  exact:
    the interpreter's results, which show how large the error of the runtime is.
    """
    errors, bounds = [0.0], [0.0]
    for n, (ours, theirs, reference) in enumerate(zip(got, expected, exact, strict=True)):
        errors.append(scaled_error(ours, theirs))
        allowed = _ERRORS_OF_OTHERS * scaled_error(theirs, reference)
        is_float = theirs.dtype.kind not in "iub"
        bounds.append(max(relative_bound(theirs.dtype), allowed) if is_float else 0.0)
        try:
            expect_close(ours, theirs, f"result {n}")
        except TilewrightError as err:
            if not is_float or ours.shape != theirs.shape or errors[-1] > bounds[-1]:
                raise err.named(f"the code, compared with {runtime}") from None
    return CheckedPart(_CODE, f"results, {runtime}", max(errors), max(bounds), 1.0, "ok")


def _other_results(
    request: Request, feeds: Mapping[str, Array]
) -> tuple[str, Sequence[Array]] | None:
    """Return the name and results of another runtime; None if none can run the program."""
    settings, source = request.settings, request.source
    model = source.onnx_model() if isinstance(source, ModelSource) else None
    if model is None or settings.gradients or settings.states:
        return None
    given = {**request.values, **feeds}
    if importlib.util.find_spec("onnxruntime") is not None:
        ort: Any = importlib.import_module("onnxruntime")
        options = ort.SessionOptions()
        options.log_severity_level = 3
        session = ort.InferenceSession(model, options, ["CPUExecutionProvider"])
        return "onnxruntime", session.run(None, given)
    evaluators: Any = importlib.import_module("onnx.reference")
    return "onnx.reference", evaluators.ReferenceEvaluator(model).run(None, given)
