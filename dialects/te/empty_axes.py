"""Replace extents of 0 in a kernel by a size parameter, whose value is 0 in the call.

    te.kernel @B(%x: memref<0x4xf32>, ..) { te.compute @B [i: 0, j: 4] .. }
    packed.call @B(%x, ..)
==>
    te.kernel @B(%x: memref<?x4xf32, #te.dims<zero_from_0, 4>>, ..) { .. [i: zero_from_0, j: 4] .. }
    packed.call @B(%x, ..) sizes [0]

Schedules and plans divide by static extents, and make loops of at least one iteration for them.
They already handle symbolic sizes that may be 0, so an axis of extent 0 needs no rules of its own.
"""

from __future__ import annotations

from itertools import chain

from xdsl.dialects.builtin import ArrayAttr, MemRefType, StringAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ...support.names import Names
from ...support.size_names import from_zero
from ..shape import SIZES, Dim, dims_of, memref_type, size_parameters
from .codec import encode_extents
from .compute import ComputeOp
from .kernel import KernelOp


def symbolize_empty_axes(kernel: KernelOp) -> None:
    """Replace the size 0 in the types and axes of a kernel by a new, last size parameter.

    A kernel without empty axes does not change.
    Before: the buffers of the kernel are in row-major order.
    """
    computes = [op for op in kernel.body.block.ops if isinstance(op, ComputeOp)]
    if not any(0 in op.iteration_space.values() for op in computes):
        return
    sizes = size_parameters(kernel)
    names = Names(sizes)
    while (symbol := from_zero(names.fresh("zero"))) in sizes:
        continue
    blocks = (block for op in kernel.walk() for region in op.regions for block in region.blocks)
    values = (chain(block.args, *(op.results for op in block.ops)) for block in blocks)
    for value in list(chain.from_iterable(values)):
        _symbolize_type(value, symbol)
    for op in computes:
        axes = {a: Dim.sym(symbol) if n == 0 else n for a, n in op.iteration_space.items()}
        op.properties.pop("extents", None)
        op.properties.update(encode_extents(axes))
    kernel.properties[SIZES] = ArrayAttr([StringAttr(name) for name in (*sizes, symbol)])
    kernel.update_function_type()


def _symbolize_type(value: SSAValue, symbol: str) -> None:
    type_ = value.type
    if isinstance(type_, MemRefType) and 0 in type_.get_shape():
        dims = (Dim.sym(symbol) if dim.value == 0 else dim for dim in dims_of(type_))
        Rewriter.replace_value_with_new_type(value, memref_type(type_.element_type, dims))
