"""Find the part of the compiler that makes a program wrong, and a small program that shows it.

    found = find_guilty(request)
    file, command = write_smallest(found, deadline_s=40)

The program is checked after each pass, as validation does.  If every pass is right, the code of
each kernel is compared with the interpreter in a worker process, then the code of the whole
program, which is also called with wrong arguments (guilty_code.py).  The failing part's input is
reduced while it fails alike: one kernel and a main function that calls it if that is enough, then
fewer ops (testing/reduce).
"""

from __future__ import annotations

import time
from contextlib import suppress

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..driver.extension import context_of
from ..driver.model_import import imported
from ..driver.passes.check import validate_passes
from ..driver.passes.pipeline import run_pipeline
from ..driver.passes.reproducer import Reproducer, pass_command, write_reproducer
from ..driver.passes.stage_check import PassWatch
from ..driver.request import Request
from ..interp import packed
from ..support.diagnostics import TilewrightError
from .guilty_code import Guilty, guilty_code
from .kernel_alone import kernel_alone
from .pass_case import parsed
from .reduce.shrink import shrink
from .reduce.texts import op_count, smaller_texts


def find_guilty(request: Request) -> Guilty | None:
    """Compile a request part by part; return the first part that fails, or None if all are right.

    Errors: those of the import.
    """
    given = imported(request)
    watch = PassWatch()
    settings, module = request.settings, given.module
    ctx = context_of(settings.extensions)
    try:
        run_pipeline(
            module,
            ctx,
            settings.target,
            start=given.start,
            precision=settings.precision,
            instruments=[watch],
            extensions=settings.extensions,
            context=settings.context,
        )
    except Exception as err:
        if watch.info is None:
            raise
        return _guilty_pass(watch, err, ctx)
    return guilty_code(watch, settings.target)


def write_smallest(guilty: Guilty, deadline_s: float) -> tuple[Reproducer, int]:
    """Reduce the failing input of a part, and write it to a file.

    Return the file with its command, and the number of ops in it.
    deadline_s: the longest time of the reduction, in seconds.
    """
    until, smallest = time.monotonic() + deadline_s, [str(guilty.program)]

    def keeps(candidate: str) -> bool:
        if time.monotonic() > until:
            raise TimeoutError("the time for the reproducer is over")
        return guilty.fails(parsed(candidate))

    with suppress(TimeoutError):
        shrink(smallest[0], (smaller_texts,), keeps, smallest.append)
    made = write_reproducer("bisect", parsed(smallest[-1]), guilty.command, guilty.error)
    return made, op_count(smallest[-1])


def _guilty_pass(watch: PassWatch, error: Exception, ctx: Context) -> Guilty:
    """Return the pass that ran last, with the smallest part of its input on which it fails."""
    assert watch.info is not None, "a pass has started"
    assert watch.before is not None, "a pass has started"
    step = watch.info.step
    kind = "crash"
    if watch.is_done:
        kind = "invalid" if "invalid" in str(error).partition("\n")[0] else "wrong"

    def fails(program: ModuleOp) -> bool:
        return _fails_alike(program, step, ctx, None if watch.is_done else error)

    command = pass_command([step]) + (" --validate" if watch.is_done else "")
    program = watch.before
    for name in packed.symbols(program):
        alone = kernel_alone(program, name, watch.written(name), watch.call_of(name))
        if alone is not None and fails(alone.clone()):
            program = alone
            break
    return Guilty(f"pass {step.name}", kind, error, program, fails, command)


def _fails_alike(
    program: ModuleOp, step: ModulePass, ctx: Context, error: Exception | None
) -> bool:
    """Return whether a pass fails on a program as it failed before.

    step: the pass.  error: its earlier exception; None if its result was wrong or invalid.
    """
    try:
        if error is not None:
            step.apply(ctx, program)
        else:
            validate_passes(program, [step], None, ctx)
    except Exception as err:
        is_same = type(err) is type(error) and _rule(err) == _rule(error)
        wrong = isinstance(err, TilewrightError) and err.where == step.name
        return is_same if error is not None else wrong
    return False


def _rule(error: Exception | None) -> str:
    return error.rule if isinstance(error, TilewrightError) else ""
