"""Instruments: objects whose methods run around each pass of a pipeline, as in TVM and MLIR.

    with tilewright.PassContext(instruments=[PassTimes(), PrintIR(after=["graph-cse"])]):
        mod = tilewright.compile(model)

A pipeline calls the methods of a `PassInstrument` before and after each pass, with the program. The
methods before a pass run in the order of the instruments, the methods after a pass in reverse
order, so the last instrument is the closest to the pass. `IrDump` (ir_dump.py) and `Validation`
(driver/passes/check.py) are instruments, too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, TextIO

from ..runtime.spelling import SuggestsNames

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

ALL = "all"
"""The name that stands for all passes in arguments that list names of passes."""


@dataclass(frozen=True)
class PassInfo:
    """A pass of a pipeline, as its instruments see it.

    step: the pass.  opt_level: the lowest optimization level at which the pass runs.  needed_by:
    the stage that requires the pass, which therefore always runs; empty if no stage requires it.
    level: the level of the program after the pass, such as ``te``; empty if the pass is in no
    stage.  dialects: the dialects that the program may contain after the pass; empty if ``level``
    is empty.
    """

    step: ModulePass
    opt_level: int = 0
    needed_by: str = ""
    level: str = ""
    dialects: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the pass."""
        return self.step.name


@dataclass(frozen=True)
class StageInfo:
    """A stage of a pipeline: its name, the level after it, and the dialects of this level."""

    name: str
    level: str
    dialects: tuple[str, ...]


class PassInstrument(SuggestsNames):
    """Base class of instruments; the methods do nothing unless a subclass overrides them."""

    def enter_pass_ctx(self) -> None:
        """Run at the start of the ``with`` block of the instrument's `PassContext`."""

    def exit_pass_ctx(self) -> None:
        """Run at the end of the ``with`` block of the instrument's `PassContext`."""

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        """Run before the first pass on a program.

        ctx: the context, which knows the dialects that the printed program may contain.
        """

    def should_run(self, module: ModuleOp, info: PassInfo) -> bool:
        """Return whether a pass runs; a pass that a stage requires runs without this question."""
        return True

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        """Run before a pass, which then changes the module in place."""

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        """Run after a pass that ended without an error."""

    def run_after_stage(self, module: ModuleOp, stage: StageInfo) -> None:
        """Run after the last pass of a stage of the compiler, in a compilation."""


class Instruments(PassInstrument):
    """A sequence of instruments that acts as one instrument.

    Before a pass they run in order, after a pass in reverse order.
    failure: the exception that an instrument has raised, or None.
    """

    def __init__(self, instruments: Sequence[PassInstrument]) -> None:
        self._instruments = tuple(instruments)
        self.failure: Exception | None = None

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        for instrument in self._instruments:
            instrument.run_before_pipeline(module, ctx)

    def should_run(self, module: ModuleOp, info: PassInfo) -> bool:
        return bool(info.needed_by) or all(
            instrument.should_run(module, info) for instrument in self._instruments
        )

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        with self._watched():
            for instrument in self._instruments:
                instrument.run_before_pass(module, info)

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        with self._watched():
            for instrument in reversed(self._instruments):
                instrument.run_after_pass(module, info)

    def run_after_stage(self, module: ModuleOp, stage: StageInfo) -> None:
        with self._watched():
            for instrument in reversed(self._instruments):
                instrument.run_after_stage(module, stage)

    @contextmanager
    def _watched(self) -> Generator[None]:
        try:
            yield
        except Exception as err:
            self.failure = err
            raise


class PrintDiff(PassInstrument):
    """An instrument that prints the lines of the program that passes change, as a unified diff.

    after: names of passes; `ALL` is every pass.  file: where to print; None is standard error.
    """

    def __init__(self, *, after: Collection[str] = (ALL,), file: TextIO | None = None) -> None:
        self._after, self._file = frozenset(after), file
        self._lines: list[str] = []

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._lines = str(module).splitlines()

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        lines = str(module).splitlines()
        if info.name in self._after or ALL in self._after:
            names = (f"before {info.name}", f"after {info.name}")
            for line in unified_diff(self._lines, lines, *names, lineterm=""):
                print(line, file=self._file or sys.stderr)
        self._lines = lines


@dataclass(frozen=True)
class PassTime:
    """The time of one run of a pass.

    name: the pass.  ops: the number of ops in the program after the pass.
    """

    name: str
    time_s: float
    ops: int


class PassTimes(PassInstrument):
    """An instrument that measures the time of each pass.

    times: one entry per run of a pass, in order.
    """

    def __init__(self) -> None:
        self.times: list[PassTime] = []
        self._started_s = 0.0

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self._started_s = time.perf_counter()

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        time_s = time.perf_counter() - self._started_s
        self.times.append(PassTime(info.name, time_s, sum(1 for _ in module.walk())))

    def render(self) -> str:
        """Return a table with the time of each pass, and the sum of all times."""
        total_s = sum(entry.time_s for entry in self.times)
        rows = [("pass", "ms", "%", "ops after")]
        for entry in self.times:
            share = 100 * entry.time_s / total_s if total_s else 0.0
            row = (entry.name, f"{1e3 * entry.time_s:.2f}", f"{share:.0f}", str(entry.ops))
            rows.append(row)
        rows.append((ALL, f"{1e3 * total_s:.2f}", "100", ""))
        return "\n".join(f"{a:32}{b:>10}{c:>6}{d:>11}".rstrip() for a, b, c, d in rows)


class PrintIR(PassInstrument):
    """An instrument that prints the program before or after passes.

    before, after: names of passes; `ALL` is every pass.  file: where to print; None is standard
    error.
    """

    def __init__(
        self,
        *,
        before: Collection[str] = (),
        after: Collection[str] = (ALL,),
        file: TextIO | None = None,
    ) -> None:
        self._before, self._after, self._file = frozenset(before), frozenset(after), file

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self._print("before", self._before, module, info)

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self._print("after", self._after, module, info)

    def _print(self, when: str, names: Collection[str], module: ModuleOp, info: PassInfo) -> None:
        if info.name in names or ALL in names:
            # Not `// -----`, which would split a file into which this output is pasted.
            print(f"// IR {when} {info.name}\n{module!s}", file=self._file or sys.stderr)
