"""The reference backend: kernels and main run in the interpreter, in numpy.

Every other backend is compared with it.  Its pipeline holds only the passes without which a program
has no kernels on buffers; schedules of users are applied, because a program must mean the same with
them.  Its code is the printed module, after a comment with the manifest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ...machines.target import Target
from ...runtime.module.loading import LoadedCode
from ...support.lazy import load
from ..backend import Artifact, Backend, PipelineStage

_HOST = ("builtin", "func", "packed")
_KERNELS = (*_HOST, "te", "loop", "arith", "math")


class InterpreterBackend(Backend):
    """The backend whose programs run in numpy, on any machine and on one thread."""

    kind = "interpreter"
    stages = (
        PipelineStage(
            "optimize-graph",
            "graph",
            ("graph-remove-functions", "graph-simplify", "graph-fold-constants", "graph-dce"),
        ),
        PipelineStage("lower-graph", "te", ("graph-to-te",)),
        PipelineStage("form-kernels", "te", ("te-outline",)),
        PipelineStage(
            "plan-kernels", "sched", ("te-bufferize", "te-deduplicate", "te-record-costs")
        ),
        PipelineStage(
            "schedule",
            "scheduled",
            ("te-apply-schedule", "packed-pack-constants"),
            applies_schedules=True,
        ),
        # The interpreter runs programs of the level "scheduled" as they are.
        PipelineStage("plan-memory", "packed", ()),
    )
    levels = {
        "graph": ("builtin", "func", "graph"),
        "te": _KERNELS,
        "sched": (*_KERNELS, "sched"),
        "scheduled": _KERNELS,
        "packed": _KERNELS,
    }
    emitter = "tilewright.targets.interpreter.program:InterpreterEmitter"

    def check_host(self, target: Target) -> None:
        """Accept every machine, because the interpreter runs on all of them."""

    def load(self, artifact: Artifact, threads: int | None) -> LoadedCode:
        read = load("tilewright.targets.interpreter.program:load_program")
        return cast("Callable[[Artifact], LoadedCode]", read)(artifact)


INTERPRETER = InterpreterBackend()
"""The only instance of this backend."""
