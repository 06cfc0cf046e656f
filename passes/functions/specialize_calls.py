"""graph-specialize-calls: copy a function for the closures that a call passes.

    %f = graph.closure @scale(%k) : (T) -> ((T) -> T)
    %y = graph.call @repeat(%f, %n, %x) : ((T) -> T, tensor<i64>, T) -> T
==>
    %y = graph.call @repeat_scale(%k, %n, %x) : (T, tensor<i64>, T) -> T

    func.func @repeat_scale(%k: T, %n: tensor<i64>, %x: T) -> T {
      %f = graph.closure @scale(%k) : (T) -> ((T) -> T)
      … the body of @repeat …
    }

Calls that pass closures of the same function share a copy, also the calls in the copy.  The
arguments of graph.closure are specialized in the same way, and so are nodes of a graph.table.
Before: nothing.  After: no graph.call and no graph.closure has a known closure as an argument.
Exact: the same results.
Errors: UnsupportedOp if each recursive call passes a new function.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.graph import ClosureOp, NamingOp, TableOp, functions_of
from ...support.diagnostics import UnsupportedOp
from ...support.entry import ENTRY
from ...support.passes import ExactPass
from ...support.rewriting import erase_dead_ops, swap_op
from .calls import fresh_name
from .expand_data import expand_data


@dataclass(frozen=True)
class SpecializeCalls(ExactPass):
    """Copy functions for the closures that calls pass."""

    name = "graph-specialize-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        copies = FunctionCopies(op)
        while copies.specialize(op):
            erase_dead_ops(op)


MOST_COPIES = 128
"""The largest number of copies that one run makes; each one has closures of its own."""


@dataclass
class FunctionCopies:
    """The specialized copies of the functions of a module.

    A call passes a closure or a table, the result of an op, as one of its arguments. The copy of
    the called function takes the operands of this op instead, and repeats the op. Calls that pass
    results of equal ops share a copy.
    Key of ``_copies``: the name of the called function; the number of the argument; the name of the
    closure's function, or of the op; the types of the op's operands. Value: the name of the copy.
    """

    module: ModuleOp
    _copies: dict[tuple[str, int, str, tuple[Attribute, ...]], str] = field(default_factory=dict)

    def specialize(self, module: ModuleOp) -> bool:
        """Replace the calls that pass closures by calls of copies; return whether there are any."""
        # A copy passes the closure on before another rule inlines the copy.
        found = [op for op in module.walk() if isinstance(op, NamingOp)]
        done = [self._specialize(op) for op in found]
        return any(done)

    def _specialize(self, op: NamingOp) -> bool:
        place = next((n for n, a in enumerate(op.args) if is_rebuilt(a)), None)
        if place is None:
            return False
        made = op.args[place].owner
        assert isinstance(made, Operation), "an op makes the value"
        args = [*op.args[:place], *made.operands, *op.args[place + 1 :]]
        name = self._copy(op.function, place, made)
        swap_op(op, type(op)(name, args, op.result_types))
        return True

    def _copy(self, function: FuncOp, place: int, made: Operation) -> str:
        """Return the name of the copy of a function that makes argument number ``place`` itself.

        The copy takes the operands of ``made`` in place of the argument, and repeats ``made``, the
        op that makes the argument in the caller. A copy for an equal op is used again.
        Errors: UnsupportedOp if there are too many copies.
        """
        callee = made.function_name if isinstance(made, ClosureOp) else made.name.split(".")[-1]
        types = tuple(operand.type for operand in made.operands)
        key = function.sym_name.data, place, callee, types
        if self._copies.get(key) not in functions_of(self.module):
            if len(self._copies) == MOST_COPIES:
                raise UnsupportedOp(
                    "each recursive call passes another function",
                    expected=f"at most {MOST_COPIES} copies of functions",
                    got=f"@{function.sym_name.data} for @{callee}",
                    hint="pass the function that was passed to the caller",
                ).at(made)
            name = fresh_name(self.module, f"{function.sym_name.data}_{callee}")
            self._copies[key] = name
            copy = _copy_with(function, place, made, name)
            self.module.body.block.add_op(copy)
            expand_data(copy)
            for op in list(copy.walk()):
                if isinstance(op, NamingOp):
                    self._specialize(op)
        return self._copies[key]


def is_rebuilt(value: SSAValue) -> bool:
    """Return whether a copy of a called function can make an argument itself, by repeating an op.

    This needs the result of a graph.closure or graph.table. If this op has an operand that is
    itself such a result, the operand is specialized first, and the function returns False until
    then.
    """
    owner = value.owner
    return isinstance(owner, ClosureOp | TableOp) and not any(map(is_rebuilt, owner.operands))


def _copy_with(function: FuncOp, place: int, made: Operation, name: str) -> FuncOp:
    copy = function.clone()
    copy.sym_name = StringAttr(name)
    copy.attributes.pop(ENTRY, None)
    block = copy.body.block
    argument = block.args[place]
    new: dict[SSAValue, SSAValue] = {}
    for number, operand in enumerate(made.operands):
        given = block.insert_arg(operand.type, place + 1 + number)
        given.name_hint = operand.name_hint
        new[operand] = given
    own = made.clone(new)
    Rewriter.insert_op(own, InsertPoint.at_start(block))
    argument.replace_all_uses_with(own.results[0])
    block.erase_arg(argument)
    copy.update_function_type()
    return copy
