"""Facts about sizes that hold in every valid call: equations, and smallest and largest values.

    Add(x: [b, 4], y: [y_0, 4])                          y_0 = b
    Add(x: [seq, 768], Slice(table: [512, 768], :seq))   seq <= 512, so min(512, seq) = seq
    Add(x: [n - 4, 8], Slice(y: [n, 8], 4:))             n - 4 >= 0, so max(n - 4, 0) = n - 4
    Where(mask: [1, total], scores: [1, past + seq])     total = past + seq
    Reshape(x: [h, 4], to: [floordiv(h, 8), 8, 4])       h = 8 * h_by_8
    Split(x: [4, u0], into: [1, 1, 1])                   u0 = 3
    Add(x: [u0, 8], y: [u1, 8])                          u1 = u0
    ScatterND(x, at: [u0, 1], Slice(y: [n], :u0))        n - u0 >= 0, so min(n, u0) = u0

Model files often use several names for one size, and slice a table to a size that the table limits.
If an operator needs equal sizes but the expressions of two sizes differ, the import starts again
with the facts that follow from their equality.  The entry function checks these facts at each call;
main checks facts about computed sizes as soon as it has computed them.  An equation between
computed sizes replaces the last of them.

Two named or data-dependent sizes that are broadcast to each other are assumed to be equal: bind a
name to 1 with ``shapes=`` if this axis is repeated instead.  If two sizes broadcast but no equality
follows from them, the sizes of a call determine which operand is repeated:

    Add(x: [ceildiv(n, 2)], y: [floordiv(n, 2)])         n is even, or 3 or 1
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd, lcm

from xdsl.ir import Attribute

from ....dialects.equal_shapes import broadcast_dims
from ....dialects.iteration_sizes import smallest_size
from ....dialects.shape import (
    MOST,
    Call,
    Dim,
    extent_of,
    from_one,
    least_of,
    multiple_of,
    quotient_of,
)
from ....dialects.sizes import with_sizes
from ....support.diagnostics import UnequalSizes
from ....support.size_names import depends_on_data, is_iteration


@dataclass(frozen=True)
class SizeFacts:
    """Facts about the sizes of a model: input sizes, and sizes that the function main computes.

    equal: for a size symbol, the size that replaces it.  most, least: the largest and the smallest
    values of sizes, as far as the caller or a node requires them.  required_by: for a size with a
    limit, the node that needs the limit, for messages.
    trips: in the body of a loop, the trip count by the size symbol of the iteration number.
    computed: the symbols of the sizes that main has computed so far, in order, and their largest
    values, if known.
    """

    equal: Mapping[str, Dim] = field(default_factory=dict)
    most: Mapping[Dim, int] = field(default_factory=dict)
    least: Mapping[Dim, int] = field(default_factory=dict)
    required_by: Mapping[Dim, str] = field(default_factory=dict)
    trips: Mapping[str, Dim] = field(default_factory=dict)
    computed: Mapping[str, Dim | None] = field(default_factory=dict)

    @staticmethod
    def of_ranges(ranges: Mapping[str, range]) -> SizeFacts:
        """Return the facts that follow from the ranges of sizes that the user gives.

        ranges: for each size symbol, its possible values.
        """
        return SizeFacts(
            most={Dim.sym(name): given.stop - 1 for name, given in ranges.items()},
            least={Dim.sym(name): given.start for name, given in ranges.items()},
        )

    def limits(self) -> dict[Dim, tuple[int, int]]:
        """Return the smallest and the largest value of each size that has a limit."""
        sizes = dict.fromkeys((*self.most, *self.least))
        return {dim: (self.least.get(dim, 0), self.most.get(dim, MOST)) for dim in sizes}

    def limits_of_computed(self, names: Iterable[str]) -> dict[Dim, tuple[int, int]]:
        """Return equalities of computed sizes as limits, which main checks during a run.

        names: the symbols of sizes that equalities replace; symbols that the function main does not
        compute are ignored.
        The result maps a size to its smallest and largest value, which are equal. If a symbol
        equals a number, the result maps the symbol to this number; if it equals another size, the
        result maps the difference of both to 0.
        """
        limits: dict[Dim, tuple[int, int]] = {}
        for name in (name for name in names if name in self.computed):
            size, symbol = self.equal[name], Dim.sym(name)
            if size.value is None:
                limits[symbol - size] = 0, 0
            else:
                limits[symbol] = size.value, size.value
        return limits

    def min(self, lhs: Dim, rhs: Dim) -> Dim:
        """Return the smaller of two sizes.

        If the facts show which one it is in every call, return this size, otherwise the expression
        ``min(lhs, rhs)``.
        """
        for size, limit in ((lhs, rhs), (rhs, lhs)):
            if limit.value is not None and self._is_at_most(size, limit.value):
                return size
            if limit.value is not None and self._is_at_least(size, limit.value):
                return limit
        for size, other in ((lhs, rhs), (rhs, lhs)):
            if self._is_at_least(other - size, 0) or self._is_always_at_most(size, other):
                return size
        return lhs.min(rhs)

    def with_iteration(self, symbol: str, steps: Dim) -> SizeFacts:
        """Return a copy of these facts for the body of a loop.

        symbol: the size symbol of the iteration number.  steps: the trip count.
        """
        return replace(self, trips={**self.trips, symbol: steps})

    def with_computed(self, bounds: Mapping[str, Dim | None]) -> SizeFacts:
        """Return a copy of these facts that also contains sizes that main has computed.

        bounds: by size symbol, the largest value of the computed size, if known.
        """
        return replace(self, computed={**self.computed, **bounds})

    def _is_always_at_most(self, size: Dim, other: Dim) -> bool:
        """Return whether ``size <= other`` follows from the bounds of sizes of a run.

        These are iteration numbers, which are less than the trip count of their loop, and computed
        sizes, which the function main computes, and which are at most their largest values, if
        known. False if these bounds do not suffice, and also if ``other - size`` contains no such
        size: the caller compares all other sizes by `_is_at_least`.
        """
        gap = other - size
        if gap.symbols().isdisjoint((*self.trips, *self.computed)):
            return False
        least = self.lower_bound(gap)
        return least is not None and least >= 0

    def lower_bound(self, dim: Dim) -> int | None:
        """Return a lower bound of a size, or None if no bound is known.

        The bound holds in all iterations of the enclosing loops, and for all values of computed
        sizes (sizes that the function main computes during a run).
        """
        largest = {name: trips - 1 for name, trips in self.trips.items()}
        bounds = {name: most for name, most in self.computed.items() if most is not None}
        for name, most in reversed((bounds | largest).items()):
            smallest = smallest_size(dim, name, most)
            if smallest is None:
                return None
            dim = smallest
        return dim.lower_bound()

    def max(self, lhs: Dim, rhs: Dim) -> Dim:
        """Return the larger of two sizes.

        If the facts show which one it is in every call, return this size, otherwise the expression
        ``max(lhs, rhs)``.
        """
        smaller = self.min(lhs, rhs)
        if smaller == rhs:
            return lhs
        return rhs if smaller == lhs else lhs.max(rhs)

    def _is_at_most(self, size: Dim, limit: int) -> bool:
        return any(most <= limit and known.is_at_least(size) for known, most in self.most.items())

    def _is_at_least(self, size: Dim, limit: int) -> bool:
        return any(
            least >= limit and size.is_at_least(known) for known, least in self.least.items()
        )

    def _with_limits(self, most: Mapping[Dim, int], least: Mapping[Dim, int]) -> SizeFacts:
        largest, smallest = dict(self.most), dict(self.least)
        for size, limit in most.items():
            largest[size] = min(limit, largest.get(size, limit))
        for size, limit in least.items():
            smallest[size] = max(limit, smallest.get(size, limit))
        return replace(self, most=largest, least=smallest)

    def with_equal(
        self, sizes: Iterable[tuple[Dim, Dim]], *, broadcasts: bool = False
    ) -> SizeFacts | None:
        """Return a copy of these facts that also states that the two sizes of a pair are equal.

        sizes: the pairs; the first one from which a new fact follows is used.  Return None if there
        is no such pair.
        broadcasts: whether the sizes may also broadcast, so that equality is only an assumption.
        It is then made only if one of the sizes is a single symbol, or neither of them can be 1.
        """
        pairs = list(sizes)
        refined = (self._refined(*pair, broadcasts) for pair in pairs)
        found = next((more for more in refined if more), None)
        return self._with_repeats(pairs) if found is None and broadcasts else found

    def after(self, error: UnequalSizes) -> SizeFacts | None:
        """Return the facts with which to repeat an import that raised ``error``.

        The returned facts have one symbol less, or one limit more.  Return None if no new fact
        follows from the error.
        """
        refined = self.with_equal(error.sizes, broadcasts=error.broadcasts)
        return None if refined is None else refined.with_node(error.where, self)

    def broadcast(self, lhs: Sequence[Dim], rhs: Sequence[Dim]) -> tuple[Dim, ...]:
        """Return the common shape of two shapes that are aligned at the end.

        If the facts say that a call may repeat one of two sizes, the common size covers both cases.
        Errors: UnequalSizes if two sizes differ, and neither is 1.
        """
        pairs = list(zip(reversed(lhs), reversed(rhs), strict=False))
        common = [self._common(*pair) for pair in reversed(pairs)]
        return broadcast_dims(_with_last(lhs, common), _with_last(rhs, common))

    def _common(self, lhs: Dim, rhs: Dim) -> Dim | None:
        """Return the size of a broadcast axis if only a call decides which operand is repeated.

        This is the case if the facts state that both sizes are equal or one of them is 1. Return
        None for any other pair of sizes.
        """
        if lhs == rhs or self.most.get(_unless_broadcast(lhs, rhs)) != 0:
            return None
        for size in (lhs, rhs):
            if size.is_at_least(2):
                return size
        return lhs.max(rhs) * lhs.min(1) * rhs.min(1)

    def _with_repeats(self, sizes: Iterable[tuple[Dim, Dim]]) -> SizeFacts | None:
        """Return a copy of these facts with a new pair of sizes of which a call may repeat one.

        The new fact states that the sizes of the pair are equal or one of them is 1; it is made for
        the first pair for which this is possible and new. Return None if there is no such pair.
        """
        for lhs, rhs in sizes:
            wrong = _unless_broadcast(lhs, rhs)
            is_undecided = wrong.value is None and self._knows(wrong)
            if is_undecided and self.most.get(wrong) != 0:
                return self._with_limits({wrong: 0}, {wrong: 0})
        return None

    def with_node(self, node: str, before: SizeFacts) -> SizeFacts:
        """Return a copy of these facts that records ``node`` as the cause of new limits.

        node: the name of the node, for messages.  before: the facts without the new limits.
        """
        known = {dim.substitute(self.equal): ends for dim, ends in before.limits().items()}
        new = [dim for dim, ends in self.limits().items() if known.get(dim) != ends]
        fresh = [name for name in self.equal if name not in before.equal]
        new += self.limits_of_computed(fresh)
        return replace(self, required_by={**self.required_by, **dict.fromkeys(new, node)})

    def of_type(self, type_: Attribute) -> Attribute:
        """Return a tensor type in which sizes replace the symbols that equal them."""
        return with_sizes(type_, self.equal)

    def _refined(self, lhs: Dim, rhs: Dim, broadcasts: bool) -> SizeFacts | None:
        limits = [found for found in (*_limits(lhs), *_limits(rhs)) if self._knows(found[1])]
        if broadcasts:  # a size may be 0 where the other operand is repeated
            limits = [found for found in limits if found[0] == "max" or found[2] != 1]
        for function, size, limit in limits:
            name = from_one(size)
            if function == "max" and limit == 1 and name is not None:
                return self._with_symbol(*name)._with_limits({}, {name[1]: 1})
            for facts in (
                self._with_limits({size: limit}, {}),
                self._with_limits({}, {size: limit}),
            ):
                if facts != self and facts.of(lhs) == facts.of(rhs):
                    return facts
        gaps = [gap for side in (lhs, rhs) for gap in _gaps(side, alone=broadcasts)]
        for gap in filter(self._knows, gaps):
            facts = self._with_limits({}, {gap: 0})
            if facts != self and facts.of(lhs) == facts.of(rhs):
                return facts
        most = {size: limit for function, size, limit in limits if function == "min"}
        facts = self._with_limits(most, {})
        left, right = facts.of(lhs), facts.of(rhs)
        if left == right:
            return facts if facts != self else None
        solved = next(facts._solutions(left, right), None)
        if solved is None:
            return None if broadcasts else facts._with_multiples(left, right)
        name, size = solved
        may_be_one = not (_is_never_one(left) and _is_never_one(right))
        if broadcasts and may_be_one and Dim.sym(name) not in (left, right):
            return None
        return facts._with_symbol(name, size)

    def _with_multiples(self, lhs: Dim, rhs: Dim) -> SizeFacts | None:
        """Return a copy of these facts in which multiples of new symbols replace divided symbols.

        For example, ``floordiv(h, 8) * 8 = h`` holds only if h is a multiple of 8, so ``h_by_8 *
        8`` replaces h.  Return None for equations of another form.
        lhs, rhs: the sides of the equation that must hold.
        """
        facts = self
        quotients, product = (lhs, rhs) if any(_calls(lhs)) else (rhs, lhs)
        if any(_calls(product)) or any(factor < 0 for _, factor in quotients.terms):
            return None
        for name, factor in _divisors(quotients).items():
            facts = facts._with_symbol(name, quotient_of(name, factor) * factor)
        return facts if facts.of(lhs) == facts.of(rhs) else None

    def _with_symbol(self, name: str, size: Dim) -> SizeFacts:
        equal = {key: dim.substitute({name: size}) for key, dim in self.equal.items()}
        most = {key.substitute({name: size}): limit for key, limit in self.most.items()}
        least = {key.substitute({name: size}): limit for key, limit in self.least.items()}
        nodes = {key.substitute({name: size}): node for key, node in self.required_by.items()}
        equal[name] = size
        return replace(self, equal=equal, most=most, least=least, required_by=nodes)

    def _knows(self, dim: Dim) -> bool:
        return is_of_inputs(dim, self.computed)

    def _solutions(self, lhs: Dim, rhs: Dim) -> Iterator[tuple[str, Dim]]:
        """Solve an equation of sizes: yield pairs of a symbol and the size that equals it.

        If the equation contains computed sizes, only the last computed symbol is solved for,
        because main computes the others before it. Otherwise a side that is a single symbol is
        solved for first, the right side before the left one. Examples:

            a = b                   a for b
            total = past + seq      past + seq for total
            256 * s = 3328          13 for s
            16 * b * n = 112 * b    7 for n
            u0 + v0 = u1 + n        u0 + v0 - n for u1
        """
        gap = _without_common_symbols(lhs - rhs)
        if not self._knows(gap):
            return
        last = next((name for name in reversed([*self.computed]) if name in gap.symbols()), None)
        terms = [(m[0], c) for m, c in gap.terms if len(m) == 1 and isinstance(m[0], str)]
        terms.sort(key=lambda term: [rhs, lhs, Dim.sym(term[0])].index(Dim.sym(term[0])))
        for name, factor in terms:
            rest = Dim.sym(name) * factor - gap
            quotient = rest // factor
            is_exact = quotient * factor == rest and name not in quotient.symbols()
            is_size = quotient.value is None or quotient.value >= (last is None)
            if is_exact and is_size and last in (name, None):
                yield name, quotient

    def of(self, dim: Dim) -> Dim:
        """Simplify a size by these facts; return the simpler size."""
        total = Dim.const(0)
        for monomial, factor in dim.terms:
            product = Dim.const(factor)
            for atom in monomial:
                product = product * (Dim.sym(atom) if isinstance(atom, str) else self._call(atom))
            total = total + product
        return total.substitute(self.equal)

    def _call(self, call: Call) -> Dim:
        lhs, rhs = self.of(call.lhs), self.of(call.rhs)
        match call.function:
            case "min":
                return self.min(lhs, rhs)
            case "max":
                return self.max(lhs, rhs)
            case "mod":
                return lhs % rhs
            case _:
                return lhs // rhs


NO_FACTS = SizeFacts()


def check_elements(dim: Dim, axis: int, facts: SizeFacts, least: int = 1) -> None:
    """Check that an axis has at least ``least`` elements; data-dependent sizes are not checked.

    dim: the size of the axis.
    Errors: UnequalSizes if the axis may have fewer elements; then the import starts again with a
    limit.
    """
    if dim.is_at_least(least) or not is_of_inputs(dim):
        return
    _check_limit(
        "an axis must not be empty" if least == 1 else "an axis has too few elements",
        dim,
        dim.max(least),
        facts,
        expected=f"{least} or more elements on axis {axis}",
        hint=f"give the size a range that starts at {least}, with shapes=",
    )


def check_largest(dim: Dim, most: int, facts: SizeFacts) -> None:
    """Check that a float represents an input size exactly.

    dim: the size.  most: the largest size that the float represents.
    Errors: UnequalSizes if the size may be larger; then the import starts again with a limit.
    """
    _check_limit(
        "a size that is computed in floating point is too large to be exact",
        dim,
        dim.min(most),
        facts,
        expected=f"at most {most}",
        hint="give the size a range, with shapes=",
    )


def _check_limit(
    message: str, dim: Dim, limited: Dim, facts: SizeFacts, *, expected: str, hint: str
) -> None:
    """Check that the facts imply a limit of a size.

    limited: the size with the limit applied, ``dim.min(limit)`` or ``dim.max(limit)``; the facts
    must simplify it to ``dim``.
    message, expected, hint: parts of the error.
    Errors: UnequalSizes if the facts do not imply the limit.
    """
    if facts.of(limited) != dim:
        sizes = [(dim, limited)]
        raise UnequalSizes(message, expected=expected, got=dim, hint=hint, sizes=sizes)


def _with_last(dims: Sequence[Dim], last: Sequence[Dim | None]) -> tuple[Dim, ...]:
    first = len(dims) - len(last)
    own = zip(dims[first:], last, strict=True)
    return (*dims[:first], *(given if size is None else size for given, size in own))


def _is_never_one(dim: Dim) -> bool:
    return dim.is_at_least(2) or multiple_of(extent_of(dim)) > 1


def _unless_broadcast(lhs: Dim, rhs: Dim) -> Dim:
    """Return an expression that is 0 if two sizes are equal, or one of them is 1."""
    return (lhs - rhs) * (lhs - 1) * (rhs - 1)


def _limits(dim: Dim) -> Iterator[tuple[str, Dim, int]]:
    """Yield the limits in a size, such as ``min(x, 512)``: function, limited size and number."""
    for call in _calls(dim):
        for size, limit in ((call.lhs, call.rhs), (call.rhs, call.lhs)):
            if call.function in ("min", "max") and limit.value is not None:
                yield call.function, size, limit.value


def _gaps(dim: Dim, *, alone: bool) -> Iterator[Dim]:
    """Yield ``x - y`` and ``y - x`` for each ``min(x, y)`` and ``max(x, y)`` in a size.

    If the sign of such a difference is known, the min or max is one of its operands.  Functions
    with a constant operand are left out.
    alone: whether to yield differences only if the whole size is a single such function.
    """
    for call in _calls(dim):
        is_taken = not alone or dim.terms == (((call,), 1),)
        is_undecided = call.lhs.value is None and call.rhs.value is None
        if call.function in ("min", "max") and is_undecided and is_taken:
            yield from (call.lhs - call.rhs, call.rhs - call.lhs)


def _without_common_symbols(dim: Dim) -> Dim:
    if not dim.terms:
        return dim
    shared = set.intersection(*(set(monomial) for monomial, _ in dim.terms))
    for name in sorted(atom for atom in shared if isinstance(atom, str) and least_of(atom) > 0):
        quotient = dim // Dim.sym(name)
        if quotient * Dim.sym(name) == dim:
            dim = quotient
    return dim


def _divisors(dim: Dim) -> dict[str, int]:
    """Return, by symbol, the number by which a size requires the symbol to be divisible.

    In ``floordiv(h, 8)``, h must be a multiple of 8, so that the division is exact; the result then
    maps h to 8.
    """
    found: dict[str, int] = {}
    for call in _calls(dim):
        divisor = call.rhs.value
        if call.function != "floordiv" or divisor is None or divisor < 2:
            continue
        match call.lhs.terms:
            case [((str(name),), factor)] if not depends_on_data(name):
                found[name] = lcm(found.get(name, 1), divisor // gcd(factor, divisor))
            case _:
                pass
    return found


def _calls(dim: Dim) -> Iterator[Call]:
    for call in (atom for monomial, _ in dim.terms for atom in monomial if isinstance(atom, Call)):
        yield from _calls(call.lhs)
        yield from _calls(call.rhs)
        yield call


def is_of_inputs(dim: Dim, computed: Container[str] = ()) -> bool:
    """Return whether a size depends neither on data nor on the iteration number of a loop.

    computed: the symbols of data-dependent sizes that are nevertheless allowed.
    """
    free = (name for name in dim.symbols() if name not in computed)
    return not any(depends_on_data(name) or is_iteration(name) for name in free)
