"""Record the function of a compute as the regions and accesses of one te.compute.

While the function runs, its scalar ops are appended to one scratch block, whose arguments are reads
of tensors, positions, and results of reductions.  Afterwards, ``Recorder.finish`` divides the block
into the regions of the te.compute op: the ops that the operands of reductions need become ``body``,
the ops on their results become ``then``.  The reads that a region needs become its operands,
``ins`` or ``post``.  Dead ops are dropped.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ...dialects.index_syntax import INDEX
from ...dialects.loop import SizeOp
from ...dialects.shape import Dim, Extent
from ...dialects.te.build import BodyFunction, ComputeResult, compute
from ...dialects.te.compute import ComputeOp
from ...dialects.te.scalars import Scalars, scalar_attr, signless
from ...dialects.te.view import Access, axis_ranges
from ...support.affine import Index, Key, variable
from ...support.diagnostics import TypeMismatch
from ...support.size_names import shown_size
from .bounds import (
    Variable,
    index_of,
    is_never_negative,
    least_of,
    most_of,
    nonempty_sizes,
    reaches_its_ends,
)
from .scalar_ranges import is_within

MOST_OPERATIONS = 8192
"""Largest number of scalar ops in a compute's function; LLVM is slow for larger basic blocks."""


def _covers(access: Access) -> bool:
    """Return whether a read over all iterations reads every element of its tensor.

    It does if each dimension is indexed by an axis with the extent of the dimension, and no axis
    indexes two dimensions.
    """
    seen: set[Key] = set()
    for index, size in zip(access.indices or (), access.extents, strict=True):
        axis = index.variable()
        if size == 1 and index.is_constant:
            continue
        if not isinstance(axis, Variable) or axis in seen or axis.extent != size:
            return False
        seen.add(axis)
    return access.pad is None


@dataclass(frozen=True)
class RecordedIndexCheck:
    """A bounds check of a tensor whose elements are used as positions in another tensor.

    source: the tensor of positions.  sizes: exclusive upper bounds: one for all elements, or one
    per element of the last axis.  place: the text that messages show for the read at such a
    position.
    """

    source: ReadTensor
    sizes: tuple[Extent, ...]
    place: str


@dataclass(frozen=True)
class ComputedPosition:
    """A position that is computed from data, along one dimension of a read.

    read: the element that is read at the position.  value: the position, an integer; element_type:
    its type with signedness.  size: the exclusive upper bound of the position.  place: the text
    that messages show for the read.
    """

    read: SSAValue
    value: SSAValue
    element_type: Attribute
    size: Extent
    place: str


@dataclass(frozen=True)
class UncertainRead:
    """A read that is in bounds only for some sizes of a call.

    low, high: the first and the last position.  size: the exclusive upper bound.  place: the text
    that messages show for the read. reduced: the axes of the reductions that contain the read.
    """

    low: Dim
    high: Dim
    size: Dim
    place: str
    reduced: tuple[Variable, ...] = ()


class ReadTensor(Protocol):
    """A tensor that a compute reads.

    element_type: the element type, with the signedness of integers.  is_argument: whether the
    caller provides the elements.  starts_late: whether reads at negative positions along the first
    axis are never executed. This holds for the state of a te.scan, because no step reads states
    before the first.
    """

    name: str
    value: SSAValue
    element_type: Attribute
    starts_late: bool

    @property
    def is_argument(self) -> bool: ...


@dataclass(frozen=True)
class Combination:
    """The way a reducer combines values: by a combiner of the te dialect, or by a function.

    combiner: the name, such as "add"; ``by`` for a function.  inits: the identity for each reduced
    value.  accumulators: the signless types of the accumulators.
    combine: the function if the combiner is ``by``.
    """

    combiner: str
    inits: tuple[int | float, ...]
    accumulators: tuple[Attribute, ...]
    combine: BodyFunction | None = None


@dataclass(frozen=True)
class RecordedReduction:
    """One use of a reducer in a compute.

    how: the way in which the reducer combines values.
    inputs: the values to reduce.
    axes: the reduction axes.
    combined: the arguments of the scratch block that stand for the results of the reduction.
    """

    how: Combination
    inputs: tuple[SSAValue, ...]
    axes: tuple[Variable, ...]
    combined: tuple[SSAValue, ...]


@dataclass
class Recorder:
    """The recorded scalar ops of one compute, and the meaning of the arguments of their block.

    where: the compute, for messages.  parallel: the axes of the compute's results.  block: the
    scratch block that holds the recorded ops.  reduced: the reduction axes of the compute, set by
    `finish`.
    reductions: the uses of reducers.  sources: the tensors that the compute reads, by their SSA
    value.
    positions: the positions in its reads that are computed from data.
    uncertain: the reads that are in bounds only for some sizes, so that each call must check them,
    set by `finish`.
    """

    where: str
    parallel: Sequence[Variable]
    block: Block = field(default_factory=Block)
    reduced: tuple[Variable, ...] = ()
    reductions: list[RecordedReduction] = field(default_factory=list[RecordedReduction])
    positions: list[ComputedPosition] = field(default_factory=list[ComputedPosition])
    sources: dict[SSAValue, ReadTensor] = field(default_factory=dict[SSAValue, ReadTensor])
    uncertain: list[UncertainRead] = field(default_factory=list[UncertainRead])
    _accesses: dict[SSAValue, Access] = field(default_factory=dict[SSAValue, Access])
    _known: dict[object, SSAValue] = field(default_factory=dict[object, SSAValue])
    _guards: dict[ComputedPosition, list[tuple[SSAValue, bool]]] = field(
        default_factory=dict["ComputedPosition", list[tuple[SSAValue, bool]]]
    )
    _sizes: dict[Dim, SSAValue] = field(default_factory=dict[Dim, SSAValue])

    def __post_init__(self) -> None:
        self.scalars = Scalars(self.block)

    def error(self, rule: str, **parts: object) -> TypeMismatch:
        """Return an error that names this compute.

        rule: the violated rule.  parts: further parts of the error, such as ``expected`` and
        ``hint``.
        """
        return TypeMismatch(rule, **cast("dict[str, Any]", parts)).named(self.where)

    # ---- arguments of the scratch block

    def read(
        self,
        source: ReadTensor,
        indices: Sequence[Index],
        pad: Attribute | None = None,
    ) -> SSAValue:
        """Return a tensor's element at a position, or ``pad`` if the position is out of bounds.

        Without ``pad``, the position must be in bounds.
        """
        tensor = source.value
        assert isinstance(tensor.type, TensorType), f"not a tensor: {tensor.type}"
        self.sources[tensor] = source
        access = Access(tensor, list(indices), pad=pad)
        return self._argument(
            access, tensor.type.get_element_type(), ("read", tensor, tuple(indices), pad)
        )

    def whole(self, source: ReadTensor) -> SSAValue:
        """Return a whole tensor as an operand, for reads at computed positions."""
        tensor = source.value
        self.sources[tensor] = source
        return self._argument(Access(tensor, None), tensor.type, ("whole", tensor))

    def guard(self, value: SSAValue, condition: SSAValue, *, wanted: bool) -> None:
        """Record that a value, and the reads on which it depends, are used only under a condition.

        wanted: the value of the condition under which they are used.
        """
        found = _behind([value]).ops
        for position in self.positions:
            if position.read.owner in found:
                self._guards.setdefault(position, []).append((condition, wanted))

    def checked_positions(self, values: Sequence[SSAValue]) -> list[ComputedPosition]:
        """Return the computed positions that need a bounds check at run time.

        A position needs one if some of ``values`` depends on a read at the position, and the
        position is not provably in bounds.
        """
        waiting, found = list(values), _behind(values)
        while waiting:
            found = _behind(values := [*values, *waiting])
            waiting = [
                v
                for r in self.reductions
                if any(c in found.arguments for c in r.combined)
                for v in r.inputs
                if v not in values
            ]
        made = [p for p in self.positions if p.read.owner in found.ops]
        return [p for p in made if not is_within(p.value, p.size, self._bounds_of)]

    def _bounds_of(self, value: SSAValue) -> tuple[Dim, Dim] | None:
        access = self._accesses.get(value)
        if access is None or not access.is_index or not access.indices:
            return None
        return least_of(access.indices[0]), most_of(access.indices[0])

    def source_of(self, position: ComputedPosition) -> ReadTensor | None:
        """Return the tensor whose elements are all values that a computed position takes.

        Return None if there is no such tensor: if the position is not simply an element of a
        tensor, or if the compute does not use each element.
        """
        access = self._accesses.get(position.value)
        if access is None or access.value is None or self._guards.get(position):
            return None
        is_checkable = position.element_type in (i32, i64) and _covers(access)
        return self.sources[access.value] if is_checkable else None

    def positions_op(self, position: ComputedPosition, name: str) -> ComputeOp | None:
        """Return a compute of all values of a position; 0 where the read is not executed.

        Return None if the values depend on the result of a reduction or on the state of a te.scan.
        name: the name of the compute.
        """
        guards = self._guards.get(position, [])
        part = self._part([position.value, *(condition for condition, _ in guards)])
        if not part.needed.arguments <= self._accesses.keys():
            return None
        if any(self._starts_late(access) for access in part.accesses):
            return None
        keys = {key for access in part.accesses for key in access.axes()}
        used = {key for key in keys if isinstance(key, Variable)}
        variables = [v for v in self.parallel if v in used]
        variables += sorted((v for v in used if v not in variables), key=str)
        names: dict[Key, str] = {}
        for each in variables:
            names[each] = unique(str(each), names.values())
        axes: dict[str, Extent] = {names[v]: v.extent for v in variables} or {"i": 1}
        made = part.function([position.value, *(condition for condition, _ in guards)])

        def body(s: Scalars, *given: SSAValue) -> list[SSAValue]:
            value, *conditions = cast("list[SSAValue]", made(s, *given))
            number = s.cast(value, position.element_type, i64)
            zero = s.constant(0, i64)
            for condition, (_, wanted) in zip(conditions, guards, strict=True):
                number = s.select(condition, *((number, zero) if wanted else (zero, number)))
            return [number]

        inputs = [self._placed(access, names) for access in part.accesses]
        return compute(name, axes, inputs, [ComputeResult(tuple(axes), i64)], body)

    def position(self, index: Index) -> SSAValue:
        """Return a position as a value of type index."""
        return self._argument(Access(None, [index]), INDEX, ("position", index))

    def index_value(self, index: Index) -> SSAValue:
        """Return a position as a value of type index.

        If the position has no variables, the value is a constant op, otherwise an argument of the
        block.
        """
        if index.is_constant:
            return self.scalars.constant(index.const, INDEX)
        return self.position(index)

    def _argument(self, access: Access, type_: Attribute, key: object) -> SSAValue:
        if key not in self._known:
            argument = self.block.insert_arg(type_, len(self.block.args))
            self._known[key], self._accesses[argument] = argument, access
        return self._known[key]

    def reduce(
        self, how: Combination, inputs: Sequence[SSAValue], axes: Sequence[Variable]
    ) -> list[SSAValue]:
        """Record a reduction of values over axes; return its results.

        how: the way in which the reducer combines values.
        """
        combined = [self.block.insert_arg(t, len(self.block.args)) for t in how.accumulators]
        self.reductions.append(RecordedReduction(how, tuple(inputs), tuple(axes), tuple(combined)))
        return list(combined)

    def require_position(self, axis: Variable, what: str) -> None:
        """Require that an axis is not empty; if its extent is symbolic, each call checks this.

        what: the operation that needs a position, for messages.
        Errors: TypeMismatch for an axis that is always empty.
        """
        extent = Dim.of(axis.extent)
        if extent.is_at_least(1):
            return
        if extent.value is not None:
            raise self.error(f"{what} has no element", expected="1 or more", got=axis.extent)
        zero, place = Dim.const(0), f"{self.where}: {what}, position 0 of {axis}"
        self.uncertain.append(UncertainRead(zero, zero, extent, place))

    # ---- reads out of bounds

    def access_of(self, value: SSAValue) -> Access | None:
        """Return the access of a value that is a read or a position; None for any other value."""
        return self._accesses.get(value)

    def unsafe_reads(self, value: SSAValue) -> list[SSAValue]:
        """Return the unpadded reads on which a value depends and that may be out of bounds."""
        reads = {a: self._accesses[a] for a in _behind([value]).arguments if a in self._accesses}
        return [a for a, access in reads.items() if self._escapes(access)]

    def pad(self, read: SSAValue) -> None:
        """Pad a recorded read with 0.

        A later read of the same element gets a new block argument, because it is not padded.
        """
        access = self._accesses[read]
        self._known = {k: v for k, v in self._known.items() if v is not read}
        self._accesses[read] = replace(access, pad=scalar_attr(0, read.type))

    def _escapes(
        self, access: Access, reduced: Iterable[Variable] = (), *, starts_late: bool = False
    ) -> list[_Escape]:
        """Return the dimensions in which an unpadded read may be out of bounds.

        reduced: the axes of the reductions that contain the read.  starts_late: whether reads at
        negative positions along the first axis are never executed.
        """
        axes = {key for key in access.axes() if isinstance(key, Variable)}
        known = nonempty_sizes({*self.parallel, *reduced, *axes})
        return list(_escapes(access, known, starts_late=starts_late))

    # ---- the finished compute

    def finish(
        self, results: Sequence[tuple[SSAValue, Attribute]], name: str
    ) -> tuple[ComputeOp, list[int]]:
        """Return the finished compute, and for each returned value the number of its op result.

        results: the values that the compute returns, with their types (with signedness).  The op
        may have further results, such as the maximum that an argmax computes together with its
        position.
        name: the name of the compute.
        Errors: TypeMismatch for a function that one te.compute cannot express, or for reads out of
        bounds.
        """
        reached = _behind([value for value, _ in results])
        if len(self.block.ops) > MOST_OPERATIONS:
            raise self.error(
                "its function has too many operations",
                expected=f"at most {MOST_OPERATIONS}",
                got=len(self.block.ops),
                hint="sum along a te.reduce_axis, or make several te.computes",
            )
        used = [r for r in self.reductions if any(c in reached.arguments for c in r.combined)]
        if not used:
            return self._stored(results, name), list(range(len(results)))
        return self._reduced(results, used, name)

    def _stored(self, results: Sequence[tuple[SSAValue, Attribute]], name: str) -> ComputeOp:
        values = [value for value, _ in results]
        part = self._part(values)
        for access in part.accesses:
            self._check(access, reduced=False)
        names = self._axis_names(())
        axes = self._extents(names)
        made = [ComputeResult(tuple(axes), signless(element)) for _, element in results]
        inputs = [self._placed(a, names) for a in part.accesses]
        return compute(name, axes, inputs, made, part.function(values))

    def _reduced(
        self,
        results: Sequence[tuple[SSAValue, Attribute]],
        used: list[RecordedReduction],
        name: str,
    ) -> tuple[ComputeOp, list[int]]:
        reduced = self.reduced = self._common_axes(used)
        slots = [c for reduction in used for c in reduction.combined]
        body_values = [v for reduction in used for v in self._summands(reduction)]
        body = self._part(body_values)
        if any(c in body.needed.arguments for r in self.reductions for c in r.combined):
            raise self.error(
                "a reduction takes what another one combined",
                hint="make the inner reduction a te.compute of its own",
            )
        places = self._places(results, slots)
        then_values, elements = list(slots), [slot.type for slot in slots]
        for place, (value, element) in zip(places, results, strict=True):
            then_values[place], elements[place] = value, signless(element)
        then = self._part(then_values, stop=slots)
        for part, is_body in ((body, True), (then, False)):
            for access in part.accesses:
                self._check(access, reduced=is_body)
        names = self._axis_names(reduced)
        stored = tuple(names[v] for v in self.parallel)
        is_plain = then_values == slots and [v.type for v in slots] == elements
        combine = next((r.how.combine for r in used if r.how.combine), None)
        op = compute(
            name,
            self._extents(names),
            [self._placed(a, names) for a in body.accesses],
            self._result_rows(used, stored, elements),
            body.function(body_values),
            post=[self._placed(a, names) for a in then.accesses],
            then=None if is_plain else then.function(then_values),
            combine=combine,
        )
        return op, places

    def _summands(self, reduction: RecordedReduction) -> Sequence[SSAValue]:
        """Return the values that a reduction combines.

        An empty axis gets the extent 1 in the finished op, because schedules expect a loop with at
        least one iteration; the only value along it is then the identity.
        """
        empty = [v for v in reduction.axes if v.extent == 0]
        if not empty:
            return reduction.inputs
        s, how = self.scalars, reduction.how
        runs = s.compare("lt", self.position(variable(empty[0])), s.constant(0, INDEX))
        identity = [s.constant(n, t) for n, t in zip(how.inits, how.accumulators, strict=True)]
        pairs = zip(reduction.inputs, identity, strict=True)
        return [s.select(runs, value, neutral) for value, neutral in pairs]

    def _extents(self, names: Mapping[Key, str]) -> dict[str, Extent]:
        axes = {name: cast(Variable, key) for key, name in names.items()}
        return {
            name: 1 if axis.is_reduced and axis.extent == 0 else axis.extent
            for name, axis in axes.items()
        }

    def _never_runs(self, *, reduced: bool) -> bool:
        """Return whether reads are never executed because an axis is empty.

        reduced: whether the reads are operands of a reduction, so that reduction axes count, too.
        """
        axes = (*self.parallel, *(self.reduced if reduced else ()))
        return any(axis.extent == 0 for axis in axes)

    def _result_rows(
        self, used: list[RecordedReduction], stored: tuple[str, ...], elements: Sequence[Attribute]
    ) -> list[ComputeResult]:
        types = iter(elements)
        return [
            ComputeResult(stored, next(types), r.how.combiner, init, accumulator)
            for r in used
            for init, accumulator in zip(r.how.inits, r.how.accumulators, strict=True)
        ]

    def _common_axes(self, used: list[RecordedReduction]) -> tuple[Variable, ...]:
        first = used[0].axes
        for other in used[1:]:
            if set(other.axes) != set(first):
                raise self.error(
                    "its reductions are over different axes",
                    expected=", ".join(map(str, first)),
                    got=", ".join(map(str, other.axes)),
                    hint="make one of them a te.compute of its own",
                )
        by_function = [r for r in used if r.how.combine]
        if by_function and len(used) > 1:
            raise self.error(
                "a reducer with a function of its own is the only one of its compute",
                got=f"{len(used)} reductions",
                hint="give it all values as one tuple, or make two te.computes",
            )
        return first

    def _places(
        self, results: Sequence[tuple[SSAValue, Attribute]], slots: Sequence[SSAValue]
    ) -> list[int]:
        """Assign a different op result to each returned value; return the results' numbers.

        If possible, a value gets a result of the reduction on which it depends.
        slots: the results of the reductions.
        Errors: TypeMismatch for more values than results, or a value that depends on no reduction.
        """
        if len(results) > len(slots):
            raise self.error(
                "it has more results than values that are reduced",
                expected=f"at most {len(slots)}",
                got=len(results),
                hint="compute the others from its results in a second te.compute",
            )
        places: list[int] = []
        for number, (value, _) in enumerate(results):
            behind = _behind([value]).arguments
            own = [n for n, slot in enumerate(slots) if slot in behind]
            if not own:
                raise self.error(
                    f"result {number} is not reduced, but others are",
                    hint="make it a te.compute of its own",
                )
            free = [n for n in range(len(slots)) if n not in places]
            places.append(next((n for n in own if n in free), free[0]))
        return places

    def _starts_late(self, access: Access) -> bool:
        return access.value is not None and self.sources[access.value].starts_late

    def _placed(self, access: Access, names: Mapping[Key, str]) -> Access:
        """Convert an access to one of the finished op, in which names replace the axes.

        A read that may be out of bounds is padded with 0.
        names: the name of each axis in the op.
        """
        # The padding is never used as a value, because a check, a guard or an empty axis prevents
        # that the read executes out of bounds.  But scheduled loops may load before they test
        # whether an axis is empty, so such a read needs padding, too.
        may_escape = self._never_runs(reduced=True) or any(_escapes(access, {}))
        if may_escape and access.pad is None and access.indices is not None and not access.is_index:
            access = replace(access, pad=scalar_attr(0, access.element_type))
        return self._renamed(access, names)

    def _renamed(self, access: Access, names: Mapping[Key, str]) -> Access:
        """Return an access in whose indices names replace axes, and SSA values replace sizes."""
        if access.indices is None:
            return access
        extents = {name: cast(Variable, key).extent for key, name in names.items()}
        values = {key: variable(name) for key, name in names.items()}
        sizes = dict.fromkeys(key for key in access.axes() if isinstance(key, Dim))
        values |= {dim: variable(self._size(dim)) for dim in sizes}
        ranges = axis_ranges(extents)
        return replace(access, indices=[e.substitute(values, ranges) for e in access.indices])

    def _size(self, dim: Dim) -> SSAValue:
        if dim not in self._sizes:
            self._sizes[dim] = SizeOp(dim).res
        return self._sizes[dim]

    def _part(self, values: Sequence[SSAValue], stop: Sequence[SSAValue] = ()) -> _RegionOps:
        needed = _behind(values)
        arguments = [a for a in self.block.args if a in needed.arguments and a in self._accesses]
        accesses = [self._accesses[a] for a in arguments]
        return _RegionOps(list(self.block.ops), needed, arguments, accesses, list(stop))

    def _axis_names(self, reduced: Sequence[Variable]) -> Mapping[Key, str]:
        taken: dict[Key, str] = {}
        for axis in (*self.parallel, *reduced):
            taken[axis] = unique(axis.name, taken.values())
        return taken

    def _check(self, access: Access, *, reduced: bool) -> None:
        """Check that the axes of a read are in scope and that the read is in bounds.

        reduced: whether the read is an operand of a reduction, so that it may use reduction axes.
        Errors: TypeMismatch for an axis out of scope, or a read that is not provably in bounds.
        """
        allowed = set(self.parallel)
        for variable_ in access.axes():
            if isinstance(variable_, Dim):
                continue
            assert isinstance(variable_, Variable), f"not an axis: {variable_}"
            if not reduced and variable_.is_reduced:
                raise self.error(
                    f"axis {variable_} is read outside of a reduction over it",
                    hint=f"put the read into te.sum(..., axis={variable_}) or another reducer",
                )
            if not variable_.is_reduced and variable_ not in allowed:
                raise self.error(f"axis {variable_} belongs to another te.compute")
        if self._never_runs(reduced=reduced):
            return
        inner = self.reduced if reduced else ()
        for escape in self._escapes(access, inner, starts_late=self._starts_late(access)):
            self._handle_escape(access, escape, inner)

    def _handle_escape(
        self, access: Access, escape: _Escape, reduced: tuple[Variable, ...]
    ) -> None:
        """Raise an error for a read out of bounds for all sizes; else record it for a check.

        Errors: TypeMismatch for a read that is certainly out of bounds, or not provably in bounds
        for constant sizes.
        """
        assert access.value is not None
        assert access.indices is not None
        name = self.sources[access.value].name
        shown = f"{name}[{', '.join(map(str, access.indices))}]"
        if not escape.is_certain and not escape.is_constant:
            place = f"{self.where}: {shown}, position {escape.dimension} of {name}"
            place = shown_size(f"{place}, whose size is {escape.size}")
            read = UncertainRead(escape.low, escape.high, escape.size, place, reduced)
            self.uncertain.append(read)
            return
        verb = "leaves" if escape.is_certain else "is not proved to stay in"
        raise self.error(
            f"{shown} {verb} {name} in dimension {escape.dimension}",
            expected=f"positions 0..{escape.size - 1}",
            got=f"{escape.low}..{escape.high}",
            hint="guard it: te.if_then_else(te.all(0 <= p, p < n), x[p], 0)"
            if escape.dimension or escape.low.is_at_least(Dim.const(0))
            else "guard it: te.if_then_else(p >= 0, x[p], 0); the state of a te.scan is a te.state",
        )


@dataclass(frozen=True)
class _Needed:
    """The ops and the arguments of the scratch block on which some values depend."""

    ops: set[Operation]
    arguments: set[SSAValue]


def _behind(values: Iterable[SSAValue]) -> _Needed:
    ops: set[Operation] = set()
    arguments: set[SSAValue] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, BlockArgument):
            arguments.add(value)
        elif isinstance(value.owner, Operation) and value.owner not in ops:
            ops.add(value.owner)
            waiting += value.owner.operands
    return _Needed(ops, arguments)


@dataclass(frozen=True)
class _RegionOps:
    """The ops of the scratch block that become one region of a te.compute, and the reads they need.

    order: all ops of the scratch block.  needed: the ops and arguments of the block that the region
    needs.  arguments: the arguments of the scratch block that stand for the reads.  accesses: these
    reads.  first: the arguments of the region that precede those for the reads.
    """

    order: Sequence[Operation]
    needed: _Needed
    arguments: Sequence[SSAValue]
    accesses: Sequence[Access]
    first: Sequence[SSAValue]

    def function(self, values: Sequence[SSAValue]) -> BodyFunction:
        def body(s: Scalars, *given: SSAValue) -> list[SSAValue]:
            mapped = dict(zip((*self.first, *self.arguments), given, strict=True))
            for op in self.order:
                if op in self.needed.ops:
                    s.block.add_op(op.clone(mapped))
            return [mapped[v] for v in values]

        return body


@dataclass(frozen=True)
class _Escape:
    """A dimension in which an unpadded read may be out of bounds, and its range of positions.

    is_exact: whether ``low`` and ``high`` are positions of some iteration; otherwise they are only
    bounds.
    """

    dimension: int
    low: Dim
    high: Dim
    size: Dim
    is_exact: bool

    @property
    def is_certain(self) -> bool:
        """Whether a position is out of bounds for all sizes."""
        return self.is_exact and (
            Dim.const(-1).is_at_least(self.low) or self.high.is_at_least(self.size)
        )

    @property
    def is_constant(self) -> bool:
        """Whether the positions and the size of the dimension depend on no symbolic size."""
        return all(dim.value is not None for dim in (self.low, self.high, self.size))


def _escapes(
    access: Access, known: Mapping[str, Dim], *, starts_late: bool = False
) -> Iterator[_Escape]:
    """Yield the dimensions in which an unpadded read may be out of bounds.

    known: size symbols that are at least 1 wherever the read executes.  starts_late: whether reads
    at negative positions along the first axis are never executed.
    """
    if access.indices is None or access.is_index or access.pad is not None:
        return
    for dimension, (index, size) in enumerate(zip(access.indices, access.dims, strict=True)):
        skips_low = starts_late and not dimension
        before = not skips_low and not is_never_negative(index, known)
        behind = not is_never_negative(index_of(size) - index - 1, known)
        if before or behind:
            low = Dim.const(0) if skips_low else least_of(index)
            yield _Escape(dimension, low, most_of(index), size, reaches_its_ends(index))


def unique(name: str, taken: Iterable[str]) -> str:
    """Return a name that is not in ``taken``: the name itself, or with a number appended."""
    used, candidate, number = set(taken), name, 0
    while candidate in used:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


_CURRENT: ContextVar[Recorder | None] = ContextVar("tilewright.te.recorder", default=None)


def current(what: str) -> Recorder:
    """Return the recorder of the compute whose function is running.

    what: a name, for the message, of the value that needs a compute.
    Errors: TypeMismatch outside of a compute.
    """
    recorder = _CURRENT.get()
    if recorder is None:
        raise TypeMismatch(
            f"{what} has a meaning only inside the function of a te.compute",
            hint="te.compute(shape, lambda i: ...)",
        )
    return recorder


def is_recording() -> bool:
    """Return whether the function of a compute is running."""
    return _CURRENT.get() is not None


@contextmanager
def recording(recorder: Recorder) -> Generator[Recorder]:
    """Make a recorder the current one within a with block."""
    token = _CURRENT.set(recorder)
    try:
        yield recorder
    finally:
        _CURRENT.reset(token)
