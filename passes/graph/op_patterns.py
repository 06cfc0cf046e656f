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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.graph import AddOp, MaxOp, MinOp, MulOp
from ...support.diagnostics import TilewrightError
from .constant_values import known_weight, uniform_value

COMMUTATIVE = (AddOp, MulOp, MaxOp, MinOp)
"""The ops whose two operands a pattern matches in both orders."""
_MOST_OPS = 64
"""The most ops of a pattern: matching recurses over its operands."""


@dataclass(frozen=True, eq=False)
class ValuePattern:
    """Any value; with ``is_constant``, only a constant.

    equal_to: the number that all elements of the constant have; None: any numbers.
    """

    is_constant: bool = False
    equal_to: float | None = None

    def matches(self, at: SSAValue) -> bool:
        """Return whether the pattern matches a value."""
        if not self.is_constant:
            return True
        if self.equal_to is not None:
            return uniform_value(at) == self.equal_to
        return known_weight(at) is not None


@dataclass(frozen=True, eq=False)
class OpPattern:
    """An op of one of several classes.

    operands: the patterns of its operands, in order; None: any operands.  where: a further
    condition, which gets the op.
    """

    kinds: tuple[type[Operation], ...]
    operands: tuple[Pattern, ...] | None = None
    where: Callable[[Any], bool] | None = None

    def __or__(self, other: OpPattern) -> Alternatives:
        return Alternatives((self, other))


@dataclass(frozen=True, eq=False)
class Alternatives:
    """One of several patterns; the first one that matches counts."""

    patterns: tuple[Pattern, ...]


Pattern: TypeAlias = OpPattern | ValuePattern | Alternatives


def op(
    kind: type[Operation] | tuple[type[Operation], ...],
    *operands: Pattern,
    where: Callable[[Any], bool] | None = None,
) -> OpPattern:
    """Return the pattern of an op; without patterns of operands, its operands are any values.

    where: a further condition, such as ``lambda conv: conv.groups == 1``.
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return OpPattern(kinds, operands or None, where)


def value() -> ValuePattern:
    """Return a pattern of any value; the same object at two operands matches one value only."""
    return ValuePattern()


def constant(equal_to: float | None = None) -> ValuePattern:
    """Return a pattern of any constant, or of one whose elements all equal a number."""
    return ValuePattern(is_constant=True, equal_to=equal_to)


@dataclass(frozen=True, eq=False)
class Match:
    """The ops that a pattern matches, in the order of the block; the last one is the root.

    name: the name of the pattern.  values: the op or value of each object of the pattern.
    """

    name: str
    ops: tuple[Operation, ...]
    values: Mapping[Pattern, Operation | SSAValue]

    @property
    def inputs(self) -> list[SSAValue]:
        """The values of the objects that `value` made, in the order of the pattern."""
        return self._values(is_constant=False)

    @property
    def constants(self) -> list[SSAValue]:
        """The values of the objects that `constant` made, in the order of the pattern."""
        return self._values(is_constant=True)

    def _values(self, *, is_constant: bool) -> list[SSAValue]:
        return [
            value
            for pattern, value in self.values.items()
            if isinstance(pattern, ValuePattern)
            and pattern.is_constant == is_constant
            and isinstance(value, SSAValue)
        ]


@dataclass(frozen=True)
class _Bound:
    """The ops and values that objects of a pattern stand for."""

    found: Mapping[Pattern, Operation | SSAValue] = field(default_factory=dict)

    def get(self, pattern: Pattern) -> Operation | SSAValue | None:
        return self.found.get(pattern)

    def with_(self, pattern: Pattern, found: Operation | SSAValue) -> _Bound:
        return _Bound({**self.found, pattern: found})


def find_matches(block: Block, patterns: Sequence[tuple[str, Pattern]]) -> list[Match]:
    """Return the matches of patterns in a block, in the order of their roots.

    patterns: names and patterns; an earlier pattern of the list has precedence.  An op is in at
    most one match: roots are tried from the end of the block, so matches are as large as possible.
    Errors: TilewrightError for a pattern of more than 64 ops.
    """
    for name, pattern in patterns:
        _check_size(name, pattern)
    order = {each: number for number, each in enumerate(block.ops)}
    taken: set[Operation] = set()
    found: list[Match] = []
    for root in reversed(order):
        matches = (
            Match(name, tuple(sorted(ops, key=order.__getitem__)), bound.found)
            for name, pattern in patterns
            for bound in _matches(pattern, root, _Bound())
            if (ops := _ops_of(bound)) and _is_closed(root, ops, order, taken)
        )
        if (match := next(matches, None)) is not None:
            taken.update(match.ops)
            found.append(match)
    return found[::-1]


def is_constant(op: Operation) -> bool:
    """Return whether an op is a constant, or broadcasts one."""
    return any(known_weight(result) is not None for result in op.results)


def _ops_of(bound: _Bound) -> set[Operation]:
    return {each for each in bound.found.values() if isinstance(each, Operation)}


def _is_closed(
    root: Operation, ops: set[Operation], order: Mapping[Operation, int], taken: set[Operation]
) -> bool:
    """Return whether the ops are free, and only the results of the root are used elsewhere."""
    if any(each not in order or each in taken for each in ops):
        return False
    inner = (result for each in ops if each is not root for result in each.results)
    return all(use.operation in ops for result in inner for use in result.uses)


def _matches(pattern: Pattern, at: Operation | SSAValue, bound: _Bound) -> Iterator[_Bound]:
    """Yield what the objects of a pattern stand for if it matches an op or value."""
    if isinstance(pattern, Alternatives):
        for choice in pattern.patterns:
            yield from _matches(choice, at, bound)
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
        yield from _matches_op(pattern, at, bound)
    elif isinstance(at, SSAValue) and pattern.matches(at):
        yield bound.with_(pattern, at)


def _matches_op(pattern: OpPattern, at: Operation, bound: _Bound) -> Iterator[_Bound]:
    """Yield what the objects of the pattern of an op stand for if it matches."""
    if not isinstance(at, pattern.kinds) or (pattern.where and not pattern.where(at)):
        return
    bound = bound.with_(pattern, at)
    if pattern.operands is None:
        yield bound
        return
    for operands in _orders(at):
        if len(operands) == len(pattern.operands):
            yield from _matches_all(pattern.operands, operands, bound)


def _matches_all(
    patterns: Sequence[Pattern], values: Sequence[SSAValue], bound: _Bound
) -> Iterator[_Bound]:
    if not patterns:
        yield bound
        return
    for first in _matches(patterns[0], values[0], bound):
        yield from _matches_all(patterns[1:], values[1:], first)


def _orders(at: Operation) -> Iterator[Sequence[SSAValue]]:
    """Yield the operands of an op in each order in which it computes the same."""
    operands = tuple(at.operands)
    yield operands
    if isinstance(at, COMMUTATIVE) and operands[0] is not operands[1]:
        yield operands[::-1]


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


__all__ = [
    "Alternatives",
    "Match",
    "OpPattern",
    "Pattern",
    "ValuePattern",
    "constant",
    "find_matches",
    "is_constant",
    "op",
    "value",
]
