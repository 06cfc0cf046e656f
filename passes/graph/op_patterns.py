"""Patterns of several ops: which ops of a program compute what a pattern describes.

    relu = op(MaxOp, op(ConvOp), constant(0))      a convolution, then a maximum with 0
    x = value()
    swish = op(MulOp, x, op(SigmoidOp, x))         one value that two operands of the pattern read

`find_matches` finds where the patterns of a list occur in a block. An object of a pattern that
occurs at two operands stands for one op or value, so that a pattern is a graph and no tree. Only
the result of the last op of a match, its root, is used by other ops: a library that computes the
match returns this result alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.graph import AddOp, MaxOp, MinOp, MulOp
from ...support.diagnostics import TilewrightError
from .constant_values import known_weight, uniform_value

COMMUTATIVE = (AddOp, MulOp, MaxOp, MinOp)
"""The ops whose two operands a pattern matches in both orders."""
_MOST_OPS = 64
"""The most ops and values of a pattern: matching recurses over its operands."""
_MOST_STEPS = 10_000
"""The most comparisons in the search for a pattern at one op."""


@dataclass(frozen=True, eq=False)
class ValuePattern:
    """A pattern of any value, or with ``is_constant`` of a constant.

    equal_to: the number that all elements of the constant have; None: any numbers.
    """

    is_constant: bool = False
    equal_to: float | None = None

    def matches(self, at: SSAValue) -> bool:
        """Return whether the pattern matches the value ``at``."""
        if not self.is_constant:
            return True
        if self.equal_to is not None:
            return uniform_value(at) == self.equal_to
        return known_weight(at) is not None


@dataclass(frozen=True, eq=False)
class OpPattern:
    """A pattern of an op of one of the classes ``kinds``.

    operands: the patterns of its operands, in order; None: any operands.  where: a further
    condition, a function of the op.
    """

    kinds: tuple[type[Operation], ...]
    operands: tuple[Pattern, ...] | None = None
    where: Callable[[Any], bool] | None = None

    def __or__(self, other: OpPattern) -> Alternatives:
        return Alternatives((self, other))


@dataclass(frozen=True, eq=False)
class Alternatives:
    """A pattern that matches where one of several patterns does; the first one has precedence."""

    patterns: tuple[Pattern, ...]


Pattern: TypeAlias = OpPattern | ValuePattern | Alternatives


def op(
    kind: type[Operation] | tuple[type[Operation], ...],
    *operands: Pattern,
    where: Callable[[Any], bool] | None = None,
) -> OpPattern:
    """Return the pattern of an op of the class ``kind``.

    operands: the patterns of the op's operands; if there are none, the operands are any values.
    where: a further condition, such as ``lambda conv: conv.groups == 1``.
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return OpPattern(kinds, operands or None, where)


def value() -> ValuePattern:
    """Return a pattern of any value; the same object at two operands matches one value only."""
    return ValuePattern()


def constant(equal_to: float | None = None) -> ValuePattern:
    """Return a pattern of any constant, or of one whose elements are all ``equal_to``."""
    return ValuePattern(is_constant=True, equal_to=equal_to)


Place: TypeAlias = tuple[Operation, int]
"""An operand of an op: the op, and the number of the operand."""


@dataclass(frozen=True, eq=False)
class OpMatch:
    """The ops that a pattern matches, in the order of the block; the last one is the root.

    name: the name of the pattern. places: the operands through which values enter the match, each
    as (op, operand number), in the order of the pattern. An object that `value` made contributes
    the first operand that it matched; an op pattern without operand patterns contributes all
    operands of its op. constants: the values that the objects made by `constant` matched.
    """

    name: str
    ops: tuple[Operation, ...]
    places: tuple[Place, ...]
    constants: tuple[SSAValue, ...]

    @property
    def inputs(self) -> list[SSAValue]:
        """The values of the operands in ``places``; a value used by two operands occurs twice."""
        return [each.operands[number] for each, number in self.places]


@dataclass(frozen=True)
class _Bound:
    """A partial match: the op or value that each object of a pattern matched so far.

    found: this op or value, by object.
    places: the operands that the objects made by `value` matched, as (op, operand number).
    """

    found: Mapping[Pattern, Operation | SSAValue] = field(default_factory=dict)
    places: tuple[Place, ...] = ()

    def get(self, pattern: Pattern) -> Operation | SSAValue | None:
        return self.found.get(pattern)

    def with_(
        self, pattern: Pattern, found: Operation | SSAValue, places: Iterable[Place] = ()
    ) -> _Bound:
        return _Bound({**self.found, pattern: found}, (*self.places, *places))


def find_matches(block: Block, patterns: Sequence[tuple[str, Pattern]]) -> list[OpMatch]:
    """Return the matches of patterns in a block, in the order of their roots.

    patterns: names and patterns; an earlier pattern of the list has precedence.  An op is in at
    most one match: roots are tried from the end of the block, so matches are as large as possible.
    Errors: TilewrightError for a pattern of more than 64 ops.
    """
    for name, pattern in patterns:
        _check_size(name, pattern)
    order = {each: number for number, each in enumerate(block.ops)}
    taken: set[Operation] = set()
    found: list[OpMatch] = []
    for root in reversed(order):
        for name, pattern in patterns:
            search = _RootSearch(name)
            all_ways = (
                (bound, _ops_of(bound)) for bound in search.matches(pattern, root, _Bound())
            )
            way = next((w for w in all_ways if _is_closed(root, *w, order, taken)), None)
            if way is not None:
                bound, ops = way
                taken.update(ops)
                in_order = tuple(sorted(ops, key=order.__getitem__))
                found.append(OpMatch(name, in_order, bound.places, _constants_of(bound)))
                break
    return found[::-1]


def is_constant(op: Operation) -> bool:
    """Return whether an op is a graph.constant, or a broadcast of one."""
    return any(known_weight(result) is not None for result in op.results)


def _ops_of(bound: _Bound) -> set[Operation]:
    return {each for each in bound.found.values() if isinstance(each, Operation)}


def _constants_of(bound: _Bound) -> tuple[SSAValue, ...]:
    """Return the values that the objects made by `constant` matched, in pattern order."""
    return tuple(
        value
        for pattern, value in bound.found.items()
        if isinstance(pattern, ValuePattern) and pattern.is_constant and isinstance(value, SSAValue)
    )


def _is_closed(
    root: Operation,
    bound: _Bound,
    ops: set[Operation],
    order: Mapping[Operation, int],
    taken: set[Operation],
) -> bool:
    """Return whether the ops of a match can be computed as one unit by a library.

    The ops must be in the block and in no other match, none of their inputs may be computed by one
    of them, and ops outside may use only the result of the root.
    bound: the match.  ops: its ops.  order: the position of each op in the block.  taken: the ops
    of other matches.
    """
    if any(each not in order or each in taken for each in ops):
        return False
    if any(each.operands[number].owner in ops for each, number in bound.places):
        return False
    inner = (result for each in ops if each is not root for result in each.results)
    return all(use.operation in ops for result in inner for use in result.uses)


@dataclass
class _RootSearch:
    """The search for all ways in which a pattern matches at one op, the root.

    name: the name of the pattern.  steps: the number of comparisons so far, each of an object of
    the pattern with an op or value.
    """

    name: str
    steps: int = 0

    def matches(
        self, pattern: Pattern, at: Operation | SSAValue, bound: _Bound, place: Place | None = None
    ) -> Iterator[_Bound]:
        """Yield every way in which a pattern matches an op or value, each with the matches so far.

        at: the op or value.  bound: the matches of other objects of the pattern so far.  place: the
        operand that has the value; None for the root.
        Errors: TilewrightError for a pattern that takes too many comparisons.
        """
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TilewrightError(
                f"the pattern {self.name} has too many ways to match",
                expected=f"at most {_MOST_STEPS} comparisons for one op",
                hint="write shared operands of commutative ops as one object of the pattern",
            )
        if isinstance(pattern, Alternatives):
            for choice in pattern.patterns:
                yield from self.matches(choice, at, bound, place)
            return
        if isinstance(pattern, OpPattern) and isinstance(at, SSAValue):
            owner = at.owner
            if not isinstance(owner, Operation):
                return
            at = owner
        if (known := bound.get(pattern)) is not None:
            if known is at:
                yield bound
        elif isinstance(pattern, OpPattern):
            assert isinstance(at, Operation), "the owner of a value"
            yield from self._matches_op(pattern, at, bound)
        elif isinstance(at, SSAValue) and pattern.matches(at):
            is_input = place is not None and not pattern.is_constant
            yield bound.with_(pattern, at, [place] if place is not None and is_input else ())

    def _matches_op(self, pattern: OpPattern, at: Operation, bound: _Bound) -> Iterator[_Bound]:
        if not isinstance(at, pattern.kinds) or (pattern.where and not pattern.where(at)):
            return
        if pattern.operands is None:
            yield bound.with_(pattern, at, [(at, number) for number in range(len(at.operands))])
            return
        bound = bound.with_(pattern, at)
        for order in _orders(at):
            if len(order) == len(pattern.operands):
                yield from self._matches_all(pattern.operands, [(at, n) for n in order], bound)

    def _matches_all(
        self, patterns: Sequence[Pattern], places: Sequence[Place], bound: _Bound
    ) -> Iterator[_Bound]:
        if not patterns:
            yield bound
            return
        op, number = places[0]
        for first in self.matches(patterns[0], op.operands[number], bound, places[0]):
            yield from self._matches_all(patterns[1:], places[1:], first)


def _orders(at: Operation) -> Iterator[Sequence[int]]:
    """Yield the orders of an op's operands that give the same result, as lists of operand numbers.

    The first is the given order; a commutative op has a second one.
    """
    numbers = tuple(range(len(at.operands)))
    yield numbers
    if isinstance(at, COMMUTATIVE) and at.operands[0] is not at.operands[1]:
        yield numbers[::-1]


def _check_size(name: str, pattern: Pattern) -> None:
    pending, seen = [pattern], set[Pattern]()
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        if isinstance(each, Alternatives):
            pending += each.patterns
        elif isinstance(each, OpPattern):
            pending += each.operands or ()
    if len(seen) > _MOST_OPS:
        raise TilewrightError(
            f"the pattern {name} is too large",
            expected=f"at most {_MOST_OPS} ops and values",
            got=str(len(seen)),
        )
