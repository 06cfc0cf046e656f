"""The stages of a compilation pipeline, and those that several backends share.

A stage is a list of passes; a level is the form of a program between stages, given by its dialects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

OPT_LEVELS: Mapping[str, int] = MappingProxyType(
    {
        "graph-simplify": 1,
        "graph-fold-constants": 1,
        "graph-combine-parallel": 3,
        "graph-cse": 1,
        "graph-prove-indices": 1,
        "graph-dce": 1,
        "graph-eliminate-transposes": 2,
        "graph-expose-fusion": 2,
        "graph-fold-batch-norm": 2,
        "te-fuse-elementwise": 2,
        "te-merge-axes": 3,
        "te-merge-all-axes": 3,
        "te-deduplicate": 1,
        "te-record-costs": 0,
    }
)
"""The passes of several backends that no stage needs; see `Backend.opt_levels`."""


@dataclass(frozen=True)
class PipelineStage:
    """Passes that take a module from one level to the next, or improve it on one level.

    level: the level of the module after the stage; see `Backend.levels`.
    applies_schedules: whether the stage turns schedules into loops.  The driver runs such a stage
    again, without the failing schedules, if the plan of a kernel turns out to be illegal.
    """

    name: str
    level: str
    passes: tuple[str, ...]
    applies_schedules: bool = False


def optimize_graph(*quantize: str, last: tuple[str, ...] = ()) -> PipelineStage:
    """Return the stage that optimizes the graph.

    quantize: the names of the passes for quantized models, which run after the first
    simplification.  last: the names of passes of a single backend, which run after all others.
    """
    passes = (
        "graph-remove-functions",
        "graph-simplify",
        *quantize,
        "graph-fold-constants",
        "graph-eliminate-transposes",
        "graph-expose-fusion",
        "graph-fold-batch-norm",
        "graph-fold-constants",
        "graph-cse",
        "graph-prove-indices",
        "graph-dce",
        *last,
    )
    return PipelineStage("optimize-graph", "graph", passes)


LOWER_GRAPH = PipelineStage("lower-graph", "te", ("graph-to-te",))
"""The stage that lowers the graph to te ops."""
SCHEDULE = PipelineStage(
    "schedule",
    "scheduled",
    ("te-apply-schedule", "packed-pack-constants"),
    applies_schedules=True,
)
"""The stage that applies the schedules of all kernels."""


HOST_DIALECTS = ("builtin", "func", "packed")
LOOP_DIALECTS = (*HOST_DIALECTS, "loop", "arith", "math")
LEVELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "graph": ("builtin", "func", "graph"),
        "te": (*LOOP_DIALECTS, "te"),
        "sched": (*LOOP_DIALECTS, "te", "sched"),
        "scheduled": (*LOOP_DIALECTS, "te"),
        "loop": LOOP_DIALECTS,
        "packed": LOOP_DIALECTS,
    }
)
"""The levels of backends for CPUs, with the dialects of each; see `Backend.levels`."""
