"""Make a module from tensors: a function ``main`` with copies of the ops that define them.

The module is at the te level, like a model after the pass graph-to-te.  The te.vars are the size
parameters of main.  The tensors themselves do not change and can be built again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.loop import SizeOp
from ...dialects.packed import CheckIndicesOp
from ...dialects.results import record_name
from ...dialects.shape import Call, Dim, Extent, from_one
from ...dialects.sizes import bind_sizes, dims_in, record_sizes, sources_of, symbols_in
from ...support.diagnostics import TypeMismatch
from .recording import RecordedIndexCheck, unique
from .tensor import Tensor

T = TypeVar("T")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Signature:
    """The inputs and outputs of a program, in the order of the program's arguments."""

    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]

    @property
    def arguments(self) -> tuple[Tensor, ...]:
        """The inputs, then the outputs."""
        return (*self.inputs, *self.outputs)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments: the tensors' names, which numbers make unique."""
        found: list[str] = []
        for tensor in self.arguments:
            found.append(unique(tensor.name, found))
        return tuple(found)


def signature_of(outputs: Sequence[Tensor], args: Sequence[Tensor] | None) -> Signature:
    """Return the signature of a program that computes some tensors.

    args: placeholders and computed tensors, all inputs first; by default, the placeholders that the
    outputs need, in the order in which they are read, then the outputs.
    Errors: TypeMismatch for arguments that are no tensors, are repeated or in another order, and
    for required placeholders that are missing.
    """
    if args is None:
        args = [*placeholders_of(outputs), *outputs]
    for position, tensor in enumerate(args):
        if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeMismatch(
                f"argument {position} is no te tensor", got=f"{tensor!r} of {type(tensor).__name__}"
            )
    for tensor in (*args, *placeholders_of(args)):
        if tensor.starts_late:
            raise TypeMismatch(
                f"te.state {tensor.name} is used, but no te.scan of it",
                hint="give it to te.scan(init, update, state), and use what that gives",
            )
    inputs = tuple(t for t in args if t.op.ir is None)
    made = tuple(t for t in args if t.op.ir is not None)
    order = ", ".join(t.name for t in (*inputs, *made))
    if list(args) != [*inputs, *made]:
        got = ", ".join(t.name for t in args)
        raise TypeMismatch("arguments are the inputs, then the outputs", expected=order, got=got)
    if len({id(t) for t in args}) != len(args):
        raise TypeMismatch("a tensor is an argument twice", got=order)
    for output in outputs:
        if output.op.ir is not None and output not in made:
            raise TypeMismatch(
                f"{output.name} is built but no argument",
                expected=f"args=[{order}, {output.name}]",
                got=f"args=[{order}]",
            )
    if not made:
        raise TypeMismatch("nothing is computed", got=f"args=[{order}]", hint="add the outputs")
    missing = [t.name for t in placeholders_of(made) if t not in inputs]
    if missing:
        raise TypeMismatch(
            "some placeholders are not arguments",
            expected=f"args with {', '.join(missing)}",
            got=f"args=[{order}]",
        )
    return Signature(inputs, made)


def sizes_of(signature: Signature) -> frozenset[str]:
    """Return the names of the te.vars in the shapes of the arguments."""
    dims = (dim for tensor in signature.arguments for dim in tensor.dims)
    return frozenset(name for dim in dims for name in dim.symbols())


def placeholders_of(outputs: Iterable[Tensor]) -> list[Tensor]:
    """Return the placeholders on which tensors depend, in the order in which they are read."""
    return [tensor for tensor in dependencies(outputs) if tensor.op.kind == "placeholder"]


def dependencies(outputs: Iterable[Tensor]) -> list[Tensor]:
    """Return these tensors and all tensors on which they depend, operands before their users."""
    return _operands_first(outputs, lambda tensor: tensor.op.inputs)


def defining_ops(outputs: Iterable[Tensor]) -> list[Operation]:
    """Return the ops that define these tensors and their operands, operands before their users."""
    return _operands_first((t.op.ir for t in outputs if t.op.ir is not None), _sources)


def _operands_first(users: Iterable[T], operands_of: Callable[[T], Sequence[T]]) -> list[T]:
    found: dict[T, None] = {}
    waiting = [(user, False) for user in users][::-1]
    while waiting:
        user, is_next = waiting.pop()
        if is_next:
            found[user] = None
        elif user not in found:
            waiting.append((user, True))
            waiting += [(operand, False) for operand in operands_of(user)[::-1]]
    return list(found)


def _sources(op: Operation) -> list[Operation]:
    inside = set(op.walk())
    owners = (operand.owner for each in op.walk() for operand in each.operands)
    return [o for o in owners if isinstance(o, Operation) and o not in inside]


def make_program(signature: Signature, name: str, *, scheduled: bool = False) -> ModuleOp:
    """Return a module with the function ``main`` that computes the outputs from the inputs.

    name: the name of the program.
    scheduled: whether the program is made for a schedule.  Then positions that the program computes
    are not checked, because checks would divide its computes into several kernels.
    Errors: TypeMismatch for an invalid name, and for a te.var that no argument determines.
    """
    if not NAME.fullmatch(name):
        raise TypeMismatch("the name is no identifier", got=repr(name))
    inputs, outputs = signature.inputs, signature.outputs
    block = Block(arg_types=[t.value.type for t in inputs])
    values: dict[SSAValue, SSAValue] = {}
    for tensor, argument in zip(inputs, block.args, strict=True):
        argument.name_hint = tensor.name.replace(".", "_")
        values[tensor.value] = argument
    checks = _checks_of(outputs, scheduled=scheduled)
    sources = [cast(Tensor, check.source) for check in checks]
    ops = defining_ops([*sources, *outputs])
    _check_sizes(signature, ops)
    _add_sizes(block, ops, values)
    for op in ops:
        if not isinstance(op, SizeOp):
            block.add_op(op.clone(values))
    first = block.first_op
    for check in _index_checks(checks, values):
        _insert_check(block, check, first)
    results = [values[t.value] for t in outputs]
    block.add_op(ReturnOp(*results))
    type_ = FunctionType.from_lists([a.type for a in block.args], [value.type for value in results])
    main = FuncOp("main", type_, Region(block))
    names, count = signature.names, len(inputs)
    for kind, tensors, own in (
        ("arg", inputs, names[:count]),
        ("result", outputs, names[count:]),
    ):
        main.attributes[f"tw.{kind}_names"] = _strings(own)
        main.attributes[f"tw.{kind}_dtypes"] = _strings(t.dtype for t in tensors)
    if name != "main":
        record_name(main, name)
    module = ModuleOp([main])
    if divisors := _divisors(dims_in(module.walk())):
        bind_sizes(module, divisors)
    record_sizes(main)
    return module


def _divisors(dims: Iterable[Dim]) -> dict[str, Dim]:
    """Return the te.vars in divisors of some sizes, each mapped to a symbol that is at least 1.

    No divisor is 0, so these te.vars are not 0 either.
    """
    found: dict[str, Dim] = {}
    waiting = list(dims)
    while waiting:
        calls = [a for m, _ in waiting.pop().terms for a in m if isinstance(a, Call)]
        waiting += [side for call in calls for side in (call.lhs, call.rhs)]
        divisors = (call.rhs for call in calls if call.function in ("floordiv", "mod"))
        known = (from_one(Dim.sym(name)) for divisor in divisors for name in divisor.symbols())
        found |= dict(filter(None, known))
    return found


def _add_sizes(block: Block, ops: Iterable[Operation], values: dict[SSAValue, SSAValue]) -> None:
    """Add one SizeOp for each distinct size to main, so that equal sizes share a value.

    block: the body of the function main.  ops: the ops that will be copied to main.  values: a map
    from values to their copies; the function adds the results of all SizeOps in ``ops``.
    """
    sizes: dict[Dim, SSAValue] = {}
    for op in ops:
        if isinstance(op, SizeOp):
            if op.dim not in sizes:
                made = SizeOp(op.dim)
                block.add_op(made)
                sizes[op.dim] = made.res
            values[op.res] = sizes[op.dim]


def _check_sizes(signature: Signature, ops: Iterable[Operation]) -> None:
    used = sizes_of(signature) | frozenset(symbols_in(ops))
    known = sources_of([tensor.value.type for tensor in signature.arguments])
    if missing := sorted(used - known.keys()):
        raise TypeMismatch(
            f"size {missing[0]} does not follow from the arguments",
            expected=f"an argument with a dimension that is {missing[0]}, or a multiple of it",
            got=", ".join(map(repr, signature.arguments)),
            hint="a placeholder of that shape may be an argument without being read",
        )


def _checks_of(outputs: Sequence[Tensor], *, scheduled: bool) -> list[RecordedIndexCheck]:
    """Return the bounds checks of the computed positions at which the outputs' computes read.

    Positions that depend on the state of a te.scan are left out, because they are known only inside
    its steps.
    scheduled: whether to leave out positions that the program computes, because their checks would
    divide its computes into several kernels.
    """
    own = dependencies(outputs)
    found: list[RecordedIndexCheck] = []
    for check in (check for tensor in own for check in tensor.op.checks):
        source = cast(Tensor, check.source)
        behind = dependencies([source])
        computed = [t for t in behind if t.op.ir is not None and (t is not source or t in own)]
        if not any(t.starts_late for t in behind) and not (scheduled and computed):
            found.append(check)
    return found


def _index_checks(
    checks: Iterable[RecordedIndexCheck], values: Mapping[SSAValue, SSAValue]
) -> Iterable[CheckIndicesOp]:
    found: dict[tuple[SSAValue, tuple[Extent, ...]], CheckIndicesOp] = {}
    for check in checks:
        key = cast(Tensor, check.source).value, check.sizes
        if key not in found:
            found[key] = CheckIndicesOp(values[key[0]], check.sizes, check.place)
    return found.values()


def _insert_check(block: Block, check: CheckIndicesOp, first: Operation | None) -> None:
    source = check.x.owner
    if isinstance(source, Operation):
        block.insert_op_after(check, source)
    elif first is not None:
        block.insert_op_before(check, first)
    else:
        block.add_op(check)


def _strings(texts: Iterable[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(text) for text in texts])
