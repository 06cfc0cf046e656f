"""Convert operators that move elements, such as Gather and Transpose, for tensors of strings.

The operator for numbers moves the positions of the strings in a table; the strings are then
gathered from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xdsl.dialects.builtin import i64

from ....dialects.graph import GatherOp
from ....dialects.shape import Dim, element_count
from ..builder import Builder, Tensor
from ..converters import elementwise, features, index, move, selection, sequence
from ..node import Converter, Node
from ..values import StringTensor, Value

MOVING = frozenset((
    "ArrayFeatureExtractor", "Compress", "Concat", "Expand", "Flatten", "Gather", "GatherElements",
    "GatherND", "Identity", "Reshape", "Slice", "Split", "Squeeze", "Tile", "Transpose",
    "Unsqueeze", "Where",
))  # fmt: skip


def moved(convert: Converter) -> Callable[[Node, Builder], tuple[Value, ...]]:
    """Return a converter for strings, given the converter of an operator that moves numbers."""

    def converter(node: Node, b: Builder) -> tuple[Value, ...]:
        texts = list(node.strings.values())
        total = sum((text.length for text in texts), Dim.const(0))
        rows: list[Tensor] = []
        inputs, first = list(node.inputs), Dim.const(0)
        for at, text in node.strings.items():
            data, dims = text.data, text.data.dims[:-1]
            count = element_count(dims)
            wide = b.padded(data, data.rank - 1, Dim.const(0), total - text.length, 0)
            rows.append(b.reshape(wide, (count, total)))
            positions = b.reshape(b.iota((count,), 0, i64), dims)
            inputs[at] = b.apply("add", positions, b.size(first)) if rows[1:] else positions
            first = first + count
        numbers = replace(node, inputs=tuple(inputs), strings={})
        made = convert(numbers, b)
        table = b.concat(rows, 0)

        def strings(x: Value) -> Value:
            assert isinstance(x, Tensor), "an operator on tensors has tensors as results"
            return StringTensor(b.emit(GatherOp(b.ssa(table), b.ssa(x), 0)))

        return tuple(map(strings, made if isinstance(made, tuple) else (made,)))

    return converter


CONVERTERS = tuple(
    replace(row, convert=moved(row.convert), texts=True, lists=False, folds=False)
    for family in (elementwise, features, index, move, selection, sequence)
    for row in family.CONVERTERS
    if row.op_type in MOVING
)
