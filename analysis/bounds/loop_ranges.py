"""Range analysis for loop programs: an interval for each integer value and index expression.

To bound an index expression, its variables are eliminated, innermost first, so that bounds that
depend on each other cancel:

    loop.for %t = 0 to 13 {
      loop.for %i = 0 to min(8, 100 + %t * -8) { .. %x[%t * 8 + %i] .. } }

    upper(8t + i)  =  min(upper(8t + 7), upper(8t + 99 - 8t))  =  min(103, 99)  =  99

- A loop variable is at least each lower bound of its loop and less than each upper bound.
- ``e floordiv d`` lies between ``(e - d + 1) / d`` and ``e / d``; ``e mod d`` between 0 and d - 1.
- A minimum is at most each operand, a maximum at least each; a select is one of two values.
- Inside a loop.if its condition holds.
- A loop-carried value is its initial value plus a bounded change per iteration, or has the union of
  its ranges over a few iterations.
- A loaded integer, and arithmetic that may overflow, has the full range of its type.
- Symbolic sizes are eliminated last, so that `%i - n` is negative in a loop from 0 to n.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, VectorType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from ...dialects import loop, simt
from ...dialects.shape import MOST, Dim, SizeBounds, size_index
from ...support.affine import Index, Key, Ordered, Range, constant, variable
from ...support.blocks import enclosing, returned
from ...support.bounds import Fact, Rank, Uppers
from .range_arithmetic import INDEX_BITS
from .running_loops import ends_if_running
from .size_index import is_of_sizes
from .value_ranges import VALUE_RULES, is_integer, joined, limits, number_of

_MOST_TRIPS = 64
"""Largest trip count at which the carried values of a loop are evaluated iteration by iteration."""

_FIRST_TRIPS = 2
"""Number of iterations of a longer loop that are evaluated before ranges are widened."""

_MOST_TRIPS_OF_NEST = 1024
"""Largest product of trip counts of nested loops that are evaluated iteration by iteration."""

_MOST_EVALUATED = 1 << 14
"""Most iterations evaluated per query; beyond it, carried values get their type's range."""

_MOST_STEPS = 64
"""Longest chain of ops that the analysis follows; beyond it, a value has its type's full range."""

_MOST_PARTS = 256
"""Most values whose change from one loop iteration to the next is tracked."""

_MOST_NESTED = 2
"""Nesting depth of selects, minima and maxima whose operands are bounded separately."""

_DEEPEST = 1 << 30
"""Loop depth assigned to values that are not loop variables, so that they are eliminated first."""


@dataclass(frozen=True, slots=True)
class _LoopBounds:
    """The bounds of a loop variable.

    lows: inclusive lower bounds.  highs: exclusive upper bounds.
    depth: the number of enclosing loops.
    """

    lows: Sequence[Index]
    highs: Sequence[Index]
    depth: int


def loop_range(op: loop.ForOp, range_of: Callable[[Index], Range]) -> Range:
    """Return the range of a loop's variable.

    range_of: returns the range of an index expression, here of the bounds of the loop.
    """
    lows, highs = op.bounds()
    return max(range_of(e)[0] for e in lows), min(range_of(e)[1] for e in highs) - 1


class LoopRanges(SizeBounds):
    """The ranges of the values of one function, computed on demand.

    initial: ranges that are known in advance: of the elements of buffers, and of the variables of
    loops that are still being built.
    Before: ``enter`` was called for all loops around an expression whose upper bound is queried.
    """

    widest = 1 << (INDEX_BITS - 1)

    def __init__(self, initial: Mapping[SSAValue, Range] | None = None) -> None:
        super().__init__(MOST)
        self._initial: Mapping[SSAValue, Range] = {} if initial is None else initial
        self._loops: dict[SSAValue, _LoopBounds] = {}
        self._known: dict[SSAValue, Range] = {}
        self._exprs: dict[SSAValue, Index] = {}
        self._facts: dict[Key, list[tuple[Index, int]]] = {}
        self._knows_sizes = False
        self._values: dict[SSAValue, Range] = {}
        self._assumed: dict[SSAValue, Range] = {}
        self._depth = self._selects = self._choices = self._trips_left = 0
        self._most_trips = _MOST_TRIPS_OF_NEST

    # ---- scopes

    def enter(self, op: loop.ForOp) -> bool:
        """Record the bounds of a loop's variable; return False if the loop never runs."""
        lows, highs = op.bounds()
        if not op.is_static:
            lows, highs = ([self.expand(e) for e in ends] for ends in (lows, highs))
        depth = sum(isinstance(each, loop.ForOp) for each in enclosing(op))
        self._loops[op.variable] = _LoopBounds(lows, highs, depth)
        low = max(e.range(self.range_of)[0] for e in lows)
        pairs = (pair for end in highs for pair in ends_if_running(end))
        highs += [end for end, stopped in pairs if self.upper(stopped) <= low]
        high = min(e.range(self.range_of)[1] for e in highs) - 1
        self._known[op.variable] = low, high
        return low <= high

    @contextmanager
    def where(
        self, condition: SSAValue, holds: bool = True
    ) -> Generator[Sequence[tuple[Index, int]]]:
        """Assume inside the ``with`` block that a condition is true (``holds``) or false.

        The ``with`` statement yields the inequalities that follow from the condition, as pairs
        (expression, upper bound).
        """
        facts = [f for test in _tests(condition, holds) for f in self._facts_of(*test)]
        with self._with_facts(facts):
            yield facts

    @contextmanager
    def of_sizes(self, dims: Iterable[Dim]) -> Generator[None]:
        """Assume in the ``with`` block that these sizes are 0 or more.

        dims: sizes of a function's buffers, possibly negative as expressions; the program rejects a
        call with a negative size before it runs the function.
        """
        differences = [dim for dim in dims if any(factor < 0 for _, factor in dim.terms)]
        with self._with_facts([(-size_index(dim), 0) for dim in dict.fromkeys(differences)]):
            yield

    @contextmanager
    def _with_facts(self, facts: Sequence[tuple[Index, int]]) -> Generator[None]:
        if not facts:
            yield
            return
        saved = self._facts, self._values, self._knows_sizes
        self._facts = {k: list(v) for k, v in self._facts.items()}
        self._values = dict(self._values)
        with self._afresh():
            for fact, bound in facts:
                self._add_fact(fact, bound)
            yield
        self._facts, self._values, self._knows_sizes = saved

    @contextmanager
    def _afresh(self) -> Generator[None]:
        """Replace the caches of derived ranges by empty ones within the ``with`` block."""
        saved = self._loops, self._known, self._exprs, self._uppers
        self._loops = dict(self._loops)
        self._known = {v: self._known[v] for v in self._loops if v in self._known}
        self._exprs, self._uppers = {}, {}
        yield
        self._loops, self._known, self._exprs, self._uppers = saved

    def _facts_of(self, predicate: str, x: SSAValue, y: SSAValue) -> list[tuple[Index, int]]:
        """Return the inequalities that follow from a comparison, as (expression, upper bound)."""
        a, b = self.expression(x), self.expression(y)
        is_unsigned = predicate.startswith("u")
        if is_unsigned and self.of(y)[0] < 0:
            return []
        match predicate:
            case "slt" | "ult":
                facts = [(a - b, -1)]
            case "sle" | "ule":
                facts = [(a - b, 0)]
            case "sgt":
                facts = [(b - a, -1)]
            case "sge":
                facts = [(b - a, 0)]
            case "eq":
                facts = [(a - b, 0), (b - a, 0)]
            case "ne":
                low, high = self.range_of_index(a - b)
                facts = [(a - b, -1)] * (high == 0) + [(b - a, -1)] * (low == 0)
            case _:
                return []
        return [*facts, (-a, 0)] if is_unsigned else facts

    def _add_fact(self, fact: Index, bound: int) -> None:
        """Record the inequality ``fact <= bound``, divided by the common factor of its terms.

        For example, ``2 * s <= 11`` is recorded as ``s <= 5``.
        """
        if not fact.terms:
            return
        common = gcd(*fact.terms.values())
        if common > 1:
            bound = (bound - fact.const) // common
            fact = Index({key: factor // common for key, factor in fact.terms.items()})
        key = self.innermost(fact)
        self._knows_sizes |= is_of_sizes(key)
        self._facts.setdefault(key, []).append((fact, bound))
        coefficient = fact.terms[key]
        if len(fact.terms) == 1 and isinstance(key, SSAValue):
            low, high = self._values.get(key, limits(key.type))
            rest = bound - fact.const
            if coefficient > 0:
                high = min(high, rest // coefficient)
            else:
                low = max(low, -(rest // -coefficient))
            self._values[key] = low, high

    # ---- bounds of expressions

    def expand(self, index: Index) -> Index:
        """Return an expression in which definitions replace values, down to loop variables.

        Values whose definition is not affine remain.
        """
        values = {
            key: self.expression(key)
            for key in index.variables()
            if key not in self._loops and isinstance(key, SSAValue)
        }
        return index.substitute(values, self.range_of) if values else index

    def range_of(self, key: Key) -> Range:
        """Return the range of a variable of index expressions: a symbolic size or an SSA value."""
        if isinstance(key, Dim):
            return key.range(MOST)
        known = self._known.get(cast(SSAValue, key))
        return self.of(cast(SSAValue, key)) if known is None else known

    def rank(self, key: Key) -> Rank:
        """Return the rank of a variable: a proof eliminates the variables of highest rank first.

        The order is: values that are no loop variables, variables of inner loops, variables of
        outer loops, thread ids (on which the bounds of loops depend), sizes. Thread ids are ordered
        by name, so that two expressions that a proof compares (a known fact and the queried one)
        agree on the order.
        """
        known = self._loops.get(cast(SSAValue, key))
        if known is not None:
            return known.depth, 0, ""
        if isinstance(key, Dim):
            return super().rank(key)
        owner = cast(SSAValue, key).owner
        if isinstance(owner, simt.IdOp):
            return -1, 0, f"{owner.name} {owner.dimension.data}"
        return _DEEPEST, 0, ""

    def facts_of(self, key: Key) -> Sequence[Fact]:
        """Return the known inequalities that bound a variable from above or below.

        Inequalities that contain a variable that is eliminated before this one are left out.
        """
        return self._facts.get(key, ())

    def shared_upper(self, index: Index) -> int | None:
        """Return the upper bound of an expression of sizes, from a cache that all kernels share.

        Return None if the expression contains variables other than sizes, or if this object knows
        inequalities between sizes, which hold for its kernel only.
        """
        if self._knows_sizes or not all(map(is_of_sizes, index.terms)):
            return None
        return upper_of_sizes(Ordered(index))

    def uppers_of_key(self, key: Key, factor: int, rest: Index) -> Uppers:
        """Compute upper bounds of ``key * factor + rest``, for a symbolic size or an SSA value.

        A generator of the protocol `Uppers`: it yields expressions, receives an upper bound of
        each, and returns the list of bounds.
        """
        if isinstance(key, Dim):
            return super().uppers_of_key(key, factor, rest)
        return self._value_uppers(cast(SSAValue, key), factor, rest)

    def _value_uppers(self, value: SSAValue, factor: int, rest: Index) -> Uppers:
        if value in self._loops:
            around = self._loops[value]
            ends = [e - 1 for e in around.highs] if factor > 0 else around.lows
            return (yield from _all_of(rest + end * factor for end in ends))
        if isinstance(value.owner, simt.IdOp):
            end = size_index(value.owner.bound) - 1 if factor > 0 else constant(0)
            return [(yield rest + end * factor)]
        bounds = [(yield rest) + self.of(value)[factor > 0] * factor]
        choice = _choice(value) if self._choices < _MOST_NESTED else None
        if choice is not None:
            kind, operands = choice
            self._choices += 1
            reached = yield from _all_of(rest + self.expression(v) * factor for v in operands)
            self._choices -= 1
            is_bounded_by_each = (kind == "min") == (factor > 0) and kind != "one"
            bounds.append(min(reached) if is_bounded_by_each else max(reached))
        elif factor > 0 and isinstance(value.owner, arith.MinUIOp):
            # As an unsigned integer, a negative operand is larger than every other operand.
            natural = [v for v in value.owner.operands if self.of(v)[0] >= 0]
            bounds += yield from _all_of(rest + self.expression(v) * factor for v in natural)
        return bounds

    # ---- values

    def expression(self, value: SSAValue) -> Index:
        """Return an SSA value as an affine expression over loop variables and other values.

        A value whose definition is not affine is its own expression.
        """
        found = self._exprs.get(value)
        if found is None:
            found = self._exprs[value] = self._find_expression(value)
        return found

    def _find_expression(self, value: SSAValue) -> Index:
        if not isinstance(value, OpResult) or isinstance(value.type, VectorType):
            return variable(value)
        if self._depth >= _MOST_STEPS:
            return variable(value)
        self._begin()
        made = self._affine(value.op)
        self._depth -= 1
        if made is None:
            return variable(value)
        low, high = made.range(self.range_of)
        least, most = limits(value.type)
        return made if least <= low and high <= most else variable(value)

    def _affine(self, op: Operation) -> Index | None:
        """Return the result of a scalar op as an expression; None if it is not affine."""
        if isinstance(op, loop.IndexOp):
            return self.expand(op.index())
        if isinstance(op, loop.SizeOp):
            return size_index(op.dim)
        if isinstance(op, arith.ConstantOp):
            return constant(number_of(op)) if isinstance(op.value, IntegerAttr) else None
        if isinstance(op, arith.IndexCastOp | arith.ExtSIOp) and limits(op.input.type) != (0, 1):
            return self.expression(op.input)
        if not isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
            return None
        lhs, rhs = (self.expression(v) for v in op.operands)
        if not isinstance(op, arith.MuliOp):
            return lhs + rhs if isinstance(op, arith.AddiOp) else lhs - rhs
        if lhs.is_constant:
            return rhs * lhs.const
        return lhs * rhs.const if rhs.is_constant else None

    def of(self, value: SSAValue) -> Range:
        """Return the range of an integer or index value; of a vector, the range of all lanes."""
        found = self._known.get(value)
        if found is not None:
            return found
        if self._depth >= _MOST_STEPS:
            return limits(value.type)
        self._begin()
        found = self._known[value] = self._find(value)
        self._depth -= 1
        return found

    def _begin(self) -> None:
        """Enter one level of nested evaluation; the outermost level resets the iteration budget."""
        if not self._depth:
            self._trips_left = _MOST_EVALUATED
        self._depth += 1

    def _find(self, value: SSAValue) -> Range:
        least, most = limits(value.type)
        if isinstance(value, OpResult):
            rule = _RULES.get(type(value.op))
            found = None if rule is None else rule(self, value)
        else:
            found = self._carried(value)
        if found is None or found[0] < least or found[1] > most:
            found = least, most  # unknown, or arithmetic that may overflow
        known = [found, self._values.get(value, found)]
        expression = self.expression(value) if self._facts else variable(value)
        if expression.variable() is None:
            known.append(self.range_of_index(expression))
        return max(low for low, _ in known), min(high for _, high in known)

    # ---- values carried by loops

    def _carried(self, value: SSAValue) -> Range | None:
        """Return the range of a block argument: assumed by the caller, or derived from its loop.

        Return None for an argument of a function, and for one that is no integer.
        """
        known = self._assumed.get(value) or self._initial.get(value)
        if known is not None:
            return known
        block = value.owner
        assert isinstance(block, Block), "a block argument"
        op = block.parent_op()
        if not isinstance(op, loop.ForOp) or not is_integer(value.type):
            return None
        if value is op.variable:
            self.enter(op)
        else:
            self._follow(op)
        return self._known[value]

    def _trips(self, op: loop.ForOp) -> int:
        low, high = loop_range(op, lambda e: self.expand(e).range(self.range_of))
        return max(0, high - low + 1)

    def _follow(self, op: loop.ForOp) -> None:
        """Compute the ranges of all integers that a loop carries between iterations."""
        arguments: dict[SSAValue, tuple[SSAValue, SSAValue]] = {
            v: (init, end)
            for v, init, end in zip(
                op.body.block.args[1:], op.inits, returned(op.body.block), strict=True
            )
            if is_integer(v.type)
        }
        trips = self._trips(op)
        reached = {v: self.of(init) for v, (init, _) in arguments.items()}
        is_evaluated = trips <= min(_MOST_TRIPS, self._most_trips)
        evaluated = trips - 1 if is_evaluated else _FIRST_TRIPS
        saved, self._most_trips = self._most_trips, self._most_trips // max(evaluated, 1)
        for _ in range(evaluated):
            after = self._after(reached, arguments)
            if after == reached:
                break
            reached = after
        else:
            if not is_evaluated:
                reached = self._widened(reached, arguments, trips)
        self._most_trips = saved
        self._known.update(reached)

    def _after(
        self,
        reached: dict[SSAValue, Range],
        arguments: Mapping[SSAValue, tuple[SSAValue, SSAValue]],
    ) -> dict[SSAValue, Range]:
        """Extend the ranges of carried values so that they also cover one more iteration.

        reached: the ranges so far, by block argument.  arguments: for each block argument, its
        initial value and the value that the loop yields for it.
        """
        self._trips_left -= 1
        if self._trips_left < 0:
            return {v: limits(v.type) for v in reached}
        with self._assuming(reached):
            ends = {v: self.of(end) for v, (_, end) in arguments.items()}
        return {v: joined(reached[v], ends[v]) for v in reached}

    @contextmanager
    def _assuming(self, ranges: Mapping[SSAValue, Range]) -> Generator[None]:
        """Assume these ranges of carried values inside the ``with`` block."""
        saved, self._assumed = self._assumed, {**self._assumed, **ranges}
        with self._afresh():
            yield
        self._assumed = saved

    def _widened(
        self,
        reached: dict[SSAValue, Range],
        arguments: Mapping[SSAValue, tuple[SSAValue, SSAValue]],
        trips: int,
    ) -> dict[SSAValue, Range]:
        """Return ranges of a loop's carried values that hold in all its iterations.

        reached, arguments: see `_after`.  trips: the largest number of iterations.

        A value with a bounded change per iteration changes by at most ``trips`` times this bound.
        Otherwise, a bound of a range that still changes is widened to the limit of the type.  If
        one more iteration still changes a range, the value gets the full range of its type.
        """
        wide = {v: limits(v.type) for v in reached}
        with self._assuming(wide):
            steps = {v: self._change(end, v) for v, (_, end) in arguments.items()}
        after = self._after(reached, arguments)
        guess: dict[SSAValue, Range] = {}
        fixed: set[SSAValue] = set()
        for v, (low, high) in reached.items():
            least, most = limits(v.type)
            step, start = steps[v], self.of(arguments[v][0])
            if step is not None:
                fixed.add(v)
                moved = [n * (trips - 1) for n in step]
                guess[v] = start[0] + min(0, moved[0]), start[1] + max(0, moved[1])
                if guess[v][0] < least or guess[v][1] > most:
                    guess[v] = least, most
            else:
                guess[v] = (
                    low if after[v][0] == low else least,
                    high if after[v][1] == high else most,
                )
        while True:
            after = self._after(guess, arguments)
            broken = [v for v in guess if v not in fixed and after[v] != guess[v]]
            if not broken:
                return guess
            for v in broken:
                guess[v] = limits(v.type)
            fixed.update(broken)

    def _change(self, value: SSAValue, start: SSAValue) -> Range | None:
        """Return the range of the difference ``value - start``; None if it is unknown.

        The range follows from the differences between the value's operands and ``start``.  Each
        difference is computed once.
        """
        known: dict[_Change, Range | None] = {}
        waiting = [(value, start)]
        while waiting:
            change = waiting[-1]
            parts = () if change in known else _parts_of_change(*change)
            unknown = [part for part in parts if part not in known]
            if unknown and len(known) + len(waiting) < _MOST_PARTS:
                waiting += unknown
            else:
                known[change] = self._change_by_parts(*change, known)
                waiting.pop()
        return known[value, start]

    def _change_by_parts(
        self, value: SSAValue, start: SSAValue, known: Mapping[_Change, Range | None]
    ) -> Range | None:
        if value == start:
            return 0, 0
        parts = [known.get(part) for part in _parts_of_change(value, start)]
        found = [part for part in parts if part is not None]
        if not found or not isinstance(value, OpResult):
            return None
        op = value.op
        if isinstance(op, arith.AddiOp):
            # The change of one operand, and the range of the other operand.
            low, high = self.of(op.operands[parts[0] is not None])
            return found[0][0] + low, found[0][1] + high
        if len(found) < len(parts):
            return None
        if isinstance(op, arith.SubiOp):
            low, high = self.of(op.rhs)
            return found[0][0] - high, found[0][1] - low
        if isinstance(op, loop.ForOp):
            first, step = found
            trips = self._trips(op)
            return first[0] + min(0, step[0] * trips), first[1] + max(0, step[1] * trips)
        return joined(*found)

    def after_loop(self, value: OpResult) -> Range | None:
        """Return the range of a value that a loop returns; None if it is no integer."""
        op = value.op
        assert isinstance(op, loop.ForOp), "a loop"
        if not is_integer(value.type):
            return None
        start, argument = self.of(op.inits[value.index]), op.body.block.args[1 + value.index]
        self.of(argument)
        return joined(start, self.of(returned(op.body.block)[value.index]))

    def loaded(self, value: OpResult) -> Range | None:
        """Return the range of a load from a buffer whose elements the host program has checked.

        Return None for any other load.
        """
        assert isinstance(value.op, loop.LoadOp), "a load"
        found = self._initial.get(value.op.mem)
        if found is None or value.op.pad is not None:
            return None
        return found if value.op.lanes is None else joined(found, (0, 0))

    def selected(self, value: OpResult) -> Range:
        """Return the range of an arith.select: the union of the ranges of both operands.

        The first operand's range is computed under the assumption that the condition is true, the
        second one's under the assumption that it is false.
        """
        condition, lhs, rhs = value.op.operands
        if isinstance(condition.type, VectorType) or self._selects >= _MOST_NESTED:
            return joined(self.of(lhs), self.of(rhs))
        self._selects += 1
        with self.where(condition):
            first = self.of(lhs)
        with self.where(condition, holds=False):
            second = self.of(rhs)
        self._selects -= 1
        return joined(first, second)

    def position(self, value: OpResult) -> Range:
        """Return the range of an index expression (loop.index), over all lanes."""
        op = value.op
        assert isinstance(op, loop.IndexOp), "loop.index"
        low, high = self.range_of_index(self.expand(op.index()))
        if op.step and isinstance(value.type, VectorType):
            last = op.step.data * (value.type.get_shape()[0] - 1)
            return low + min(0, last), high + max(0, last)
        return low, high

    def size(self, value: OpResult) -> Range:
        """Return the range of a symbolic size (loop.size)."""
        assert isinstance(value.op, loop.SizeOp), "loop.size"
        return self.range_of_index(size_index(value.op.dim))


class _IndexSizeBounds(SizeBounds):
    """Bounds of size expressions for sizes that the program computes as values of type index."""

    widest = LoopRanges.widest


@lru_cache(maxsize=1 << 14)
def upper_of_sizes(ordered: Ordered) -> int:
    """Return the best upper bound of an expression of sizes that holds in every kernel.

    The results are cached, because the kernels of a model have few different sizes.
    """
    return _IndexSizeBounds(MOST).upper(ordered.index)


_Change: TypeAlias = tuple[SSAValue, SSAValue]
"""Two values whose difference is queried: a carried value after an iteration, and before it."""


def _parts_of_change(value: SSAValue, start: SSAValue) -> Sequence[_Change]:
    """Return the pairs (value, start) whose differences determine the range of ``value - start``.

    If the value is a sum, one of the pairs with a known difference suffices; otherwise all
    differences must be known.
    """
    op = value.op if isinstance(value, OpResult) and value != start else None
    if isinstance(op, arith.AddiOp):
        return [(operand, start) for operand in op.operands]
    if isinstance(op, arith.SubiOp):
        return [(op.lhs, start)]
    if isinstance(op, loop.SelectOp | arith.SelectOp):
        return [(operand, start) for operand in op.operands[1:]]
    if isinstance(op, loop.ForOp) and isinstance(value, OpResult):
        argument = op.body.block.args[1 + value.index]
        return [(op.inits[value.index], start), (returned(op.body.block)[value.index], argument)]
    return ()


def _all_of(expressions: Iterable[Index]) -> Uppers:
    """Query the upper bound of each expression, and return the bounds.

    A rule queries a bound by yielding the expression to the driver (see support/bounds.py).
    """
    bounds: list[int] = []
    for each in expressions:
        bounds.append((yield each))
    return bounds


_OPPOSITE = {
    "slt": "sge", "sle": "sgt", "sgt": "sle", "sge": "slt", "eq": "ne", "ne": "eq",
}  # fmt: skip


def _tests(condition: SSAValue, holds: bool) -> list[tuple[str, SSAValue, SSAValue]]:
    """Return scalar comparisons that are all true if a condition is true (``holds``) or false.

    A comparison is a triple of a predicate, such as "slt", and its two operands.
    """
    joining = arith.AndIOp if holds else arith.OrIOp
    found: list[tuple[str, SSAValue, SSAValue]] = []
    waiting = [condition]
    while waiting:
        op = waiting.pop().owner
        if isinstance(op, joining):
            waiting += [op.rhs, op.lhs]
        elif (
            isinstance(op, loop.CompareOp)
            and is_integer(op.lhs.type)
            and not isinstance(op.lhs.type, VectorType)
        ):
            predicate = op.predicate.data if holds else _OPPOSITE.get(op.predicate.data, "")
            found.append((predicate, op.lhs, op.rhs))
    return found


def _choice(value: SSAValue) -> tuple[str, list[SSAValue]] | None:
    """Return the kind and the operands of a scalar choice: "min", "max" or "one" (a select).

    Return None for any other value.
    """
    if not isinstance(value, OpResult) or isinstance(value.type, VectorType):
        return None
    op = value.op
    if isinstance(op, arith.MinSIOp | arith.MaxSIOp):
        return "min" if isinstance(op, arith.MinSIOp) else "max", list(op.operands)
    if isinstance(op, loop.SelectOp | arith.SelectOp):
        return "one", list(op.operands[1:])
    return None


_Rule: TypeAlias = Callable[[LoopRanges, OpResult], Range | None]

_RULES: Mapping[type[Operation], _Rule] = {
    **VALUE_RULES,
    arith.SelectOp: LoopRanges.selected,
    loop.SelectOp: LoopRanges.selected,
    loop.IndexOp: LoopRanges.position,
    loop.LoadOp: LoopRanges.loaded,
    loop.ForOp: LoopRanges.after_loop,
    loop.SizeOp: LoopRanges.size,
}

__all__ = ["LoopRanges", "is_integer", "limits", "loop_range", "upper_of_sizes"]
