"""graph-stack-recursion: turn general recursion into a loop with a stack of frames.

    func.func @fib(%n: N) -> N attributes {tw.most_calls = 30 : i64} {
      …  %r = graph.if %small { graph.yield %n } else {
        %a = graph.call @fib(%m1)    %m2 = graph.sub %n, %two    %b = graph.call @fib(%m2)
        %s = graph.add %a, %b       graph.yield %s
      }
      func.return %r
    }
==>
    func.func @fib(%n: N) -> N {
      … = graph.loop while %true (%i) carry(%state, %depth, %n1, %r1, %states, %saved) {
        …  graph.if %is_first { the body of @fib up to its first call }
             else { graph.if %is_second { the ops after the first call }
               else { the ops after the second call } }
        …  the new frame becomes row %depth of %states and of %saved
      }
      func.return %r1
    }

An iteration runs the ops of a function between two calls. A frame keeps the values that the ops
after a call need, and the number of the state that runs these ops; a call in tail position needs
no frame.  Functions that call each other share one loop.  The attribute ``tw.most_calls`` limits
the number of calls that are active at a time, so it is the size of the stack.  The attribute
``tw.total_calls`` limits the number of all calls, which a gradient needs.  A call beyond a limit
ends the loop, and a graph.check_indices after the loop makes it a run-time error.
Before: arguments, results and the values in frames are tensors; calls stand in the bodies of
functions and in branches of graph.if.  After: no function with the attribute calls itself.
Exact: the same results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i1
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import is_side_effect_free

from ...dialects.graph import CallOp, CheckIndicesOp, IfOp, LoopOp, ReshapeOp, YieldOp
from ...dialects.graph.control import ITERATION
from ...dialects.graph.function import MOST_CALLS, TOTAL_CALLS, NamingOp, functions_of
from ...dialects.shape import dims_of, tensor_type, type_of
from ...support.entry import find_entry
from ...support.passes import ExactPass
from .block_ops import BlockOps
from .calls import calls_in, cycle_of, is_last, replace_body


@dataclass(frozen=True)
class StackRecursion(ExactPass):
    """Turn general recursion into loops with a stack of frames."""

    name = "graph-stack-recursion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        stack_recursion(op)


def stack_recursion(module: ModuleOp) -> bool:
    """Turn general recursion into loops with a stack; return whether there was any."""
    functions, entry = functions_of(module), find_entry(module)
    for function in functions.values():
        cycle = cycle_of(function)
        if not cycle or obstacle(cycle) is not None:
            continue
        inside = {f.sym_name.data for f in cycle}
        calls = [c for f in functions.values() if f not in cycle for c in calls_in(f)]
        names = {call.function_name for call in calls}
        roots = [f for f in cycle if f is entry or f.sym_name.data in names & inside]
        made = [(root, _FrameLoop(root, cycle).block()) for root in roots or cycle[:1]]
        for root, block in made:
            replace_body(root, block)
            for attribute in (MOST_CALLS, TOTAL_CALLS):
                root.attributes.pop(attribute, None)
        return True
    return False


def obstacle(cycle: Sequence[FuncOp]) -> tuple[str, str] | None:
    """Return what a general recursion violates, and what to do; None if it can become a loop.

    cycle: the functions that call each other.
    """
    names = {f.sym_name.data for f in cycle}
    for function in cycle:
        for op in function.walk():
            if not isinstance(op, NamingOp) or op.function_name not in names:
                continue
            if not isinstance(op, CallOp):
                return "a recursion by calls", "call the function where the closure is made"
            if not all(isinstance(region, IfOp | FuncOp) for region in _around(op)):
                return "recursive calls outside of loops", "write the loop as a recursion"
    if _limit(cycle, MOST_CALLS) is None:
        return f"a recursion with the attribute {MOST_CALLS}", (
            f"set {MOST_CALLS}, the largest number of calls at a time, such as "
            f"attributes {{{MOST_CALLS} = 64 : i64}}"
        )
    values = [v for f in cycle for v in (*f.body.block.args, *_returned_values(f))]
    values += [v for f in cycle for call in _saving_calls(f, names) for v in _read_after(call)]
    if not all(isinstance(v.type, TensorType) for v in values):
        return "tensors as arguments, results and values that are used after a call", (
            "pass the same functions in each recursive call, and nodes of one graph.table"
        )
    return None


def _around(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ModuleOp):
        yield parent
        parent = parent.parent_op()


def _returned_values(function: FuncOp) -> Sequence[SSAValue]:
    last = function.body.block.last_op
    return () if last is None else last.operands


def _limit(cycle: Sequence[FuncOp], name: str) -> int | None:
    found = (f.attributes.get(name) for f in cycle)
    return max((a.value.data for a in found if isinstance(a, IntegerAttr)), default=None)


def _saving_calls(function: FuncOp, names: set[str]) -> list[CallOp]:
    """Return the calls of functions that are no tail calls."""
    calls = [call for call in calls_in(function) if call.function_name in names]
    return [call for call in calls if not is_last(call, function)]


def _read_after(call: CallOp) -> list[SSAValue]:
    """Return the values that the ops after a call read, and that exist before the call."""
    read: dict[SSAValue, None] = {}
    own: set[SSAValue] = {*call.results}
    last: Operation | None = call
    while last is not None and not isinstance(last, FuncOp):
        own |= {*last.results}
        following = last.next_op
        while following is not None:
            for op in following.walk():
                own |= {*op.results}
                own |= {a for region in op.regions for b in region.blocks for a in b.args}
                read |= dict.fromkeys(op.operands)
            following = following.next_op
        last = last.parent_op()
    return [value for value in read if value not in own]


@dataclass
class _Registers:
    """Values of certain types that the loop carries; values of one type share registers.

    types: the type of each register.
    """

    types: list[Attribute] = field(default_factory=list)

    def places(self, types: Sequence[Attribute]) -> list[int]:
        """Return the numbers of different registers for values of these types."""
        taken: Counter[Attribute] = Counter()
        found: list[int] = []
        for type_ in types:
            own = [n for n, other in enumerate(self.types) if other == type_]
            if taken[type_] == len(own):
                own.append(len(self.types))
                self.types.append(type_)
            found.append(own[taken[type_]])
            taken[type_] += 1
        return found


@dataclass(frozen=True)
class _StackStep:
    """What an iteration yields.

    state: the number of the next state.  depth: the number of frames after the iteration.
    arguments, results: the registers of arguments and of results.
    frame_state, frame: the frame that the iteration writes into the next free row of the stack.
    """

    state: SSAValue
    depth: SSAValue
    arguments: tuple[SSAValue, ...]
    results: tuple[SSAValue, ...]
    frame_state: SSAValue
    frame: tuple[SSAValue, ...]

    def values(self) -> list[SSAValue]:
        head = self.state, self.depth, *self.arguments, *self.results
        return [*head, self.frame_state, *self.frame]

    def like(self, values: Sequence[SSAValue]) -> _StackStep:
        """Return the step whose ``values`` are these."""
        rest = iter(values)
        state, depth = next(rest), next(rest)
        arguments = tuple(next(rest) for _ in self.arguments)
        results = tuple(next(rest) for _ in self.results)
        return _StackStep(state, depth, arguments, results, next(rest), tuple(rest))


@dataclass(frozen=True)
class _State:
    """A place at which an iteration begins: the start of a function, or the op after a call.

    first: the first op.
    given: the values that registers hold at this place, and the numbers of the registers.
    saved: the values that the frame holds, and the numbers of their columns in the stack.
    """

    number: int
    first: Operation
    given: Mapping[SSAValue, int]
    saved: Mapping[SSAValue, int] = field(default_factory=dict)


class _FrameLoop:
    """The loop that runs a general recursion with a stack of frames.

    State 0 ends the loop.  The first frame is that of the caller, and returns to state 0.
    """

    def __init__(self, root: FuncOp, cycle: Sequence[FuncOp]) -> None:
        self.root, self.cycle = root, cycle
        self.names = {f.sym_name.data for f in cycle}
        self.outer = BlockOps(Block(arg_types=[a.type for a in root.body.block.args]))
        for new, argument in zip(self.outer.block.args, root.body.block.args, strict=True):
            new.name_hint = argument.name_hint
        self.most = _limit(cycle, MOST_CALLS) or 0
        self.numbers: dict[int, SSAValue] = {}
        self.fixed: dict[SSAValue, SSAValue] = {}
        self._fix_arguments()
        self._fix_constants()
        self.arguments, self.results, self.columns = _Registers(), _Registers(), _Registers()
        self.entries = {
            f.sym_name.data: _State(n + 1, self._first(f), self._changed(f))
            for n, f in enumerate(cycle)
        }
        self.after: dict[CallOp, _State] = {}
        for function in cycle:
            for call in _saving_calls(function, self.names):
                self.after[call] = self._state_after(call, len(cycle) + len(self.after) + 1)
        for function in cycle:
            self.results.places([v.type for v in _returned_values(function)])

    def _fix_arguments(self) -> None:
        """Use the arguments that all calls pass on unchanged from outside of the loop."""
        if len(self.cycle) > 1:
            return
        calls = [call for call in calls_in(self.root) if call.function_name in self.names]
        old, new = self.root.body.block.args, self.outer.block.args
        for number, argument in enumerate(old):
            if all(call.args[number] is argument for call in calls):
                self.fixed[argument] = new[number]

    def _fix_constants(self) -> None:
        """Compute the constants of the functions before the loop."""
        for function in self.cycle:
            given = {*function.body.block.args}
            for op in function.body.walk():
                in_branches = all(isinstance(region, IfOp | FuncOp) for region in _around(op))
                is_pure = is_side_effect_free(op) and not op.regions and len(op.results) > 0
                if (
                    in_branches
                    and is_pure
                    and all(v in self.fixed and v not in given for v in op.operands)
                ):
                    self.outer.append(op.clone(self.fixed))

    def _first(self, function: FuncOp) -> Operation:
        first = function.body.block.first_op
        assert first is not None, "a function returns"
        return first

    def _changed(self, function: FuncOp) -> dict[SSAValue, int]:
        values = [a for a in function.body.block.args if a not in self.fixed]
        return dict(zip(values, self.arguments.places([v.type for v in values]), strict=True))

    def _state_after(self, call: CallOp, number: int) -> _State:
        given = self.results.places(call.result_types)
        values = [v for v in _read_after(call) if v not in self.fixed]
        saved = self.columns.places([v.type for v in values])
        first = call.next_op
        assert first is not None, "a block ends with a terminator"
        pairs: dict[SSAValue, int] = dict(zip(call.results, given, strict=True))
        return _State(number, first, pairs, dict(zip(values, saved, strict=True)))

    def _number(self, number: int) -> SSAValue:
        if number not in self.numbers:
            self.numbers[number] = self.outer.count(number)
        return self.numbers[number]

    def block(self) -> Block:
        """Return the new body of the root function."""
        outer = self.outer
        zeros = [[outer.number(0, t) for t in r.types] for r in (self.results, self.columns)]
        given = self._given(zeros[0])
        stacks = [
            tensor_type(type_of(v).element_type, (self.most + 1, *dims_of(type_of(v))))
            for v in (self._number(0), *zeros[1])
        ]
        inits = [
            self._number(self.entries[self.root.sym_name.data].number),
            self._number(1),
            *given,
            *zeros[0],
            *(outer.number(0, stack) for stack in stacks),
        ]
        body = Block(arg_types=[ITERATION, *(v.type for v in inits)])
        carried = body.args[1:]
        now = _StackStep(
            carried[0],
            carried[1],
            tuple(carried[2 : 2 + len(given)]),
            tuple(carried[2 + len(given) : len(carried) - len(stacks)]),
            self._number(0),
            tuple(zeros[1]),
        )
        self.now, self.stacks = now, carried[len(carried) - len(stacks) :]
        self._fill(BlockOps(body))
        total = _limit(self.cycle, TOTAL_CALLS)
        trip = None if total is None else self._number(2 * total - 1)
        loop = LoopOp(trip, outer.number(1, tensor_type(i1, ())), inits, Region(body))
        outer.append(loop)
        self._check(loop.results[1], self.most + 1, MOST_CALLS, "is deeper")
        if total is not None:
            self._check(loop.results[0], 1, TOTAL_CALLS, "has more calls")
        results = loop.results[2 + len(given) : len(carried) - len(stacks)]
        places = self.results.places([v.type for v in _returned_values(self.root)])
        outer.append(ReturnOp(*(results[n] for n in places)))
        return outer.block

    def _given(self, zeros: Sequence[SSAValue]) -> list[SSAValue]:
        """Return the first values of the registers of arguments."""
        places = self.entries[self.root.sym_name.data].given
        old = self.root.body.block.args
        values = {
            places[a]: v for a, v in zip(old, self.outer.block.args, strict=True) if a in places
        }
        return [
            values[n] if n in values else self.outer.number(0, type_)
            for n, type_ in enumerate(self.arguments.types)
        ]

    def _fill(self, home: BlockOps) -> None:
        """Append the ops of an iteration."""
        states = [*self.entries.values(), *self.after.values()]
        step = self.now.like(self._chosen(states, home))
        row = self.now.depth
        stacks = [
            home.with_row(stack, value, row)
            for stack, value in zip(self.stacks, (step.frame_state, *step.frame), strict=True)
        ]
        runs = home.elementwise("lt", self._number(0), step.state)
        fits = home.elementwise("lt", step.depth, self._number(self.most + 1))
        goes_on = home.elementwise("and", runs, fits)
        head = step.state, step.depth, *step.arguments, *step.results
        home.append(YieldOp([goes_on, *head, *stacks]))

    def _chosen(self, states: Sequence[_State], home: BlockOps) -> list[SSAValue]:
        """Append a chain of graph.if that runs the current state; return the values of its step."""
        state, *others = states
        if not others:
            return self._run(state, home)
        condition = home.elementwise("eq", self.now.state, self._number(state.number))
        blocks = Block(), Block()
        for block, values in zip(
            blocks,
            (self._run(state, BlockOps(blocks[0])), self._chosen(others, BlockOps(blocks[1]))),
            strict=True,
        ):
            block.add_op(YieldOp(values))
        return list(home.append(IfOp(condition, *map(Region, blocks))).results)

    def _run(self, state: _State, home: BlockOps) -> list[SSAValue]:
        is_entry = state.number <= len(self.entries)
        source = self.now.arguments if is_entry else self.now.results
        known = {**self.fixed, **{value: source[n] for value, n in state.given.items()}}
        for value, n in state.saved.items():
            known[value] = home.row(self.stacks[1 + n], self.now.depth)
        return self._rest(state.first, known, home).values()

    def _rest(
        self, op: Operation | None, known: dict[SSAValue, SSAValue], home: BlockOps
    ) -> _StackStep:
        """Append the ops from ``op`` up to the next call or the return; return the step.

        known: maps values of the functions to values in the loop.
        """
        while op is not None:
            if isinstance(op, ReturnOp):
                return self._return([known[v] for v in op.operands], home)
            if isinstance(op, CallOp) and op.function_name in self.names:
                return self._call(op, known, home)
            if isinstance(op, IfOp) and self._has_calls(op):
                return self._branch(op, known, home)
            if isinstance(op, YieldOp):
                parent = op.parent_op()
                assert isinstance(parent, IfOp), "only branches are split"
                known |= zip(parent.results, [known[v] for v in op.values], strict=True)
                op = parent
            elif not all(result in self.fixed for result in op.results) or not op.results:
                home.append(op.clone(known))
            op = op.next_op
        raise AssertionError("a block ends with a terminator")

    def _has_calls(self, op: Operation) -> bool:
        return any(call.function_name in self.names for call in calls_in(op))

    def _branch(self, op: IfOp, known: dict[SSAValue, SSAValue], home: BlockOps) -> _StackStep:
        blocks = Block(), Block()
        for block, branch in zip(blocks, (op.then, op.otherwise), strict=True):
            step = self._rest(branch.block.first_op, dict(known), BlockOps(block))
            block.add_op(YieldOp(step.values()))
        made = IfOp(known[op.condition], *map(Region, blocks))
        made.location = op.location
        return self.now.like(home.append(made).results)

    def _call(self, op: CallOp, known: Mapping[SSAValue, SSAValue], home: BlockOps) -> _StackStep:
        entry = self.entries[op.function_name]
        arguments = list(self.now.arguments)
        for argument, value in zip(op.function.body.block.args, op.args, strict=True):
            if argument in entry.given:
                arguments[entry.given[argument]] = known[value]
        step = replace(self.now, state=self._number(entry.number), arguments=tuple(arguments))
        if op not in self.after:
            return step
        state = self.after[op]
        frame = list(self.now.frame)
        for value, place in state.saved.items():
            frame[place] = known[value]
        depth = home.elementwise("add", self.now.depth, self._number(1))
        return replace(
            step, depth=depth, frame_state=self._number(state.number), frame=tuple(frame)
        )

    def _return(self, values: Sequence[SSAValue], home: BlockOps) -> _StackStep:
        results = list(self.now.results)
        for place, value in zip(self.results.places([v.type for v in values]), values, strict=True):
            results[place] = value
        depth = home.elementwise("sub", self.now.depth, self._number(1))
        state = home.row(self.stacks[0], depth)
        return replace(self.now, state=state, depth=depth, results=tuple(results))

    def _check(self, value: SSAValue, limit: int, attribute: str, what: str) -> None:
        """Append the run-time check that a value is less than a limit."""
        given = _limit(self.cycle, attribute)
        place = f"{attribute} = {given}: the recursion of @{self.root.sym_name.data} {what}"
        index = self.outer.value(ReshapeOp(value, [1]))
        self.outer.append(CheckIndicesOp(index, [limit], place))
