"""Calls between the functions of a module: which function calls which, and copies of bodies.

In: a module of graph ops, or a call in it.  Out: facts about its functions, or ops in the place of
a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.graph import CallOp, IfOp, NamingOp, YieldOp, functions_of
from ...dialects.graph.function import module_of
from ...support.diagnostics import UnsupportedOp
from ...support.rewriting import inherit_location
from .block_ops import BlockOps

Rule = Callable[[ModuleOp], bool]
"""A rewrite of a module, which returns whether it changed anything."""

ROUNDS = 64
"""The largest number of rounds of a fixpoint; each round may inline one level of calls."""


def calls_itself(function: FuncOp) -> bool:
    """Return whether a function contains a call of itself."""
    return bool(own_calls(function))


def own_calls(function: FuncOp) -> list[CallOp]:
    """Return the calls by which a function calls itself."""
    return [op for op in calls_in(function) if op.function_name == function.sym_name.data]


def cycle_of(function: FuncOp) -> list[FuncOp]:
    """Return a function and the functions that call it and that it calls, also indirectly.

    The list is empty if the function does not call itself.
    """
    functions = functions_of(module_of(function))
    called = {
        name: {op.function_name for op in f.walk() if isinstance(op, NamingOp)}
        for name, f in functions.items()
    }

    def reached(name: str) -> set[str]:
        found, waiting = set[str](), [name]
        while waiting:
            fresh = called.get(waiting.pop(), set()) - found
            found |= fresh
            waiting += fresh
        return found

    own = function.sym_name.data
    below = reached(own)
    return [functions[name] for name in functions if name in below and own in reached(name)]


def replace_body(function: FuncOp, block: Block) -> None:
    """Replace the body of a function by a block."""
    region = function.body
    function.detach_region(region)
    function.add_region(Region(block))
    region.drop_all_references()


def is_last(op: Operation, function: FuncOp) -> bool:
    """Return whether an op is in tail position: a function returns exactly the results of the op.

    The op is in the function's body, or in a branch of a graph.if that is itself in tail position.
    """
    last, parent = op.next_op, op.parent_op()
    if not isinstance(last, YieldOp | ReturnOp) or list(last.operands) != list(op.results):
        return False
    return parent is function or (isinstance(parent, IfOp) and is_last(parent, function))


def calls_in(op: Operation) -> list[CallOp]:
    """Return the calls in an op, in program order."""
    return [each for each in op.walk() if isinstance(each, CallOp)]


def replace_by_copies(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> None:
    """Replace an op by copies of the ops of a block.

    The values that the terminator of the block returns replace the results of the op.
    arguments: the values that replace the arguments of the block.
    """
    before = op.prev_op
    known: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
    values = BlockOps.ahead_of(op).copies(block, known)
    copy = op.prev_op
    while copy is not None and copy is not before:
        inherit_location(copy, op)
        copy = copy.prev_op
    replace_results(op, values)


def replace_results(op: Operation, values: Sequence[SSAValue]) -> None:
    """Replace the results of an op by values, and erase the op."""
    for result, value in zip(op.results, values, strict=True):
        if value.name_hint is None:
            value.name_hint = result.name_hint
        result.replace_all_uses_with(value)
    Rewriter.erase_op(op)


def fresh_name(module: ModuleOp, name: str) -> str:
    """Return ``name``, or ``name_2`` etc. if a function of the module already has this name."""
    known = functions_of(module)
    if name not in known:
        return name
    return next(f"{name}_{n}" for n in range(2, len(known) + 3) if f"{name}_{n}" not in known)


def until_unchanged(module: ModuleOp, *rules: Rule) -> bool:
    """Apply rules in turn until none of them changes the module; return whether any did.

    Errors: UnsupportedOp if rules still change the module after 64 rounds.
    """
    for number in range(ROUNDS):
        # The earlier rules come first again after each change.
        if not any(rule(module) for rule in rules):
            return number > 0
    raise UnsupportedOp(
        "the calls of the program do not come to an end",
        expected=f"no calls after {ROUNDS} rounds of inlining and specialization",
        hint="pass the same functions in each recursive call",
    )
