"""The passes of the compiler in tw-opt, by --to and --schedule, and the checks of --validate.

In: the options, and the parsed program, whose level determines the first stage.  Out: passes that
run before the passes of -p, and errors if a pass changes the semantics of the program.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...driver.backends import backend_of, target_of
from ...driver.extension import Extension
from ...driver.passes.check import validate_passes, validate_pipeline
from ...driver.passes.pipeline import first_stage, passes_to
from ...driver.passes.schedules import UseSchedules, scheduled_by
from ...driver.passes.signature import Signatures
from ...machines.target import Target
from ...passes.schedule.apply_schedule import ApplySchedule, check_scripts, scripts_of
from ...support.diagnostics import TilewrightError
from ...support.entry import find_entry
from ...support.precision import parse_precision
from ...support.schedule_files import read_schedules
from ...targets.backend import Backend
from ..arguments import MODULE_LEVELS
from ..pass_choice import PassContext, pass_context

CheckTypes = Callable[[ModuleOp, ModulePass], None]


class CompilerStages:
    """The stages of the compiler that the options of tw-opt select.

    options: the parsed options.  own_passes: the passes of -p, which run after the stages.  ctx:
    the dialects.  backends: the backends of --load.
    """

    def __init__(
        self,
        options: Namespace,
        own_passes: Sequence[ModulePass],
        ctx: Context,
        backends: Sequence[Backend] = (),
    ) -> None:
        self.options, self.own_passes, self.ctx = options, own_passes, ctx
        self.added = (Extension(backends=backends),) if backends else ()

    def passes(self, program: ModuleOp | None) -> Sequence[ModulePass]:
        """Return the passes of the compiler to run before the passes of -p.

        These are the passes up to the level of --to, or, without it, the passes of --schedule.
        program: decides the first stage; None starts with the first stage of the backend.
        """
        to: str | None = self.options.to
        if to is None and self.options.print_pipeline and not self.own_passes:
            to = self.backend.last_level
        if to is None and self.context != PassContext():
            raise TilewrightError(
                "-O and the other options that choose passes belong to --to",
                expected=f"--to {', '.join(MODULE_LEVELS)}",
                hint="-p names the passes that run",
            )
        if to is None and self.options.schedule is None:
            return ()
        if to is None:
            files = read_schedules(self.options.schedule)
            return UseSchedules(files), ApplySchedule()
        start = self._start(program)
        return passes_to(
            self.target,
            to,
            self._extensions(start),
            precision=parse_precision(self.options.precision),
            start=start,
            context=self.context,
        )

    def types_are_kept(self, program: ModuleOp, passes: Sequence[ModulePass]) -> CheckTypes:
        """Return a check that a pass of the compiler has not changed the type of a function.

        The check takes the program and the pass that ran on it, and raises an error for a changed
        type.

        program: the program before all passes, with the types to preserve.  passes: the passes of
        the compiler; the check ignores all other passes, which may change types.
        """
        signatures = Signatures(program)

        def check(module: ModuleOp, done: ModulePass) -> None:
            if any(done is step for step in passes):
                signatures.check(module, done.name)

        return check

    def validate(self, module: ModuleOp) -> None:
        """Interpret a copy of the program before and after each pass and schedule step.

        Errors: TilewrightError if results differ.
        """
        copy = module.clone()
        if self.options.to is not None:
            self._validate_pipeline(copy)
            is_checked = not self.own_passes
        else:
            is_checked = self._validate_schedules(copy)
        # Without an entry that calls the kernels, only their schedule steps are checked.
        if not is_checked or find_entry(copy) is not None:
            validate_passes(copy, self.own_passes, None, self.ctx)

    def _validate_schedules(self, module: ModuleOp) -> bool:
        steps = self.passes(module)
        for step in steps[:1]:
            step.apply(self.ctx, module)
        scripts = scripts_of(module)
        if not scripts and not self.own_passes:
            raise TilewrightError(
                "--validate needs --to, -p, or schedules",
                expected=f"one of {', '.join(MODULE_LEVELS)}",
            )
        check_scripts(module)
        for step in steps[1:]:
            step.apply(self.ctx, module)
        return bool(scripts)

    def _validate_pipeline(self, module: ModuleOp) -> None:
        start = self._start(module)
        validate_pipeline(
            module,
            self.target,
            start=start,
            to=self.options.to,
            ctx=self.ctx,
            precision=parse_precision(self.options.precision),
            extensions=self._extensions(start),
            context=self.context,
        )

    def _start(self, program: ModuleOp | None) -> str:
        """Return the name of the first stage to run, by the level of the program's ops.

        Without a program, return the first stage of the backend.
        """
        backend = self.backend
        return backend.stages[0].name if program is None else first_stage(program, backend)

    def _extensions(self, start: str) -> tuple[Extension, ...]:
        """Return the extensions of --load, and one that applies the schedules of --schedule.

        start: the first stage that runs.
        Errors: TilewrightError if kernels have no schedules at the level of --to.
        """
        if self.options.schedule is None:
            return self.added
        if self.options.to in ("graph", "te"):
            raise TilewrightError(
                "kernels have no schedules at this level",
                expected=f"--to {', '.join(MODULE_LEVELS[2:])}",
                got=f"--schedule with --to {self.options.to}",
            )
        files = read_schedules(self.options.schedule)
        return (*self.added, *scheduled_by(files, self.backend, start))

    @cached_property
    def context(self) -> PassContext:
        """The `PassContext` for the options -O, --disable-pass, --require-pass and --config."""
        options = self.options
        return pass_context(
            options.opt_level, options.disable_pass, options.require_pass, options.config
        )

    @cached_property
    def target(self) -> Target:
        """The target of --for, by default this machine."""
        return target_of(self.options.machine, self.added)

    @cached_property
    def backend(self) -> Backend:
        """The backend of the target."""
        return backend_of(self.target, self.added)
