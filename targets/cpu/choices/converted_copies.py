"""Copies of operands in another element type.

In: a weight or a computed value in value form.  Out: a copy in the other type.  The copy of a
weight is a weight; the copy of a computed value is the result of a separate compute, or a result of
the compute that produces the value, which then converts the value itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import prod
from typing import TypeAlias

from xdsl.dialects.builtin import AffineMapAttr, FloatAttr, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.dtypes import is_unsigned, numpy_dtype
from ....dialects.packed import ConstantOp
from ....dialects.shape import dims_of, extent_of, likely, type_of
from ....dialects.te import Access, ComputeOp, ComputeView
from ....dialects.te.build import BodyFunction, ComputeResult, compute, read
from ....dialects.te.role import Concat
from ....dialects.te.scalars import Scalars, scalar_attr
from ....dialects.weights import WeightAttr
from ....machines.cpu_numbers import Conversion
from ....machines.target import Target
from ....passes.rewrite.compose import absorb_consumer, inline_producer
from ....support.rewriting import swap_op
from .direct_products import stored_layout

Key: TypeAlias = tuple[SSAValue, AffineMapAttr | None, Attribute]


def copy_pays(
    view: ComputeView, access: Access, to: Conversion, target: Target, *, is_scalar: bool = False
) -> bool:
    """Return whether a compute reads an operand so often that converting a copy once is faster.

    access: the operand.  to: the conversion, with the least number of reads of an element for which
    a copy pays.  is_scalar: whether each element is broadcast to all lanes, because vectors do not
    run along the operand.
    """
    assert access.value is not None, "an index has no type to convert"
    elements = prod(map(likely, access.extents))
    is_weight = isinstance(access.value.owner, ConstantOp)
    least = to.weights if is_weight else to.computed
    if is_weight and to.item_bytes * elements > target.l2_bytes:
        least = to.far_weights
    elif is_scalar and to.broadcasts is not None:
        least = to.broadcasts
    return prod(map(likely, view.axes.values())) >= least * elements


@dataclass
class ConvertedCopies:
    """The copies of operands in another element type that were inserted so far.

    element: the type of the copies.  label: the name of the computes that make them.  copies: the
    copy of each (value, layout of the copy, type of the value's elements).
    """

    element: Attribute
    label: str
    copies: dict[Key, SSAValue] = field(default_factory=dict[Key, SSAValue])

    def read(self, view: ComputeView, access: Access, source: Attribute | None = None) -> Access:
        """Return an access to the converted copy of an operand; insert the copy if none exists yet.

        view: the compute that reads the operand.  access: its access to the operand.  source: the
        unsigned type of the operand's elements; None for other types, which the access itself
        states.
        """
        value = access.value
        assert value is not None, "an index has no type to convert"
        key = (value, stored_layout(access, view), source or access.element_type)
        if key not in self.copies:
            self.copies[key] = _insert_copy(*key, self.element, self.label)
        pad = access.pad
        if isinstance(pad, FloatAttr):
            pad = scalar_attr(pad.value.data, self.element)
        elif isinstance(pad, IntegerAttr):
            number = pad.value.data % 256 if is_unsigned(key[-1]) else pad.value.data
            pad = scalar_attr(number, self.element)
        return replace(access, value=self.copies[key], pad=pad)

    def fuse(self, keeps: Callable[[ComputeOp], bool] = lambda _: False) -> None:
        """Let producers convert values that only a copy reads; erase unused weights.

        keeps: a predicate; a compute for which it returns True keeps the type of its result.
        """
        for (value, *_), copy in self.copies.items():
            if not (isinstance(value.owner, ComputeOp) and keeps(value.owner)):
                _fuse_copy(value, copy)


def _insert_copy(
    value: SSAValue,
    layout: AffineMapAttr | None,
    source: Attribute,
    element: Attribute,
    label: str,
) -> SSAValue:
    """Insert a converted copy of a value after the value's definition, and return the copy.

    layout: the layout of the copy.  source: the type of the value's elements, with signedness.
    element: the type of the copy's elements.  label: the name of the compute that copies.
    """
    assert isinstance(value.type, TensorType)
    copy: ConstantOp | ComputeOp
    if isinstance(value.owner, ConstantOp):
        weights = value.owner.value
        if source != value.type.get_element_type():
            weights = WeightAttr.derived("bits", [weights], numpy_dtype(source).name)
        made = WeightAttr.derived("convert", [weights], numpy_dtype(element).name)
        copy = ConstantOp(made, made.type)
    else:
        axes = {f"d{d}": extent_of(dim) for d, dim in enumerate(dims_of(type_of(value)))}
        result = ComputeResult(list(axes), element, layout=layout)
        copy = compute(label, axes, [read(value, list(axes))], [result], _cast(source, element))
    return insert_after(value, copy)


def insert_after(value: SSAValue, copy: Operation) -> SSAValue:
    """Insert an op right after the definition of a value, and return the op's result.

    value: the value.  copy: the op, which copies the value.
    """
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
    """Fuse a value's conversion into the compute that produces it, if only the copy reads it."""
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
