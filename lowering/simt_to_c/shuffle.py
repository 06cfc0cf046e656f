"""Handler of simt.shuffle, which is supported in CUDA C++ and Metal.

    float v1 = __shfl_xor_sync(0xffffffffu, v0, 16);

For OpenCL C this op is an error.
"""

from __future__ import annotations

from ...dialects import simt
from ..loop_to_llvm.op_emitter import Handlers
from .emitter import CEmitter


def emit_shuffle(e: CEmitter, op: simt.ShuffleOp) -> None:
    """Emit simt.shuffle as the language's function that exchanges values within a warp."""
    if not e.dialect.shuffle:
        raise e.unsupported(op, hint="run simt-combine-lanes for the target of the source")
    text = e.dialect.shuffle.format(value=e.values[op.value], mask=op.mask.data)
    e.define(op.res, e.variable(e.type_of(op.res), text))


HANDLERS: Handlers = {simt.ShuffleOp: emit_shuffle}
