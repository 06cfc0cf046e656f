"""Split a concat that is not in place into one copy per operand, for te-bufferize.

    %y = te.compute @concat [i: 5, j: 4] ins(%a[i, j] pad 0.0, %b[i - 2, j] pad 0.0, index[i]) ..
==>
    te.compute @concat   [i: 2, j: 4] ins(%a[i, j]) outs(%y[i, j]) ..
    te.compute @concat_1 [i: 3, j: 4] ins(%b[i, j]) outs(%y[i + 2, j]) ..

The copies need no comparison of indices with the ends of operands, and each reads contiguous memory
along one axis.
Exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Region

from ...dialects.shape import Dim, dims_of
from ...dialects.te import ComputeOp, ComputeView, YieldOp
from ...dialects.te.role import Concat
from ...support.affine import variable


def parts_of_concat(view: ComputeView, dimension: int) -> Iterator[ComputeView]:
    """Yield one copy per operand of a concat, given as a compute on tensors.

    dimension: the axis along which the operands are concatenated.
    """
    (output,) = view.outputs
    assert output.indices is not None, "an output has indices"
    along = output.indices[dimension].variable()
    assert isinstance(along, str), "a concat stores point by point"
    for number, access in enumerate(a for a in view.inputs if not a.is_index):
        assert access.indices is not None, "operands are read element by element"
        start = variable(along) - access.indices[dimension]
        body = Block(arg_types=[access.element_type])
        body.add_op(YieldOp([body.args[0]]))
        part = replace(
            view,
            name=f"{view.name}_{number}" if number else view.name,
            axes={**view.axes, along: access.extents[dimension]},
            inputs=[replace(access, pad=None)],
            body=Region(body),
            combine=Region(),
            then=Region(),
            role=None,
        )
        yield part.substitute({along: variable(along) + start})


def copies(view: ComputeView) -> list[ComputeView]:
    """Return the copies that replace a row-major concat, one per operand.

    Any other compute is returned itself, in a list.
    """
    if isinstance(view.role, Concat) and view.outputs[0].layout is None:
        return list(parts_of_concat(view, view.role.axis))
    return [view]


def tensor_sizes(block: Block) -> list[Dim]:
    """Return the sizes of all tensors of a kernel, including the operands of fused concats.

    The types of buffers with a halo do not contain these sizes.
    """
    values = (*block.args, *(result for op in block.ops for result in op.results))
    types = (value.type for value in values if isinstance(value.type, TensorType))
    made = [dim for type_ in types for dim in dims_of(type_)]
    for view in (op.view() for op in block.ops if isinstance(op, ComputeOp)):
        if isinstance(view.role, Concat):
            parts = parts_of_concat(view, view.role.axis)
            made += [Dim.of(extent) for part in parts for extent in part.axes.values()]
    return made
