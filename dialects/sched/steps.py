"""The step ops of schedules, one per primitive of passes/schedule/."""

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
    def count_results(cls: type[StepOp], params: Mapping[str, Param], axes: int) -> int:
        if results is None:  # one more handle per parameter that is named after an axis
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


MatchOp = _step("match", "Return the computes with a name.", options=("name",))
SplitHandleOp = _step(
    "split_handle", "Give the last ops of a handle a handle of their own.", 2, ("last",)
)
TileOp = _step(
    "tile",
    "Split parallel axes into tiles: leaf, then one loop handle per axis, outermost first.",
    results=None,
    options=("even", "whole", "rest", "few", "chunk"),
)
SplitAxisOp = _step("split_axis", "Split an axis into two, no loops.", options=("into",))
MergeAxesOp = _step("merge_axes", "Merge axes into one, no loops.", options=("axes", "into"))
OrderOp = _step("order", "Reorder the axes of a leaf.", options=("axes",))
SplitReductionOp = _step("split_reduction", "Split a reduced axis into blocks: leaves, loop.", 2)
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
    ("operand", "scope", "axes", "window"),
)
PeelOp = _step(
    "peel",
    "Peel the first and the last iterations of a loop into separate loops.",
    options=("front", "back"),
)
FuseIntoOp = _step(
    "fuse_into",
    "Move a producer into a loop that reads a slice of it: leaves, borders if halo = 1.",
    lambda params: 2 if params.get("halo") else 1,
    ("halo", "axes"),
)
InlineOp = _step("inline", "Compute an elementwise producer inside a consumer's body.")
FuseEpilogueOp = _step(
    "fuse_epilogue", "Fuse an elementwise consumer into a reduction as its epilogue."
)
SplitEpilogueOp = _step(
    "split_epilogue", "Finish the sums of a reduction in a separate compute: sums, finish.", 2
)
OnlineSoftmaxOp = _step(
    "online_softmax",
    "Compute an attention by online softmax over blocks of keys: the five computes, loop, start, "
    "zero, factor, total, finish, and rescale if in_place = 1.",
    lambda params: 12 if params.get("in_place") else 11,
    ("lanes", "in_place"),
)
SplitMaskOp = _step(
    "split_mask", "Apply a mask by position in a compute that runs only if a point is masked."
)
PadAttentionOp = _step(
    "pad_attention",
    "Pad the queries and keys of an attention, with zero-filled copies of operands.",
    5,
)
SplitKeysOp = _step(
    "split_keys",
    "Divide the keys of an attention into parts: the five computes of the parts, and the maximum, "
    "the sums and the results of all parts.",
    8,
)
SplitScanOp = _step(
    "split_scan",
    "Divide a scan into parts: the combined elements of each part, of those before it, and the "
    "results.",
    3,
    options=("axis", "factor", "into"),
)
VectorizeOp = _step(
    "vectorize",
    "Declare the register tile of a leaf.",
    options=(
        "axis",
        "lanes",
        "together",
        "trip",
        "prefetch_operand",
        "prefetch",
        "prefetch_level",
        "prefetch_spread",
    ),
)
TensorizeOp = _step(
    "tensorize",
    "Compute the inner part of a leaf with a machine instruction.",
    options=("intrinsic", "axis"),
)
ParallelOp = _step(
    "parallel", "Run the iterations of a loop as independent tasks.", options=("chunk",)
)
TileIrregularOp = _step(
    "tile_irregular",
    "Divide a te.scatter or te.sort into tasks, and vectorize the op.",
    options=("axis", "chunk", "vector", "lanes"),
)

SplitOp = _step(
    "split",
    "Split a loop of a nest into two.",
    options=("axis", "factor", "nparts", "into", "guard"),
)
FuseOp = _step("fuse", "Fuse adjacent loops of a nest into one.", options=("axes", "into"))
ReorderOp = _step("reorder", "Reorder the loops of a nest.", options=("axes",))
UnrollOp = _step("unroll", "Unroll a loop of a nest.", options=("axis", "copies"))
ParallelAxisOp = _step(
    "parallel_axis",
    "Run the iterations of a loop of a nest as independent tasks.",
    options=("axis",),
)
VectorizeAxisOp = _step("vectorize_axis", "Vectorize a loop of a nest.", options=("axis", "lanes"))
ReverseOp = _step(
    "reverse", "Reverse the order of the iterations of a parallel or bound loop.", options=("axis",)
)
BindOp = _step(
    "bind", "Bind a loop of a nest to a block or thread index.", options=("axis", "thread")
)
ComputeAtOp = _step(
    "compute_at",
    "Move a producer into a loop of a consumer: producer, consumer.",
    2,
    ("axis", "whole"),
)
ReverseComputeAtOp = _step(
    "reverse_compute_at",
    "Move an elementwise consumer into a loop of its producer: consumer, producer.",
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
    ("out", "scope", "sums", "axes"),
)
RfactorOp = _step(
    "rfactor",
    "Reduce into partial results along a parallel axis: partial results, final reduction.",
    2,
    ("axis", "factor", "part", "into"),
)
DecomposeReductionOp = _step(
    "decompose_reduction",
    "Store initial values in a separate compute, before a loop if one is given: init, update.",
    2,
    ("axis",),
)
SetScopeOp = _step("set_scope", "Choose the memory of a local buffer.", options=("out", "scope"))
ReplicateOp = _step(
    "replicate",
    "Compute results in several equal copies, one for each group of readers.",
    0,
    ("axis", "copies", "width"),
)
StorageAlignOp = _step(
    "storage_align",
    "Pad a local buffer so that the stride of an axis is a multiple of a factor plus an offset.",
    options=("out", "axis", "factor", "offset"),
)
DoubleBufferOp = _step(
    "double_buffer",
    "Fill one copy of a buffer for the next iteration while another is in use.",
    options=("out", "stages", "late"),
)
RollingBufferOp = _step(
    "rolling_buffer",
    "Keep the rows that consecutive iterations share; compute only new rows.",
    options=("out",),
)
TransformLayoutOp = _step(
    "transform_layout",
    "Store an operand or an output through a layout map, in place, packed or copied.",
    options=("operand", "out", "map"),
)
PadEinsumOp = _step(
    "pad_einsum",
    "Round extents of axes up to multiples, with zero-padded copies of operands.",
    options=("clip",),
)
Im2colOp = _step(
    "im2col",
    "Make a convolution a product of two matrices, with copies of operands.",
    options=("merged", "pixels", "blocks", "lhs", "rhs"),
)
SetStorePredicateOp = _step(
    "set_store_predicate",
    "Store an output only at positions in given ranges of axes.",
    options=("out",),
)
AnnotateOp = _step(
    "annotate",
    "Attach an annotation to computes or loops, for later levels.",
    options=("key", "value"),
)
PrefetchOp = _step(
    "prefetch",
    "Prefetch an input of a leaf.",
    options=("operand", "axis", "offset", "distance", "level", "spread"),
)
