"""The pending loop nest of a te.compute: loops that a schedule has requested but not yet built.

    nest [xy parallel, k, xi unroll, yi vector 16] with (x = xo * 32 + xi, y = yo * 16 + yi,
        xy = [xo, yo])

The list contains the loops in order, outermost first, each with its mark.  The relations derive the
loops from the axes of the compute: ``x = xo * 32 + xi`` splits an axis, ``xy = [xo, yo]`` fuses two
loops.  A factor need not divide the extent: the last block is then smaller.  A guarded split,
``x = xo * 32 + xi guarded``, has one loop for all blocks, whose inner loop ends at the end of the
axis.  A nest does not change the values that the compute defines.  passes/schedule/engine/nest.py
builds the loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..names import name_text, parse_name
from ..shape import Dim, Extent, element_count, extent_of

PARALLEL, UNROLL, VECTOR, BIND = "parallel", "unroll", "vector", "bind"
MARKS = (PARALLEL, UNROLL, VECTOR, BIND)
"""The marks of loops in a nest; a loop without a mark is serial."""


@dataclass(frozen=True)
class Split:
    """The split of an axis or loop: ``axis = outer * factor + inner``.

    guarded: if true, the inner loop ends early at the end of the axis; if false, a separate loop
    runs the remainder.
    """

    axis: str
    outer: str
    inner: str
    factor: int
    guarded: bool = False

    def sources(self) -> tuple[str, ...]:
        """Return the names of the loops that the split replaces."""
        return (self.axis,)

    def results(self) -> tuple[str, ...]:
        """Return the names of the loops that the split defines."""
        return self.outer, self.inner

    def __str__(self) -> str:
        axis, outer, inner = map(name_text, (self.axis, self.outer, self.inner))
        return f"{axis} = {outer} * {self.factor} + {inner}{' guarded' * self.guarded}"


@dataclass(frozen=True)
class Fuse:
    """The fusion of loops: ``into`` enumerates all their combinations, the last loop fastest."""

    into: str
    parts: tuple[str, ...]

    def sources(self) -> tuple[str, ...]:
        """Return the names of the loops that the fusion replaces."""
        return self.parts

    def results(self) -> tuple[str, ...]:
        """Return the name of the loop that the fusion defines."""
        return (self.into,)

    def __str__(self) -> str:
        return f"{name_text(self.into)} = [{', '.join(map(name_text, self.parts))}]"


Relation: TypeAlias = Split | Fuse


@dataclass(frozen=True)
class Guard:
    """The bound on the loops of a guarded split: ``outer * factor + inner < extent``.

    A nest has guards only while its loops are being built; then the bound becomes an upper bound of
    the inner loop.
    """

    outer: str
    inner: str
    factor: int
    extent: Extent


@dataclass(frozen=True)
class NestLoop:
    """One loop of a nest.

    axis: the name of the loop.  mark: how the loop runs, such as ``parallel`` or ``vector``; empty
    for a serial loop.
    number: the lanes of a vectorized loop, or the unroll factor of an unrolled loop (0: all
    iterations).
    thread: the GPU block or thread index to which the loop is bound.
    """

    axis: str
    mark: str = ""
    number: int = 0
    thread: str = ""

    def __str__(self) -> str:
        detail = self.thread or (str(self.number) if self.number else "")
        return " ".join(filter(None, (name_text(self.axis), self.mark, detail)))


@dataclass(frozen=True)
class LoopNest:
    """A pending loop nest: loops that a schedule has requested, but not built yet.

    order: the loops, outermost first.  relations: the splits and fusions that derive the loops from
    the axes of the compute.  guards: the bounds of guarded splits, only while the loops are being
    built.
    """

    order: tuple[NestLoop, ...]
    relations: tuple[Relation, ...] = ()
    guards: tuple[Guard, ...] = ()

    @staticmethod
    def of(axes: Iterable[str]) -> LoopNest:
        """Return the initial nest of a compute: its axes in order."""
        return LoopNest(tuple(NestLoop(a) for a in axes))

    @property
    def axes(self) -> list[str]:
        """The names of the loops, outermost first."""
        return [e.axis for e in self.order]

    def entry(self, axis: str) -> NestLoop:
        """Return the loop with this name."""
        return next(e for e in self.order if e.axis == axis)

    def maker(self, axis: str) -> Relation | None:
        """Return the split or fusion that defines a loop; None for an axis of the compute."""
        return next((r for r in self.relations if axis in r.results()), None)

    def taker(self, axis: str) -> Relation | None:
        """Return the split or fusion that replaces a loop; None if the loop is in the nest."""
        return next((r for r in self.relations if axis in r.sources()), None)

    def roots(self, axis: str) -> Iterator[str]:
        """Yield the axes of the compute from which a loop is derived."""
        relation = self.maker(axis)
        if relation is None:
            yield axis
            return
        for source in relation.sources():
            yield from self.roots(source)

    def guarded_splits(self) -> list[Split]:
        """Return the guarded splits, whose inner loop ends early in a partial last block."""
        return [r for r in self.relations if isinstance(r, Split) and r.guarded]

    def is_guarded(self, axis: str) -> bool:
        """Return whether a loop may end early in the last block of a guarded split."""
        return any(axis == r.inner for r in (*self.guarded_splits(), *self.guards))

    def names(self, axes: Iterable[str]) -> set[str]:
        """Return every name in use: ``axes``, loops, and names that relations replace."""
        return {
            *axes,
            *self.axes,
            *(n for r in self.relations for n in (*r.sources(), *r.results())),
        }

    def extents(self, axes: Mapping[str, Extent]) -> dict[str, Extent]:
        """Return the trip count of each axis and each loop.

        ``axes`` contains the extents of the axes. For the inner loop of a split, it is the trip
        count in a full block.
        """
        out = dict(axes)
        pending = list(self.relations)
        while pending:
            ready = [r for r in pending if all(s in out for s in r.sources())]
            assert ready, "relations of a nest form no cycle"
            for relation in ready:
                if isinstance(relation, Split):
                    extent, factor = out[relation.axis], relation.factor
                    out[relation.outer] = extent_of(Dim.of(extent).ceildiv(factor))
                    out[relation.inner] = min(extent, factor) if isinstance(extent, int) else factor
                else:
                    count = element_count(Dim.of(out[p]) for p in relation.parts)
                    out[relation.into] = extent_of(count)
                pending.remove(relation)
        return out

    def with_entries(self, order: Iterable[NestLoop]) -> LoopNest:
        """Return a copy of the nest that has these loops in this order."""
        return replace(self, order=tuple(order))

    def without(self, axis: str) -> LoopNest:
        """Return a copy of the nest without a loop."""
        return self.with_entries(e for e in self.order if e.axis != axis)

    def without_relation(self, relation: Relation) -> LoopNest:
        """Return a copy of the nest without a split or fusion."""
        return replace(self, relations=tuple(r for r in self.relations if r != relation))

    def problem(self, axes: Iterable[str]) -> str | None:
        """Return why this nest is invalid for a compute with these axes, or None."""
        known = list(axes)
        pending = list(self.relations)
        while ready := [r for r in pending if all(s in known for s in r.sources())]:
            for relation in ready:
                known = [n for n in known if n not in relation.sources()] + [*relation.results()]
                pending.remove(relation)
        if pending:
            return f"{pending[0]} takes what is no loop"
        if len(set(known)) != len(known) or sorted(known) != sorted(self.axes):
            return f"loops {', '.join(self.axes)} are not {', '.join(known)}"
        if any(isinstance(r, Split) and r.factor < 1 for r in self.relations):
            return "a factor is below 1"
        if self.guards:
            return f"loop {self.guards[0].inner} is not made, but {self.guards[0].outer} is"
        if sum(e.mark == VECTOR for e in self.order) > 1:
            return "two loops are vectors"
        threads = [e.thread for e in self.order if e.thread]
        return "two loops are bound to one thread" if len(set(threads)) < len(threads) else None

    def __str__(self) -> str:
        text = f"[{', '.join(map(str, self.order))}]"
        return text + (f" with ({', '.join(map(str, self.relations))})" if self.relations else "")


@irdl_attr_definition
class LoopNestAttr(Data[LoopNest]):
    """The attribute of a pending loop nest, in the syntax of the nest."""

    name = "te.loop_nest"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LoopNest:
        with parser.in_angle_brackets():
            return parse_loop_nest(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def parse_loop_nest(parser: AttrParser) -> LoopNest:
    """Parse a loop nest, without the keyword ``nest`` before it."""
    order = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_entry(parser))
    relations: list[Relation] = []
    if parser.parse_optional_keyword("with"):
        relations = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_relation(parser)
        )
    return LoopNest(tuple(order), tuple(relations))


def _parse_entry(parser: AttrParser) -> NestLoop:
    axis = parse_name(parser, "loop name")
    mark = parser.parse_optional_keyword_in(set(MARKS)) or ""
    number = 0
    if mark in (VECTOR, UNROLL):
        number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False) or 0
    thread = parser.parse_identifier("thread") if mark == BIND else ""
    return NestLoop(axis, mark, number, thread)


def _parse_relation(parser: AttrParser) -> Relation:
    axis = parse_name(parser, "loop name")
    parser.parse_punctuation("=")
    parts = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parse_name(parser, "loop name")
    )
    if parts is not None:
        return Fuse(axis, tuple(parts))
    outer = parse_name(parser, "loop name")
    parser.parse_punctuation("*")
    factor = parser.parse_integer(allow_boolean=False)
    parser.parse_punctuation("+")
    inner = parse_name(parser, "loop name")
    guarded = parser.parse_optional_keyword("guarded") is not None
    return Split(axis, outer, inner, factor, guarded)
