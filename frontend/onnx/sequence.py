"""Sequences and optionals whose length is known at import: they leave no ops behind.

A sequence is a `TensorList`, an optional that holds something is that thing, and an empty optional
is an absent value. Positions must be known at import; positions out of range are errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import i1

from ...dialects.shape import Dim, normalize_axis
from ...support.diagnostics import ModelError
from .builder import Builder, Tensor, size_array
from .move import unsqueezed
from .node import Node, static

MAX_LENGTH = 4096
"""Longer lists are not unrolled."""


@dataclass(frozen=True)
class TensorList:
    """A sequence: its tensors in order."""

    items: tuple[Tensor, ...]


Value: TypeAlias = Tensor | TensorList | None
# A rule sees the tensors of a node as usual, and its lists by position.
Rule: TypeAlias = Callable[[Node, Sequence[TensorList | None], Builder], Value]


def _list(lists: Sequence[TensorList | None], position: int) -> TensorList:
    found = lists[position] if position < len(lists) else None
    if found is None:
        raise ModelError(
            f"input {position} is no sequence", hint="give the result of a sequence operator"
        )
    return found


def _position(node: Node, index: int, length: int, default: int) -> int:
    """A position from the front, below ``length``."""
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


def construct(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """All inputs, in order."""
    return TensorList(tuple(node.present()))


def empty(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """No tensor."""
    return TensorList(())


def at(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """One tensor."""
    items = _list(lists, 0).items
    return items[_position(node, 1, len(items), -1)]


def insert(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """One tensor more, before the position or at the end."""
    items = _list(lists, 0).items
    position = node.ints_at(2, "position")
    place = len(items) if position is None or position[0] == len(items) else -1
    place = _position(node, 2, len(items), -1) if place < 0 else place
    return TensorList((*items[:place], node[1], *items[place:]))


def erase(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """One tensor less: the one at the position, or the last."""
    items = _list(lists, 0).items
    place = _position(node, 1, len(items), -1)
    return TensorList(items[:place] + items[place + 1 :])


def length(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """The number of tensors."""
    return Tensor.of_sizes(size_array([len(_list(lists, 0).items)], 0))


def split(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """Parts along an axis: of given sizes, of one size, or single slices."""
    x = node[0]
    axis = node.axis("axis", 0, x.rank)
    sizes = _part_sizes(node, static(x.dims[axis], "number of parts"))
    parts: list[Tensor] = []
    for index, size in enumerate(sizes):
        part = b.slice(x, axis, sum(sizes[:index]), size)
        if node.get(1) is None and not node.integer("keepdims", 1):
            part = b.reshape(part, x.dims[:axis] + x.dims[axis + 1 :])
        parts.append(part)
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


def concat(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """All tensors joined along an axis, which is a new one with ``new_axis``."""
    items = _list(lists, 0).items
    if not items:
        raise ModelError("an empty sequence cannot be joined", hint="insert a tensor first")
    new = bool(node.integer("new_axis", 0))
    axis = normalize_axis(node.integer("axis"), items[0].rank + new)
    if new:
        items = tuple(b.reshape(x, unsqueezed(x.dims, (axis,))) for x in items)
    return b.concat(items, axis)


def optional(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """What the input holds; without input, nothing."""
    return _held(node, lists)


def get_element(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """What the optional holds."""
    held = _held(node, lists)
    if held is None:
        raise ModelError("the optional is empty", hint="check it with OptionalHasElement first")
    return held


def has_element(node: Node, lists: Sequence[TensorList | None], b: Builder) -> Value:
    """Whether the optional holds something."""
    return Tensor.of_sizes(size_array([Dim.const(_held(node, lists) is not None)], 0), i1)


def _held(node: Node, lists: Sequence[TensorList | None]) -> Value:
    return lists[0] if lists and lists[0] is not None else node.get(0)


RULES: dict[str, Rule] = {
    "ConcatFromSequence": concat,
    "Optional": optional,
    "OptionalGetElement": get_element,
    "OptionalHasElement": has_element,
    "SequenceAt": at,
    "SequenceConstruct": construct,
    "SequenceEmpty": empty,
    "SequenceErase": erase,
    "SequenceInsert": insert,
    "SequenceLength": length,
    "SplitToSequence": split,
}
