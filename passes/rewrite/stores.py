"""Computes that store copies of elements or a constant."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Region

from ...dialects.shape import Extent
from ...dialects.te import Access, ComputeOp, ComputeView, YieldOp
from ...dialects.te.role import Role


def copy_compute(
    name: str, axes: Mapping[str, Extent], source: Access, target: Access
) -> ComputeOp:
    """Return a compute named ``name`` that copies elements from one access to another.

    axes: the extents of its axes, over which ``source`` reads and ``target`` stores.
    """
    body = Block(arg_types=[source.element_type])
    body.add_op(YieldOp([body.args[0]]))
    return _store(name, axes, [source], target, body)


def fill_compute(
    name: str,
    axes: Mapping[str, Extent],
    target: Access,
    value: Attribute,
    role: Role | None = None,
) -> ComputeOp:
    """Return a compute named ``name`` that stores a constant to each element of an access.

    axes: the extents of its axes.  value: the constant, a FloatAttr or IntegerAttr.  role: the role
    of the compute for later passes, if it has one.
    """
    assert isinstance(value, IntegerAttr | FloatAttr), f"not a scalar: {value}"
    number = arith.ConstantOp(value)
    body = Block([number, YieldOp([number.result])])
    return _store(name, axes, [], target, body, role)


def _store(
    name: str,
    axes: Mapping[str, Extent],
    inputs: list[Access],
    target: Access,
    body: Block,
    role: Role | None = None,
) -> ComputeOp:
    return ComputeOp.from_view(
        ComputeView(name, dict(axes), inputs, [], [target], Region(body), role=role)
    )
