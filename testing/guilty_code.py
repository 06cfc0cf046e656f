"""The check of a program's code after all passes: by kernel, whole, and with wrong arguments.

The code runs in a worker process, or in an emulator of the target.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ..driver.backends import backend_of
from ..driver.passes.stage_check import PassWatch
from ..interp import packed
from ..machines.target import Target
from ..support.diagnostics import TilewrightError
from ..support.entry import find_entry
from .fuzz.checks import CheckOutcome
from .kernel_alone import kernel_alone
from .pass_case import write_ir
from .reduce.keeps import Checker, scratch_file

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


def guilty_code(watch: PassWatch, target: Target) -> Guilty | None:
    """Compare the code of each kernel, then of the program, with the interpreter.

    At last, call the program with random arguments (testing/argument_fuzz.py).
    Return the first wrong part; None if all are right.
    """
    assert watch.before is not None, "the pipeline has passes"
    folder, scratch = scratch_file(".mlir")
    checker = Checker(_TIMEOUT_S)
    atexit.register(checker.close)
    atexit.register(folder.cleanup)

    def outcome(candidate: ModuleOp, mode: str) -> CheckOutcome:
        write_ir(candidate, scratch)
        return checker.outcome(scratch, mode, [str(target)])

    for part, candidate, mode in _code_parts(watch, target):
        first = outcome(candidate, mode)
        if not first.is_failure:
            continue

        def fails(smaller: ModuleOp, mode: str = mode, first: CheckOutcome = first) -> bool:
            return _is_alike(outcome(smaller, mode), first)

        if first.kind == "threads":
            part = f"the worker pool, or the tasks of {part}"
        error = TilewrightError(first.message, where=part)
        command = f"tw fuzz --program THIS_FILE --mode {mode} --target '{target}'"
        return Guilty(part, first.kind, error, candidate, fails, command)
    checker.close()
    folder.cleanup()
    return None


def _is_alike(outcome: CheckOutcome, first: CheckOutcome) -> bool:
    """Return whether a smaller program fails as the first one did.

    The first wrong element must have the same wrong and expected values: a program that no longer
    writes a buffer has wrong results, too.
    """
    if first.kind == "wrong" and outcome.kind == "wrong":
        return _values(outcome.message) == _values(first.message)
    return outcome.has_cause_of(first)


def _values(message: str) -> Sequence[str]:
    """Return the expected and wrong values of a message, without the number of wrong elements."""
    return [line.partition(";")[0] for line in message.splitlines()[1:]]


def _code_parts(watch: PassWatch, target: Target) -> Iterator[tuple[str, ModuleOp, str]]:
    """Yield the parts of a program's code, each with a program and a mode of ``tw fuzz``.

    Yield none if neither this machine nor an emulator runs code of the target, and no calls with
    random arguments if only an emulator does.
    """
    program, able = watch.before, backend_of(target).abilities(target)
    assert program is not None, "the pipeline has passes"
    if not able.runs.is_there and not able.emulates.is_there:
        return
    main = find_entry(program)
    for name in packed.symbols(program):
        alone = kernel_alone(program, name, watch.written(name), watch.call_of(name))
        if main is not None and name != main.sym_name.data and alone is not None:
            yield f"code of kernel @{name}", alone, "run"
    yield "code of main, or the runtime", program, "run"
    if target.kind == "llvm" and able.runs.is_there:
        yield "argument checks of the runtime", program, "calls"
