"""Programs that call one kernel of a program, for the search of failures."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import VerifyException

from ..dialects.packed import CallOp
from ..dialects.results import ARG_DTYPES, RESULT_DTYPES, record_dtypes
from ..dialects.sched import ScriptOp
from ..dialects.shape import symbols_of
from ..dialects.te import KernelOp
from ..interp import packed
from ..interp.sizes import with_call_sizes
from ..support.entry import find_entry, mark_entry

_MAIN = "bisect_main"


def kernel_alone(
    program: ModuleOp, name: str, outputs: Sequence[int] | None, call: CallOp | None
) -> ModuleOp | None:
    """Return a program that calls one kernel of a program, with the sizes of a call.

    Return None if the program calls no kernel of this name, or if the kernel cannot run alone.
    outputs: the positions of the arguments that the kernel writes.  call: a call of the kernel with
    numbers as sizes.  Both are None if the kernel is not called.
    """
    main = find_entry(program)
    if outputs is None or call is None or main is None or main.sym_name.data == name:
        return None
    copy = program.clone()
    for op in list(copy.ops):
        is_other = isinstance(op, FuncOp | KernelOp) and op.sym_name.data != name
        is_script = isinstance(op, ScriptOp) and op.kernel_name != name
        if is_other or is_script:
            op.detach()
            op.erase(safe_erase=False)
    symbolic = packed.symbols(copy)[name]
    kernel = with_call_sizes(symbolic, call)
    if kernel is not symbolic:
        Rewriter.replace_op(symbolic, kernel)
    types = [arg.type for arg in kernel.body.block.args]
    if kernel.function_type.outputs.data or any(map(symbols_of, types)):
        return None
    copy.body.block.add_op(calling_main(kernel, outputs))
    with suppress(VerifyException):
        copy.verify()
        return copy
    return None


def calling_main(kernel: KernelOp | FuncOp, outputs: Sequence[int]) -> FuncOp:
    """Return a main function that calls a kernel once, on buffers that are main's arguments.

    outputs: the positions of the arguments that the kernel writes; the others are inputs.
    """
    types = [cast("MemRefType[Any]", arg.type) for arg in kernel.body.block.args]
    inputs = [n for n in range(len(types)) if n not in outputs]
    order = [*inputs, *outputs]
    block = Block(arg_types=[types[n] for n in order])
    values = dict(zip(order, block.args, strict=True))
    call = CallOp(kernel.sym_name.data, [values[n] for n in range(len(types))], [])
    block.add_ops([call, ReturnOp()])
    main = FuncOp(_MAIN, ([types[n] for n in order], []), Region(block))
    for name, numbers in ((ARG_DTYPES, inputs), (RESULT_DTYPES, outputs)):
        record_dtypes(main, name, [types[n].get_element_type() for n in numbers])
    mark_entry(main)
    return main
