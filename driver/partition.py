"""Partition: move the ops of main that run on other targets into separate programs.

In: a function of graph ops, and the target of each op. Out: its parts in order; `TargetPart.module`
is the program of a part, and `replace` puts a call in place of its ops:

    %y = graph.softmax %x            %y = packed.extern "softmax"(%x)      func.func @main(%x) {
    %z = graph.exp %y         ==>    %w = graph.matmul %y, %z        and     %y = graph.softmax %x
    %w = graph.matmul %y, %z                                                 %z = graph.exp %y .. }

Ops of one target form one part unless ops of other targets lie between them. The ops that match a
pattern (passes/graph/op_patterns.py) form a separate part. Each part gets copies of the constants
that it uses, and of ops of main's target that compute from constants alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import groupby
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.dtypes import numpy_dtype
from ..dialects.graph import bound_symbols, mentioned_symbols
from ..dialects.packed import ExternOp
from ..dialects.results import ARG_NAMES, RESULT_NAMES
from ..dialects.shape import symbols_of
from ..dialects.sizes import LIMITS, record_sizes
from ..passes.graph.op_patterns import OpMatch
from ..support.diagnostics import UnsupportedOp

PATTERN = "tw.pattern"
"""The attribute of the main function of a part that names the pattern of its ops."""


@dataclass(frozen=True)
class TargetPart:
    """Consecutive ops of main that run on another target.

    constants: the constants of main, and ops that compute from constants alone; a part copies those
    that it uses.
    match: the match of a backend's pattern from which the part was made, else None.  Such a part
    copies only the constants that its pattern binds by `constant`; its other constants are inputs.
    """

    target: str
    main: FuncOp
    ops: Sequence[Operation]
    constants: Sequence[Operation]
    match: OpMatch | None = None

    @property
    def inputs(self) -> list[SSAValue]:
        """The values that the ops of the part read from other ops or from arguments of main.

        For a match, they are the values bound by its pattern, in order and with repetitions.
        """
        if self.match is not None:
            return self.match.inputs
        own = {*self.ops, *self.constants}
        used = (value for op in self.ops for value in _used(op))
        return list(dict.fromkeys(value for value in used if value.owner not in own))

    @property
    def outputs(self) -> list[SSAValue]:
        """The results of the part that other ops of main use."""
        own, block = set(self.ops), self.main.body.block
        results = (result for op in self.ops for result in op.results)
        return [
            value
            for value in results
            if any(block.find_ancestor_op_in_block(u.operation) not in own for u in value.uses)
        ]

    def module(self) -> ModuleOp:
        """Return the program of the part: a module whose main maps the inputs to the outputs.

        Errors: UnsupportedOp if ops of other parts use a size that the part computes from data.
        """
        inputs, outputs = self.inputs, self.outputs
        block = Block(arg_types=[value.type for value in inputs])
        made: dict[SSAValue, SSAValue] = dict(zip(inputs, block.args, strict=True))
        used = {value for op in self.ops for value in _used(op)}
        for op in (*_ops_for(used, self.constants), *self.ops):
            block.add_op(op.clone(made))
        self._check_sizes(bound_symbols(block))
        block.add_op(ReturnOp(*(made[value] for value in outputs)))
        types = [value.type for value in inputs], [value.type for value in outputs]
        main = FuncOp("main", types, Region(block))
        if LIMITS in self.main.attributes:
            main.attributes[LIMITS] = self.main.attributes[LIMITS]
        record_sizes(main)
        if self.match is not None:
            main.attributes[PATTERN] = StringAttr(self.match.name)
        for key, letter, values in ((ARG_NAMES, "x", inputs), (RESULT_NAMES, "y", outputs)):
            names = [StringAttr(f"{letter}{number}") for number in range(len(values))]
            main.attributes[key] = ArrayAttr(names)
        return ModuleOp([main])

    def _check_sizes(self, bound: Collection[str]) -> None:
        own = {*self.ops, *self.constants}
        others = (op for op in self.main.body.block.ops if op not in own)
        used = {name for op in others for name in mentioned_symbols(op)}
        used |= {name for value in self.outputs for name in symbols_of(value.type)}
        if not used.isdisjoint(bound):
            raise UnsupportedOp(
                "a program for another target computes a size that other ops use",
                expected="sizes that follow from its inputs",
                got=", ".join(sorted(used.intersection(bound))),
                hint="place the op that computes the size on the device",
            ).at(self.ops[0])

    def replace(self, function: str) -> None:
        """Replace the ops of the part by a call of a packed function.

        function: the name of the packed function, which takes the inputs and fills the outputs.
        """
        inputs, outputs = self.inputs, self.outputs
        values = [*inputs, *outputs]
        pattern = [IntAttr(number) for number in range(len(values))]
        dtypes = [numpy_dtype(cast(TensorType, v.type).element_type).name for v in values]
        types = [value.type for value in outputs]
        call = ExternOp(function, inputs, pattern, dtypes, types)
        call.location = self.ops[0].location
        Rewriter.insert_op(call, InsertPoint.before(self.ops[0]))
        for value, result in zip(outputs, call.res, strict=True):
            result.name_hint = value.name_hint
            value.replace_all_uses_with(result)
        for op in reversed(self.ops):
            Rewriter.erase_op(op)


def partition(
    main: FuncOp, target_of: Callable[[Operation], str], matches: Sequence[OpMatch] = ()
) -> list[TargetPart]:
    """Divide the ops of main into parts that each run on another target; return the parts in order.

    The ops of main are reordered so that the ops of each part are consecutive. Ops that run on
    main's target belong to no part.
    target_of: returns the target of an op; an empty text means the target of main.
    matches: matches of patterns; the ops of each match have one target.
    """
    block, end = main.body.block, main.body.block.last_op
    places = {op: target_of(op) for op in block.ops if op is not end and op.operands}
    constants = _constants(block, places)
    targets = {op: places.get(op, "") for op in block.ops if op not in constants and op is not end}
    match_of = {op: match for match in matches for op in match.ops}
    waves = _waves(targets, match_of)
    # Parts of matches follow the other parts of their wave and target, in the order of the matches.
    ranks = {op: rank for rank, match in enumerate(matches, 1) for op in match.ops}

    def key(op: Operation) -> tuple[int, str, int]:
        return waves[op], targets[op], ranks.get(op, 0)

    order = sorted(targets, key=key)
    for op in (*constants, *order, end):
        assert op is not None, "main returns"
        op.detach()
        block.add_op(op)
    parts: list[TargetPart] = []
    for (_, target, rank), ops in groupby(order, key=key):
        match = matches[rank - 1] if rank else None
        if target:
            copied = constants if match is None else _ops_for(match.constants, constants)
            parts.append(TargetPart(target, main, list(ops), copied, match))
    return parts


def _ops_for(values: Iterable[SSAValue], ops: Sequence[Operation]) -> list[Operation]:
    """Return the ops from ``ops`` on which values depend, directly or indirectly, in order."""
    needed = set(values)
    found: list[Operation] = []
    for op in reversed(ops):
        if not needed.isdisjoint(op.results):
            found.append(op)
            needed.update(_used(op))
    return found[::-1]


def _constants(block: Block, places: Mapping[Operation, str]) -> list[Operation]:
    """Return the constants of a block, and the ops that compute from constants alone.

    places: the target of each op; only ops that run on main's target (an empty text) are returned.
    """
    found: dict[Operation, None] = {}
    for op in block.ops:
        is_free = op.results and not op.regions and not places.get(op)
        if is_free and all(value.owner in found for value in op.operands):
            found[op] = None
    return list(found)


def _waves(
    targets: Mapping[Operation, str], match_of: Mapping[Operation, OpMatch]
) -> dict[Operation, int]:
    """Return, for each op, the largest number of part boundaries on any path of operands to the op.

    A boundary is an edge between two ops that are never in one part: ops of different targets or of
    different matches. All ops of a match have the same number. Ops with the same number in
    different parts do not depend on each other, so a part consists of ops with equal numbers.
    targets: the target of each op.  match_of: the match of each op that belongs to one.
    """
    members: dict[object, list[Operation]] = {}
    for op in targets:
        members.setdefault(match_of.get(op, op), []).append(op)
    node_of = {op: node for node, ops in members.items() for op in ops}
    before = {
        node: {
            node_of[owner]
            for op in ops
            for value in _used(op)
            if isinstance(owner := value.owner, Operation)
            and owner in node_of
            and node_of[owner] is not node
        }
        for node, ops in members.items()
    }
    waves: dict[Operation, int] = {}
    for node in TopologicalSorter(before).static_order():
        first = members[node][0]
        numbers = [
            waves[members[other][0]] + (_place(members[other][0], targets, match_of)
                                        != _place(first, targets, match_of))
            for other in before[node]
        ]  # fmt: skip
        waves |= dict.fromkeys(members[node], max(numbers, default=0))
    return waves


def _place(
    op: Operation, targets: Mapping[Operation, str], match_of: Mapping[Operation, OpMatch]
) -> tuple[str, OpMatch | None]:
    return targets[op], match_of.get(op)


def _used(op: Operation) -> Iterable[SSAValue]:
    """Return the values defined outside of an op that the op or its regions use."""
    used = (value for each in op.walk() for value in each.operands)
    return list(dict.fromkeys(value for value in used if not op.is_ancestor(value.owner)))
