"""The reference backend: kernels and main run in the interpreter, in numpy.

Every other backend is compared with it.  Its pipeline holds only the passes without which a program
has no kernels on buffers; schedules of users are applied, because a program must mean the same with
them.  Its code is the printed module, after a comment with the manifest.
"""

from __future__ import annotations

from ...machines.target import Target
from ..backend import Backend
from ..stages import LEVELS, LOWER_GRAPH, SCHEDULE, PipelineStage


class InterpreterBackend(Backend):
    """The backend whose programs run in numpy, on any machine and on one thread."""

    kind = "interpreter"
    stages = (
        PipelineStage(
            "optimize-graph",
            "graph",
            ("graph-remove-functions", "graph-simplify", "graph-fold-constants", "graph-dce"),
        ),
        LOWER_GRAPH,
        PipelineStage("form-kernels", "te", ("te-outline",)),
        PipelineStage(
            "plan-kernels", "sched", ("te-bufferize", "te-deduplicate", "te-record-costs")
        ),
        SCHEDULE,
        # The interpreter runs programs of the level "scheduled" as they are.
        PipelineStage("plan-memory", "packed", ()),
    )
    levels = {
        **{level: dialects for level, dialects in LEVELS.items() if level != "loop"},
        "packed": LEVELS["scheduled"],
    }
    emitter = "tilewright.targets.interpreter.program:InterpreterEmitter"
    loader = "tilewright.targets.interpreter.program:load_program"

    def check_host(self, target: Target) -> None:
        """Accept every machine, because the interpreter runs on all of them."""


INTERPRETER = InterpreterBackend()
"""The only instance of this backend."""
