"""Observer of a pass pipeline: verifies, prints and measures between passes.

Output goes to stderr only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..support.ir_dump import IrDump
from ..support.registry import DIALECTS
from .terminal import show_table, terminal

PRINT_AFTER_ALL = "all"


@dataclass(frozen=True)
class PassTime:
    """The time of one pass that ran. ``ops``: the number of ops in the module after it."""

    name: str
    time_s: float
    ops: int


@dataclass
class PassObserver:
    """The callback of a PassPipeline.

    verify: takes the pass that ran (None before the first pass) and the module.
    own: names of passes that the user requested; a warning names those of them that have no ops of
    their level in the program.
    dump: the folder to which an `IrDump` writes.
    The clock runs only during a pass: verifying and printing are not measured.
    """

    verify: Callable[[ModulePass | None, ModuleOp], None] | None = None
    print_after: frozenset[str] = frozenset()
    count_ops: bool = False
    own: frozenset[str] = frozenset()
    dump: Path | None = None
    times: list[PassTime] = field(default_factory=list[PassTime])
    _started_s: float = 0.0
    _dumped: IrDump | None = None
    _before: ModuleOp | None = None
    """A copy of the program, if the user requested the next pass and no op has its level."""

    def __post_init__(self) -> None:
        if self.dump is not None:
            self._dumped = IrDump(self.dump)

    def __call__(self, done: ModulePass | None, module: ModuleOp, todo: ModulePass | None) -> None:
        """Verify, print and measure between the passes ``done`` and ``todo``."""
        now_s = time.perf_counter()
        if done is not None:
            ops = sum(1 for _ in module.walk()) if self.count_ops else 0
            self.times.append(PassTime(done.name, now_s - self._started_s, ops))
            if self.print_after & {done.name, PRINT_AFTER_ALL}:
                # Not `// -----`, which would split a file into which this output is pasted.
                print(f"// IR after {done.name}\n{module!s}", file=sys.stderr)
            if self._before is not None and module.is_structurally_equivalent(self._before):
                _warn_of_level(done)
        if self.verify is not None:
            self.verify(done, module)
        if self._dumped is not None:
            self._dumped(done, module)
        is_idle = todo is not None and todo.name in self.own and not _has_level(todo, module)
        self._before = module.clone() if is_idle else None
        self._started_s = time.perf_counter()

    def show_times(self) -> None:
        """Print a table of the passes and their times."""
        total_s = sum(entry.time_s for entry in self.times)
        table = Table("pass", title="time in passes")
        for column in ("ms", "%", "ops after"):
            table.add_column(column, justify="right")
        for entry in self.times:
            share = 100 * entry.time_s / total_s if total_s else 0.0
            table.add_row(entry.name, f"{1e3 * entry.time_s:.2f}", f"{share:.0f}", str(entry.ops))
        table.add_section()
        table.add_row("all", f"{1e3 * total_s:.2f}", "100", "")
        show_table(terminal(stderr=True), table)


def _level(step: ModulePass) -> str:
    """Return the dialect name with which the name of a pass begins."""
    return step.name.partition("-")[0]


def _has_level(step: ModulePass, module: ModuleOp) -> bool:
    """Return whether a program has an op of the dialect in a pass's name, if it has one."""
    level = _level(step)
    return level not in DIALECTS or any(op.name.startswith(f"{level}.") for op in module.walk())


def _warn_of_level(step: ModulePass) -> None:
    level = _level(step)
    print(
        f"warning: {step.name} changes nothing: the program has no op of {level}\n"
        f"    hint: --to {level} runs the passes before it",
        file=sys.stderr,
    )
