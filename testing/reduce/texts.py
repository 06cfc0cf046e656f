"""Smaller modules of our dialects, as text, with fewer functions, ops, results and arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import ParseError, VerifyException

from ...analysis.verify import verify_module
from ...dialects.te import KernelOp
from ...support.registry import new_context
from .shrink import Candidate, chunks

Edit = Callable[[ModuleOp], bool]
"""Changes a module in place; False if it does not apply."""


def smaller_texts(text: str) -> list[Candidate[str]]:
    """Return candidates for modules with fewer ops than a module, large steps first.

    A candidate whose module does not verify is None.
    """
    module = Parser(new_context(), text).parse_module()
    return [partial(_edited, module, edit, len(text)) for edit in _edits(module)]


def _edited(module: ModuleOp, edit: Edit, length: int) -> str | None:
    """Return the text of an edited copy of a module; None if it is not valid and shorter.

    length: the length of the module's text.
    """
    copy = module.clone()
    if not edit(copy):
        return None
    try:
        verify_module(copy)
        smaller = str(copy)
        Parser(new_context(), smaller).parse_module()
    except (ParseError, VerifyException):
        return None
    return smaller if len(smaller) < length else None


def op_count(text: str) -> int:
    """Return the number of ops in the text of a module, without the module itself."""
    return sum(1 for _ in Parser(new_context(), text).parse_module().walk()) - 1


def _edits(module: ModuleOp) -> Iterator[Edit]:
    tops = len(list(module.ops))
    for chosen in chunks(tops):
        if len(chosen) < tops:
            yield lambda copy, chosen=chosen: _erase(list(copy.ops), chosen)
    for n, function in enumerate(module.ops):
        if isinstance(function, FuncOp | KernelOp) and len(function.body.block.ops) > 1:
            yield lambda copy, n=n: _emptied(list(copy.ops)[n])
    for n, function in enumerate(module.ops):
        if isinstance(function, FuncOp):
            yield from _function_edits(n, function)
    nested = sum(1 for _ in module.walk()) - 1
    for chosen in chunks(nested):
        yield lambda copy, chosen=chosen: _erase_unused([*copy.walk()][1:], chosen)
    for index in reversed(range(nested)):
        yield lambda copy, index=index: _bypass([*copy.walk()][1:][index])


def _function_edits(position: int, function: FuncOp) -> Iterator[Edit]:
    for result in range(len(function.function_type.outputs.data)):
        yield lambda copy, result=result: _return_one(_nth(copy, position), result)
    for chosen in chunks(len(list(function.body.block.ops)) - 1):
        yield lambda copy, chosen=chosen: _cut(_nth(copy, position), chosen)


def _emptied(function: Operation) -> bool:
    """Remove all ops of a function or kernel without results, so that it writes nothing.

    Return False if it has results.
    """
    block = function.regions[0].block
    end = block.last_op
    if end is None or end.operands:
        return False
    for op in reversed([op for op in block.ops if op is not end]):
        op.detach()
        op.erase(safe_erase=False)
    return True


def _nth(module: ModuleOp, position: int) -> FuncOp:
    op = list(module.ops)[position]
    assert isinstance(op, FuncOp), op.name
    return op


def _erase(ops: list[Operation], chosen: range) -> bool:
    for index in chosen:
        ops[index].detach()
    return True


def _erase_unused(ops: Sequence[Operation], chosen: Iterable[int]) -> bool:
    """Erase chosen ops whose results are unused, and ops that only these ops read.

    ops: all ops, each behind the ops that contain it.  chosen: their positions.
    Return whether an op was erased.
    """
    pending = [ops[index] for index in chosen]
    erased = set[Operation]()
    while pending:
        op = pending.pop()
        is_used = any(result.uses for result in op.results)
        if is_used or op.has_trait(IsTerminator) or op in erased or op.parent is None:
            continue
        erased.update(op.walk())
        read = [value.owner for inner in op.walk() for value in inner.operands]
        op.detach()
        op.erase()
        pending += [owner for owner in read if isinstance(owner, Operation)]
    return bool(erased)


def _bypass(op: Operation) -> bool:
    """Replace the results of an op by operands of the same types, and erase the op.

    Return False if a result has no such operand.
    """
    if not op.results or op.has_trait(IsTerminator):
        return False
    for result in op.results:
        same = [operand for operand in op.operands if operand.type == result.type]
        if not same:
            return False
        result.replace_all_uses_with(same[0])
    op.detach()
    op.erase()
    return True


def _return_one(function: FuncOp, index: int) -> bool:
    """Make a function return only one of its results; return False if it has fewer than two.

    index: the position of this result.
    """
    end = function.body.block.last_op
    if not isinstance(end, ReturnOp) or len(end.operands) < 2:
        return False
    kept = end.operands[index]
    end.detach()
    end.erase()
    function.body.block.add_op(ReturnOp(kept))
    _update_type(function)
    return True


def _cut(function: FuncOp, chosen: range) -> bool:
    """Remove some ops of a function, and return True, as all reductions that apply.

    chosen: the positions of the ops in the function's block.
    Results of these ops that other ops read become arguments.
    """
    block = function.body.block
    ops = list(block.ops)
    gone = {ops[index] for index in chosen}
    for op in gone:
        for result in op.results:
            if any(_outermost(use.operation, function) not in gone for use in result.uses):
                argument: SSAValue = block.insert_arg(result.type, len(block.args))
                result.replace_uses_with_if(
                    argument, lambda use: _outermost(use.operation, function) not in gone
                )
    for index in reversed(chosen):
        ops[index].detach()
        ops[index].erase(safe_erase=False)
    for argument in [a for a in block.args if not a.uses]:
        block.erase_arg(argument)
    _update_type(function)
    return True


def _outermost(op: Operation, function: FuncOp) -> Operation:
    """Return the op of the function's own block that contains an op."""
    while op.parent_op() is not function:
        parent = op.parent_op()
        assert parent is not None, f"{op.name} is not inside of the function"
        op = parent
    return op


def _update_type(function: FuncOp) -> None:
    """Set the type of a function to match its body, and drop the names of arguments and results."""
    block = function.body.block
    end = block.last_op
    outputs = [value.type for value in end.operands] if end is not None else []
    function.function_type = FunctionType.from_lists([a.type for a in block.args], outputs)
    for name in [name for name in function.attributes if name.startswith("tw.")]:
        del function.attributes[name]
