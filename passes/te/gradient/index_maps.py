"""Index maps, solved for the axes: the points of a compute that read an element of an input.

    x[2 * h + r - 1], r in 0..2      positions p = 2 * q (phase 0):  r = 1,  h = q
                                     positions p = 2 * q + 1:        r = 2 * r', h = q + 1 - r'

In: the indices of one input, and the extents of the axes.  Out: an `Inverse`, whose solved axes are
expressions of the position (axes p0, p1, …) and of free axes.  Each value of the free axes for
which all solved axes are in range is one point that reads this position; there are no others.

Dimension by dimension, the rules are: digits of a mixed radix (``h * 2 + r`` with r < 2) are
quotients and remainders of p; in an overlapping window of stride 1, the longest axis is solved; in
a window of a larger stride, all positions of one phase ``p = stride * q + phase`` are solved
together, so that no index has a remainder and all computes can be vectorized.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd

from xdsl.ir import OpResult

from ....dialects.axis_bounds import AxisBounds
from ....dialects.loop.size import SizeOp
from ....dialects.shape import Dim, Extent, extent_of, size_index
from ....dialects.te.view import ComputeView, axis_ranges
from ....support.affine import Atom, Index, Key, constant, divide, variable


@dataclass(frozen=True)
class Phase:
    """The positions ``stride * q + offset`` of one dimension, for q = 0, 1, ..

    For example, the even positions are the phase of stride 2 and offset 0.
    """

    stride: int
    offset: int

    def count(self, size: Extent) -> Extent:
        """Return the number of positions of the phase that are below ``size``."""
        return extent_of((Dim.of(size) - self.offset + self.stride - 1) // self.stride)


@dataclass(frozen=True)
class Strided:
    """A failure of `invert`: one dimension can only be solved for each phase separately.

    dimension: the number of the dimension.
    stride: the number of phases, which is the stride of the windows.
    """

    dimension: int
    stride: int


@dataclass(frozen=True)
class Unsolved:
    """A failure of `invert`: the solver has no rule for the index expression of one dimension."""

    dimension: int


@dataclass(frozen=True)
class NoPoints:
    """A result of `invert`: no point of the compute reads a position of the given phase."""


@dataclass
class Inverse:
    """The inverse of an access: the points of a compute that read a given position of an input.

    positions: the axes that number the positions, one per dimension of the input, with their
    extents.
    axes: the axes of the compute, with their extents.
    solved: for each axis that is a function of the position, its expression over ``positions`` and
    ``free``.
    free: the other axes of the compute, with their extents. Each value of the free axes gives one
    point.
    zeros: expressions over ``positions`` and ``free``; a point reads the position only if all of
    them are 0.
    """

    positions: dict[str, Extent]
    axes: dict[str, Extent]
    solved: dict[str, Index] = field(default_factory=dict[str, Index])
    free: dict[str, Extent] = field(default_factory=dict[str, Extent])
    zeros: list[Index] = field(default_factory=list[Index])

    @property
    def extents(self) -> dict[str, Extent]:
        """The extents of all axes and positions."""
        return {**self.axes, **self.positions, **self.free}

    def move(self, index: Index) -> Index:
        """Return an index over the compute's axes as an expression over positions and free axes."""
        return index.substitute(self.solved, axis_ranges(self.extents))

    def is_nonnegative(self, index: Index) -> bool:
        """Return whether an expression over positions and free axes is provably at least 0."""
        return is_nonnegative(index, self.extents)

    def is_below(self, index: Index, extent: Extent) -> bool:
        """Return whether an index over positions and free axes is provably below ``extent``."""
        return is_nonnegative(distance_to_end(index, extent), self.extents)


def invert(
    indices: Sequence[Index],
    axes: Mapping[str, Extent],
    sizes: Sequence[Extent],
    phases: Mapping[int, Phase],
) -> Inverse | Strided | Unsolved | NoPoints:
    """Solve the index expressions of an input for the axes of the compute.

    indices: one expression per dimension, without quotients and remainders of axes.  axes: the
    extents of the compute's axes.  sizes: the number of positions per dimension; for a dimension in
    ``phases``, the number of positions of the phase.  phases: the phase for which a dimension is
    solved, by dimension.
    Returns Strided, Unsolved or NoPoints if there is no solution of this form.
    """
    prefix = _unused_prefix(axes)
    positions = {f"{prefix}{d}": size for d, size in enumerate(sizes)}
    solver = _Solver(Inverse(positions, dict(axes)), {})
    for d in sorted(range(len(indices)), key=lambda d: len(indices[d].terms)):
        position = variable(f"{prefix}{d}")
        phase = phases.get(d)
        if phase is not None:
            position = position * phase.stride + phase.offset
        refused = solver.solve(d, indices[d], position, sizes[d], phase)
        if refused is not None:
            return refused
    return solver.finish()


def _unused_prefix(axes: Mapping[str, Extent]) -> str:
    """Return a prefix (p, pp, …) such that no axis has the name prefix + number."""
    prefix = "p"
    while any(axis.startswith(prefix) and axis[len(prefix) :].isdigit() for axis in axes):
        prefix += "p"
    return prefix


@dataclass
class _Solver:
    """The state of `invert`: the inverse so far, and the extents of new axes.

    steps: the extents of the new axes, which count the steps of a stride in a window.
    """

    inverse: Inverse
    steps: dict[str, Extent]

    def _divide(self, kind: str, index: Index, divisor: int) -> Index:
        extents = {**self.inverse.extents, **self.steps}
        return divide("mod" if kind == "mod" else "floordiv", index, divisor, axis_ranges(extents))

    def solve(
        self, d: int, index: Index, position: Index, size: Extent, phase: Phase | None
    ) -> Strided | Unsolved | NoPoints | None:
        """Solve ``index = position`` for the axes that are not solved yet.

        d: the dimension of the input. size: the number of its positions. phase: the positions to
        solve for; None for all.
        Returns None on success, otherwise the reason why the dimension cannot be solved.
        """
        axes, solved = self.inverse.axes, self.inverse.solved
        index = index.substitute(solved, axis_ranges({**self.inverse.extents, **self.steps}))
        unknown = {k: c for k, c in index.terms.items() if k in axes and k not in solved}
        left = position - Index({k: c for k, c in index.terms.items() if k not in unknown})
        left = left - index.const
        terms = {str(k): c for k, c in unknown.items()}
        if any(isinstance(key, Atom) for key in index.terms if _mentions(key, axes)):
            return Unsolved(d)
        if not terms:
            if size != 1 or left != constant(0):
                self.inverse.zeros.append(left)
            return None
        if all(c < 0 for c in terms.values()) and len(terms) == 1:
            left, terms = -left, {k: -c for k, c in terms.items()}
        if is_radix(terms, axes):
            self._solve_digits(left, terms)
            return None
        return self._solve_window(d, left, terms, phase)

    def _solve_digits(self, left: Index, terms: Mapping[str, int]) -> None:
        # An axis of extent 1 is 0, and comes after an axis of the same coefficient.
        digits = sorted(terms.items(), key=lambda t: (-t[1], self.inverse.axes[t[0]] == 1))
        for axis, coefficient in digits:
            self.inverse.solved[axis] = self._divide("floordiv", left, coefficient)
            left = self._divide("mod", left, coefficient)
        if left != constant(0):
            self.inverse.zeros.append(left)

    def _solve_window(
        self, d: int, left: Index, terms: Mapping[str, int], phase: Phase | None
    ) -> Strided | Unsolved | NoPoints | None:
        """Solve ``left = sum of terms`` for the longest of its axes; the other axes stay free.

        This is the equation of overlapping windows, as of a convolution.
        d: the dimension of the input. left: an expression over positions and axes that are solved
        or free. terms: the coefficient of each unsolved axis. phase: the positions to solve for;
        None for all.
        Returns None on success, otherwise the reason why the dimension cannot be solved.
        """
        axes = self.inverse.axes
        longest = max(terms, key=lambda k: (isinstance(axes[k], Dim), _number(axes[k]), terms[k]))
        stride = terms[longest]
        if stride < 0:
            left, stride = -left, -stride
            terms = {k: -c for k, c in terms.items()}
        if stride > 1:
            if phase is None:
                return Strided(d, stride)
            if any(c % stride for c in left.terms.values()):
                return Unsolved(d)
            left, terms, refused = self._solve_residue(d, left, terms, stride)
            if refused is not None:
                return refused
        rest = Index({k: c for k, c in terms.items() if k != longest})
        self.inverse.solved[longest] = self._divide("floordiv", left - rest, stride)
        return None

    def _solve_residue(
        self, d: int, left: Index, terms: Mapping[str, int], stride: int
    ) -> tuple[Index, Mapping[str, int], Unsolved | NoPoints | None]:
        """Solve ``left = sum of terms`` modulo the stride for one axis.

        It is the only axis whose coefficient the stride does not divide. This axis becomes ``stride
        * step + remainder``, with a new axis ``step``. Returns both sides of the equation that
        remains, in which the stride divides all coefficients, and the failure if there is no
        solution, else None.
        """
        loose = [axis for axis, coefficient in terms.items() if coefficient % stride]
        if not loose:
            return left, terms, (NoPoints() if left.const % stride else None)
        axis, dilation = loose[0], terms[loose[0]]
        extent = self.inverse.axes[axis]
        if len(loose) > 1 or gcd(dilation, stride) != 1 or not isinstance(extent, int):
            return left, terms, Unsolved(d)
        remainder = left.const * pow(dilation, -1, stride) % stride
        count = -(-(extent - remainder) // stride)
        if count <= 0:
            return left, terms, NoPoints()
        step = _unused_name(f"{axis}_step", {**self.inverse.extents, **self.steps})
        self.steps[step] = count
        self.inverse.solved[axis] = variable(step) * stride + remainder
        left = left - self.inverse.solved[axis] * dilation
        return left, {k: c for k, c in terms.items() if k != axis}, None

    def finish(self) -> Inverse:
        """Return the inverse, with no solved axis in the expression of another."""
        made = self.inverse
        free = {axis: extent for axis, extent in made.axes.items() if axis not in made.solved}
        made.free = free | self.steps
        ranges = axis_ranges(made.extents)
        for _ in made.solved:
            made.solved = {a: e.substitute(made.solved, ranges) for a, e in made.solved.items()}
        made.zeros = [e.substitute(made.solved, ranges) for e in made.zeros]
        return made


def is_radix(terms: Mapping[Key, int], axes: Mapping[str, Extent]) -> bool:
    """Return whether a sum of axes times coefficients has different values at all points.

    Such a sum is a number in a mixed radix, whose digits are the axes.  Only the axis of the
    largest coefficient may have a symbolic extent.
    terms: the coefficient of each axis.  axes: the extents of the axes.
    """
    reach = 0
    for place, (axis, coefficient) in enumerate(sorted(terms.items(), key=lambda term: term[1])):
        if coefficient <= reach or not isinstance(axis, str):
            return False
        extent = axes[axis]
        if not isinstance(extent, int):
            return place == len(terms) - 1
        reach += coefficient * (extent - 1)
    return True


def _mentions(key: Key, axes: Mapping[str, Extent]) -> bool:
    """Return whether a quotient or remainder contains an axis of the compute."""
    return isinstance(key, Atom) and any(v in axes for v in key.operand.variables())


def _number(extent: Extent) -> int:
    return extent if isinstance(extent, int) else 0


def _unused_name(name: str, taken: Mapping[str, Extent]) -> str:
    while name in taken:
        name += "_"
    return name


def without_quotients(view: ComputeView) -> ComputeView | None:
    """Split axes of a compute until no index divides an axis; return None if this is impossible.

    For ``i floordiv k``, the axis i becomes ``k * i_o + i_i`` with the new axes i_o and i_i.
    """
    for _ in range(_MOST_SPLITS):
        atom = _innermost(view)
        if atom is None:
            return view
        found = _divided_axis(view, atom)
        if found is None:
            return None
        axis, size = found
        taken = dict(view.axes)
        outer = _unused_name(f"{axis}_o", taken)
        view = view.split(axis, size, outer, _unused_name(f"{axis}_i", {**taken, outer: 1}))
    return None


_MOST_SPLITS = 32
"""More splits than index maps of operators need."""


def _innermost(view: ComputeView) -> Atom | None:
    """Return a quotient or remainder of axes that contains no other one; None if there is none."""
    for access in view.accesses():
        for index in access.indices or ():
            for atom in index.atoms():
                if atom.depth == 1 and any(v in view.axes for v in atom.operand.variables()):
                    return atom
    return None


def _divided_axis(view: ComputeView, atom: Atom) -> tuple[str, int] | None:
    """Return an axis to split, so that a quotient or remainder of axes disappears.

    atom: the quotient or remainder.
    Returns the axis and the extent of its inner part; None if no split removes the atom.
    """
    for axis, coefficient in atom.operand.terms.items():
        if not isinstance(axis, str) or coefficient <= 0 or atom.divisor % coefficient:
            continue
        size, extent = atom.divisor // coefficient, Dim.of(view.axes[axis])
        is_larger = extent.value is None or extent.value > size
        if size > 1 and is_larger and (extent % size).value == 0:
            return axis, size
    return None


def is_nonnegative(index: Index, extents: Mapping[str, Extent]) -> bool:
    """Return whether an index expression is provably at least 0 for all values of axes and sizes.

    extents: the extents of the axes.
    """
    if index.range(axis_ranges(extents))[0] >= 0:
        return True

    def known_extent(key: Key) -> Extent | None:
        return extents.get(key) if isinstance(key, str) else None

    bounds = AxisBounds(known_extent, axis_ranges(extents))
    sizes = {
        key: size_index(key.op.dim)
        for key in index.variables()
        if isinstance(key, OpResult) and isinstance(key.op, SizeOp)
    }
    return bounds.lower(index.substitute(sizes, bounds.range_of)) >= 0


def distance_to_end(index: Index, extent: Extent) -> Index:
    """Return ``extent - 1 - index``, which is at least 0 if and only if ``index < extent``.

    A symbolic extent occurs in the result as a variable that `is_nonnegative` understands.
    """
    return size_index(Dim.of(extent)) - index - 1


def at_phase(inverse: Inverse, view: ComputeView) -> ComputeView:
    """Return a view with the reads of a compute as expressions over positions and free axes.

    inverse: the expressions that replace the solved axes.
    """
    moved = [
        a if a.indices is None else replace(a, indices=[inverse.move(e) for e in a.indices])
        for a in view.reads
    ]
    count = len(view.inputs)
    return replace(view, inputs=moved[:count], post=moved[count:])
