"""Copies of operands in another float type.

In: a weight or a computed value in value form.  Out: its copy, a weight, a separate compute, or the
result of the value's producer.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import AffineMapAttr, FloatAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.dtypes import numpy_dtype
from ...dialects.packed import ConstantOp
from ...dialects.shape import dims_of, extent_of, type_of
from ...dialects.te import Access, ComputeOp, ComputeView
from ...dialects.te.build import BodyFunction, Result, compute, read
from ...dialects.te.role import Concat
from ...dialects.te.scalars import Scalars, scalar_attr
from ...dialects.weights import WeightAttr
from ...passes.rewrite.compose import absorb_consumer, inline_producer
from ...support.rewriting import swap_op
from .direct_products import stored_layout


@dataclass
class ConvertedCopies:
    """The copies made so far, by value and layout; label: the name of a compute that copies."""

    element: Attribute
    label: str
    copies: dict[tuple[SSAValue, AffineMapAttr | None], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, AffineMapAttr | None], SSAValue]
    )

    def read(self, view: ComputeView, access: Access) -> Access:
        """Return the same read from a converted copy."""
        value = access.value
        assert value is not None, "an index has no type to convert"
        layout = stored_layout(access, view)
        if (value, layout) not in self.copies:
            self.copies[value, layout] = _insert_copy(value, layout, self.element, self.label)
        pad = access.pad
        if isinstance(pad, FloatAttr):
            pad = scalar_attr(pad.value.data, self.element)
        return replace(access, value=self.copies[value, layout], pad=pad)

    def fuse(self) -> None:
        """Convert values in their producers where only a copy reads them; drop unused weights."""
        for (value, _), copy in self.copies.items():
            _fuse_copy(value, copy)


def _insert_copy(
    value: SSAValue, layout: AffineMapAttr | None, element: Attribute, label: str
) -> SSAValue:
    """Insert a converted copy after the definition of a value."""
    assert isinstance(value.type, TensorType)
    copy: ConstantOp | ComputeOp
    if isinstance(value.owner, ConstantOp):
        made = WeightAttr.derived("convert", [value.owner.value], numpy_dtype(element).name)
        copy = ConstantOp(made, made.type)
    else:
        source = value.type.get_element_type()
        axes = {f"d{d}": extent_of(dim) for d, dim in enumerate(dims_of(type_of(value)))}
        result = Result(list(axes), element, layout=layout)
        copy = compute(label, axes, [read(value, list(axes))], [result], _cast(source, element))
    if isinstance(value.owner, Operation):
        copy.location = value.owner.location
        Rewriter.insert_op(copy, InsertPoint.after(value.owner))
    else:
        Rewriter.insert_op(copy, InsertPoint.at_start(value.owner))
    copy.results[0].name_hint = value.name_hint
    return copy.results[0]


def _cast(source: Attribute, element: Attribute) -> BodyFunction:
    def body(s: Scalars, x: SSAValue) -> SSAValue:
        return s.cast(x, source, element)

    return body


def _fuse_copy(value: SSAValue, copy: SSAValue) -> None:
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


__all__ = ["ConvertedCopies"]
