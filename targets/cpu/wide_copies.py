"""f32 copies of narrow floats.

In: a weight or a computed value in value form.  Out: its copy, a weight, a separate compute, or the
result of the value's producer.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import AffineMapAttr, TensorType, f32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.packed import ConstantOp
from ...dialects.shape import dims_of, extent_of, type_of
from ...dialects.te import ComputeOp
from ...dialects.te.build import BodyFunction, Result, compute, read
from ...dialects.te.role import Concat
from ...dialects.te.scalars import Scalars
from ...dialects.weights import WeightAttr
from ...passes.rewrite.compose import absorb_consumer, inline_producer
from ...support.rewriting import swap_op


def insert_copy(value: SSAValue, layout: AffineMapAttr | None) -> SSAValue:
    """Insert an f32 copy after the definition of a value."""
    assert isinstance(value.type, TensorType)
    copy: ConstantOp | ComputeOp
    if isinstance(value.owner, ConstantOp):
        made = WeightAttr.derived("convert", [value.owner.value], "float32")
        copy = ConstantOp(made, made.type)
    else:
        element = value.type.get_element_type()
        axes = {f"d{d}": extent_of(dim) for d, dim in enumerate(dims_of(type_of(value)))}
        result = Result(list(axes), f32, layout=layout)
        copy = compute("widen", axes, [read(value, list(axes))], [result], _extend(element))
    if isinstance(value.owner, Operation):
        copy.location = value.owner.location
        Rewriter.insert_op(copy, InsertPoint.after(value.owner))
    else:
        Rewriter.insert_op(copy, InsertPoint.at_start(value.owner))
    copy.results[0].name_hint = value.name_hint
    return copy.results[0]


def _extend(element: Attribute) -> BodyFunction:
    def body(s: Scalars, x: SSAValue) -> SSAValue:
        return s.cast(x, element, f32)

    return body


def store_wide(value: SSAValue, copy: SSAValue) -> None:
    """Fuse the conversion of a value into its producer, if only the copy reads the value."""
    made, reader = value.owner, copy.owner
    if isinstance(made, ConstantOp) and not value.uses:
        Rewriter.erase_op(made)
    if not (isinstance(made, ComputeOp) and isinstance(reader, ComputeOp)):
        return
    if len(made.results) > 1 or not value.has_one_use() or made.has_role(Concat):
        return
    source, view = made.view(), reader.view()
    (access,) = view.inputs
    if source.outputs[0].reduces:
        fused = absorb_consumer(source, access, view)
    else:
        fused = inline_producer(view, access, source)
    if fused is not None:
        swap_op(reader, ComputeOp.from_view(replace(fused, name=source.name)))
        Rewriter.erase_op(made)


__all__ = ["insert_copy", "store_wide"]
