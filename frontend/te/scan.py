"""te.scan: a recurrence, whose state at a step is computed from the states of earlier steps.

    X = te.placeholder((T, n), name="X")
    s = te.state((T, n), name="s")
    first = te.compute((1, n), lambda t, i: X[0, i])
    step = te.compute((T, n), lambda t, i: s[t - 1, i] * 0.5 + X[t, i])
    S = te.scan(first, step, s)

A scan becomes a packed.loop.  Computes that depend on the state lose their time axis and form the
loop body; the others are hoisted and compute all steps at once.  Running sums and similar scans
become one compute instead (running.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue

from ...dialects import packed
from ...dialects.index_syntax import INDEX
from ...dialects.packed.control import make_loop_body
from ...dialects.shape import Dim, dims_of, extent_of, tensor_type
from ...dialects.te.build import ComputeResult, compute, position, read
from ...dialects.te.compute import ComputeOp
from ...dialects.te.scalars import Scalars, signless
from ...dialects.te.view import Access, ComputeView, axis_ranges
from ...support.affine import Index, Key, variable
from ...support.diagnostics import TypeMismatch
from .expr import Size
from .running import running_combination
from .tensor import (
    Definition,
    Tensor,
    checked_name,
    declared_tensor,
    view_of_copy,
)


class State(Tensor):
    """The state that a te.scan carries.

    A step reads earlier states, as in ``s[t - 1, i]``.  Reads before the first step never execute.
    """

    starts_late = True


def state(shape: Sequence[int | Size], dtype: str = "float32", name: str = "state") -> State:
    """Return the state for a later te.scan; its first dimension counts the steps.

    Errors: TypeMismatch for a shape without dimensions, or an invalid name; TilewrightError for an
    unknown dtype.
    """
    where = f"te.state {name}"
    made = declared_tensor(State, shape, dtype, name, where)
    if not made.ndim:
        raise TypeMismatch("its first dimension counts steps", got="()").named(where)
    return made


def scan(
    init: Tensor | Sequence[Tensor],
    update: Tensor | Sequence[Tensor],
    states: State | Sequence[State],
    name: str = "scan",
) -> Any:
    """Return the states of all steps of a recurrence, one tensor per state.

    init: the states of the first steps; the recurrence looks back as many steps as there are.
    update: computes of all steps, which read the states of earlier steps; their values for the
    steps of init are ignored.
    Errors: TypeMismatch for shapes and types that do not agree, and for a step that reads the state
    anywhere but at earlier steps, or reads another compute that depends on the state at another
    step.
    """
    where = f"te.scan @{name}"
    checked_name(name, where)
    is_one = isinstance(states, Tensor)
    given = _listed(states)
    names = [name if is_one else f"{name}.{number}" for number in range(len(given))]
    inits, updates = _listed(init), _listed(update)
    _check_tensors(inits, updates, given, where)
    recurrence = _Recurrence(where, name, inits, updates, given)
    values = recurrence.combined() or recurrence.build()
    op = values[0].owner
    assert isinstance(op, Operation), "a recurrence is computed"
    inputs = tuple(dict.fromkeys((*inits, *recurrence.read)))
    tensors: list[Tensor] = []
    for own, value, each in zip(names, values, given, strict=True):
        value.name_hint = own.replace(".", "_")
        owner = value.owner
        assert isinstance(owner, Operation), "a recurrence is computed"
        definition = Definition(own, owner, (), (), inputs)
        tensors.append(Tensor(value, each.element_type, own, definition, 0, each.shape))
    return tensors[0] if is_one else tuple(tensors)


def _listed(x: Tensor | Sequence[Tensor]) -> list[Tensor]:
    return [x] if isinstance(x, Tensor) else list(x)


def _check_tensors(
    inits: Sequence[Tensor], updates: Sequence[Tensor], states: Sequence[Tensor], where: str
) -> None:
    if not len(inits) == len(updates) == len(states) or not states:
        raise TypeMismatch(
            "there is one init and one update per state",
            expected=f"{len(states)} of each, at least 1",
            got=f"{len(inits)} inits, {len(updates)} updates, {len(states)} states",
        ).named(where)
    steps, depth = states[0].dims[0], inits[0].dims[0] if inits[0].ndim else Dim.const(0)
    for first, step, each in zip(inits, updates, states, strict=True):
        if not isinstance(each, State):
            raise TypeMismatch(
                f"{each.name} is no state", hint="make it with te.state(shape, dtype, name)"
            ).named(where)
        rows = (each.dims, step.dims, (steps, *each.dims[1:]), (depth, *each.dims[1:]))
        types = {each.element_type, step.element_type, first.element_type}
        if rows[0] != rows[1] or rows[0] != rows[2] or rows[3] != first.dims or len(types) > 1:
            raise TypeMismatch(
                f"init, update and state {each.name} do not agree",
                expected=f"update {each!r}, init with the same but the first size",
                got=f"update {step!r}, init {first!r}",
            ).named(where)
    if depth.value is None:
        raise TypeMismatch("the number of first steps is a number", got=depth).named(where)
    if depth.value < 1 or depth.is_at_least(steps):
        raise TypeMismatch(
            "init holds the first steps", expected=f"1 to {steps - 1} of them", got=depth
        ).named(where)


@dataclass
class _Recurrence:
    """The loop of a te.scan under construction.

    ``init`` gives the first ``depth`` steps of each state. The loop computes the other steps, from
    ``depth`` to ``steps - 1``; each reads up to ``depth`` earlier steps.
    where: the name of the te.scan in error messages.
    name: the prefix of the names of new tensors.
    inits: for each state, the tensor of its first steps.
    updates: for each state, the compute of all steps.
    states: for each state, the placeholder that stands for it in the updates.
    read: the tensors that the steps read and that do not depend on the states.
    """

    where: str
    name: str
    inits: Sequence[Tensor]
    updates: Sequence[Tensor]
    states: Sequence[Tensor]
    read: list[Tensor] = field(default_factory=list[Tensor])

    def __post_init__(self) -> None:
        self.steps, depth = self.states[0].dims[0], self.inits[0].dims[0].value
        assert depth is not None, "the number of first steps is checked"
        self.depth = depth
        carried = [s.value.type for s in self.states for _ in range(self.depth)]
        self.block = make_loop_body([_row_type(t) for t in carried])
        self.number = self.block.args[0]
        self.made: dict[SSAValue, SSAValue] = {}
        self.dependent: dict[Definition, bool] = {}
        self.prepared: dict[object, SSAValue] = {}

    def combined(self) -> list[SSAValue]:
        """Return the states of all steps if one compute can replace the scan; else []."""
        (update, *more), (state, *_) = self.updates, self.states
        sources = [t for t in update.op.inputs if t is not state]
        if more or self.depth > 1 or any(map(self._depends, sources)):
            return []
        made = running_combination(self.inits[0], update, state)
        if made is None:
            return []
        self.read += sources
        update.op.computed_by = made
        return list(made.res)

    def build(self) -> list[SSAValue]:
        """Build the loop; return the states of all steps, one value per state.

        Errors: TypeMismatch for an update that does not depend on the state, or reads it at other
        steps.
        """
        for each in self.updates:
            if not self._depends(each):
                raise TypeMismatch(
                    f"{each.name} does not depend on the state",
                    hint="read it at t - 1, or leave te.scan out",
                ).named(self.where)
        given = [self._value(t) for t in self.updates]
        parts = self._ending(given)
        inits = [_first_rows(t, self.depth) for t in self.inits]
        loop = packed.LoopOp(
            extent_of(self.steps - self.depth),
            None,
            [row for rows in inits for row in reversed(rows)],
            Region(self.block),
        )
        first = len(self.states) * self.depth
        stacked = loop.results[first:]
        assert len(stacked) == len(parts), "each state is stacked"
        return [
            _joined(self.name, init.value, stack, self.depth)
            for init, stack in zip(self.inits, stacked, strict=True)
        ]

    def _ending(self, given: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """End the loop body: carry each state's last ``depth`` steps; return the steps to stack.

        given: the new step of each state.
        """
        carried = self.block.args[1:]
        following: list[SSAValue] = []
        for number, value in enumerate(given):
            start = number * self.depth
            following += [value, *carried[start : start + self.depth - 1]]
        self.block.add_op(packed.YieldOp([*following, *given]))
        return given

    def _depends(self, tensor: Tensor) -> bool:
        known = self.dependent.get(tensor.op)
        if known is None:
            is_state = any(tensor is s for s in self.states)
            known = is_state or any(self._depends(source) for source in tensor.op.inputs)
            self.dependent[tensor.op] = known
        return known

    def _value(self, tensor: Tensor) -> SSAValue:
        if tensor.value not in self.made:
            op = tensor.op.ir
            if not isinstance(op, ComputeOp):
                raise TypeMismatch(
                    f"{tensor.name} depends on the state, but is no te.compute",
                    got=repr(tensor.op),
                ).named(self.where)
            step = self._step(op, tensor)
            self.block.add_op(step)
            self.made.update(zip(op.res, step.res, strict=True))
        return self.made[tensor.value]

    def _step(self, op: ComputeOp, tensor: Tensor) -> ComputeOp:
        """Return the compute of one step for a compute over all steps, without its step axis."""
        view = view_of_copy(op)
        time = {o.indices[0].variable() if o.indices else None for o in view.outputs}
        axis = next(iter(time))
        if len(time) > 1 or not isinstance(axis, str) or Dim.of(view.axes[axis]) != self.steps:
            raise TypeMismatch(
                f"the first dimension of {tensor.name} is not the step",
                expected=f"{self.steps} steps",
                got=repr(tensor),
            ).named(self.where)
        if view.scan == axis:
            raise TypeMismatch(f"{tensor.name} is scanned itself").named(self.where)
        sources = {source.value: source for source in tensor.op.inputs}
        axes = {name: extent for name, extent in view.axes.items() if name != axis}
        step = _BodyStep(self, view, axis, sources)
        inputs = step.accesses(view.inputs, view.body)
        post = step.accesses(view.post, view.then, skip=sum(o.reduces for o in view.outputs))
        outputs = [
            replace(o, indices=(o.indices or [])[1:], result_type=_row_type(o.type))
            for o in view.outputs
        ]
        step = replace(view, axes=axes, inputs=inputs, post=post, outputs=outputs)
        return ComputeOp.from_view(step)


@dataclass
class _BodyStep:
    """One step of a compute, in the loop body.

    axis: the step axis of the compute, which becomes the iteration number of the loop.
    sources: the tensors that the compute reads, by their SSA values.
    """

    recurrence: _Recurrence
    view: ComputeView
    axis: str
    sources: dict[SSAValue, Tensor]

    def accesses(self, accesses: Sequence[Access], region: Region, skip: int = 0) -> list[Access]:
        """Return the accesses of a region in the compute of one step.

        accesses: the accesses of the region in the compute over all steps.  skip: the number of the
        region's arguments before those of the accesses.
        """
        found: list[Access] = []
        for number, access in enumerate(accesses):
            if access.is_index and self.axis in access.axes():
                found.append(self._position(access, region, skip + number))
            else:
                found.append(self._read(access))
        return found

    def _read(self, access: Access) -> Access:
        if access.value is None:
            return access
        tensor = self.sources[access.value]
        scan = self.recurrence
        if scan._depends(tensor):  # pyright: ignore[reportPrivateUsage]
            return self._read_of_step(access, tensor)
        scan.read.append(tensor)
        if self.axis not in access.axes():
            return access
        indices = access.indices or []
        shift = indices[0] - variable(self.axis)
        elsewhere = any(self.axis in set(e.variables()) for e in (*indices[1:], shift))
        low, behind = scan.depth + shift.const, access.dims[0] - scan.steps - shift.const
        if elsewhere or not shift.is_constant or low < 0 or not behind.is_at_least(0):
            return self._prepared(access)
        place = variable(scan.number) + low
        return replace(access, value=self._slice(access.value, place), indices=indices[1:])

    def _read_of_step(self, access: Access, tensor: Tensor) -> Access:
        """Return the read of an earlier state, or of another compute at the same step.

        Errors: TypeMismatch for a read at any other step.
        """
        scan = self.recurrence
        if access.indices is None:
            raise TypeMismatch(
                f"{tensor.name} depends on the state and is read at computed positions",
                hint="read it at t - 1 and axes",
            ).named(scan.where)
        back = variable(self.axis) - access.indices[0]
        is_state = any(tensor is s for s in scan.states)
        steps = back.const if back.is_constant else -1
        if any(self.axis in e.variables() for e in access.indices[1:]):
            steps = -1
        allowed = range(1, scan.depth + 1) if is_state else range(1)
        if steps not in allowed:
            shown = " or ".join(f"t - {n}" for n in allowed) if is_state else "t"
            raise TypeMismatch(
                f"{tensor.name} is read at a step that is not known yet",
                expected=f"{tensor.name}[{shown}, …]",
                got=f"{tensor.name}[{', '.join(map(str, access.indices))}]",
                hint="give te.scan an init of more steps" if is_state else "",
            ).named(scan.where)
        rest = access.indices[1:]
        if not is_state:
            return replace(access, value=scan._value(tensor), indices=rest)  # pyright: ignore
        number = next(n for n, s in enumerate(scan.states) if s is tensor)
        value = scan.block.args[1 + number * scan.depth + steps - 1]
        # A read before the first step is padded; the other dimensions may need no padding.
        inside = all(map(self._is_inside, rest, access.dims[1:]))
        return replace(access, value=value, indices=rest, pad=None if inside else access.pad)

    def _is_inside(self, index: Index, size: Dim) -> bool:
        axis = index.variable()
        if axis in self.view.axes and size.is_at_least(self.view.axes[str(axis)]):
            return True
        low, high = index.range(self.view.range_of)
        return low >= 0 and size.is_at_least(high + 1)

    def _slice(self, value: SSAValue, place: Index) -> SSAValue:
        """Append a slice of a tensor at one position of its first axis; return the slice.

        All slices are at the start of the body, so that its computes stay one kernel.
        value: the tensor.  place: the position.
        """
        scan = self.recurrence
        key = ("slice", value, place)
        if key not in scan.prepared:
            part = packed.SliceOp(value, place)
            first = scan.block.first_op
            if first is None:
                scan.block.add_op(part)
            else:
                scan.block.insert_op_before(part, first)
            scan.prepared[key] = part.res
        return scan.prepared[key]

    def _prepared(self, access: Access) -> Access:
        """Compute the elements of a read for all steps before the loop; return the new read.

        A new tensor, whose first axis is the step, holds the elements; the loop body reads its
        slice for the step.
        """
        value = access.value
        assert value is not None, "an operand is read"
        return self._over_steps(
            "steps",
            access,
            access.element_type,
            lambda indices: replace(read(value, indices), pad=access.pad),
            lambda _, x: x,
        )

    def _position(self, access: Access, region: Region, number: int) -> Access:
        """Replace an operand that is a position by a read of positions computed before the loop.

        The position depends on the step, so a tensor holds the positions of all steps, as i64; the
        body casts the element that it reads to index.  Return the read.
        access: the operand.
        region: the region of the compute that uses the operand.
        number: the number of the operand among the arguments of ``region``.
        """
        block = region.block
        old = block.args[number]
        new = block.insert_arg(i64, number)
        cast_op = arith.IndexCastOp(new, INDEX)
        first = block.first_op
        assert first is not None, "a region ends with te.yield"
        block.insert_op_before(cast_op, first)
        old.replace_all_uses_with(cast_op.result)
        block.erase_arg(old)
        return self._over_steps(
            "positions",
            access,
            i64,
            lambda indices: position(indices[0]),
            lambda s, x: s.cast(x, INDEX, i64),
        )

    def _over_steps(
        self,
        name: str,
        access: Access,
        element: Attribute,
        operand: Callable[[list[Index]], Access],
        body: Callable[[Scalars, SSAValue], SSAValue],
    ) -> Access:
        """Append a compute that stores the values of an operand for all steps, before the loop.

        The first axis of the result is the step, counted from the first one that the loop computes.
        Return the read of this result in one step.
        name: the suffix of the compute's name.
        access: the operand in the compute of one step.
        element: the element type of the result.
        operand: takes the indices of the access at all steps, and returns the operand of the new
        compute.
        body: builds the body of the compute.
        """
        scan = self.recurrence
        mentioned: set[Key] = access.axes()
        used = [a for a in self.view.axes if a in mentioned and a != self.axis]
        count = extent_of(scan.steps - scan.depth)
        axes = {self.axis: count, **{a: self.view.axes[a] for a in used}}
        moved, ranges = {self.axis: variable(self.axis) + scan.depth}, axis_ranges(axes)
        indices = [e.substitute(moved, ranges) for e in access.indices or []]
        result = ComputeResult(tuple(axes), element)
        made = compute(f"{scan.name}_{name}", axes, [operand(indices)], [result], body)
        part = self._slice(made.res[0], variable(scan.number))
        return Access(part, [variable(name) for name in used])


def _row_type(type_: Attribute) -> TensorType[Any]:
    assert isinstance(type_, TensorType), f"not a tensor: {type_}"
    return tensor_type(type_.get_element_type(), dims_of(type_)[1:])


def _first_rows(tensor: Tensor, depth: int) -> list[SSAValue]:
    axes = {f"d{n}": size for n, size in enumerate(tensor.extents[1:])}
    result = ComputeResult(tuple(axes), signless(tensor.element_type))
    reads = [read(tensor.value, [n, *axes]) for n in range(depth)]
    rows = [compute(f"{tensor.name}_row", axes, [x], [result], lambda _, x: x) for x in reads]
    return [row.res[0] for row in rows]


def _joined(name: str, init: SSAValue, stack: SSAValue, depth: int) -> SSAValue:
    """Concatenate the first steps of a state and the steps that the loop stacks.

    init: the first steps.  stack: the other steps.  depth: the number of steps in ``init``.
    """
    assert isinstance(stack.type, TensorType), f"not a tensor: {stack.type}"
    steps, *shape = dims_of(stack.type)
    axes = {"t": extent_of(steps + depth)}
    axes |= {f"d{n}": extent_of(size) for n, size in enumerate(shape)}
    rest = list(axes)[1:]
    inputs = [
        read(init, ["t", *rest], 0),
        read(stack, [variable("t") - depth, *rest], 0),
        position("t"),
    ]

    def body(s: Scalars, first: SSAValue, later: SSAValue, t: SSAValue) -> SSAValue:
        return s.select(s.compare("lt", t, s.like(depth, t)), first, later)

    result = ComputeResult(tuple(axes), stack.type.get_element_type())
    return compute(name, axes, inputs, [result], body).res[0]
