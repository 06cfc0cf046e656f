"""simt-combine-lanes: let the threads of a warp reduce a vector by shuffles.

                                             loop.for bind threadIdx.x %t = 0 to 32 {
                                               %v = loop.load %part[%t]
                                               loop.store %v, %w0[%t] }
                                             loop.for bind threadIdx.x %t = 0 to 32 {
    %v = loop.load %part[0]                    %a = loop.load %w0[%t]
        : .., vector<32xf32>                   %b = loop.load %w0[%t xor 16]
    %r = loop.reduce "add" %v                  loop.store (%a + %b), %w1[%t] }
    loop.store %r, %sum[0]           ==>     .. with 8, 4, 2
                                             loop.for bind threadIdx.x %t = 0 to 32 {
                                               .. %r = (%a + %b), with 1
                                               loop.if %t == 0 { loop.store %r, %sum[0] } }

A warp reduces a vector of its 32 partial results in five steps, over distances of 16, 8, 4, 2 and 1
lanes, which is the order of ``loop.reduce``.  The buffers between the steps have the scope
``warp``: each thread has an element, which only threads of its warp read, and simt-map-threads
turns loads of other threads' elements into shuffles.  A buffer of partial results of which each
thread otherwise reads only its own part becomes local.

In a block of several warps, each warp reduces one vector, in a loop over the warps that is bound to
threads.  A statement that all threads of a warp run may reduce a vector, too.  Its vector may have
2, 4, 8 or 16 lanes, if each group of as many adjacent threads reduces one vector.  Reductions of
types that the threads of a warp cannot exchange, such as f64, do not change.

Before: kernels with loops bound to threads (fork-join form) that simt-check-threads accepted.
After: simt-check-threads still accepts them.
Exact: every result is computed in the order of ``loop.reduce``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.strides import row_major_strides
from ...analysis.threads.fork_join import THREAD, thread_of, thread_sizes
from ...analysis.threads.thread_accesses import Accesses, by_buffer
from ...dialects import loop
from ...dialects.dtypes import is_float
from ...dialects.shape import memref_type, static_shape
from ...dialects.simt import SHUFFLED, WARP
from ...machines.target_passes import TargetedPass
from ...support.affine import Index, Key, constant, divide, unknown_range, variable
from ...support.blocks import before_end
from ...support.passes import ExactPass
from ..rewrite.loops import set_indices
from .kernels import fork_join_kernels
from .statements import ThreadStatement, bound_loop, statements_of, wrap
from .warp_buffers import SCOPE, exchanged

_FEATURE = "shuffle"
"""Targets whose threads of a warp exchange values."""

_X = f"{THREAD}.x"
_MASKS = (16, 8, 4, 2, 1)
_GROUPS = tuple(2 * mask for mask in _MASKS)
_SIGNED_ZEROS = ("max", "min", "maxnum")
"""Kinds whose result for zeros of both signs may depend on their order."""

Values: TypeAlias = dict[SSAValue, SSAValue]
Body: TypeAlias = Callable[["_ReductionStep"], Sequence[SSAValue]]


@dataclass(frozen=True)
class CombineLanes(TargetedPass, ExactPass):
    """Reduce vectors by shuffles in all fork-join kernels of a module."""

    name = "simt-combine-lanes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target.has(_FEATURE):
            for function in fork_join_kernels(op):
                combine_lanes(function)


def combine_lanes(function: FuncOp) -> None:
    """Reduce the vectors of one kernel by shuffles."""
    sizes = {name: size for name, size in thread_sizes(function).items() if size > 1}
    for statement in statements_of(function):
        warps = _Warps.of(statement, sizes)
        if warps is not None:
            sources = dict.fromkeys(op.mem for op in warps.vectors if isinstance(op, loop.LoadOp))
            warps.rewrite()
            for buffer in sources:
                _make_local(function, buffer, sizes)


def _make_local(function: FuncOp, buffer: SSAValue, sizes: Mapping[str, int]) -> None:
    """Make a buffer local to each thread, if each thread uses only its own part of the buffer.

    sizes: the number of threads per thread index.
    """
    for op in [use.operation for use in buffer.uses]:
        if isinstance(op, loop.LoadOp | loop.StoreOp):
            _drop_outside(op)
    accesses = Accesses(sizes)
    if accesses.shares(by_buffer(accesses.of(function.body.block.ops, {}))[buffer]) is not None:
        cast(loop.AllocOp, buffer.owner).properties["scope"] = loop.str_attr("local")


def _drop_outside(op: loop.LoadOp | loop.StoreOp) -> None:
    """Drop from the indices of an access each term that can only be 0.

    A term ``factor * variable`` can only be 0 if the factor is at least the size of the dimension,
    because larger values would be outside of the buffer.
    """
    shape = static_shape(cast(MemRefType, op.mem.type))
    indices = [
        Index({key: factor for key, factor in index.terms.items() if factor < size}, index.const)
        for index, size in zip(op.indices(), shape, strict=True)
    ]
    if not all(map(_starts_at_zero, op.indices())):
        return
    if (isinstance(op, loop.LoadOp) and op.pad is None) or (
        isinstance(op, loop.StoreOp) and op.clip is None
    ):
        set_indices(op, indices)


def _starts_at_zero(index: Index) -> bool:
    """Return whether an index is a non-negative sum of variables of loops that start at 0."""
    loops = [v.block.parent_op() for v in index.variables() if isinstance(v, BlockArgument)]
    found = [op for op in loops if isinstance(op, loop.ForOp) and op.bounds()[0] == [constant(0)]]
    is_known = len(found) == len(list(index.variables()))
    return is_known and index.const >= 0 and min([0, *index.terms.values()]) == 0


@dataclass(frozen=True)
class _Warps:
    """A statement in which each warp of a block reduces one vector.

    statement: the ops and their bound loops.
    vectors: the ops that compute vectors, in order; after the rewrite, each thread computes one
    lane of them.
    along: the loop bound to threadIdx.x, which runs over the warps or, with ``is_whole``, over the
    threads of the only warp; None if there is one warp and no such loop.
    is_whole: whether that loop runs over the threads of the only warp, not over warps.
    sizes: the number of threads per thread index.
    lanes: the number of lanes of a vector.
    """

    statement: ThreadStatement
    vectors: Sequence[Operation]
    along: loop.ForOp | None
    is_whole: bool
    sizes: Mapping[str, int]
    lanes: int

    @staticmethod
    def of(statement: ThreadStatement, sizes: Mapping[str, int]) -> _Warps | None:
        """Return a statement as one in which warps reduce; None if shuffles cannot compute it.

        sizes: the number of threads per thread index.
        """
        threads = sizes.get(_X, 1)
        loops = [op for op in statement.loops if thread_of(op) == _X]
        others = [name for name in sizes if name != _X and name not in statement.names]
        vectors = [op for op in statement.ops if _vector_of(op) is not None]
        if threads % WARP or others or not statement.reductions or loops[1:]:
            return None
        count = threads // WARP
        bounds = loops[0].static_bounds if loops else (0, 1)
        is_whole = bounds == (0, WARP) and count == 1 and bool(loops)
        lengths = {cast(VectorType, op.value.type).get_shape()[0] for op in statement.reductions}
        lanes = lengths.pop()
        if bounds != (0, count) and not is_whole:
            return None
        if lengths or (lanes != WARP and not (is_whole and lanes in _GROUPS)):
            return None
        warps = _Warps(statement, vectors, loops[0] if loops else None, is_whole, sizes, lanes)
        is_complete = all(op.value.owner in vectors for op in statement.reductions)
        return warps if is_complete and warps._is_served() else None

    @property
    def number(self) -> SSAValue | None:
        return None if self.along is None or self.is_whole else self.along.variable

    def _is_served(self) -> bool:
        """Return whether each thread can compute its own lane of all vectors of the statement.

        Each vector op must have a scalar form, and only addresses may use the number of the warp.
        """
        uses = [] if self.number is None else list(self.number.uses)
        if not all(isinstance(use.operation, loop.LoadOp | loop.StoreOp) for use in uses):
            return False
        return all(map(self._has_code, self.vectors))

    def _has_code(self, op: Operation) -> bool:
        """Return whether each thread can compute its own lane of the vector that an op computes.

        The op must be a load with adjacent lanes, or compute each lane from the same lane of other
        such vectors and of constants. Only such ops and reductions may use the vector.
        """
        type_ = op.results[0].type
        users = [use.operation for use in op.results[0].uses]
        if not isinstance(type_, VectorType) or type_.get_shape() != (self.lanes,):
            return False
        if not all(user in self.vectors or isinstance(user, loop.ReduceOp) for user in users):
            return False
        is_reduced = any(isinstance(user, loop.ReduceOp) for user in users)
        if is_reduced and type_.element_type not in SHUFFLED:
            return False
        if isinstance(op, loop.LoadOp):
            return self._dimension(op) is not None
        outside = [v for v in op.operands if v.owner not in self.vectors]
        return _is_lane_wise(op) and all(_lane_of(v) is not None for v in outside)

    def _dimension(self, op: loop.LoadOp) -> int | None:
        """Return the dimension of the buffer along which the lanes of a load are adjacent.

        Returns None for a load that the threads of a warp cannot share: warp ``w`` must load from
        shared memory, from position ``w * 32`` plus a multiple of the number of lanes, and all
        threads that reduce one vector together must load the same vector.
        """
        mem, step = op.mem, op.step
        is_shared = isinstance(mem.owner, loop.AllocOp) and mem.owner.scope.data == "shared"
        if not is_shared or not {"map", "stride"} >= op.properties.keys():
            return None
        shape = static_shape(cast(MemRefType, mem.type))
        steps = zip(shape, row_major_strides(shape), strict=True)
        found = [n for n, (size, stride) in enumerate(steps) if size > 1 and stride == step]
        indices, number = op.indices(), self.number
        if not found or any(number in e.operand.variables() for i in indices for e in i.atoms()):
            return None
        wanted = [WARP if n == found[0] and number is not None else 0 for n in range(len(indices))]
        if [index.coefficient(number) for index in indices] != wanted:
            return None
        first = indices[found[0]]
        numbers = (shape[found[0]], first.const, *first.terms.values())
        is_whole = all(n % self.lanes == 0 for n in numbers)
        return found[0] if is_whole and all(map(self._is_common, indices)) else None

    def _is_common(self, index: Index) -> bool:
        """Return whether an index is the same for all threads that reduce one vector together."""
        if not self.is_whole or self.along is None:
            return True
        thread = self.along.variable
        parts = [Index({key: factor}) for key, factor in index.terms.items()]
        own = [part for part in parts if thread in part.variables()]
        if any({*part.variables()} != {thread} for part in own):
            return False

        def value(number: int) -> int:
            at = {thread: constant(number)}
            return sum(part.substitute(at, unknown_range).const for part in own)

        return all(value(n) == value(n - n % self.lanes) for n in range(WARP))

    # ---- the steps

    def rewrite(self) -> None:
        """Replace the statement by one statement per step of the reduction."""
        reductions = self.statement.reductions
        held = self._add_step(lambda step: self._lanes(step))
        for mask in (mask for mask in _MASKS[:-1] if mask < self.lanes):
            held = self._add_step(
                lambda step, mask=mask, held=held: [
                    step.combined(buffer, mask, op.kind.data)
                    for buffer, op in zip(held, reductions, strict=True)
                ]
            )
        self._finish(held)

    def _add_step(self, compute: Body) -> list[SSAValue]:
        """Add a statement in which each thread computes values and stores them.

        compute: emits the ops of a thread, and returns the values.
        Returns the buffers that the threads store to, one per value.
        """
        types = [op.res.type for op in self.statement.reductions]
        loops = [op for op in self.statement.loops if op is not self.along]
        extents = [self.sizes.get(thread_of(op), 1) for op in loops] + [self.sizes[_X]]
        buffers = [loop.AllocOp.make(memref_type(type_, extents), SCOPE) for type_ in types]
        made = [*(_emptied(op) for op in loops), bound_loop(_X, [constant(self.sizes[_X])])]
        variables: Values = {}
        for outer, (old, new) in zip(made[1:], zip(loops, made, strict=False), strict=True):
            new.body.block.add_ops([outer, loop.YieldOp.create()])
            variables[old.variable] = new.variable
        if self.is_whole and self.along is not None:
            variables[self.along.variable] = made[-1].variable
        step = _ReductionStep(variables, [op.variable for op in made], self.sizes[_X])
        for value, buffer in zip(compute(step), buffers, strict=True):
            step.ops.append(loop.StoreOp.make(value, buffer.res, step.own))
        made[-1].body.block.add_ops([*step.ops, loop.YieldOp.create()])
        first = self.statement.first
        Rewriter.insert_op([*buffers, made[0]], InsertPoint.before(first))
        return [buffer.res for buffer in buffers]

    def _lanes(self, step: _ReductionStep) -> list[SSAValue]:
        """Emit scalar ops that compute one lane of the statement's vectors, the lane of the thread.

        step: collects the ops.
        Returns the lane of the operand of each loop.reduce, in order.
        """
        values: Values = {}
        for op in self.vectors:
            if isinstance(op, loop.LoadOp):
                values[op.res] = step.value(self._element(op, step))
                continue
            for operand in op.operands:
                if operand not in values:
                    values[operand] = step.lane_of(operand)
            values[op.results[0]] = step.value(_of_lane(op, values))
        return [values[op.value] for op in self.statement.reductions]

    def _element(self, op: loop.LoadOp, step: _ReductionStep) -> loop.LoadOp:
        """Return a load of one element: the thread's own lane of the vector load ``op``.

        step: the step of the reduction in which the thread loads the element.
        """
        indices, dimension = op.indices(), self._dimension(op)
        assert dimension is not None, "the lanes are neighbors"
        if self.number is not None:
            indices[dimension] = indices[dimension].without(self.number)
        lane = variable(step.thread)
        if self.is_whole:
            lane = divide("mod", lane, self.lanes, step.range_of)
        indices[dimension] += lane
        moved = [index.substitute(step.renamed, unknown_range) for index in indices]
        return loop.LoadOp.make(op.mem, moved, _element_type(op.res.type))

    def _finish(self, held: Sequence[SSAValue]) -> None:
        """Replace the reductions of the statement by the last step, which all threads run.

        held: the buffers with the partial results that the step before stored, one per reduction.
        """
        if self.along is None:
            threads = wrap(self.statement.ops, _X, [constant(self.sizes[_X])])
        else:
            threads = self.along
            _, end = loop.encode_indices([constant(self.sizes[_X])])
            threads.properties["upper"] = end
        thread = threads.variable
        variables = [op.variable for op in self.statement.loops if op is not self.along]
        step = _ReductionStep({}, [*variables, thread], self.sizes[_X])
        if self.number is not None:
            warp = {thread: divide("floordiv", variable(thread), WARP, step.range_of)}
            for op in [
                op for op in self.statement.ops if isinstance(op, loop.LoadOp | loop.StoreOp)
            ]:
                set_indices(op, [e.substitute(warp, step.range_of) for e in op.indices()])
        reductions = self.statement.reductions
        for op, buffer in zip(reductions, held, strict=True):
            op.res.replace_all_uses_with(step.combined(buffer, _MASKS[-1], op.kind.data))
        Rewriter.insert_op(step.ops, InsertPoint.at_start(threads.body.block))
        for op in [*reversed(reductions), *reversed(self.vectors)]:
            Rewriter.erase_op(op)
        if not self.is_whole:
            _store_on_first_lane(threads, self.statement.stores, step)


def _store_on_first_lane(
    threads: loop.ForOp, stores: Sequence[Operation], step: _ReductionStep
) -> None:
    """Move the stores into a branch that only the first thread of each warp takes."""
    lane = loop.IndexOp.make(divide("mod", variable(step.thread), WARP, step.range_of))
    zero = loop.IndexOp.make(constant(0))
    test = loop.CompareOp.make("eq", lane.res, zero.res)
    branch = loop.IfOp(operands=[test.res], regions=[Region(Block())])
    Rewriter.insert_op([lane, zero, test, branch], before_end(threads.body.block))
    for op in stores:
        op.detach()
    branch.body.block.add_ops([*stores, loop.YieldOp.create()])


@dataclass(frozen=True)
class _ReductionStep:
    """The ops that each thread runs in one step of the reduction of a vector by a warp.

    variables: for each loop variable of the old statement, the variable that replaces it in the
    step.
    positions: the indices of the thread in its block, outermost dimension first.
    threads: the number of threads along x.
    ops: the ops so far.
    """

    variables: Values
    positions: Sequence[SSAValue]
    threads: int
    ops: list[Operation] = field(default_factory=list[Operation])

    @property
    def thread(self) -> SSAValue:
        """The index of the thread along x."""
        return self.positions[-1]

    @property
    def own(self) -> list[Index]:
        """The indices of the thread's own element in a buffer of partial results."""
        return [variable(v) for v in self.positions]

    @property
    def renamed(self) -> Mapping[SSAValue, Index]:
        """The index that replaces each loop variable of the statement in this step."""
        return {old: variable(new) for old, new in self.variables.items()}

    def range_of(self, key: Key) -> tuple[int, int]:
        return (0, self.threads - 1) if key is self.thread else unknown_range(key)

    def value(self, op: Operation) -> SSAValue:
        self.ops.append(op)
        return op.results[0]

    def lane_of(self, vector: SSAValue) -> SSAValue:
        found = _lane_of(vector)
        assert found is not None, "a broadcast or a constant"
        return found if isinstance(found, SSAValue) else self.value(found)

    def combined(self, buffer: SSAValue, mask: int, kind: str) -> SSAValue:
        """Emit the reduction of this thread's value and the value of thread ``t xor mask``.

        t is this thread's number. Where the order matters, the value of the lower thread comes
        first.
        buffer: has one value per thread.
        mask: a power of 2.
        kind: the kind of the reduction, such as add.
        """
        type_ = cast(MemRefType, buffer.type).element_type
        other = [*self.own[:-1], exchanged(self.thread, mask, self.threads)]
        values = [self.value(loop.LoadOp.make(buffer, at, type_)) for at in (self.own, other)]
        if is_float(type_) and kind in _SIGNED_ZEROS:
            bit = divide(
                "mod", divide("floordiv", self.own[-1], mask, self.range_of), 2, self.range_of
            )
            is_low = self.value(
                loop.CompareOp.make(
                    "eq",
                    self.value(loop.IndexOp.make(bit)),
                    self.value(loop.IndexOp.make(constant(0))),
                )
            )
            values = [
                self.value(loop.SelectOp.create(operands=[is_low, *pair], result_types=[type_]))
                for pair in (values, values[::-1])
            ]
        pair = loop.PackOp.make(values)
        return self.value(
            loop.ReduceOp.create(
                operands=[self.value(pair)],
                result_types=[type_],
                properties={"kind": loop.str_attr(kind)},
            )
        )


# ---- lanes


def _vector_of(op: Operation) -> VectorType | None:
    type_ = op.results[0].type if op.results else None
    return type_ if isinstance(type_, VectorType) else None


def _element_type(type_: Attribute) -> Attribute:
    return type_.element_type if isinstance(type_, VectorType) else type_


def _is_lane_wise(op: Operation) -> bool:
    """Return whether each lane of an op's result depends only on the same lane of its operands."""
    is_known = op.dialect_name() in ("arith", "math")
    return is_known or isinstance(op, loop.CompareOp | loop.SelectOp)


def _lane_of(vector: SSAValue) -> SSAValue | Operation | None:
    """Return the scalar that each lane of a vector has, if all lanes are equal; else None.

    This is the operand of a broadcast, or a new constant op for a constant vector.
    """
    owner = vector.owner
    if isinstance(owner, loop.BroadcastOp):
        return owner.value
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, DenseIntOrFPElementsAttr):
        elements = list(owner.value.iter_attrs())
        return arith.ConstantOp(elements[0]) if len(set(elements)) == 1 else None
    return None


def _of_lane(op: Operation, values: Values) -> Operation:
    """Return the scalar op that computes one lane of a vector op.

    values: the scalar that replaces each operand.
    """
    made = type(op).create(
        operands=[values[v] for v in op.operands],
        result_types=[_element_type(op.results[0].type)],
        properties=dict(op.properties),
        attributes=dict(op.attributes),
    )
    made.location = op.location
    return made


def _emptied(op: loop.ForOp) -> loop.ForOp:
    """Return a loop with the same bounds and binding, and an empty body."""
    kept = ("lower", "upper", "kind", "thread", "operandSegmentSizes")
    return loop.ForOp.create(
        operands=list(op.operands),
        properties={name: op.properties[name] for name in kept},
        regions=[Region(loop.make_loop_body())],
    )
