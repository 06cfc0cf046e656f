"""Convert a kernel of the simt level to a gpu.func.

    func.func @scale(%x: memref<1024xf32>, ..) attributes {tw.launch = #simt.launch<..>} {
      %s = loop.alloc "shared" : memref<128xf32>
    ==>
    gpu.func @scale(%x : memref<1024xf32>, ..)
        workgroup(%s : memref<128xf32, #gpu.address_space<workgroup>>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {

The parameters of a kernel are its memrefs, then its symbolic sizes as values of index type.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block

from ...dialects import gpu, loop
from ...dialects.shape import size_parameters, static_shape
from ..device_kernels import buffers_of, required_launch
from ..loop_to_llvm.op_emitter import Handlers
from . import control, lanes, matrix, memory
from .builder import INDEX, KernelBuilder

HANDLERS: Handlers = {**lanes.HANDLERS, **memory.HANDLERS, **control.HANDLERS, **matrix.HANDLERS}


def gpu_kernel(function: FuncOp, symbol: str) -> gpu.FuncOp:
    """Return a kernel of the simt level as a function of MLIR's gpu dialect.

    Errors: LoweringError for an op that no dialect of MLIR itself can express, or a function
    without a launch.
    """
    launch = required_launch(function)
    buffers = list(buffers_of(function))
    names = size_parameters(function)
    shared, local = _allocations(function)
    block = Block(
        arg_types=[
            *(memory.buffer_type(buffer.type) for buffer in buffers),
            *[INDEX] * len(names),
            *(_owned(op, gpu.WORKGROUP) for op in shared),
            *(_owned(op, gpu.PRIVATE) for op in local),
        ]
    )
    inputs = len(buffers) + len(names)
    sizes = dict(zip(names, block.args[len(buffers) : inputs], strict=True))
    b = KernelBuilder(HANDLERS, sizes)
    owned = [buffer.value for buffer in buffers]
    for value, argument in zip(owned, block.args[: len(buffers)], strict=True):
        b.define(value, [argument])
    for name, argument in sizes.items():
        argument.name_hint = name
    for op, argument in zip([*shared, *local], block.args[inputs:], strict=True):
        b.define(op.res, [argument])
    with b.block() as body:
        b.emit_body(function.body.block)
        b.append(gpu.ReturnOp())
    block.add_ops(b.head)
    for op in list(body.ops):
        op.detach()
        block.add_op(op)
    known = [size.value for size in launch.grid if size.value]
    return gpu.FuncOp.make(
        symbol,
        block,
        inputs=inputs,
        shared=len(shared),
        block=launch.block,
        grid=known if len(known) == len(launch.grid) else None,
    )


def _allocations(function: FuncOp) -> tuple[Sequence[loop.AllocOp], Sequence[loop.AllocOp]]:
    """Return the buffers that a kernel allocates, as two lists of their allocs.

    The first are the buffers that a block shares, the second those of one thread.
    """
    found = [op for op in function.walk() if isinstance(op, loop.AllocOp)]
    shared = [op for op in found if op.scope.data == "shared"]
    return shared, [op for op in found if op.scope.data != "shared"]


def _owned(op: loop.AllocOp, space: str) -> Attribute:
    static_shape(op.res.type)
    return memory.buffer_type(op.res.type, gpu.AddressSpaceAttr(space))
