"""Instruments of tw-opt, which its options choose.

They print to stderr only.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Collection

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...support.instruments import (
    ALL,
    Instruments,
    PassInfo,
    PassInstrument,
    PassTimes,
    PrintDiff,
    PrintIR,
)
from ...support.ir_dump import IrDump
from ...support.registry import DIALECTS, unknown
from ...support.verify import strict_verify


class ToolInstruments:
    """The instruments of one run of tw-opt.

    options: the parsed options of tw-opt.  verify: called with the pass that ran (None before the
    first pass) and the module.  known: the names of all passes.  own: the names of the passes that
    -p requests.
    Errors: TilewrightError if --print-after names a pass that does not exist.
    """

    def __init__(
        self,
        options: Namespace,
        verify: Callable[[ModulePass | None, ModuleOp], None],
        known: Collection[str],
        own: Collection[str],
    ) -> None:
        printed = [*options.print_after, *([ALL] if options.print_between_passes else [])]
        for name in printed:
            if name != ALL and name not in known:
                raise unknown("pass", name, known)
        dumps = [] if options.dump_ir is None else [IrDump(options.dump_ir)]
        checks = [] if options.disable_verify else [Verification(verify)]
        changes = PrintDiff(after=printed or (ALL,)) if options.print_diff else None
        prints = PrintIR(after=printed) if changes is None else changes
        self._measured = PassTimes()
        # The last instrument measures only the pass.
        last = (LevelWarnings(own), prints, self._measured)
        self._all = Instruments((*dumps, *checks, *last))

    @property
    def finished(self) -> int:
        """The number of passes that ran."""
        return len(self._measured.times)

    def show_times(self) -> None:
        """Print a table with the time of each pass to standard error."""
        print(f"time in passes\n{self._measured.render()}", file=sys.stderr)

    def callback(
        self, ctx: Context
    ) -> Callable[[ModulePass | None, ModuleOp, ModulePass | None], None]:
        """Return the callback of xDSL's PassPipeline, which runs the instruments between passes."""
        around = self._all

        def between(done: ModulePass | None, module: ModuleOp, todo: ModulePass | None) -> None:
            if done is None:
                around.run_before_pipeline(module, ctx)
            else:
                around.run_after_pass(module, PassInfo(done))
            if todo is not None:
                around.run_before_pass(module, PassInfo(todo))

        return between


class Verification(PassInstrument):
    """An instrument that verifies the program before the first pass and after each pass.

    verify: called with the pass that ran (None before the first pass) and the module.
    """

    def __init__(self, verify: Callable[[ModulePass | None, ModuleOp], None]) -> None:
        self._verify = verify

    def run_before_pipeline(self, module: ModuleOp, ctx: Context) -> None:
        self._verify(None, module)

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        self._verify(info.step, module)


def verify_ops(module: ModuleOp, *, is_strict: bool) -> None:
    """Verify the ops of a program.

    is_strict: also verify the rules that xDSL does not check, that calls fit their kernels, and
    that each access is inside its buffer.
    Errors: VerifyException for the first op that is invalid; ModelError for a wrong call.
    """
    module.verify()
    if is_strict:
        from ...analysis.bounds.positions import verify_positions
        from ...analysis.calls import verify_calls

        strict_verify(module)
        verify_calls(module)
        verify_positions(module)


class LevelWarnings(PassInstrument):
    """An instrument that prints a warning if a pass changes nothing because of a wrong level.

    The level is wrong if the program has no op of the dialect in the pass's name, as ``te`` in
    ``te-fuse-elementwise``.
    names: the passes that the user requested; other passes cause no warning.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        # A copy of the program, if the user requested the pass and no op has its level.
        self._before: ModuleOp | None = None

    def run_before_pass(self, module: ModuleOp, info: PassInfo) -> None:
        is_idle = info.name in self._names and not _has_level(info, module)
        self._before = module.clone() if is_idle else None

    def run_after_pass(self, module: ModuleOp, info: PassInfo) -> None:
        if self._before is not None and module.is_structurally_equivalent(self._before):
            level = _level(info)
            print(
                f"warning: {info.name} changes nothing: the program has no op of {level}\n"
                f"    hint: --to {level} runs the passes before it",
                file=sys.stderr,
            )


def _level(info: PassInfo) -> str:
    """Return the first word of a pass's name, as ``te`` of ``te-fuse-elementwise``."""
    return info.name.partition("-")[0]


def _has_level(info: PassInfo, module: ModuleOp) -> bool:
    """Return whether a program has an op of the dialect that the name of a pass begins with.

    True also if the name does not begin with a dialect, because the pass then fits every level.
    """
    level = _level(info)
    return level not in DIALECTS or any(op.name.startswith(f"{level}.") for op in module.walk())


__all__ = ["ALL", "ToolInstruments", "verify_ops"]
