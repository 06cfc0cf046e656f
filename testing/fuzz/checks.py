"""The properties of a program, with outcomes as plain data.

plan  every pass succeeds for a target, without a warning, and its result verifies
run   results agree with the reference, and are bitwise equal with 1, 2 and 3 threads; on a
      device, in three runs; in an emulator, with 1 and 2 threads
calls calls with random arguments give the same results or are refused (testing/argument_fuzz)
sizes one module of symbolic sizes agrees with the reference at three sizes
gradient  gradients in f64 agree with central differences
"""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp

from ...analysis.verify import verify_module
from ...machines.target import Target
from ...support.diagnostics import UnsupportedOp
from .draw import Array

Arrays: TypeAlias = Sequence[Array]

OUTCOMES = (
    "pass", "unsupported", "plan-error", "invalid", "run-error", "wrong", "threads", "memory",
    "crash", "timeout",
)  # fmt: skip
"""``invalid``: the verifier rejects the lowered program.  The last two end a worker."""

FAILURES = frozenset(OUTCOMES) - {"pass", "unsupported"}
THREADS = (1, 2, 3)
EMULATED_THREADS = (1, 2)
"""An emulated program has a thread for each processor of this machine on which it may run."""
_MESSAGE_LENGTH = 500


@dataclass(frozen=True)
class CheckOutcome:
    """The outcome of the check of a program.

    kind: one of `OUTCOMES`.  signature: a text that failures of one cause share: the exception
    without numbers and names, and the function that raised it.
    target: the target whose plan failed; else empty.
    """

    kind: str
    message: str = ""
    signature: str = ""
    target: str = ""

    @property
    def is_failure(self) -> bool:
        """Return whether this outcome is a failure."""
        return self.kind in FAILURES

    def has_cause_of(self, other: CheckOutcome) -> bool:
        """Return whether another failure probably has the same cause."""
        if self.kind in ("wrong", "threads", "crash", "timeout"):
            return self.kind == other.kind
        return (self.kind, self.signature) == (other.kind, other.signature)


PASS = CheckOutcome("pass")


def check_plans(lower: Callable[[Target], ModuleOp], targets: Sequence[str]) -> CheckOutcome:
    """Plan and lower a program for targets; return the first failure, where a warning is a failure.

    lower: lowers the program for a target.
    """
    for target in targets:
        try:
            with warnings.catch_warnings(action="error"):
                module = lower(Target(target))
        # The boundary of a worker: any exception is the outcome.
        except Exception as err:
            return failed("plan-error", err, target)
        try:
            verify_module(module)
        except Exception as err:
            return failed("invalid", err, target)
    return PASS


def check_run(
    run: Callable[[int], Arrays],
    difference: Callable[[Arrays], str],
    threads: Sequence[int] = THREADS,
) -> CheckOutcome:
    """Run a program with several numbers of threads, and check the results.

    run: compiles and runs the program with this many threads.  difference: describes how results
    differ from the expected results; "" if they agree.
    threads: the numbers of threads.
    """
    try:
        with warnings.catch_warnings(action="error"):
            first, *others = map(run, threads)
        for count, results in zip(threads[1:], others, strict=True):
            if any(a.tobytes() != b.tobytes() for a, b in zip(first, results, strict=True)):
                return CheckOutcome("threads", f"results with {count} threads differ", "threads")
        text = difference(first)
    except Exception as err:
        return failed("run-error", err)
    return CheckOutcome("wrong", text, _normalized(text)) if text else PASS


def first_failure(
    targets: Sequence[str], check: Callable[[str | None], CheckOutcome]
) -> CheckOutcome:
    """Check a program for one target after another; return the outcome of the first failure.

    If no check fails, return `PASS`.
    check: checks the program for a target; it is called once with None, this machine, if there are
    no targets.
    """
    outcome = PASS
    for target in targets or [None]:
        outcome = check(target)
        if outcome != PASS:
            return replace(outcome, target=target or "")
    return outcome


def guarded(check: Callable[[], CheckOutcome]) -> CheckOutcome:
    """Run a check and return its outcome; a warning or an exception is a failure."""
    try:
        with warnings.catch_warnings(action="error"):
            return check()
    except Exception as err:
        return failed("run-error", err)


def failed(kind: str, error: Exception, target: str = "") -> CheckOutcome:
    """Return the outcome for an exception.

    kind: the kind of failure, such as ``plan-error``, unless the exception itself decides it.
    """
    if isinstance(error, UnsupportedOp):
        kind = "unsupported"
    if isinstance(error, MemoryError):
        kind = "memory"
    text = f"{type(error).__name__}: {error}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _is_ours(f.filename)]
    at = f" [{Path(frames[-1].filename).name}:{frames[-1].name}]" if frames else ""
    return CheckOutcome(kind, text[:_MESSAGE_LENGTH], _normalized(text) + at, target)


def _is_ours(file: str) -> bool:
    root = Path(__file__).parents[2]
    return root in Path(file).parents and "site-packages" not in file


def _normalized(text: str) -> str:
    """Return the first line of a message, shortened, without the symbols and numbers that vary."""
    line = re.sub(r"@[\w.]+", "@…", text.splitlines()[0] if text else "")
    return re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", line)[:160]
