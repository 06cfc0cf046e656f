"""Control flow: convert If, Loop and Scan.

A constant condition selects its branch at import. A loop whose trip count does not depend on data
becomes a graph.scan. Any other loop becomes a graph.loop, unless it stacks results: then the
function main first computes the trip count and binds it as a size, and the loop becomes a
graph.scan. If a condition ends such a loop, main counts the iterations by running the loop without
the stacked results.

If carried values change their shapes, or if shapes depend on the iteration number, the iteration
number becomes a size symbol in the body of a graph.scan, or of a graph.while if a condition ends
the loop (loop_sizes.py). If the sizes cannot be expressed by this symbol, or if the trip count is a
small number, the loop is unrolled.

Source: ONNX If-25, Loop-25, Scan-25, Scan-8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.graph import ConstantOp, IfOp, LoopOp, ScanOp, WhileOp
from ....dialects.graph.control import ITERATION
from ....dialects.shape import Dim, element_count, normalize_axis, tensor_type
from ....dialects.shape import Tensor as TensorType
from ....dialects.sizes import with_sizes
from ....interp.graph import evaluate_op, evaluator_of
from ....support.diagnostics import ModelError, NeedsBinding, TypeMismatch, UnsupportedOp
from ..builder import Builder, Tensor, size_array
from ..node import InnerNodesUnsupported, Node, OpConverter, RunTimeValue, static
from ..sizes.loop_conditions import deciding_values
from ..sizes.loop_sizes import first_guess, next_guess
from ..values import Value, flat, like, shown_type, tensors_only, types_of

ZERO, ONE = Dim.const(0), Dim.const(1)
MAX_UNROLLED = 64
"""Maximum number of iterations of an unrolled loop."""
MOST = Dim.const(1 << 31)
"""A larger trip count, as exporters write for endless loops, does not count as a limit."""
MAX_GUESSES = 4
"""Maximum number of guesses for the sizes of carried values as functions of the iteration."""
MAX_TESTED = 4096
"""Maximum number of iterations for which the loop condition is evaluated at import."""


def if_(node: Node, b: Builder) -> tuple[Value, ...]:
    """Convert If: choose one of two branches, at import or at run time."""
    branches = [node.graph(name) for name in ("then_branch", "else_branch")]
    condition = _single(b, node[0], "condition")
    known = condition.values()
    if known is not None:
        return tuple(branches[0 if known.item() else 1](b, ()))
    inner = [b.region([]) for _ in branches]
    results = [branch(one, ()) for branch, one in zip(branches, inner, strict=True)]
    then, otherwise = ([types_of(x) for x in xs] for xs in results)
    if then != otherwise:
        node.values_at(0, "what a result is: its shape, or the length of a sequence")
    regions = [one.yields(*flat(xs)) for one, xs in zip(inner, results, strict=True)]
    return like(results[0], b.emit_all(IfOp(b.ssa(condition), *regions)))


@dataclass
class _LoopBody:
    """A loop body whose nodes have been converted to ops in a region.

    builder: the builder of the body's region.  goes_on: the condition for another iteration, as the
    body computes it.  following: the carried values for the next iteration.
    parts: the results of one iteration that the loop stacks along a new axis.
    """

    builder: Builder
    goes_on: Tensor
    following: list[Value]
    parts: list[Tensor]


class _ChangedType(UnsupportedOp):
    """The error for a loop body that changes the type of a carried value."""


def _differs_by_iteration(err: UnsupportedOp) -> bool:
    """Return whether converting the body separately for each iteration may avoid an error.

    err: the error that converting the body once for all iterations raised.
    """
    is_inner = isinstance(err, InnerNodesUnsupported) and err.only_needs_values
    return is_inner or isinstance(err, NeedsBinding | _ChangedType)


def loop(node: Node, b: Builder) -> tuple[Value, ...]:
    """Convert Loop: repeat a graph up to a trip count, or while a condition holds, or both."""
    return _LoopNode(node, b).run()


class _LoopNode:
    """A Loop node that is being converted: trip count, condition, initial carried values and body.

    trip, condition: None if the node omits them.
    """

    def __init__(self, node: Node, b: Builder):
        self.node, self.b, self.body = node, b, node.graph("body")
        trip, condition = node.get(0), node.get(1)
        self.trip = None if trip is None else _single(b, trip, "trip count")
        self.condition = None if condition is None else _single(b, condition, "condition")
        self.inits = [node.value(i) for i in range(2, len(node.inputs))]
        self.body.check_inputs(len(self.inits) + 2)

    def run(self) -> tuple[Value, ...]:
        """Convert the loop, and return the results of the Loop node.

        Depending on the trip count, the condition and the results, the loop becomes a graph.scan, a
        graph.loop or a graph.while, or its body is unrolled.
        """
        steps = self._steps()
        if steps == ONE:
            return self._unrolled(1)
        try:
            body = self._convert()
            self._check_types(body)
        except UnsupportedOp as err:
            return self._differing(steps, err)
        if steps is not None and steps.value == 0:
            return self._scan(body, steps)
        known = body.goes_on.values()
        if known is not None and not known.item() and steps is not None and steps.value is not None:
            return self._unrolled(1)
        if known is None and steps is not None and steps.value is not None:
            tested = _tested_steps(body, steps.value)
            if tested is not None:
                return self._scan(body, Dim.const(tested))
        if known is not None and known.item() and steps is not None:
            return self._scan(body, steps)
        return self._repeat(body)

    def _differing(self, steps: Dim | None, err: UnsupportedOp) -> tuple[Value, ...]:
        """Convert a loop whose body cannot be converted once for all iterations.

        steps: the trip count; None if it is unknown.  err: the error that the conversion raised.
        Errors: ``err``, or the errors of converting the unrolled body; NeedsBinding if the trip
        count must be known to unroll the loop.
        """
        if _differs_by_iteration(err) and not self._is_unrolled(steps):
            sized = self._sized(steps)
            if sized is not None:
                return sized
        if steps is not None and steps.value is None and _differs_by_iteration(err):
            # With a number, each iteration may be converted separately.
            raise NeedsBinding(err.rule, got=err.got, hint="bind sizes by shapes=") from err
        outputs = len(self.node.definition.outputs)
        if steps == ZERO and not any(map(self.node.wants, range(len(self.inits), outputs))):
            return tuple(self.inits)
        if steps is None:
            # With a known trip count, each iteration may be converted separately.
            self._ask("what the loop computes")
        most = MAX_UNROLLED if steps is None else steps.value or 0
        if not 0 < most <= MAX_UNROLLED:
            raise err
        try:
            return self._unrolled(most)
        except RunTimeValue:
            sized = self._sized(steps) if _differs_by_iteration(err) else None
            if sized is None:
                raise
            return sized

    def _steps(self) -> Dim | None:
        """Return the trip count; None if it is unknown, or a condition may end the loop earlier."""
        known = None if self.condition is None else self.condition.values()
        if self.condition is not None and known is None:
            return None
        if known is not None and not known.item():
            return Dim.const(0)
        if self.trip is None or self.trip.sizes is None:
            return None
        (steps,) = self.trip.sizes.reshape(-1)
        return steps.max(0)

    def _call(self, b: Builder, number: Tensor, carried: Sequence[Value]) -> _LoopBody:
        """Convert the body for one iteration.

        b: the builder that gets the body's ops.  number: the iteration number.  carried: the values
        that the previous iteration passes on, or the initial ones.
        The body's input for the loop condition becomes the constant true.
        """
        first = [number, b.scalar(1, i1)]
        fitted = [
            _reshaped(b, x, len(declared.shape or ()))
            for x, declared in zip(first, self.body.inputs, strict=False)
        ]
        goes_on, *given = self.body(b, [*fitted, *carried])
        (goes_on,) = tensors_only([goes_on], "the condition of a loop")
        count = len(self.inits)
        parts = tensors_only(given[count:], "a result that is stacked")
        return _LoopBody(b, _single(b, goes_on, "condition"), given[:count], parts)

    def _convert(self) -> _LoopBody:
        inner = self.b.region([ITERATION, *map(_type, flat(self.inits))])
        number, *carried = inner.arguments()
        return self._call(inner, number, like(self.inits, carried))

    def _check_types(self, body: _LoopBody) -> None:
        for n, (before, after) in enumerate(zip(self.inits, body.following, strict=True)):
            if types_of(before) != types_of(after):
                raise _ChangedType(
                    f"carried value {n} of the loop changes its type from one iteration to the "
                    f"next, in more than {MAX_UNROLLED} iterations or a number of them that is "
                    "not known",
                    got=f"{shown_type(before)}, then {shown_type(after)}",
                )

    def _wanted(self, parts: Sequence[Tensor]) -> list[Tensor]:
        first = len(self.inits)
        return [x for n, x in enumerate(parts) if self.node.wants(first + n)]

    def _results(
        self, finals: Sequence[Value], stacks: Sequence[Tensor], count: int
    ) -> tuple[Value, ...]:
        left = iter(stacks)
        first = len(self.inits)
        every = [next(left) if self.node.wants(first + n) else None for n in range(count)]
        return (*finals, *every)

    def _scan(self, body: _LoopBody, steps: Dim) -> tuple[Value, ...]:
        """Append a graph.scan for a converted body; return the results of the Loop node.

        steps: the trip count.  If the body uses the iteration number, the scan gets 0, 1, … as a
        scanned input.
        """
        block, over = body.builder.block, list[SSAValue]()
        number = block.args[0]
        given = [*flat(body.following), *body.parts]
        if number.first_use is not None or any(x.ssa is number for x in given):
            over.append(self.b.ssa(self.b.iota((steps,), 0)))
            number.replace_all_uses_with(block.insert_arg(ITERATION, len(block.args)))
        following = [_moved(x, number) for x in flat(body.following)]
        parts = [_moved(x, number) for x in self._wanted(body.parts)]
        block.erase_arg(number)
        region = body.builder.yields(*following, *parts)
        inits = [self.b.ssa(x) for x in flat(self.inits)]
        made = self.b.emit_all(ScanOp(steps, inits, over, region))
        finals = like(self.inits, made[: len(inits)])
        return self._results(finals, made[len(inits) :], len(body.parts))

    def _is_unrolled(self, steps: Dim | None) -> bool:
        return steps is not None and steps.value is not None and steps.value <= MAX_UNROLLED

    def _sized(self, steps: Dim | None) -> tuple[Value, ...] | None:
        """Append a loop in whose body the iteration number is a size symbol; return the results.

        Return None if the sizes of the carried values cannot be expressed by this symbol.
        steps: the trip count; None if it is unknown.
        """
        if steps is None and self.b.outer is not None:
            return None
        symbol = self.b.iteration_symbol()
        try:
            types = self._first_types(symbol)
            if types is None:
                return None
            is_unbounded = self.trip is None or (steps is not None and steps.exceeds(MOST))
            if is_unbounded:
                steps = MOST
            elif steps is None:
                steps = self._computed_steps()
            body = self._sized_body(types, symbol, steps)
        except (UnsupportedOp, TypeMismatch):
            return None
        if body is None or (_ends_by_itself(body) and self.b.outer is not None):
            return None
        counted = self._counted_alone(body, symbol) if is_unbounded else steps
        if counted is None:
            return None
        return self._sized_scan(body, symbol, counted, is_counted=is_unbounded)

    def _counted_alone(self, body: _LoopBody, symbol: str) -> Dim | None:
        """Append a separate loop to main that only counts the iterations; return the trip count.

        The loop carries only the values that determine the condition. Return None if no condition
        ends the loop, or if the condition depends on a carried value whose sizes change.
        body: the converted body, whose condition decides.  symbol: the size symbol of the iteration
        number.
        """
        if not _ends_by_itself(body):
            return None
        following = [body.builder.ssa(x) for x in flat(body.following)]
        condition = body.builder.ssa(body.goes_on)
        carried = deciding_values(body.builder.block, condition, following, symbol)
        return None if carried is None else self._counted(carried)

    def _sized_scan(
        self, body: _LoopBody, symbol: str, steps: Dim, *, is_counted: bool
    ) -> tuple[Value, ...]:
        """Append a graph.scan, or a graph.while if a condition ends the loop.

        Return the results of the Loop node.
        symbol: the size symbol of the iteration number.  steps: the trip count, or an upper bound.
        is_counted: whether ``steps`` is the exact trip count even if a condition ends the loop;
        then a graph.scan suffices.
        """
        given = [*flat(body.following), *self._wanted(body.parts)]
        inits = [self.b.ssa(x) for x in flat(self.inits)]
        if _ends_by_itself(body) and not is_counted:
            made = self._emit_while(body, given, inits, symbol, steps)
        else:
            region = body.builder.yields(*given)
            made = self.b.emit_all(ScanOp(steps, inits, (), region, symbol=symbol))
        finals = like(self.inits, made[: len(inits)])
        return self._results(finals, made[len(inits) :], len(body.parts))

    def _emit_while(
        self,
        body: _LoopBody,
        given: Sequence[Tensor],
        inits: Sequence[SSAValue],
        number: str,
        most: Dim,
    ) -> list[Tensor]:
        """Append a graph.while; return its results except for the trip count.

        given: the carried values for the next iteration, then the results to stack.  inits: the
        initial carried values.  number: the size symbol of the iteration number.  most: an upper
        bound of the trip count.
        """
        b = self.b
        first = b.scalar(1, i1) if self.condition is None else self.condition
        region = body.builder.yields(body.goes_on, *given)
        symbol, size = b.data_size()
        op = WhileOp(b.ssa(first), most, inits, region, number=number, symbol=symbol, size=size)
        return b.emit_all(op)[1:]

    def _first_types(self, symbol: str) -> list[TensorType] | None:
        """Guess the types of the carried values by converting the body for iteration 0.

        Return types whose sizes are functions of the iteration number's size symbol; None if a type
        changes in another way than by its sizes.
        """
        inner = self.b.region([*map(_type, flat(self.inits))], (symbol, ONE))
        zero = Tensor.of_array(np.array(0, np.int64))
        body = self._call(inner, zero, like(self.inits, inner.arguments()))
        inits, following = (list(map(_type, flat(xs))) for xs in (self.inits, body.following))
        return first_guess(inits, following, symbol) if len(inits) == len(following) else None

    def _sized_body(self, types: Sequence[TensorType], symbol: str, steps: Dim) -> _LoopBody | None:
        """Convert the body with the iteration number as a size symbol; return None if this fails.

        types: a guess of the carried values' types as functions of ``symbol``.  The body must map
        them to the types for ``symbol + 1``; if not, the guess is improved and the body is
        converted again.
        steps: the trip count.
        """
        inits = list(map(_type, flat(self.inits)))
        for _ in range(MAX_GUESSES):
            inner = self.b.region(types, (symbol, steps))
            number = Tensor.of_sizes(size_array([Dim.sym(symbol)], 0))
            body = self._call(inner, number, like(self.inits, inner.arguments()))
            following = list(map(_type, flat(body.following)))
            if following == [with_sizes(t, {symbol: Dim.sym(symbol) + 1}) for t in types]:
                return body
            guess = next_guess(inits, types, following, symbol)
            if guess is None:
                return None
            types = guess
        return None

    def _unrolled(self, steps: int) -> tuple[Value, ...]:
        """Convert the body once per iteration, with constant iteration numbers."""
        carried, parts = list(self.inits), list[list[Tensor]]()
        count = 0
        for n in range(steps):
            body = self._call(self.b, Tensor.of_array(np.array(n, np.int64)), carried)
            carried, count = body.following, len(body.parts)
            parts.append([self.b.reshape(x, (ONE, *x.dims)) for x in self._wanted(body.parts)])
            goes_on = body.goes_on.values()
            if goes_on is not None and not goes_on.item():
                break
            if goes_on is None and (self.trip is None or n + 1 < steps):
                raise RunTimeValue("the condition of a loop whose shapes change", body.goes_on)
        else:
            if self.trip is None:
                raise UnsupportedOp(
                    "a loop whose shapes change from one iteration to the next does not end",
                    expected=f"at most {MAX_UNROLLED} iterations",
                )
        stacks = [self.b.concat(xs, 0) for xs in zip(*parts, strict=True)]
        return self._results(carried, stacks, count)

    def _repeat(self, body: _LoopBody) -> tuple[Value, ...]:
        """Append a loop with a data-dependent trip count; return the results of the Loop node.

        It is a graph.loop, unless the loop stacks results. Then the function main first computes
        the trip count and binds it as a size, and the loop becomes a graph.scan.  This is
        impossible inside a branch or a loop body, because only main binds sizes.
        Errors: UnsupportedOp or RunTimeValue if the trip count cannot be computed first.
        """
        ends_by_itself = _ends_by_itself(body)
        if not ends_by_itself and self.trip is None and self.condition is None:
            raise UnsupportedOp("the loop has no end")
        if not self._wanted(body.parts):
            made = self._emit_loop(body, flat(body.following), flat(self.inits))
            return self._results(like(self.inits, made), (), len(body.parts))
        if self.b.outer is not None:
            self._refuse_stacks(ends_by_itself)
        every = range(len(flat(self.inits)))
        return self._scan(body, self._counted(every) if ends_by_itself else self._computed_steps())

    def _emit_loop(
        self, body: _LoopBody, following: Sequence[Tensor], inits: Sequence[Tensor]
    ) -> list[Tensor]:
        """Append a graph.loop; return the final carried values.

        inits: the initial values.  following: the values that the body computes for the next
        iteration.
        """
        b, condition = self.b, self.condition
        if _ends_by_itself(body) and condition is None:
            condition = b.scalar(1, i1)
        given = following if condition is None else [body.goes_on, *following]
        region = body.builder.yields(*given)
        trip = None if self.trip is None else b.ssa(self.trip)
        tested = None if condition is None else b.ssa(condition)
        return b.emit_all(LoopOp(trip, tested, [b.ssa(x) for x in inits], region))

    def _computed_steps(self) -> Dim:
        """Return the trip count as a size that main computes.

        It is 0 if the initial condition is false.
        """
        b = self.b
        if self.trip is None:
            raise UnsupportedOp("the loop has no end")
        steps = b.apply("max", b.reshape(self.trip, ()), 0)
        known = None if self.condition is None else self.condition.values()
        if self.condition is not None and known is None:
            runs = b.cast(b.reshape(self.condition, ()), steps.dtype)
            steps = b.apply("mul", steps, runs)
        return b.computed_size(steps)

    def _counted(self, carried: Sequence[int]) -> Dim:
        """Count the iterations in main by a graph.loop without stacked results.

        Return the trip count as a size.
        carried: the positions of the carried values that the condition needs.
        """
        b, inits = self.b, flat(self.inits)
        firsts = [inits[n] for n in carried]
        inner = b.region([ITERATION, *map(_type, firsts), ITERATION])
        number, *given, _ = inner.arguments()
        for n, x in zip(carried, given, strict=True):
            inits[n] = x
        body = self._call(inner, number, like(self.inits, inits))
        made = flat(body.following)
        following = [*(made[n] for n in carried), inner.apply("add", number, 1)]
        return b.computed_size(self._emit_loop(body, following, [*firsts, b.scalar(0, i64)])[-1])

    def _ask(self, what: str) -> None:
        """Raise RunTimeValue if the initial condition or the trip count is unknown at import.

        what: a noun for the message that names the part of the loop that depends on them.
        """
        self.node.values_at(1, what)
        self.node.ints_at(0, what)

    def _refuse_stacks(self, ends_by_itself: bool) -> None:
        """Raise the error for a loop that stacks results but whose trip count is unknown.

        ends_by_itself: whether a condition in the body may end the loop.
        Errors: RunTimeValue if a value bound at import would determine the trip count, else
        UnsupportedOp.
        """
        what = "the size of a stacked result"
        if not ends_by_itself:
            self._ask(what)
        raise UnsupportedOp(
            f"{what} depends on run-time data: the loop ends by a condition that it computes"
        )


def _ends_by_itself(body: _LoopBody) -> bool:
    known = body.goes_on.values()
    return known is None or not known.item()


def _moved(x: Tensor, number: SSAValue) -> Tensor:
    if x.ssa is not number or not isinstance(number.owner, Block):
        return x
    return Tensor.of_ssa(number.owner.args[-1])


def _tested_steps(body: _LoopBody, most: int) -> int | None:
    """Return the trip count of a loop whose condition depends only on the iteration number.

    The condition is evaluated for each iteration. Return None if the condition depends on other
    values, or if ``most`` exceeds `MAX_TESTED`.
    most: the trip count that the node states, which the condition may reduce.
    """
    assert body.goes_on.ssa is not None
    block = body.builder.block
    needed: list[Operation] = []
    left, seen = [body.goes_on.ssa], set[SSAValue]()
    while left:
        value = left.pop()
        if value in seen or value is block.args[0]:
            continue
        seen.add(value)
        op = value.owner
        if not isinstance(op, Operation) or evaluator_of(op) is None:
            return None
        if op.parent is not block and not isinstance(op, ConstantOp):
            return None
        needed.append(op)
        left += op.operands
    if most > MAX_TESTED:
        return None
    order = {op: n for n, op in enumerate(block.ops)}
    ordered = sorted(dict.fromkeys(needed), key=lambda op: order.get(op, -1))
    for step in range(most):
        values: dict[SSAValue, np.ndarray] = {block.args[0]: np.array(step, np.int64)}
        for op in ordered:
            results = evaluate_op(op, [values[v] for v in op.operands])
            values.update(zip(op.results, results, strict=True))
        if not values[body.goes_on.ssa].item():
            return step + 1
    return most


def scan(node: Node, b: Builder) -> tuple[Tensor | None, ...]:
    """Convert Scan: run a graph along axes of its inputs, and stack its results along axes."""
    count = len(node.inputs) - node.integer("num_scan_inputs")
    return _scanned(node, b, node.present()[:count], node.present()[count:])


def scan_batched(node: Node, b: Builder) -> tuple[Tensor | None, ...]:
    """Convert Scan-8: all values have a leading batch axis; its entries are scanned separately."""
    if node.get(0) is not None:
        raise UnsupportedOp("sequence lengths of Scan-8 are not supported")
    values = [node[i] for i in range(1, len(node.inputs))]
    count = len(values) - node.integer("num_scan_inputs")
    batch = static(values[0].dims[0], "the batch of Scan-8")
    if not 0 < batch <= MAX_UNROLLED:
        raise UnsupportedOp("the batch of Scan-8 is too large or empty", got=batch)
    every: list[tuple[Tensor | None, ...]] = []
    for n in range(batch):
        parts = [b.reshape(b.slice(x, 0, n, 1), x.dims[1:]) for x in values]
        every.append(_scanned(node, b, parts[:count], parts[count:], "directions"))
    joined: list[Tensor | None] = []
    for results in zip(*every, strict=True):
        known = [b.reshape(x, (ONE, *x.dims)) for x in results if x is not None]
        joined.append(b.concat(known, 0) if known else None)
    return tuple(joined)


def _scanned(
    node: Node,
    b: Builder,
    inits: Sequence[Tensor],
    over: Sequence[Tensor],
    directions: str = "scan_input_directions",
) -> tuple[Tensor | None, ...]:
    body, none = node.graph("body"), (0,) * len(over)
    body.check_inputs(len(inits) + len(over))
    backward = node.ints(directions, none) or none
    axes = node.ints("scan_input_axes", none) or none
    if len(backward) != len(over) or len(axes) != len(over):
        raise ModelError(
            "the number of axes or directions is not the number of scan inputs", got=len(over)
        )
    # Scan backward if all inputs do; reverse the inputs that differ from the scan's direction.
    reverse = bool(backward) and all(backward)
    leading = [_leading(b, x, axis) for x, axis in zip(over, axes, strict=True)]
    leading = [
        x if bool(turned) is reverse else b.reverse(x, (0,))
        for x, turned in zip(leading, backward, strict=True)
    ]
    if not leading:
        raise ModelError("Scan has no scan input", expected="at least one scan input")
    inner = b.region([*map(_type, inits), *(tensor_type(x.dtype, x.dims[1:]) for x in leading)])
    given = tensors_only(body(inner, inner.arguments()), "a result of the body")
    count = len(inits)
    wanted = [n for n in range(len(given) - count) if node.wants(count + n)]
    region = inner.yields(*given[:count], *(given[count + n] for n in wanted))
    operands = [b.ssa(x) for x in inits], [b.ssa(x) for x in leading]
    made = b.emit_all(ScanOp(leading[0].dims[0], *operands, region, reverse=reverse))
    zeros = (0,) * (len(given) - count)
    out_backward = node.ints("scan_output_directions", zeros) or zeros
    out_axes = node.ints("scan_output_axes", zeros) or zeros
    stacks: list[Tensor | None] = [None] * (len(given) - count)
    for n, x in zip(wanted, made[count:], strict=True):
        turned = x if bool(out_backward[n]) is reverse else b.reverse(x, (0,))
        stacks[n] = _trailing(b, turned, out_axes[n])
    return (*made[:count], *stacks)


def _leading(b: Builder, x: Tensor, axis: int) -> Tensor:
    axis = normalize_axis(axis, x.rank)
    return b.transpose(x, (axis, *(d for d in range(x.rank) if d != axis)))


def _trailing(b: Builder, x: Tensor, axis: int) -> Tensor:
    axis = normalize_axis(axis, x.rank)
    perm = [d + 1 for d in range(x.rank - 1)]
    return b.transpose(x, (*perm[:axis], 0, *perm[axis:]))


def _single(b: Builder, x: Tensor, what: str) -> Tensor:
    """Return a one-element tensor of any rank as a scalar.

    what: a name for the value in messages.
    Errors: ModelError for any other number of elements.
    """
    if element_count(x.dims) != ONE:
        raise ModelError(f"the {what} is not a scalar", got=f"sizes {[*map(str, x.dims)]}")
    if x.sizes is not None and x.ssa is None:
        return Tensor.of_sizes(x.sizes.reshape(()), x.dtype)
    return b.reshape(x, ())


def _reshaped(b: Builder, x: Tensor, rank: int) -> Tensor:
    if x.ssa is None and x.sizes is not None and rank <= 1:
        return Tensor.of_sizes(x.sizes.reshape([1] * rank), x.dtype)
    return b.reshape(x, [1] * rank)


def _type(x: Tensor) -> TensorType:
    return tensor_type(x.dtype, x.dims)


CONVERTERS = (
    OpConverter("If", if_, lists=True),
    OpConverter("Loop", loop, lists=True),
    OpConverter("Scan", scan_batched, until=8),
    OpConverter("Scan", scan, since=9),
)
