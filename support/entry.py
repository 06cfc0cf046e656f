"""The entry of a module: the function that users call and that calls the kernels.

The attribute ``tw.entry`` marks the entry, which may have any name:

    func.func @classify(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tw.entry} { .. }

If no function has the attribute, the function named ``main`` is the entry.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from .diagnostics import ModelError, TypeMismatch

ENTRY = "tw.entry"
DEFAULT_NAME = "main"


def find_entry(module: ModuleOp) -> FuncOp | None:
    """Return the entry of a module, the function that users call; None if there is none."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    marked = (f for f in functions if ENTRY in f.attributes)
    named = (f for f in functions if f.sym_name.data == DEFAULT_NAME)
    return next(marked, None) or next(named, None)


def entry_of(module: ModuleOp) -> FuncOp:
    """Return the entry of a module, the function that users call.

    Errors: ModelError if the module has no entry, or only declares it.
    """
    entry = find_entry(module)
    expected = f"func.func @{DEFAULT_NAME}, or one with the attribute {ENTRY}"
    if entry is None:
        raise ModelError("the module has no function to compile", expected=expected)
    if entry.is_declaration:
        name = entry.sym_name.data
        raise ModelError(f"{name} is only declared", expected=f"func.func @{name} with a body")
    return entry


def defined_functions(module: ModuleOp) -> list[FuncOp]:
    """Return the functions of a module that have a body."""
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def kernel_functions(module: ModuleOp) -> list[FuncOp]:
    """Return the functions of a module except its entry."""
    entry = find_entry(module)
    return [op for op in module.ops if isinstance(op, FuncOp) and op is not entry]


def mark_entry(function: FuncOp) -> None:
    """Mark a function as the entry of its module by an attribute."""
    function.attributes[ENTRY] = UnitAttr()


def verify_entry(module: ModuleOp) -> None:
    """Check the entry attributes of a module.

    Errors: TypeMismatch for a second entry, for the attribute on an op that is not a function of
    the module, and for an attribute that has a value.
    """
    marked = [op for op in module.walk() if ENTRY in op.attributes]
    for op in marked:
        _verify_mark(op, module)
    if len(marked) > 1:
        names = " and ".join(_name(op) for op in marked)
        raise TypeMismatch("a module has one entry", expected=f"one {ENTRY}", got=names).at(
            marked[1]
        )


def _verify_mark(op: Operation, module: ModuleOp) -> None:
    if not isinstance(op, FuncOp) or op.parent_op() is not module:
        raise TypeMismatch(
            f"{ENTRY} is of another op", expected="a func.func of the module", got=op.name
        ).at(op)
    if op.attributes[ENTRY] != UnitAttr():
        raise TypeMismatch(f"{ENTRY} has no value", got=op.attributes[ENTRY]).at(op)


def _name(op: Operation) -> str:
    return f"@{op.sym_name.data}" if isinstance(op, FuncOp) else op.name
