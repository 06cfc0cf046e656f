"""Observer of a pipeline: verifies, prints and times between passes. Writes to stderr only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.table import Table
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .terminal import show_table, terminal

PRINT_AFTER_ALL = "all"


@dataclass(frozen=True)
class PassTime:
    """One pass that ran. ``ops`` counts the module's ops after it."""

    name: str
    time_s: float
    ops: int


@dataclass
class PassObserver:
    """The callback of a PassPipeline.

    verify: takes the pass that ran, None before the first one, and the module.
    The clock runs only during a pass: verifying and printing are not timed.
    """

    verify: Callable[[ModulePass | None, ModuleOp], None] | None = None
    print_after: frozenset[str] = frozenset()
    count_ops: bool = False
    times: list[PassTime] = field(default_factory=list[PassTime])
    _started_s: float = 0.0

    def __call__(self, done: ModulePass | None, module: ModuleOp, todo: ModulePass | None) -> None:
        """Verify, print and time between the passes ``done`` and ``todo``."""
        now_s = time.perf_counter()
        if done is not None:
            ops = sum(1 for _ in module.walk()) if self.count_ops else 0
            self.times.append(PassTime(done.name, now_s - self._started_s, ops))
            if self.print_after & {done.name, PRINT_AFTER_ALL}:
                # Not `// -----`, which would split a file that this text is pasted into.
                print(f"// IR after {done.name}\n{module!s}", file=sys.stderr)
        if self.verify is not None:
            self.verify(done, module)
        self._started_s = time.perf_counter()

    def show_times(self) -> None:
        """Print a table of the passes that ran."""
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
