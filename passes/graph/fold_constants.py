"""graph-fold-constants: evaluate ops that do not depend on the inputs.

    %e = graph.broadcast %eps axes [] : tensor<f32> -> tensor<64xf32>
    %v = graph.add %variance, %e      (both constant)
==>
    %v = graph.constant #graph.weight<"…">

A broadcast of a constant counts as a constant and is never expanded: an elementwise op on repeated
elements is evaluated once per distinct element, and its result is broadcast.

Before: nothing.  After: an op with only constant operands is left only if its result is larger than
1 MB and more than twice as large as its operands (for dequantize, more than eight times), if it is
a broadcast that repeats elements, or if its evaluation is a run-time error.
Exact: as the graph interpreter; floats accumulate in f64 and round once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import bit_width, is_float, numpy_dtype, storage_bytes
from ...dialects.graph import (
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    DequantizeOp,
    ElementwiseOp,
    GraphOp,
    QuantizeOp,
    ReshapeOp,
    SelectOp,
    SliceOp,
    TransposeOp,
)
from ...dialects.shape import DimsAttr, type_of
from ...dialects.weights import WeightAttr
from ...interp.graph import EvaluationError, evaluate_op, evaluator_of
from ...support.rewriting import apply_patterns, replace_op, rewrites
from .constant_values import (
    Array,
    Known,
    constant_ops,
    known_weight,
    static_sizes,
    without_repetition,
)

ALWAYS_BYTES = 1 << 20
"""Results of at most this size are stored, regardless of the size of their operands."""

_ARITHMETIC = ("add", "sub", "mul", "div", "neg", "sqrt")

GROWTH = 2
"""Larger results may be at most this many times the size of their constants."""

DEQUANTIZED_GROWTH = 8
"""The same for dequantized weights, which would otherwise be dequantized at every run."""


class EvaluateConstant(RewritePattern):
    """Replace an op whose operands are all constants by a constant.

    kept: classes of ops that stay, although they could be evaluated.
    """

    def __init__(self, kept: tuple[type[Operation], ...] = ()) -> None:
        self._kept = kept

    @rewrites(GraphOp)
    def match_and_rewrite(self, op: GraphOp, rewriter: PatternRewriter) -> None:
        if isinstance(op, (ConstantOp, *self._kept)) or evaluator_of(op) is None or not op.results:
            return
        weights = [known_weight(operand) for operand in op.operands]
        known = [weight for weight in weights if weight is not None]
        if len(known) != len(weights) or not _is_static(op) or _repeats(op):
            return
        results = _evaluated(op, [each.view for each in known])
        if results is None:
            return
        made = [constant_ops(array) for array in results]
        values = [ops[-1].results[0] for ops in made]
        if [value.type for value in values] != list(op.result_types):
            return
        for constant, *_ in made:
            _record_origin(op, known, constant)
        for result, value in zip(op.results, values, strict=True):
            value.name_hint = result.name_hint
        replace_op(rewriter, op, [new for ops in made for new in ops], values)


def _record_origin(op: Operation, known: Sequence[Known], constant: Operation) -> None:
    """Record in an evaluated constant how to recompute it from the model's parameters.

    If no step of the runtime computes the op, record the reason: load_params then cannot replace
    these parameters.
    known: the operands of the op.  constant: the graph.constant of the result.
    """
    assert isinstance(constant, ConstantOp), "constant_ops makes it"
    if not any(each.stored.sources for each in known):
        return
    weight, replay = constant.value, _replay(op, known)
    recipe = None
    if replay is not None and replay.stored.size == weight.stored.size:
        replay = WeightAttr.derived("reshape", [replay], weight.stored.shape)
        is_exact = replay.stored.dtype == weight.stored.dtype
        if is_exact and replay.stored.tobytes() == weight.stored.tobytes():
            recipe = replay.recipe
    reason = f"{op.name} combined it with other values or in a way that is not recorded"
    operands = [each.stored for each in known]
    constant.properties["value"] = weight.following_from(operands, recipe, reason)


def _replay(op: Operation, known: Sequence[Known]) -> WeightAttr | None:
    """Compute the result of an op by a step of `runtime.recipes`, and return it as a weight.

    The weight has the step as its recipe, so the runtime can repeat the step after a parameter was
    replaced. None if no step computes the op.
    known: the operands of the op.
    """
    weights = [each.weight for each in known]
    match op:
        case BroadcastOp() if (result := known_weight(op.out)) is not None:
            return result.weight
        case ReshapeOp() if known[0].shape == known[0].sizes:
            return weights[0]
        case TransposeOp():
            return WeightAttr.derived("transpose", weights, tuple(op.perm))
        case ConcatOp() if all(each.shape == each.sizes for each in known):
            return WeightAttr.derived("concat", weights, op.axis)
        case SliceOp() if known[0].shape == known[0].sizes and {*op.steps} <= {1}:
            return WeightAttr.derived("slice", weights, *_ends(op))
        case CastOp() if _is_float_conversion(op):
            dtype = numpy_dtype(type_of(op.out).element_type)
            return WeightAttr.derived("convert", weights, dtype.name)
        case ElementwiseOp() if op.MNEMONIC in _ARITHMETIC and _is_wide(op.results[0]):
            return WeightAttr.derived(op.MNEMONIC, weights)
        case _:
            return None


def _ends(op: SliceOp) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the start positions and the end positions of a slice with static sizes, per axis."""
    starts = [start.value or 0 for start in op.starts]
    sizes = static_sizes(op.out) or ()
    return tuple(starts), tuple(s + size for s, size in zip(starts, sizes, strict=True))


def _is_float_conversion(op: CastOp) -> bool:
    """Return whether a cast converts between float types, and rounds as numpy does."""
    source, target = type_of(op.x).element_type, type_of(op.out).element_type
    is_float_pair = is_float(source) and is_float(target)
    return is_float_pair and bit_width(source) <= 32 and bit_width(target) >= 16


def _is_wide(value: SSAValue) -> bool:
    return type_of(value).element_type in (f32, f64)


def _is_static(op: Operation) -> bool:
    sizes = (
        dim for attr in op.properties.values() if isinstance(attr, DimsAttr) for dim in attr.data
    )
    return all(static_sizes(r) is not None for r in op.results) and all(
        dim.value is not None for dim in sizes
    )


def _repeats(op: Operation) -> bool:
    """Return whether an op is a broadcast that repeats elements, which counts as a constant."""
    if not isinstance(op, BroadcastOp):
        return False
    return prod(static_sizes(op.out) or ()) != prod(static_sizes(op.x) or ())


def _evaluated(op: Operation, arrays: Sequence[Array]) -> Sequence[Array] | None:
    """Evaluate an op; return its results as numpy views that may repeat elements (stride 0).

    arrays: the operands.
    Returns None if the results are too large compared with the operands, or if the evaluation
    fails.
    """
    full = [static_sizes(result) or () for result in op.results]
    stored = list(full)
    if isinstance(op, ElementwiseOp | SelectOp | CastOp | QuantizeOp | DequantizeOp):
        arrays = _without_common_repetition(arrays)
        stored = [arrays[0].shape]
    result_bytes = sum(
        prod(sizes) * storage_bytes(type_of(r).element_type)
        for sizes, r in zip(stored, op.results, strict=True)
    )
    operand_bytes = sum(without_repetition(array).nbytes for array in arrays)
    growth = DEQUANTIZED_GROWTH if isinstance(op, DequantizeOp) else GROWTH
    if result_bytes > max(ALWAYS_BYTES, growth * operand_bytes):
        return None
    try:
        results = evaluate_op(op, arrays)
    except EvaluationError:
        return None
    return [np.broadcast_to(r, sizes) for r, sizes in zip(results, full, strict=True)]


def _without_common_repetition(arrays: Sequence[Array]) -> Sequence[Array]:
    """Cut the axes along which every array repeats its elements to size 1."""
    repeated = [
        all(array.strides[d] == 0 for array in arrays) and arrays[0].shape[d] > 1
        for d in range(arrays[0].ndim)
    ]
    cut = tuple(slice(0, 1) if r else slice(None) for r in repeated)
    return [array[cut] for array in arrays]


@dataclass(frozen=True)
class FoldConstants(ModulePass):
    """Evaluate ops whose operands are constants."""

    name = "graph-fold-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, EvaluateConstant())
