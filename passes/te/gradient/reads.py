"""The adjoint of one input of a compute: the sum of its cotangents over the points that read it.

    %y = te.compute [h, r red] ins(%x[h + r - 1] pad 0, %w[r])
    →
    %dx = te.compute [p, r red] ins(%dy[p - r + 1] pad 0, %w[r])

The map of the input is inverted, phase by phase if windows overlap at a stride; a last compute
interleaves the phases.  A map without an inverse becomes a te.scatter with the same points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

from xdsl.ir import BlockArgument, SSAValue

from ....dialects.shape import Extent, dims_of, extent_of, type_of
from ....dialects.te.body import AtOp
from ....dialects.te.build import ComputeResult, compute, position, read, scatter
from ....dialects.te.derivatives import BILINEAR
from ....dialects.te.scalars import Scalars, scalar_attr, wide_type
from ....dialects.te.view import Access, ComputeView, axis_ranges
from ....support.affine import Index, divide, variable
from ....support.blocks import returned
from .bodies import BodyCopy, BodyCotangents, body_cotangents, copy_body, pruned
from .combiners import Seed
from .index_maps import (
    Inverse,
    NoPoints,
    Phase,
    Strided,
    Unsolved,
    at_phase,
    invert,
    without_quotients,
)
from .ops import AdjointOps


@dataclass(frozen=True)
class _Check:
    """A condition under which a point's term belongs to the sum of an adjoint.

    index: an index expression, which must be at least 0.
    is_zero: whether it must be equal to 0 instead.
    """

    index: Index
    is_zero: bool = False

    def holds(self, s: Scalars, value: SSAValue) -> SSAValue:
        """Append the comparison that tests the condition; ``value`` is the value of the index."""
        return s.compare("eq" if self.is_zero else "ge", value, s.like(0, value))


@dataclass
class BodyAdjoint:
    """The adjoint of the body of a compute or scatter, before its terms are summed over points.

    ops: the ops of the gradient.  view: the compute; its post operands are the additional reads of
    ``seeds``.  seeds: the cotangents of the values that the body yields.
    """

    ops: AdjointOps
    view: ComputeView
    seeds: Sequence[Seed]

    @staticmethod
    def of(ops: AdjointOps, view: ComputeView, seeds: Sequence[Seed]) -> BodyAdjoint:
        """Return the adjoint of the body of ``view``, given the cotangents of its values.

        seeds: the cotangents of the values that the body yields.
        """
        reads = [read for seed in seeds for read in seed.reads]
        return BodyAdjoint(ops, replace(view, post=reads), seeds)

    @property
    def results(self) -> Iterator[Access]:
        """The reads of the cotangents of the compute's results: for each seed, its first read."""
        place = 0
        for seed in self.seeds:
            yield self.view.post[place]
            place += len(seed.reads)

    @property
    def is_bilinear(self) -> bool:
        """Whether each input cotangent is a finite multiple of a result's cotangent.

        It is then 0 where the result's cotangent is read as padding, and such points need no
        condition.
        """
        return all(seed.scales for seed in self.seeds) and all(
            op.name in BILINEAR for op in self.view.body.block.ops
        )

    def differentiate(
        self, s: Scalars, values: Sequence[SSAValue]
    ) -> tuple[BodyCopy, BodyCotangents]:
        """Append a copy of the body, then the ops that compute the cotangents of all its values.

        values: the values of the inputs, then of the additional reads of the seeds.
        Returns the copy and the cotangents.
        """
        block, place = self.view.body.block, len(self.view.inputs)
        body = copy_body(s, block, values[:place])
        pairs: list[tuple[SSAValue, SSAValue]] = []
        for seed in self.seeds:
            reads = values[place : place + len(seed.reads)]
            pairs.append((returned(block)[seed.output], seed.make(s, body, reads)))
            place += len(seed.reads)
        return body, body_cotangents(s, body, pairs)

    def of_argument(self, s: Scalars, values: Sequence[SSAValue], number: int) -> SSAValue:
        """Append the cotangent of input ``number`` at one point of the compute, and return it.

        values: the values of the inputs, then of the additional reads of the seeds, at this point.
        """
        argument = self.view.body.block.args[number]
        _, found = self.differentiate(s, values)
        g = found.of_values.get(argument)
        return s.constant(0, argument.type) if g is None else g

    def of_input(self, number: int) -> SSAValue:
        """Append computes of the cotangent of the tensor that an input reads; return it.

        number: the number of the input.
        """
        plain = without_quotients(self.view)
        strides = None if plain is None else _strides(plain.inputs[number], plain.axes)
        if plain is None or strides is None:
            return self._scattered(number)
        adjoint = replace(self, view=plain)
        if not strides:
            return adjoint.gathered(number, {}) or self._zeros(number)
        parts: dict[tuple[int, ...], SSAValue] = {}
        for offsets in product(*(range(stride) for stride in strides.values())):
            phases = {
                d: Phase(stride, offset)
                for (d, stride), offset in zip(strides.items(), offsets, strict=True)
            }
            part = adjoint.gathered(number, phases)
            if part is not None:
                parts[offsets] = part
        return _interleaved(self.ops, plain.inputs[number], strides, parts)

    def _zeros(self, number: int) -> SSAValue:
        value = self.view.inputs[number].value
        assert value is not None, "an index input has no cotangent"
        return self.ops.full(value.type, 0)

    def gathered(self, number: int, phases: Mapping[int, Phase]) -> SSAValue | None:
        """Append a compute that sums the cotangents at each position of input ``number``.

        phases: the phase of each dimension that is solved phase by phase; the compute then runs
        over the positions of these phases only.
        Returns the result of the compute, or None if no point reads these positions.
        """
        source = self.view.inputs[number]
        sizes = [
            phases[d].count(size) if d in phases else size for d, size in enumerate(source.extents)
        ]
        inverse = invert(source.indices or [], self.view.axes, sizes, phases)
        is_empty = any(isinstance(size, int) and size < 1 for size in sizes) and bool(phases)
        if is_empty or not isinstance(inverse, Inverse):
            assert is_empty or isinstance(inverse, NoPoints), "the strides were solved before"
            return None
        moved = replace(self, view=at_phase(inverse, self.view))
        checks = moved._checks(self.view, inverse)
        reads = [_padded(access, inverse) for access in moved.view.reads]
        element = source.element_type

        def body(s: Scalars, *values: SSAValue) -> SSAValue:
            g = self.of_argument(s, values[: len(reads)], number)
            tests = values[len(reads) :]
            for check, value in zip(checks, tests, strict=True):
                g = s.select(check.holds(s, value), g, s.like(0, g))
            return s.widen(g) if inverse.free else g

        result = ComputeResult(tuple(inverse.positions), element)
        if inverse.free:
            names = tuple(inverse.positions)
            result = ComputeResult(names, element, "add", 0, wide_type(element))
        axes = {**inverse.positions, **inverse.free}
        inputs = [*reads, *(position(check.index) for check in checks)]
        made = compute(f"d_{self.view.name}", axes, inputs, [result], body)
        return self.ops.append(pruned(made)).results[0]

    def _checks(self, before: ComputeView, inverse: Inverse) -> list[_Check]:
        """Return the conditions that a point must satisfy so that its term is added.

        Conditions that the extents of the axes or the padding already imply are left out. In a
        bilinear body, a solved axis that alone indexes all cotangents needs no condition either,
        because the cotangent is padded with 0 outside of the axis.
        before: the view whose indices are not yet expressions over positions.
        inverse: these expressions.
        """
        padded: set[object] = set()
        if self.is_bilinear:
            reads = list(replace(self, view=before).results)
            each = [{e.variable() for e in access.indices or ()} for access in reads]
            padded = set.intersection(*each)
        checks = [_Check(index, is_zero=True) for index in inverse.zeros]
        for axis, index in inverse.solved.items():
            extent = inverse.axes[axis]
            if axis in padded:
                continue
            if not inverse.is_nonnegative(index):
                checks.append(_Check(index))
            if not inverse.is_below(index, extent):
                checks.append(_Check(self.ops.size(extent) - index - 1))
        return checks

    def _scattered(self, number: int) -> SSAValue:
        """Append a scatter that adds each point's cotangent at the position that it reads.

        number: the number of the input.
        Returns the cotangent of the input's whole tensor.
        """
        view = self.view
        source = view.inputs[number]
        reads = view.reads

        def body(s: Scalars, *values: SSAValue) -> list[SSAValue]:
            g = self.of_argument(s, values[: len(reads)], number)
            return [*values[len(reads) :], g]

        inputs = [*reads, *(position(index) for index in source.indices or ())]
        made = scatter(
            f"d_{view.name}", view.axes, self._zeros(number), inputs, body,
            lambda s, old, new: s.add(old, new),
        )  # fmt: skip
        return self.ops.append(made).results[0]

    def of_whole_input(self, number: int, base: SSAValue | None) -> SSAValue:
        """Append scatters that add the cotangents of an operand's te.at reads to ``base``.

        There is one scatter per te.at.
        number: the number of the operand among the inputs.  base: the cotangent of the operand so
        far; None for zeros.
        Returns the sum.
        """
        view = self.view
        argument = view.body.block.args[number]
        total = self._zeros(number) if base is None else base
        for op in view.body.block.ops:
            if isinstance(op, AtOp) and op.x is argument:
                total = self._scattered_read(op, argument, total)
        return total

    def _scattered_read(self, op: AtOp, argument: BlockArgument, base: SSAValue) -> SSAValue:
        def body(s: Scalars, *values: SSAValue) -> list[SSAValue]:
            copy, found = self.differentiate(s, values)
            g = found.of_read(op)
            g = s.constant(0, op.out.type) if g is None else g
            return [*(copy.values[i] for i in op.indices), g]

        made = scatter(
            f"d_{self.view.name}", self.view.axes, base, self.view.reads, body,
            lambda s, old, new: s.add(old, new),
        )  # fmt: skip
        return self.ops.append(made).results[0]


def _strides(access: Access, axes: Mapping[str, Extent]) -> dict[int, int] | None:
    """Return which dimensions of an input must be solved phase by phase, each with its stride.

    The stride is the number of phases. None if the solver has no rule for the index expressions.
    access: the read of the input.
    axes: the extents of the compute's axes.
    """
    strides: dict[int, int] = {}
    while True:
        phases = {d: Phase(stride, 0) for d, stride in strides.items()}
        match invert(access.indices or [], axes, list(access.extents), phases):
            case Strided(dimension, stride):
                strides[dimension] = stride
            case Unsolved():
                return None
            case _:
                return strides


def _padded(access: Access, inverse: Inverse) -> Access:
    """Return a read that gives 0 outside of its operand, if it may leave the operand.

    inverse: has the extents of the axes that the indices use.
    """
    if access.indices is None or access.is_index or access.pad is not None:
        return access
    pairs = zip(access.indices, access.extents, strict=True)
    if all(inverse.is_nonnegative(i) and inverse.is_below(i, extent) for i, extent in pairs):
        return access
    return replace(access, pad=scalar_attr(0, access.element_type))


def _interleaved(
    ops: AdjointOps,
    access: Access,
    strides: Mapping[int, int],
    parts: Mapping[tuple[int, ...], SSAValue],
) -> SSAValue:
    """Append a compute that interleaves the phases of a cotangent; return its result.

    Element p of the result is element ``p floordiv stride`` of the phase to which p belongs.
    access: the read whose operand has the cotangent.  strides: the stride of each interleaved
    dimension.  parts: the tensor of each phase, by the phase's offset in each of these dimensions;
    elements of a phase without a tensor are 0.
    """
    assert access.value is not None, "an index input has no cotangent"
    axes = {f"i{d}": extent_of(dim) for d, dim in enumerate(dims_of(type_of(access.value)))}
    places = [variable(axis) for axis in axes]
    ranges = axis_ranges(axes)
    for d, stride in strides.items():
        places[d] = divide("floordiv", places[d], stride, ranges)
    phases = [divide("mod", variable(f"i{d}"), stride, ranges) for d, stride in strides.items()]
    element = access.element_type

    def body(s: Scalars, *values: SSAValue) -> SSAValue:
        total = s.constant(0, element)
        offsets = values[len(parts) :]
        for point, value in zip(parts, values, strict=False):
            tests = [
                s.compare("eq", offset, s.like(number, offset))
                for offset, number in zip(offsets, point, strict=True)
            ]
            total = s.select(reduce(s.bit_and, tests), value, total)
        return total

    inputs = [*(read(value, places, 0) for value in parts.values()), *map(position, phases)]
    made = compute("interleave", axes, inputs, [ComputeResult(tuple(axes), element)], body)
    return ops.append(made).results[0]
