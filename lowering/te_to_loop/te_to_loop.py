"""te-to-loop: lower every te.kernel to a function of loop, arith and math ops.

    te.kernel @k(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
      te.compute @double [i: 4, j: 8] ins(%A[i, j]) outs(%B[i, j]) tile(vec = j, lanes = 8) ..
      te.return
    }
  becomes
    func.func @k(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
      %a = loop.load %A[0, 0] : memref<4x8xf32>, vector<8xf32>  ..
      func.return
    }

Before: kernels in buffer form, scheduled or not.  After: no te op is left.  The attribute tw.cost
of a function is the cost of its kernel.  The annotations of a compute are on its outermost loops,
or on its stores if it has no loops.  If ``precision`` is "strict", the functions have the attribute
tw.strict_math.
Error: a sum is added in the order of its axes, except that a reduced vector axis and long sums use
partial sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, NameLoc, NoneAttr, StringAttr, UnitAttr, UnknownLoc
from xdsl.dialects.func import FuncOp
from xdsl.dialects.func import ReturnOp as FuncReturnOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ...dialects.annotations import ANNOTATIONS
from ...dialects.functions import record_cost
from ...dialects.loop import ForOp, StoreOp
from ...dialects.shape import SIZES
from ...dialects.te import (
    ComputeOp,
    KernelOp,
    LoopsOp,
    ReturnOp,
    ScatterOp,
    SortOp,
    TensorOp,
    kernels_of,
)
from ...support.blocks import terminator
from ...support.diagnostics import LoweringError
from ...support.precision import STRICT_MATH, Precision, parse_precision
from .emitter import Constants, LoopEmitter
from .loops import lower_loops
from .prefetch import Sharing, shared_iterations
from .scalar import emit_leaves
from .scatter import lower_scatter
from .sort import lower_sort


@dataclass(frozen=True)
class TeToLoop(ModulePass):
    """Lower every te.kernel of a module to a function.

    precision: "default", or "strict" for functions with the attribute tw.strict_math.
    """

    name = "te-to-loop"

    precision: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        is_strict = parse_precision(self.precision) is Precision.STRICT
        for kernel in kernels_of(op):
            function = lower_kernel(kernel)
            if is_strict:
                function.attributes[STRICT_MATH] = UnitAttr()


def lower_kernel(kernel: KernelOp) -> FuncOp:
    """Replace a kernel by a function whose body has loop ops; return the function.

    Errors: LoweringError for a kernel on tensors, or for outputs of one compute that cannot be
    computed one after another.
    """
    region = kernel.body
    end = terminator(region.block, ReturnOp)
    if end.values:
        raise LoweringError(
            f"@{kernel.label}: kernel is in value form", hint="run te-bufferize first"
        ).at(kernel)
    constants, sharing = Constants(region.block), shared_iterations(region)
    for op in [o for o in region.walk() if isinstance(o, TensorOp)]:
        lower_op(op, constants, sharing.get(op))
    Rewriter.erase_op(end)
    region.block.add_op(FuncReturnOp())
    return _make_function(kernel)


def lower_op(op: TensorOp, constants: Constants, iterations: Sharing | None = None) -> None:
    """Replace a te op in buffer form by loop ops, which get its location or its label as location.

    constants: the constants of the function.
    iterations: how loop iterations share the prefetches of a compute; None if they do not.
    Errors: LoweringError for an op on tensors.
    """
    if op.res:
        raise LoweringError(f"@{op.label}: op is in value form", hint="run te-bufferize first").at(
            op
        )
    if isinstance(op.location, UnknownLoc):
        op.location = NameLoc(StringAttr(op.label), NoneAttr())
    match op:
        case ComputeOp():
            emitter = _emit_compute(op, constants, iterations)
            _annotate(emitter.scope.ops, op)
            _insert(emitter, op)
        case ScatterOp():
            _insert(lower_scatter(op, constants), op)
        case SortOp():
            lower_sort(op)
        case LoopsOp():
            lower_loops(op)
    Rewriter.erase_op(op)


def _emit_compute(op: ComputeOp, constants: Constants, iterations: Sharing | None) -> LoopEmitter:
    emitter = LoopEmitter(constants, op.location)
    emit_leaves(op, emitter, iterations)
    return emitter


def _annotate(made: Sequence[Operation], op: ComputeOp) -> None:
    """Copy the annotations of a compute to the outermost loops of its lowering, else to its stores.

    made: the ops of the lowering.
    """
    if op.annotations is None:
        return
    loops = [o for o in made if isinstance(o, ForOp)]
    for bearer in loops or [o for o in made if isinstance(o, StoreOp)]:
        bearer.properties[ANNOTATIONS] = op.annotations


def _insert(emitter: LoopEmitter, op: Operation) -> None:
    """Insert the ops that an emitter holds before ``op``; leave out unused index values."""
    block = op.parent_block()
    assert block is not None, "the op stands in a block"
    block.insert_ops_before(emitter.scope.ops, op)
    _drop_unused_positions(emitter)


def _drop_unused_positions(emitter: LoopEmitter) -> None:
    """Erase unused index values: accesses contain index expressions instead."""
    for value in reversed(list(emitter.positions)):
        owner = value.owner
        if value.first_use is None and isinstance(owner, Operation):
            Rewriter.erase_op(owner)


def _make_function(kernel: KernelOp) -> FuncOp:
    region = kernel.body
    kernel.detach_region(region)
    function = FuncOp(kernel.label, kernel.function_type, region)
    function.location = kernel.location
    function.attributes.update(kernel.attributes)
    if kernel.cost is not None:
        record_cost(function, kernel.cost.data)
    if kernel.sizes is not None:
        function.attributes[SIZES] = kernel.sizes
    block = kernel.parent_block()
    if block is not None:
        block.insert_op_before(function, kernel)
        Rewriter.erase_op(kernel)
    return function
