"""The backends of C source and of C++ for synthesis: one freestanding file and a header per model.

A person can read the file: loops over named buffers, with the names of the model's nodes.  It uses
no heap, no recursion and no library, so it runs on microcontrollers.  Kernels keep the plain loops
of their definitions, in which a C compiler finds registers and vectors, except sums of bytes on
Cortex-M processors, which have instructions for them.
"""

from __future__ import annotations

from shutil import which

from ...machines.emulators import BOARDS
from ...machines.target import Target
from ..backend import Abilities, Ability, Backend
from ..stages import LOWER_GRAPH, OPT_LEVELS, SCHEDULE, PipelineStage, optimize_graph
from .compiler import c_compiler


class CBackend(Backend):
    """The backend that writes C source."""

    kind = "c"
    stages = (
        optimize_graph("graph-quantize", "cpu-sign-bytes", last=("cpu-pad-sums", "cpu-plan-graph")),
        LOWER_GRAPH,
        PipelineStage("form-kernels", "te", ("te-fuse-elementwise", "c-outline")),
        PipelineStage(
            "plan-kernels",
            "sched",
            ("te-bufferize", "te-deduplicate", "te-record-costs", "c-plan"),
        ),
        SCHEDULE,
        PipelineStage(
            "lower-kernels",
            "loop",
            ("te-to-loop", "c-serial-loops", "c-workspace"),
            applies_schedules=True,
        ),
        PipelineStage("plan-memory", "packed", ("packed-plan-memory",)),
    )
    opt_levels = {
        **OPT_LEVELS,
        "graph-quantize": 2,
        "cpu-sign-bytes": 3,
        "cpu-pad-sums": 3,
        "cpu-plan-graph": 3,
        "c-plan": 1,
    }
    plan = "c-plan"
    emitter = "tilewright.targets.c.emission:CSourceEmitter"
    listings = ("c", "h")
    exports = (".c", ".tar")
    loader = "tilewright.targets.c.loading:load_program"
    exporter = "tilewright.targets.c.export:exported"

    @property
    def shown_kind(self) -> str:
        return "c"

    def check_host(self, target: Target) -> None:
        """Accept every machine; without a C compiler, the first call raises an error."""

    def abilities(self, target: Target) -> Abilities:
        board = BOARDS.get(target.option("mcpu"))
        compiler = c_compiler()
        running = Ability(compiler is not None, "" if compiler else "no C compiler")
        if board is None:
            return Abilities(Ability(True), Ability(True), running, Ability(False))
        is_found = which(board.emulator) is not None
        emulation = Ability(is_found, board.emulator if is_found else f"no {board.emulator}")
        return Abilities(Ability(True), Ability(True), Ability(False), emulation)


class HlsBackend(CBackend):
    """The backend that writes C++ for tools that make circuits (high-level synthesis)."""

    kind = "hls"
    exports = (".cpp", ".tar")


C, HLS = CBackend(), HlsBackend()
"""The only instances of these backends."""
