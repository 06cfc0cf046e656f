"""Find counted loops: while loops whose condition compares a counter with a constant.

    while(%i = %c0, %xs = %x, %h = …, %ys = …)
    cond { compare LT, %i, %n }
    do   { %e = dynamic_slice %xs, %i, %c0          a read of %xs
           %s = dynamic_update_slice %ys, %u, %i     a write of %ys
           return add(%i, 1), %xs, …, %s }

jax writes lax.scan and lax.fori_loop in this form. Positions are ``step * counter + offset`` with
step 1, or -1 for a reversed scan. Comparisons with 0, which jax adds for negative positions, are
decided at import.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...dialects.dtypes import is_integer
from .definitions import Dense, OpDef, RegionDef, all_ops, direction_of
from .node import StablehloNode

MAX_DEPTH = 64
"""Maximum number of ops between a counter and a position."""


@dataclass(frozen=True)
class CounterPosition:
    """A position along an axis as a linear function of the counter: ``step * counter + offset``."""

    step: int
    offset: int

    def at(self, counter: int) -> int:
        """Return the position at which the loop reads or writes for a value of the counter."""
        return self.step * counter + self.offset


@dataclass(frozen=True)
class Read:
    """A read of one element along axis 0 of a value that the loop does not change.

    source: the value's name outside the loop.  result: the name of the slice in the body.  first:
    the position in the first step.  step: the change of the position in each step, 1 or -1.
    """

    source: str
    result: str
    first: int
    step: int


@dataclass(frozen=True)
class Counted:
    """A loop whose trip count is known at import.

    counter: the index of the carried value that counts from ``first``.  steps: the trip count.
    unchanged: indices of carried values that the body returns unchanged.  written: indices of
    carried values that are filled along axis 0, one slice per step, each with the direction of the
    steps (1 or -1).
    reads: the slices of unchanged values that the body reads.
    ops: the body without these reads and writes; it returns the other carried values, then the
    slices that are written.
    """

    counter: int
    first: int
    steps: int
    unchanged: frozenset[int]
    written: Mapping[int, int]
    reads: Sequence[Read]
    ops: tuple[OpDef, ...]


def find_counted(node: StablehloNode) -> Counted | None:
    """Return the description of a while loop; None if its trip count is unknown at import."""
    condition, body = node.region(0), node.region(1)
    bound = _bound(node, condition)
    if bound is None:
        return None
    counter, last = bound
    start = node.number_at(counter)
    first = None if start is None else int(start)
    body_names = [name for name, _ in body.arguments]
    made = {name: op for op in body.ops for name in op.results}
    following = made.get(body.returned[counter])
    if first is None or not _adds_one(node, made, following, body_names[counter]):
        return None
    return _Finder(node, body, made, counter, first, max(0, last - first)).run()


def _bound(node: StablehloNode, condition: RegionDef) -> tuple[int, int] | None:
    """Return the index of the carried value that counts, and the value at which the loop ends.

    Return None unless the condition compares a carried integer with a known number.
    """
    made = {name: op for op in condition.ops for name in op.results}
    op = made.get(condition.returned[0])
    names = [name for name, _ in condition.arguments]
    if op is None or op.name != "stablehlo.compare" or op.operands[0] not in names:
        return None
    limit = _number(node, made, op.operands[1], names)
    more = {"LT": 0, "LE": 1}.get(direction_of(op))
    if limit is None or more is None or not is_integer(node[names.index(op.operands[0])].dtype):
        return None
    return names.index(op.operands[0]), limit + more


def _number(
    node: StablehloNode, made: Mapping[str, OpDef], name: str, arguments: Sequence[str]
) -> int | None:
    """Return the value of a scalar if it is known at import, else None.

    made: by name of result, the ops of the region.  arguments: the region's arguments; an argument
    is known if the loop does not change it and its initial value is known.
    """
    if name in made:
        value = made[name].attributes.get("value")
        if isinstance(value, Dense) and value.array.size == 1:
            return int(value.array.item())
        return None
    if name in arguments:
        index = arguments.index(name)
        returned = node.region(1).returned[index] == node.region(1).arguments[index][0]
        number = node.number_at(index) if returned else None
    else:
        values = node.value_of(name).values()
        number = None if values is None or values.size != 1 else values.item()
    return None if number is None else int(number)


def _adds_one(
    node: StablehloNode, made: Mapping[str, OpDef], op: OpDef | None, counter: str
) -> bool:
    if op is None or op.name != "stablehlo.add" or counter not in op.operands:
        return False
    other = op.operands[1 if op.operands[0] == counter else 0]
    names = [name for name, _ in node.region(1).arguments]
    return other != counter and _number(node, made, other, names) == 1


class _Finder:
    """A search for the reads and writes in the body of a counted loop.

    A read takes one element along axis 0 of a value that the loop does not change; a write replaces
    one such element of a carried value. Their positions depend on the loop counter.
    made: by name of result, the ops of the body.  counter, first, steps: as for `Counted`.
    """

    def __init__(
        self,
        node: StablehloNode,
        body: RegionDef,
        made: Mapping[str, OpDef],
        counter: int,
        first: int,
        steps: int,
    ) -> None:
        self.node, self.body, self.made = node, body, made
        self.counter, self.first, self.steps = counter, first, steps
        self.names = [name for name, _ in body.arguments]
        self.unchanged = frozenset(
            n for n, name in enumerate(body.returned) if name == self.names[n] and n != counter
        )
        self.uses = Counter(name for op in all_ops(body) for name in op.operands)

    def run(self) -> Counted:
        reads: list[Read] = []
        dropped: set[str] = set()
        for op in self.body.ops:
            read = self._read(op) if op.name == "stablehlo.dynamic_slice" else None
            if read is not None:
                reads.append(read)
                dropped.add(read.result)
        written: dict[int, int] = {}
        parts: list[str] = []
        for n, name in enumerate(self.body.returned):
            step = self._written(n, self.made.get(name))
            if step is not None:
                written[n] = step
                parts.append(self.made[name].operands[1])
                dropped.add(name)
        special = {self.counter, *self.unchanged, *written}
        following = [name for n, name in enumerate(self.body.returned) if n not in special]
        counted = self.body.returned[self.counter]
        if self.uses.get(counted) == 1:
            dropped.add(counted)
        kept = tuple(op for op in self.body.ops[:-1] if not dropped.intersection(op.results))
        end = replace(self.body.ops[-1], operands=(*following, *parts))
        return Counted(
            self.counter,
            self.first,
            self.steps,
            self.unchanged,
            written,
            reads,
            (*kept, end),
        )

    def _read(self, op: OpDef) -> Read | None:
        name = op.operands[0]
        if name in self.made:
            return None
        if name in self.names:
            index = self.names.index(name)
            if index not in self.unchanged:
                return None
            name = self.node.op.operands[index]
        dims = self.node.value_of(name).dims
        sizes = op.types[0].dims
        if not dims or sizes[:1] != (1,) or [d.value for d in dims[1:]] != list(sizes[1:]):
            return None
        size = dims[0].value
        position = self._position(op.operands[1], 0)
        if size is None or position is None or abs(position.step) != 1 or not self.steps:
            return None
        ends = self._ends(position)
        if min(ends) < 0 or max(ends) >= size:
            return None
        return Read(name, op.results[0], ends[0], position.step)

    def _written(self, n: int, op: OpDef | None) -> int | None:
        """Return the direction (1 or -1) in which a carried value is filled, or None.

        A value is filled if each step replaces one slice along axis 0, and all steps together
        replace the whole value.
        n: the index of the carried value.  op: the op that computes its next value, or None.
        """
        if op is None or op.name != "stablehlo.dynamic_update_slice" or not self.steps:
            return None
        target, part = op.operands[:2]
        if target != self.names[n] or self.uses.get(target) != 1 or self.uses[op.results[0]] != 1:
            return None
        dims = [dim.value for dim in self.node[n].dims]
        sizes = self._sizes(part)
        if sizes is None or sizes != [1, *dims[1:]] or dims[0] != self.steps:
            return None
        position = self._position(op.operands[2], 0)
        if position is None or abs(position.step) != 1:
            return None
        ends = self._ends(position)
        return position.step if sorted(ends) == [0, self.steps - 1] else None

    def _sizes(self, name: str) -> list[int | None] | None:
        op = self.made.get(name)
        if op is None:
            return None
        return list(op.types[op.results.index(name)].dims)

    def _ends(self, position: CounterPosition) -> tuple[int, int]:
        """Return the position in the first step of the loop, and the position in the last step."""
        return position.at(self.first), position.at(self.first + self.steps - 1)

    def _position(self, name: str, depth: int) -> CounterPosition | None:
        """Return a position as a linear function of the loop counter; None for any other value.

        name: the value that holds the position.  depth: the number of ops between this value and
        the position that the search started from.
        """
        if name == self.names[self.counter]:
            return CounterPosition(1, 0)
        number = _number(self.node, self.made, name, self.names)
        if number is not None:
            return CounterPosition(0, number)
        op = self.made.get(name)
        if op is None or depth > MAX_DEPTH:
            return None
        if op.name == "stablehlo.convert":
            return self._position(op.operands[0], depth + 1)
        if op.name == "stablehlo.select":
            return self._selected(op, depth + 1)
        sign = {"stablehlo.add": 1, "stablehlo.subtract": -1}.get(op.name)
        if sign is None:
            return None
        lhs, rhs = (self._position(each, depth + 1) for each in op.operands)
        if lhs is None or rhs is None:
            return None
        return CounterPosition(lhs.step + sign * rhs.step, lhs.offset + sign * rhs.offset)

    def _selected(self, op: OpDef, depth: int) -> CounterPosition | None:
        """Return the position that ``select(a < b, x, y)`` computes, if it is always x or always y.

        jax adds such a select, so that negative positions count from the end.  Return None for any
        other select.
        depth: the number of ops between the select and the position that the search started from.
        """
        test = self.made.get(op.operands[0])
        if test is None or test.name != "stablehlo.compare" or not self.steps:
            return None
        lhs, rhs = (self._position(each, depth) for each in test.operands)
        direction = direction_of(test)
        if lhs is None or rhs is None or direction != "LT":
            return None
        gap = CounterPosition(lhs.step - rhs.step, lhs.offset - rhs.offset)
        ends = self._ends(gap)
        if max(ends) < 0:
            return self._position(op.operands[1], depth)
        return self._position(op.operands[2], depth) if min(ends) >= 0 else None
