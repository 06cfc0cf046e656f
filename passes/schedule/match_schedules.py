"""te-match-schedules: match scripts to kernels by digest, and name the kernel in each script.

    te.kernel @conv {A}   sched.script @c7 of "<digest of A>" {..}
==>
    te.kernel @conv {A}   sched.script @conv {..}

The digest covers the kernel's structure.  It includes the names of computes and axes, which steps
refer to, but not the names of the kernel and of values.  Each of several equal kernels gets a copy
of the script.
Before: kernels are in buffer form.  After: no script has a digest, no kernel has two scripts.
Exact: the kernels do not change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import ParseError, VerifyException

from ...dialects.packed import CallOp
from ...dialects.sched import ScriptOp, StepOp
from ...dialects.te import (
    IntrinsicOp,
    KernelOp,
    find_intrinsic,
    intrinsics_around,
    kernels_of,
)
from ...support.diagnostics import ScheduleError, TilewrightError
from ...support.ir_parser import IrParser
from ...support.names import value_hint
from ...support.schedule_files import SUFFIX, ScheduleFile
from .interpreter import apply_script
from .one_trip_loops import inline_one_trip_loops

_DIGEST_DIGITS = 32


@dataclass(frozen=True)
class MatchSchedules(ModulePass):
    """Replace the digests of scripts by the names of their kernels."""

    name = "te-match-schedules"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kernels = _Kernels(op)
        for script in [s for s in op.ops if isinstance(s, ScriptOp) and s.digest is not None]:
            script.detach()
            pairs = kernels.matched(script)
            if not pairs:
                raise kernels.misfit(script)
            for kernel, own in pairs:
                _insert(own, kernel, op)


Misfits: TypeAlias = dict[tuple[str, int], ScheduleError]
"""The errors of scripts that match no kernel, by file and position in the file."""


def use_schedules(
    module: ModuleOp, files: Iterable[ScheduleFile], ctx: Context, *, trial: bool = True
) -> Misfits:
    """Add the scripts of schedule files to a module, matched to kernels by digest or name.

    A script replaces the module's script of the same kernel.
    A later file replaces the scripts of tuned schedules, which are files for one digest. The
    intrinsics of the files are added to the module. Returns the errors of scripts that match no
    kernel.
    trial: whether to apply each script to a copy of its kernel, so that the error of an illegal
    step names the file.  Otherwise te-apply-schedule raises that error.
    Errors: ScheduleError that names file, kernel and step if a file does not parse or holds other
    ops, if two scripts match one kernel, or if a step is illegal.
    """
    kernels, misfits = _Kernels(module), Misfits()
    given = {op.kernel_name: op for op in module.ops if isinstance(op, ScriptOp)}
    for file in files:
        if file.digest and not kernels.has(file.digest):
            continue
        try:
            intrinsics, scripts = parse_scripts(file, ctx)
            for intrinsic in intrinsics:
                _add_intrinsic(intrinsic, module)
            for number, script in enumerate(scripts):
                pairs = kernels.matched(script, file.digest)
                if not pairs:
                    misfits[file.file, number] = kernels.misfit(script).in_file(file.file)
                for kernel, own in pairs:
                    if kernel.label in given:
                        given.pop(kernel.label).detach()
                    _insert(own, kernel, module)
                    if trial:
                        _try_out(own, kernel)
                    if file.digest:
                        given[kernel.label] = own
        except TilewrightError as err:
            raise err.in_file(file.file) from err
    return misfits


def parse_scripts(file: ScheduleFile, ctx: Context) -> tuple[list[IntrinsicOp], list[ScriptOp]]:
    """Return the intrinsics and the scripts of a schedule file.

    Errors: ScheduleError if the file does not parse or holds other ops.
    """
    try:
        module = IrParser(ctx, file.text, file.file).parse_module()
        module.verify()
    except TilewrightError:
        raise
    except (ParseError, VerifyException) as err:
        raise ScheduleError("the schedule does not parse", got=str(err).strip()) from err
    intrinsics: list[IntrinsicOp] = []
    scripts: list[ScriptOp] = []
    for op in list(module.ops):
        op.detach()
        if isinstance(op, IntrinsicOp):
            intrinsics.append(op)
        elif isinstance(op, ScriptOp):
            scripts.append(op)
        else:
            raise ScheduleError(
                "the file holds an op that is not part of a schedule",
                expected="sched.script, te.intrinsic",
                got=op.name,
            )
    if not scripts:
        raise ScheduleError("the file holds no schedule", expected="sched.script")
    return intrinsics, scripts


def _add_intrinsic(intrinsic: IntrinsicOp, module: ModuleOp) -> None:
    known = find_intrinsic(module, intrinsic.label)
    if known is None:
        Rewriter.insert_op(intrinsic, InsertPoint.at_start(module.body.block))
    elif not known.is_structurally_equivalent(intrinsic):
        raise ScheduleError(
            f"@{intrinsic.label} is another intrinsic elsewhere",
            hint="name it differently",
            where=intrinsic.name,
        )


class _Kernels:
    """The kernels of a module, and their digests, which are only computed if a script has one."""

    def __init__(self, module: ModuleOp) -> None:
        self._kernels = kernels_of(module)

    @cached_property
    def _digests(self) -> list[tuple[KernelOp, str]]:
        return [(kernel, kernel_digest(kernel)) for kernel in self._kernels]

    def matched(self, script: ScriptOp, digest: str = "") -> list[tuple[KernelOp, ScriptOp]]:
        """Return the kernels that a script matches, each with a copy of the script for it.

        digest: the digest of the kernels, if the file of the script is for one digest.
        """
        if digest:
            found = [kernel for kernel, own in self._digests if own == digest]
        elif script.digest is None:
            found = [kernel for kernel in self._kernels if kernel.label == script.kernel_name]
        else:
            found = [kernel for kernel, own in self._digests if own == script.digest.data]
        pairs: list[tuple[KernelOp, ScriptOp]] = []
        for kernel in found:
            own = script.clone()
            own.properties["kernel"] = StringAttr(kernel.label)
            own.properties.pop("digest", None)
            pairs.append((kernel, own))
        return pairs

    def has(self, digest: str) -> bool:
        """Return whether one of the kernels has the digest ``digest``."""
        return any(digest == own for _, own in self._digests)

    def misfit(self, script: ScriptOp) -> ScheduleError:
        """Return the error of a script that matches no kernel."""
        names = [kernel.label for kernel in self._kernels]
        name, known = script.kernel_name, ", ".join(names) or "none"
        where = f"{script.name} @{name}"
        if script.digest is None:
            return ScheduleError("no kernel has that name", expected=f"one of {known}", where=where)
        hint = (
            "it was written for another model, target or version: dump it again, or delete the file"
        )
        if name in names:
            hint += f'; without `of "..."` it is used for the kernel that is @{name} now'
        return ScheduleError(
            "the schedule belongs to none of the kernels",
            expected=f"the digest of one of {known}",
            got=script.digest.data,
            hint=hint,
            where=where,
        )


def _try_out(script: ScriptOp, kernel: KernelOp) -> None:
    """Apply a script to a copy of its kernel; an error names the number of the illegal step."""
    done: list[StepOp] = []
    copy = kernel.clone()
    try:
        apply_script(script, copy, observe=done.append)
        inline_one_trip_loops(copy)
    except TilewrightError as err:
        number = min(len(done) + 1, len(script.steps))
        place = f"step {number} of {len(script.steps)}, {err.where or f'@{kernel.label}'}"
        raise ScheduleError(
            err.rule, expected=err.expected, got=err.got, hint=err.hint, where=place
        ) from err


def _insert(script: ScriptOp, kernel: KernelOp, module: ModuleOp) -> None:
    taken = [s for s in module.ops if isinstance(s, ScriptOp) and s.kernel_name == kernel.label]
    if taken:
        raise ScheduleError(
            "the kernel has a schedule already",
            hint="keep one of them",
            where=f"{script.name} @{kernel.label}",
        )
    module.body.block.insert_op_after(script, kernel)


def kernel_digest(kernel: KernelOp) -> str:
    """Return hex digits that identify the structure of a kernel, without the names of values."""
    copy = kernel.clone()
    copy.properties["sym_name"] = StringAttr("kernel")
    copy.properties.pop("cost", None)
    for op in copy.walk():
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            value.name_hint = None
    return hashlib.sha256(str(copy).encode()).hexdigest()[:_DIGEST_DIGITS]


def schedule_texts(module: ModuleOp, digests: set[str] | None = None) -> dict[str, str]:
    """Return the content of one schedule file per scheduled kernel, by file name.

    A file has the printed kernel as a comment, then its script.  Kernels with equal structure share
    a file.
    digests: the digests of kernels that have a file already; those of the returned files are added.
    """
    digests = set() if digests is None else digests
    scripts = {op.kernel_name: op for op in module.ops if isinstance(op, ScriptOp)}
    intrinsics = {op.label: op for op in intrinsics_around(module)}
    calls = [op.kernel_name for op in module.walk() if isinstance(op, CallOp)]
    texts: dict[str, str] = {}
    for kernel in kernels_of(module):
        digest = kernel_digest(kernel)
        if kernel.label in scripts and digest not in digests:
            digests.add(digest)
            count = calls.count(kernel.label)
            script = scripts[kernel.label]
            used = [intrinsics[name] for name in script.intrinsics]
            texts[kernel.label + SUFFIX] = _file_text(kernel, script, used, digest, count)
    return texts


def _file_text(
    kernel: KernelOp, script: ScriptOp, used: Sequence[IntrinsicOp], digest: str, calls: int
) -> str:
    times = "once" if calls == 1 else f"{calls} times"
    named = script.clone()
    named.properties["digest"] = StringAttr(digest)
    _name_handles(named)
    return "\n".join(
        (
            f"// The schedule of kernel @{kernel.label}, which the model calls {times}.",
            "// The steps are applied in order to this program:",
            "//",
            *(f"//   {line}".rstrip() for line in str(kernel.clone()).splitlines()),
            "",
            *(str(intrinsic) for intrinsic in used),
            str(named),
            "",
        )
    )


def _name_handles(script: ScriptOp) -> None:
    """Give the handles of a script names for printing.

    A handle to computes gets the name of the compute, a handle to loops the name of their axis.
    """
    for step in script.steps:
        params = step.arguments()
        axes = list(step.axis_arguments())
        first = step.handles[0].name_hint if step.handles else params.get("name")
        own = str(first) if isinstance(first, str) else "leaf"
        for number, result in enumerate(step.res):
            is_loop = number and number <= len(axes)
            result.name_hint = value_hint(axes[number - 1] if is_loop else own)
