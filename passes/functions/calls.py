"""Calls between the functions of a module: who calls whom, and copies of bodies.

In: a module of graph ops, or a call in it.  Out: facts about its functions, or ops in the place of
a call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.graph import CallOp, YieldOp, functions_of
from ...support.diagnostics import UnsupportedOp
from ...support.rewriting import inherit_location

Rule = Callable[[ModuleOp], bool]
"""A rewrite of a module, which returns whether it changed anything."""

ROUNDS = 64
"""The largest number of rounds of a fixpoint; each round may inline one level of calls."""


def calls_itself(function: FuncOp) -> bool:
    """Return whether a function contains a call of itself."""
    return any(op.function_name == function.sym_name.data for op in calls_in(function))


def calls_in(op: Operation) -> list[CallOp]:
    """Return the calls in an op, in program order."""
    return [each for each in op.walk() if isinstance(each, CallOp)]


def replace_by_copies(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> None:
    """Replace an op by copies of the ops of a block; what the block returns becomes its results."""
    home = op.parent_block()
    assert home is not None, "the op stands in a block"
    known: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
    for each in block.ops:
        if isinstance(each, ReturnOp | YieldOp):
            replace_results(op, [known.get(value, value) for value in each.operands])
            return
        copy = each.clone(known)
        inherit_location(copy, op)
        home.insert_op_before(copy, op)
        known.update(zip(each.results, copy.results, strict=True))
    raise AssertionError("a block ends with a terminator")


def replace_results(op: Operation, values: Sequence[SSAValue]) -> None:
    """Replace the results of an op by values, and erase the op."""
    for result, value in zip(op.results, values, strict=True):
        if value.name_hint is None:
            value.name_hint = result.name_hint
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()


def replace_call(op: Operation, new: Operation) -> None:
    """Replace an op by another one with as many results."""
    home = op.parent_block()
    assert home is not None, "the op stands in a block"
    inherit_location(new, op)
    home.insert_op_before(new, op)
    replace_results(op, new.results)


def fresh_name(module: ModuleOp, name: str) -> str:
    """Return a name that no function of a module has: ``name``, or it with a number."""
    known = functions_of(module)
    if name not in known:
        return name
    return next(f"{name}_{n}" for n in range(2, len(known) + 3) if f"{name}_{n}" not in known)


def until_unchanged(module: ModuleOp, *rules: Rule) -> bool:
    """Apply rules in turn until none of them changes the module; return whether any did.

    Errors: UnsupportedOp if the rules do not come to an end.
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


__all__ = [
    "Rule", "calls_in", "calls_itself", "fresh_name", "replace_by_copies", "replace_call",
    "replace_results", "until_unchanged",
]  # fmt: skip
