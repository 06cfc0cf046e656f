"""Convert sorts by keys that the comparator computes from an element of one operand.

    compare LT, f(%a), f(%b)        keys f(x) in ascending order; GT: in descending order

The comparator's ops for one element are converted to ops on whole tensors, which compute the keys
of all elements. Other operands are gathered by the sorted positions. The sort is always stable,
also where the op does not require it. Source: StableHLO specification.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType

from ...dialects.dtypes import is_bool, is_float
from ...dialects.graph import GatherElementsOp, TopKOp
from ...support.diagnostics import UnsupportedOp
from ..onnx.builder import Builder, Tensor
from .definitions import OpDef, RegionDef, direction_of
from .elementwise import total_order
from .node import Converter, StablehloNode


def sort(node: StablehloNode, b: Builder) -> Sequence[Tensor]:
    """Sort tensors along an axis by keys that are computed from one of them."""
    region, axis = node.region(), node.integer("dimension", -1) % max(node[0].rank, 1)
    compared, is_descending = _comparison(region)
    number = _key_operand(region, compared)
    keys = _keys(node, b, compared, number)
    count = keys.dims[axis]
    values, positions = b.emit_all(TopKOp(b.ssa(keys), count, axis, largest=is_descending))
    is_key = keys is node[number]
    return [
        values
        if is_key and n == number
        else b.emit(GatherElementsOp(b.ssa(x), b.ssa(positions), axis))
        for n, x in enumerate(node.inputs)
    ]


def _comparison(region: RegionDef) -> tuple[OpDef, bool]:
    """Return the compare op of a comparator's result, and whether the order is descending.

    Errors: UnsupportedOp for another comparator.
    """
    made = {name: op for op in region.ops for name in op.results}
    op = made.get(region.returned[0])
    direction = direction_of(op)
    if op is None or op.name != "stablehlo.compare" or direction not in ("LT", "LE", "GT", "GE"):
        raise UnsupportedOp(
            "a sort by several keys is not supported",
            expected="a comparator that returns one compare LT or GT",
            got="no op" if op is None else op.name,
            hint="sort once for each key, the last one first: jnp.argsort is stable",
        )
    return op, direction in ("GT", "GE")


def _key_operand(region: RegionDef, compared: OpDef) -> int:
    """Return the position of the operand from whose elements the comparator computes the keys.

    compared: the comparison of two keys.
    Errors: UnsupportedOp if the two keys do not depend on the two elements of one operand.
    """
    names = [name for name, _ in region.arguments]
    sides = [_read(region, name) & set(names) for name in compared.operands]
    numbers = [sorted(map(names.index, side)) for side in sides]
    first, second = numbers
    if len(first) != 1 or len(second) != 1 or first[0] % 2 or second[0] != first[0] + 1:
        raise UnsupportedOp(
            "a sort by this comparator is not supported",
            expected="compare LT or GT of the same function of both elements of an operand",
            got=f"arguments {first} and {second}",
        )
    return first[0] // 2


def _read(region: RegionDef, name: str) -> set[str]:
    """Return the name of a value, and the names of all values from which it is computed."""
    made = {result: op for op in region.ops for result in op.results}
    found, left = set[str](), [name]
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += made[each].operands if each in made else ()
    return found


def _keys(node: StablehloNode, b: Builder, compared: OpDef, number: int) -> Tensor:
    """Return the keys of all elements of an operand, as numbers that sort as the comparator does.

    compared: the comparison of two keys.  number: the position of the operand.
    """
    region, x = node.region(), node[number]
    wanted = compared.operands[0]
    arguments = [node.inputs[n // 2] for n in range(len(region.arguments))]
    if wanted == region.arguments[2 * number][0]:
        keys = x
    else:
        needed = _read(region, wanted)
        ops = tuple(op for op in region.ops if needed.intersection(op.results))
        end = OpDef("stablehlo.return", (wanted,), (), (), {}, (), compared.line)
        (keys,) = node.lifted(RegionDef(region.arguments, (*ops, end)), b, arguments)
    if getattr(compared.attributes.get("compare_type"), "text", "") == "TOTALORDER":
        keys = total_order(b, keys) if is_float(keys.dtype) else keys
    return b.cast(keys, IntegerType(8)) if is_bool(keys.dtype) else keys


CONVERTERS: dict[str, Converter] = {"stablehlo.sort": sort}
