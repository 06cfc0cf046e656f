"""Find the part of the compiler that makes a program wrong, and a small program that shows it.

    found = find_guilty(request)
    file, command = write_smallest(found, deadline_s=40)

The program is checked after each pass, as validation does.  If every pass is right, the code of
each kernel is compared with the interpreter in a worker process, then the code of the whole
program.  The failing part's input is reduced while it fails alike: one kernel and a main function
that calls it if that is enough, then fewer ops (testing/reduce).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
from ..support.entry import find_entry
from .kernel_alone import kernel_alone
from .pass_case import parsed, write_ir
from .reduce.keeps import Checker, scratch_file
from .reduce.shrink import shrink
from .reduce.texts import op_count, smaller_texts

Fails = Callable[[ModuleOp], bool]

_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Guilty:
    """The first part of the compiler after which a program is wrong.

    part: such as ``pass te-to-loop`` or ``code of kernel @conv``.  kind: crash, invalid or wrong.
    program: the input of the part.  fails: tests whether the part fails alike on another program,
    which it may change.
    command: the command that shows the failure of the file THIS_FILE.
    """

    part: str
    kind: str
    error: Exception
    program: ModuleOp
    fails: Fails
    command: str


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
    return _guilty_code(watch, str(settings.target))


def write_smallest(guilty: Guilty, deadline_s: float) -> tuple[Reproducer, int]:
    """Reduce the failing input of a part, and write it to a file.

    Return the file with its command, and the number of ops in it.
    deadline_s: the longest time of the reduction, in seconds.
    """
    until = time.monotonic() + deadline_s
    text = str(guilty.program)

    def keeps(candidate: str) -> bool:
        return time.monotonic() < until and guilty.fails(parsed(candidate))

    smallest = shrink(text, (smaller_texts,), keeps)
    made = write_reproducer("bisect", parsed(smallest), guilty.command, guilty.error)
    return made, op_count(smallest)


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
        alone = kernel_alone(program, name, watch.written(name))
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


def _guilty_code(watch: PassWatch, target: str) -> Guilty | None:
    """Compare the code of each kernel, then of the program, with the interpreter.

    Return the first wrong part; None if all are right.
    """
    assert watch.before is not None, "the pipeline has passes"
    program = watch.before
    main = find_entry(program)
    parts = [
        (f"code of kernel @{name}", kernel_alone(program, name, watch.written(name)))
        for name in packed.symbols(program)
        if main is not None and name != main.sym_name.data
    ]
    parts.append(("code of main, or the runtime", program))
    folder, scratch = scratch_file(".mlir")
    checker = Checker(_TIMEOUT_S)

    def outcome(candidate: ModuleOp) -> Any:
        write_ir(candidate, scratch)
        return checker.outcome(scratch, "run", [target])

    for part, candidate in parts:
        if candidate is None:
            continue
        first = outcome(candidate)
        if not first.is_failure:
            continue

        def fails(smaller: ModuleOp, first: Any = first) -> bool:
            _ = folder  # lives as long as the function
            return outcome(smaller).has_cause_of(first)

        error = TilewrightError(first.message, where=part)
        command = f"tw fuzz --program THIS_FILE --mode run --target '{target}'"
        return Guilty(part, first.kind, error, candidate, fails, command)
    return None
