"""gpu-serial-launch: let one thread run each kernel that has no launch.

    packed.call @k(%x)                             %t = packed.alloc : memref<64x64xf32>
                                                   packed.call @k(%x, %t)
    func.func @k(%x: memref<8xf32>) {       ==>    func.func @k(%x: .., %t: memref<64x64xf32>)
      %t = loop.alloc "local" ..                       attributes {tw.launch = #simt.launch<
      loop.for parallel %i = 0 to 8 { .. } }             grid [1], block [1], shared 0>} {
                                                     loop.for %i = 0 to 8 { .. } }

A thread has little local memory, so larger buffers, and those of symbolic sizes, become arguments
that main allocates.

Before: kernels are loops; no loop is bound to threads.  After: each kernel has a launch; the loops
of kernels that this pass gave a launch are serial.  Exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.rewriter import Rewriter

from ...dialects import loop, packed
from ...dialects.dtypes import buffer_bytes
from ...dialects.loop import str_attr
from ...dialects.shape import size_parameters, symbols_of
from ...dialects.simt import LAUNCH, LaunchAttr, LaunchSizes
from ...dialects.sizes import with_sizes
from ...support.entry import entry_of, kernel_functions
from ...support.passes import ExactPass

THREAD_BYTES = 1024
"""The largest buffer in a thread's local memory, which holds several of them on all GPUs.

Drivers may compile an access at a computed position to a test for each element: lavapipe takes
over a minute for a kernel with two buffers of 3584 bytes, and less than 4 s if they are arguments.
"""


@dataclass(frozen=True)
class GpuSerialLaunch(ExactPass):
    """Give each kernel without a launch a launch of a single thread."""

    name = "gpu-serial-launch"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        calls = [each for each in entry_of(op).walk() if isinstance(each, packed.CallOp)]
        for function in kernel_functions(op):
            if LAUNCH not in function.attributes and function.body.blocks:
                name = function.sym_name.data
                _move_buffers(function, [call for call in calls if call.kernel_name == name])
                _make_serial(function)


def _make_serial(function: FuncOp) -> None:
    function.attributes[LAUNCH] = LaunchAttr(LaunchSizes.of([1], [1]))
    for op in function.walk():
        if isinstance(op, loop.ForOp):
            op.properties["kind"] = str_attr("serial")


def _move_buffers(function: FuncOp, calls: Sequence[packed.CallOp]) -> None:
    """Turn the large buffers of a kernel into arguments, which main allocates for each call."""
    large = [op for op in function.walk() if isinstance(op, loop.AllocOp) and is_large(op)]
    for op in large:
        made = function.body.block.insert_arg(op.res.type, len(function.args))
        made.name_hint = op.res.name_hint
        op.res.replace_all_uses_with(made)
        Rewriter.erase_op(op)
        for call in calls:
            sizes = dict(zip(size_parameters(function), call.sizes, strict=True))
            _pass_buffer(call, packed.AllocOp(with_sizes(made.type, sizes)))
    function.update_function_type()


def is_large(op: loop.AllocOp) -> bool:
    """Return whether a buffer is too large for the local memory of a thread."""
    return bool(symbols_of(op.res.type)) or buffer_bytes(op.res.type) > THREAD_BYTES


def _pass_buffer(call: packed.CallOp, made: packed.AllocOp) -> None:
    made.location = call.location
    around = call.parent_op()
    place = around if isinstance(around, packed.SectionsOp) else call
    cast(Block, place.parent_block()).insert_op_before(made, place)
    call.operands = [*call.operands, made.res]
