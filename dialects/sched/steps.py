"""The steps of a schedule: one entry per primitive of passes/schedule/."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.irdl import irdl_op_definition

from .script import Param, StepOp

STEPS: list[type[StepOp]] = []
"""Every step op, in the order of the table below."""


def _step(
    name: str,
    doc: str,
    results: int | Callable[[Mapping[str, Param]], int] | None = 1,
    options: tuple[str, ...] = (),
) -> type[StepOp]:
    """Define a step op.

    results: the number of result handles, or a function of the parameters that returns it; None:
    one, plus one per axis size among the parameters.
    options: parameters that are not axis sizes.
    """

    def count_results(cls: type[StepOp], params: Mapping[str, Param], axes: int) -> int:
        if results is None:
            return 1 + axes
        return results if isinstance(results, int) else results(params)

    body = {
        "name": "sched." + name,
        "options": classmethod(lambda cls: options),
        "count_results": classmethod(count_results),
        "__module__": __name__,
        "__doc__": doc,
    }
    class_name = "".join(w.title() for w in name.split("_")) + "Op"
    op = irdl_op_definition(type(class_name, (StepOp,), body))
    STEPS.append(op)
    return op


def _copy_and_readers(params: Mapping[str, Param]) -> int:
    operand = params.get("operand")
    return 1 + (len(operand) if isinstance(operand, list) else 1)


MatchOp = _step("match", "All computes of a name.", options=("name",))
TileOp = _step(
    "tile",
    "Split parallel axes into tiles: leaf, then one loop handle per axis, outermost first.",
    results=None,
    options=("even",),
)
SplitAxisOp = _step("split_axis", "One axis becomes two, no loops.", options=("into",))
MergeAxesOp = _step("merge_axes", "Some axes become one, no loops.", options=("axes", "into"))
OrderOp = _step("order", "The order of axes in the leaf.", options=("axes",))
SplitReductionOp = _step("split_reduction", "A reduced axis in blocks: leaves, loop.", 2)
PackOp = _step(
    "pack",
    "Store a constant argument of the kernel through a layout map.",
    options=("operand", "map"),
)
RelayoutOp = _step("relayout", "Store a local buffer through a layout map.", options=("out", "map"))
CacheReadOp = _step(
    "cache_read",
    "Copy an operand to a local buffer: copy, each reader.",
    _copy_and_readers,
    ("operand", "scope", "axes"),
)
PeelOp = _step(
    "peel",
    "The first and last iterations of a loop become loops of their own.",
    options=("front", "back"),
)
FuseIntoOp = _step(
    "fuse_into",
    "Compute a producer inside a loop, just the slice read there: leaves, borders if halo = 1.",
    lambda params: 2 if params.get("halo") else 1,
    ("halo", "axes"),
)
InlineOp = _step("inline", "Compute an elementwise producer inside its consumer's body.")
FuseEpilogueOp = _step(
    "fuse_epilogue", "Compute an elementwise consumer at the end of its producer."
)
OnlineOp = _step(
    "online",
    "Softmax and what it weighs by blocks of keys: the five computes, loop, start, zero, factor, "
    "total, finish.",
    11,
)
VectorizeOp = _step(
    "vectorize",
    "Declare the register tile.",
    options=(
        "axis",
        "lanes",
        "prefetch_operand",
        "prefetch",
        "prefetch_level",
        "prefetch_spread",
    ),
)
TensorizeOp = _step(
    "tensorize",
    "An instruction of the machine does the inner part of a leaf.",
    options=("intrinsic", "axis"),
)
ParallelOp = _step("parallel", "Mark a loop's iterations as independent tasks.")
SpreadOp = _step(
    "spread",
    "Divide a te.scatter or te.sort into tasks and vectors.",
    options=("axis", "chunk", "vector", "lanes"),
)

SplitOp = _step(
    "split", "One loop of a nest becomes two.", options=("axis", "factor", "nparts", "into")
)
FuseOp = _step("fuse", "Neighbouring loops of a nest become one.", options=("axes", "into"))
ReorderOp = _step("reorder", "The order of the loops of a nest.", options=("axes",))
UnrollOp = _step("unroll", "A loop of a nest as straight code.", options=("axis", "copies"))
ParallelAxisOp = _step(
    "parallel_axis", "Iterations of a loop of a nest as independent tasks.", options=("axis",)
)
VectorizeAxisOp = _step(
    "vectorize_axis", "A loop of a nest along the lanes of vectors.", options=("axis", "lanes")
)
BindOp = _step("bind", "A loop of a nest for a block or thread index.", options=("axis", "thread"))
ComputeAtOp = _step(
    "compute_at", "Compute a producer inside a loop of a consumer: both.", 2, ("axis",)
)
ReverseComputeAtOp = _step(
    "reverse_compute_at",
    "Compute an elementwise consumer inside a loop of its producer: both.",
    2,
    ("axis",),
)
ComputeRootOp = _step("compute_root", "Compute a producer as a whole, before its readers.")
ComputeInlineOp = _step(
    "compute_inline", "Compute an elementwise producer inside all of its readers.", 0
)
CacheWriteOp = _step(
    "cache_write",
    "Compute into a local buffer and copy it to the output: compute, copy.",
    2,
    ("out", "scope"),
)
RfactorOp = _step(
    "rfactor",
    "A reduced axis becomes a parallel one of partial results: partial results, final reduction.",
    2,
    ("axis", "factor", "part", "into"),
)
DecomposeReductionOp = _step(
    "decompose_reduction",
    "Initial values in a compute of their own, before a loop if one is given: init, update.",
    2,
    ("axis",),
)
SetScopeOp = _step("set_scope", "The memory that a local buffer is in.", options=("out", "scope"))
StorageAlignOp = _step(
    "storage_align",
    "Pad a local buffer so that an axis has a stride of a multiple plus an offset.",
    options=("out", "axis", "factor", "offset"),
)
DoubleBufferOp = _step(
    "double_buffer",
    "Fill a buffer for the next iteration while this one uses its own.",
    options=("out",),
)
RollingBufferOp = _step(
    "rolling_buffer",
    "Keep what consecutive iterations share; compute only what is new.",
    options=("out",),
)
TransformLayoutOp = _step(
    "transform_layout",
    "Store an operand or an output through a layout map, in place, packed or copied.",
    options=("operand", "out", "map"),
)
PadEinsumOp = _step("pad_einsum", "Round extents up to multiples, with zero-filled copies.")
SetStorePredicateOp = _step(
    "set_store_predicate", "Store an output only where axes lie in ranges.", options=("out",)
)
AnnotateOp = _step(
    "annotate", "Give computes or loops an attribute for later levels.", options=("key", "value")
)
PrefetchOp = _step(
    "prefetch",
    "Fetch an input of a leaf ahead of its loads.",
    options=("operand", "axis", "offset", "distance", "level", "spread"),
)
