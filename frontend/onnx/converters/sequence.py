"""Convert sequences and optionals, whose structure is known at import, so that no ops are built.

Lengths and positions must be known at import; positions out of range are errors.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i1

from ....dialects.shape import Dim, normalize_axis
from ....support.diagnostics import ModelError
from ..builder import Builder, Tensor, size_array
from ..node import Node, OpConverter, static
from ..values import TensorList, Value, tensors_only
from .move import unsqueezed

MAX_LENGTH = 4096
"""Maximum length of a sequence that a split produces."""


def _position(node: Node, index: int, length: int, default: int) -> int:
    """Return a position in a sequence as a number from 0 to length - 1.

    index: the node's input that contains the position.  default: the position if this input is
    absent.
    """
    given = node.ints_at(index, "position")
    position = default if given is None else given[0]
    if not -length <= position < length:
        raise ModelError(
            "position is outside of the sequence",
            expected=f"{-length}..{length - 1}" if length else "nothing: it is empty",
            got=position,
            hint="correct the position",
        )
    return position % length


def construct(node: Node, b: Builder) -> Value:
    """Return a sequence of all inputs of the node, in order."""
    return TensorList(tuple(node.present()))


def empty(node: Node, b: Builder) -> Value:
    """Return an empty sequence."""
    return TensorList(())


def at(node: Node, b: Builder) -> Value:
    """Return the tensor at a position of a sequence."""
    items = node.list_at(0).items
    return items[_position(node, 1, len(items), -1)]


def insert(node: Node, b: Builder) -> Value:
    """Insert a tensor into a sequence before a position, or at the end."""
    items = node.list_at(0).items
    if items and items[0].dtype != node[1].dtype:
        raise ModelError(
            "the tensor is of another type than those of the sequence",
            expected=items[0].dtype,
            got=node[1].dtype,
            hint="insert a Cast",
        )
    position = node.ints_at(2, "position")
    place = len(items) if position is None or position[0] == len(items) else -1
    place = _position(node, 2, len(items), -1) if place < 0 else place
    return TensorList((*items[:place], node[1], *items[place:]))


def erase(node: Node, b: Builder) -> Value:
    """Remove the tensor at a position of a sequence, or the last one."""
    items = node.list_at(0).items
    place = _position(node, 1, len(items), -1)
    return TensorList(items[:place] + items[place + 1 :])


def length(node: Node, b: Builder) -> Value:
    """Return the number of tensors in a sequence."""
    return Tensor.of_sizes(size_array([len(node.list_at(0).items)], 0))


def split(node: Node, b: Builder) -> Value:
    """Split a tensor along an axis into a sequence of parts.

    The parts have given sizes, equal sizes, or the size 1.
    """
    x = node[0]
    axis = node.axis("axis", 0, x.rank)
    parts = b.split(x, axis, _part_sizes(node, static(x.dims[axis], "number of parts")))
    if node.get(1) is None and not node.integer("keepdims", 1):
        parts = [b.reshape(part, x.dims[:axis] + x.dims[axis + 1 :]) for part in parts]
    return TensorList(tuple(parts))


def _part_sizes(node: Node, total: int) -> list[int]:
    given, operand = node.ints_at(1, "split"), node.get(1)
    if given is None or operand is None:
        sizes = [1] * min(total, MAX_LENGTH + 1)
    elif operand.rank == 0:
        part = max(given[0], 1)
        count = -(-total // part)
        sizes = [part] * (min(count, MAX_LENGTH + 1) - 1) + [total - part * (count - 1)]
        sizes = sizes if given[0] > 0 and total else []
    else:
        sizes = given
    wrong = given is not None and (sum(sizes) != total or min(sizes, default=0) < 0)
    if len(sizes) > MAX_LENGTH or (wrong and len(sizes) <= MAX_LENGTH):
        raise ModelError(
            "parts of a split do not make up the axis, or are too many",
            expected=f"at most {MAX_LENGTH} sizes that add up to {total}",
            got=given or f"{total} parts",
            hint="correct the sizes",
        )
    return sizes


def concat(node: Node, b: Builder) -> Value:
    """Concatenate all tensors of a sequence along an axis; with ``new_axis``, stack them."""
    items = node.list_at(0).items
    if not items:
        raise ModelError("an empty sequence cannot be joined", hint="insert a tensor first")
    new = bool(node.integer("new_axis", 0))
    axis = normalize_axis(node.integer("axis"), items[0].rank + new)
    if new:
        items = tuple(b.reshape(x, unsqueezed(x.dims, (axis,))) for x in items)
    return b.concat(items, axis)


def optional(node: Node, b: Builder) -> Value:
    """Return the input as the content of an optional; without an input, an empty optional."""
    return node.value(0)


def get_element(node: Node, b: Builder) -> Value:
    """Return the content of an optional."""
    held = node.value(0)
    if held is None:
        raise ModelError("the optional is empty", hint="check it with OptionalHasElement first")
    return held


def has_element(node: Node, b: Builder) -> Value:
    """Return whether the optional has a value."""
    return Tensor.of_sizes(size_array([Dim.const(node.value(0) is not None)], 0), i1)


def identity(node: Node, b: Builder) -> Value:
    """Return the input, which may also be a sequence or an optional."""
    return node.value(0)


def map_(node: Node, b: Builder) -> tuple[Value, ...]:
    """Run a subgraph for each tensor of a sequence; return one sequence per result."""
    body, length = node.graph("body"), len(node.list_at(0).items)
    body.check_inputs(len(node.inputs))
    for position, other in node.lists.items():
        if len(other.items) != length:
            raise ModelError(
                f"inputs 0 and {position} are sequences of different lengths",
                expected=length,
                got=len(other.items),
                hint="make them as long as each other",
            )
    rows = [tensors_only(body(b, _elements(node, n)), "a result") for n in range(length)]
    columns = zip(*rows, strict=True) if rows else [()] * len(node.definition.outputs)
    return tuple(TensorList(tuple(column)) for column in columns)


def _elements(node: Node, index: int) -> list[Value]:
    return [node.lists[n].items[index] if n in node.lists else x for n, x in enumerate(node.inputs)]


CONVERTERS = (
    OpConverter("ConcatFromSequence", concat, lists=True),
    OpConverter("Identity", identity, lists=True),
    OpConverter("Optional", optional, lists=True),
    OpConverter("OptionalGetElement", get_element, lists=True),
    OpConverter("OptionalHasElement", has_element, lists=True),
    OpConverter("SequenceAt", at, lists=True),
    OpConverter("SequenceConstruct", construct, lists=True),
    OpConverter("SequenceEmpty", empty, lists=True),
    OpConverter("SequenceErase", erase, lists=True),
    OpConverter("SequenceInsert", insert, lists=True),
    OpConverter("SequenceLength", length, lists=True),
    OpConverter("SequenceMap", map_, lists=True),
    OpConverter("SplitToSequence", split, lists=True),
)
