"""The backend of CPUs: LLVM compiles kernels, which our linker puts into one shared object.

The pipeline plans layouts (``cpu-plan-graph``), algorithms and schedules (``cpu-plan``) from the
numbers of the target.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from ...machines.cpu import MACHINES
from ...machines.emulators import emulator_name, install_command
from ...machines.target import Target, missing_features, running_target
from ...runtime.measure.roofline import Roofline
from ...runtime.module.loading import LoadedCode, load_if_possible
from ...support.diagnostics import TargetError
from ...support.lazy import call, load
from ...support.precision import Precision
from ..backend import (
    Abilities,
    Ability,
    Artifact,
    Backend,
    BoundProgram,
    Export,
    ExportedFile,
    Interface,
    check_modules,
    has_modules,
    no_tf32,
)
from ..stages import LOWER_GRAPH, OPT_LEVELS, SCHEDULE, PipelineStage, optimize_graph

if TYPE_CHECKING:
    from xdsl.dialects.func import FuncOp
    from xdsl.ir import Operation

_EXPORT = "tilewright.targets.cpu.emit.export"
BF16_FEATURES = ("avx512bf16", "bf16 of AArch64")


class CpuBackend(Backend):
    """The backend that emits machine code for x86-64 and AArch64."""

    kind = "llvm"
    stages = (
        optimize_graph(
            "graph-quantize",
            "cpu-sign-bytes",
            "cpu-block-products",
            last=("cpu-pad-sums", "cpu-plan-graph"),
        ),
        LOWER_GRAPH,
        PipelineStage(
            "form-kernels",
            "te",
            (
                "te-fuse-elementwise",
                "te-form-attention",
                "cpu-narrow-operands",
                "cpu-widen-operands",
                "cpu-choose-algorithms",
                "te-insert-boundary-copies",
                "te-outline",
            ),
        ),
        PipelineStage(
            "plan-kernels",
            "sched",
            (
                "te-insert-padded-copies",
                "te-bufferize",
                "te-winograd",
                "te-merge-axes",
                "te-deduplicate",
                "te-record-costs",
                "packed-group-calls",
                "packed-update-states",
                "cpu-plan",
            ),
        ),
        SCHEDULE,
        PipelineStage(
            "lower-kernels",
            "loop",
            ("te-to-loop", "loop-split-phases", "loop-workspace"),
            applies_schedules=True,
        ),
        PipelineStage("plan-memory", "packed", ("packed-plan-memory",)),
    )
    opt_levels = {
        **OPT_LEVELS,
        "graph-quantize": 2,
        "cpu-sign-bytes": 3,
        "cpu-block-products": 3,
        "cpu-pad-sums": 3,
        "cpu-plan-graph": 3,
        "te-form-attention": 2,
        # It rounds operands if the precision asks for it, which is no optimization of its own.
        "cpu-narrow-operands": 0,
        "cpu-widen-operands": 3,
        "cpu-choose-algorithms": 3,
        "te-insert-padded-copies": 3,
        "te-winograd": 3,
        "packed-group-calls": 3,
        "cpu-plan": 1,
    }
    plan = "cpu-plan"
    rounding = "cpu-narrow-operands"
    split_before = "cpu-pad-sums"
    emitter = "tilewright.targets.cpu.emit.emission:CpuEmitter"
    listings = ("ll", "asm")
    text_files = {".s": "asm", ".asm": "asm", ".ll": "ll"}
    exports = (".so", ".o", ".a", ".tar", "")
    set_exports = (".so", ".o", ".a", "")
    import_exports = (".so", ".tar")
    exporter = f"{_EXPORT}:exported"

    def check_host(self, target: Target) -> None:
        here = Target.native().architecture
        if target.architecture != here:
            raise TargetError(
                "code for the target cannot be loaded on this machine",
                expected=here,
                got=f"{target.architecture} ({target})",
                hint="tw compile MODEL --target TARGET -o m.so writes it for such a machine",
            )
        if missing := missing_features(target):
            raise TargetError(
                "this machine cannot run code for the target",
                expected=f"features of {Target.native()}",
                got=f"{target}, which needs {', '.join(missing)}",
                hint="driver.texts.source_at shows its code; on x86 -mcpu=x86-64-v3 or -v4 with "
                "-mattr names single features",
            )

    def check_module(self, target: Target) -> None:
        check_modules(target)

    def abilities(self, target: Target) -> Abilities:
        is_made, links = target.architecture in MACHINES, self._linking(target)
        return Abilities(
            Ability(is_made, "" if is_made else "loops only"),
            links if is_made else Ability(False),
            _running(target) if links.is_there else Ability(False),
            emulation(target) if links.is_there else Ability(False),
        )

    def _linking(self, target: Target) -> Ability:
        is_linked = has_modules(target)
        return Ability(is_linked, "" if is_linked else "assembly only")

    def check_precision(self, precision: Precision, target: Target) -> None:
        if precision is Precision.TF32:
            raise no_tf32(target)
        if precision is Precision.BF16 and not target.multiplies_bf16:
            raise TargetError(
                "the target multiplies bf16 more slowly than f32",
                expected=f"a target with {' or '.join(BF16_FEATURES)}",
                got=str(target),
                hint=f"precision={str(Precision.BF16_FORCED)!r} rounds to bf16 and multiplies f32",
            )

    def rounded_products(
        self, function: FuncOp, precision: Precision, target: Target
    ) -> Sequence[tuple[Operation, str]]:
        find = load("tilewright.targets.cpu.choices.narrow_operands:products")
        products = cast("Callable[..., Iterator[tuple[Operation, str]]]", find)
        return list(products(function, target, is_forced=precision is Precision.BF16_FORCED))

    def load(self, artifact: Artifact, threads: int | None) -> LoadedCode:
        pool = artifact.pool
        return load_if_possible(
            bytes(artifact.code),
            artifact.weights,
            process_code=lambda: bytes(pool),
            threads=threads,
        )

    def roofline(self, target: Target, threads: int) -> Roofline:
        loops = "tilewright.targets.cpu.instructions.peak:limit_loops"
        return call(loops, running_target(target)).measured(threads)

    def portable_code(self, artifact: Artifact) -> bytes:
        return call(f"{_EXPORT}:portable_code", artifact)

    def export_programs(
        self, interface: Interface, programs: Sequence[BoundProgram], export: Export
    ) -> Sequence[ExportedFile]:
        make = "tilewright.targets.cpu.emit.export_programs:exported_programs"
        return call(make, interface, programs, export)


def _running(target: Target) -> Ability:
    if target.architecture != Target.native().architecture:
        return Ability(False)
    missing = missing_features(target)
    return Ability(not missing, f"lacks {', '.join(missing)}" if missing else "")


def emulation(target: Target) -> Ability:
    """Return whether an emulator here runs programs of a target's instruction set."""
    program = emulator_name(target)
    if target.architecture == Target.native().architecture or not program:
        return Ability(False)
    is_found = shutil.which(program) is not None
    return Ability(is_found, program if is_found else f"no {program}: {install_command(program)}")


CPU = CpuBackend()
"""The only instance of this backend."""
