"""Names in C for the buffers and weights of a program.

Values that have a name in the model keep it; the others get the name that they have in the IR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.packed import CallOp, ConstantOp
from ...dialects.weights import WeightAttr
from ...lowering.loop_to_c import c_name
from ...support.locations import node_names
from ...support.names import Names
from .source import CArray, c_type_of


def argument_names(function: FuncOp, calls: Sequence[CallOp]) -> list[str]:
    """Return a C name for each parameter of a kernel.

    calls: all calls of the kernel in main.  The names are those of the values in the call, if there
    is a single one; otherwise they are the names in the kernel.
    """
    own = [value.name_hint or f"x{n}" for n, value in enumerate(function.body.block.args)]
    if len(calls) != 1:
        return own
    return [_value_name(value) or name for value, name in zip(calls[0].arguments, own, strict=True)]


def _value_name(value: SSAValue) -> str:
    if value.name_hint:
        return c_name(value.name_hint)
    owner = value.owner
    if isinstance(owner, ConstantOp):
        return c_name(_weight_name(owner)) if _weight_name(owner) else ""
    return ""


def _weight_name(op: ConstantOp) -> str:
    if op.res.name_hint:
        return op.res.name_hint
    names = [source.name for source in op.value.sources]
    nodes = "_".join(node_names(op.location))
    return names[0] if names else nodes and f"{nodes}_constant"


def weights_of(main: FuncOp, offsets: Mapping[WeightAttr, int], names: Names) -> dict[int, CArray]:
    """Return the constant array of each weight, by the weight's byte offset.

    offsets: the byte offset of each weight.  names: gives each array a C name that no other has.
    """
    found: dict[int, CArray] = {}
    for op in main.walk():
        if isinstance(op, ConstantOp) and offsets[op.value] not in found:
            array = op.value.stored
            name = names.fresh(c_name(_weight_name(op) or f"constant_{len(found)}"))
            found[offsets[op.value]] = CArray(name, c_type_of(array.dtype.name), array)
    return found
