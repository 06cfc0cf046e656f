"""graph-thread-references: replace references by values, which calls and regions return.

    %r = graph.ref %x : T -> !graph.ref<T>
    graph.if %c { graph.write %y, %r  graph.yield } else { graph.yield } : tensor<i1> ->
    %s = graph.call @f(%r) : (!graph.ref<T>) -> T
    %z = graph.read %r : !graph.ref<T> -> T
==>
    %r1 = graph.if %c { graph.yield %y } else { graph.yield %x } : tensor<i1> -> T
    %s, %z = graph.call @f(%r1) : (T) -> (T, T)

A reference that is an argument of a function becomes an argument and a result of it; one that a
loop writes becomes a carried value.  The program has no effects afterwards, so it has gradients.
Before: no closure has a reference as a given argument.  After: there are no references.
Exact: the same results.
Errors: UnsupportedOp for a reference that a branch yields, that a function returns, that main
takes, or that a call passes twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.data_type import RefType
from ...dialects.graph import (
    CallOp,
    IfOp,
    LoopOp,
    MatchOp,
    ReadOp,
    ReferenceOp,
    RefOp,
    ScanOp,
    WhileOp,
    WriteOp,
    YieldOp,
    functions_of,
)
from ...dialects.graph.reference import element_of
from ...support.blocks import terminator
from ...support.diagnostics import UnsupportedOp
from ...support.entry import find_entry
from ...support.passes import ExactPass

Contents = dict[SSAValue, SSAValue]
"""The value that each reference contains at a point of a program."""


@dataclass(frozen=True)
class ThreadReferences(ExactPass):
    """Replace references by values."""

    name = "graph-thread-references"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        thread_references(op)


def thread_references(module: ModuleOp) -> bool:
    """Replace references by values; return whether there were any.

    Errors: UnsupportedOp for a reference that escapes.
    """
    entry = find_entry(module)
    found = [f for f in functions_of(module).values() if _has_references(f)]
    for function in found:
        if function is entry:
            thread_entry(function)
        else:
            thread_function(function)
    return bool(found)


def thread_entry(function: FuncOp) -> None:
    """Replace the references in a function without references as arguments.

    Errors: UnsupportedOp for a reference that escapes, or that is an argument.
    """
    if any(isinstance(type_, RefType) for type_ in function.function_type.inputs):
        raise _escape("a function that is called from outside takes a reference").at(function)
    if _has_references(function):
        thread_function(function)


def _has_references(function: FuncOp) -> bool:
    return any(isinstance(t, RefType) for t in function.function_type.inputs) or any(
        isinstance(op, ReferenceOp) for op in function.walk()
    )


def thread_function(function: FuncOp) -> None:
    """Replace the references in a function; those that are arguments become results, too.

    Errors: UnsupportedOp for a reference that escapes.
    """
    block = function.body.block
    threading, contents = _Threading(), Contents()
    taken = [a for a in block.args if isinstance(a.type, RefType)]
    for argument in taken:
        value = block.insert_arg(element_of(argument), argument.index + 1)
        value.name_hint = argument.name_hint
        contents[argument] = value
    threading.block(block, contents)
    last = terminator(block, ReturnOp)
    block.insert_op_before(ReturnOp(*last.operands, *(contents[r] for r in taken)), last)
    Rewriter.erase_op(last)
    for made in reversed(threading.made):
        Rewriter.erase_op(made)
    for argument in taken:
        block.erase_arg(argument)
    function.update_function_type()


class _Threading:
    """The replacement of references in the blocks of a function.

    made: the ops that make references, which have no users when all blocks are done.
    """

    def __init__(self) -> None:
        self.made: list[RefOp] = []

    def block(self, block: Block, contents: Contents) -> None:
        """Replace the reads and writes in a block; update what the references contain."""
        for op in list(block.ops):
            match op:
                case RefOp():
                    contents[op.out] = op.x
                    self.made.append(op)
                case ReadOp():
                    op.out.replace_all_uses_with(contents[op.ref])
                    Rewriter.erase_op(op)
                case WriteOp():
                    contents[op.ref] = op.x
                    Rewriter.erase_op(op)
                case CallOp():
                    self._call(op, contents)
                case _ if any(isinstance(v.type, RefType) for v in op.operands):
                    raise _escape(f"{op.name} takes a reference").at(op)
                case _ if op.regions:
                    self._regions(op, contents)
                case _:
                    pass

    def _call(self, op: CallOp, contents: Contents) -> None:
        passed = [a for a in op.args if isinstance(a.type, RefType)]
        if len(set(passed)) != len(passed):
            raise _escape("a call passes one reference twice").at(op)
        if passed:
            types = [*op.result_types, *map(element_of, passed)]
            new = CallOp(op.function_name, [contents.get(a, a) for a in op.args], types)
            _replace(op, new, len(op.results), passed, contents)

    def _regions(self, op: Operation, contents: Contents) -> None:
        """Replace the references in the regions of an op; the op returns what it has written."""
        written = [ref for ref in contents if _is_written(ref, op)]
        if isinstance(op, LoopOp | ScanOp | WhileOp):
            self._loop(op, written, contents)
            return
        if written and not isinstance(op, IfOp | MatchOp):
            raise _escape(f"a region of {op.name} writes a reference").at(op)
        for region in op.regions:
            inner = dict(contents)
            self.block(region.block, inner)
            if written:
                _yield_also(region, [inner[ref] for ref in written])
        if not written:
            return
        regions = [op.detach_region(region) for region in list(op.regions)]
        if isinstance(op, IfOp):
            new: Operation = IfOp(op.condition, *regions)
        else:
            assert isinstance(op, MatchOp), "an op with branches"
            new = MatchOp(op.node, regions)
        _replace(op, new, len(op.results), written, contents)

    def _loop(
        self, op: LoopOp | ScanOp | WhileOp, written: Sequence[SSAValue], contents: Contents
    ) -> None:
        """Carry the references that a loop writes, behind its other carried values."""
        first, count, inner = isinstance(op, LoopOp), len(op.inits), dict(contents)
        for n, ref in enumerate(written):
            place = first + count + n
            inner[ref] = op.body.block.insert_arg(element_of(ref), place)
        self.block(op.body.block, inner)
        if not written:
            return
        has_condition = isinstance(op, WhileOp) or (
            isinstance(op, LoopOp) and op.condition is not None
        )
        _yield_also(op.body, [inner[ref] for ref in written], has_condition + count)
        inits = [*op.inits, *(contents[ref] for ref in written)]
        body = op.detach_region(op.body)
        if isinstance(op, LoopOp):
            new: Operation = LoopOp(op.trip, op.condition, inits, body)
        elif isinstance(op, ScanOp):
            over = list(op.over)
            new = ScanOp(op.steps, inits, over, body, reverse=op.reverse, symbol=op.symbol)
        else:
            new = WhileOp(
                op.condition, op.bound, inits, body,
                number=op.number, symbol=op.symbol, size=op.size_attr and op.size,
            )  # fmt: skip
        _replace(op, new, isinstance(op, WhileOp) + count, written, contents)


def _is_written(ref: SSAValue, op: Operation) -> bool:
    """Return whether an op in the regions of ``op`` may write a reference."""
    users = (use.operation for use in ref.uses if not isinstance(use.operation, ReadOp))
    return any(op.is_ancestor(user) for user in users)


def _yield_also(region: Region, values: Sequence[SSAValue], place: int | None = None) -> None:
    """Yield more values from a region, before the yielded value number ``place``; None: last."""
    last = terminator(region.block, YieldOp)
    own = list(last.values)
    at = len(own) if place is None else place
    region.block.insert_op_before(YieldOp([*own[:at], *values, *own[at:]]), last)
    Rewriter.erase_op(last)


def _replace(
    op: Operation, new: Operation, first: int, refs: Sequence[SSAValue], contents: Contents
) -> None:
    """Replace an op by one whose results from number ``first`` on are the contents of ``refs``."""
    block = op.parent
    assert block is not None, "the op stands in a block"
    new.location = op.location
    block.insert_op_before(new, op)
    made = list(new.results)
    contents.update(zip(refs, made[first : first + len(refs)], strict=True))
    rest = [*made[:first], *made[first + len(refs) :]]
    for old, result in zip(op.results, rest, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    Rewriter.erase_op(op)


def _escape(what: str) -> UnsupportedOp:
    return UnsupportedOp(
        what,
        expected="references that only graph.read, graph.write and calls take, each once",
        hint="read the reference, and pass or return the value",
    )
