"""Replace constant arguments of calls by constants that are derived from them."""

from __future__ import annotations

from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.packed import CallOp, ConstantOp
from ...dialects.weights import WeightAttr


def constant_after(old: ConstantOp, weight: WeightAttr, type_: Attribute) -> ConstantOp:
    """Insert a constant after the constant ``old``, with its location and name; return it.

    weight, type_: the value and the type of the new constant.
    """
    new = ConstantOp(weight, type_)
    new.location, new.res.name_hint = old.location, old.res.name_hint
    Rewriter.insert_op(new, InsertPoint.after(old))
    return new


def pass_constant(call: CallOp, position: int, new: ConstantOp) -> None:
    """Pass the constant ``new`` as argument number ``position`` of a call.

    The constant that the call passed before is erased if nothing else uses it.
    """
    old = call.arguments[position].owner
    assert isinstance(old, ConstantOp), "the argument is constant"
    call.operands[position] = new.res
    if not old.res.uses:
        Rewriter.erase_op(old)
