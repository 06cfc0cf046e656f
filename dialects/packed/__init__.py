"""packed dialect: the host program, which calls kernels in order and decides what runs.

Value form (before bufferize): calls take and give tensors.  Buffer form: outputs are arguments,
and what ops of control flow carry and give are buffers, one or another of those that exist.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from .control import IfOp, LoopOp, NumberOp, SliceOp, YieldOp, host_blocks, host_ops
from .program import (
    AllocOp,
    CallOp,
    CheckIndicesOp,
    ConstantOp,
    CopyOp,
    ExternOp,
    SectionsOp,
    ViewOp,
)

PACKED = Dialect(
    "packed",
    [
        ConstantOp,
        AllocOp,
        CallOp,
        ExternOp,
        CheckIndicesOp,
        SectionsOp,
        CopyOp,
        ViewOp,
        IfOp,
        LoopOp,
        YieldOp,
        SliceOp,
        NumberOp,
    ],
    [],
)

__all__ = [
    "PACKED",
    "AllocOp",
    "CallOp",
    "CheckIndicesOp",
    "ConstantOp",
    "CopyOp",
    "ExternOp",
    "IfOp",
    "LoopOp",
    "NumberOp",
    "SectionsOp",
    "SliceOp",
    "ViewOp",
    "YieldOp",
    "host_blocks",
    "host_ops",
]
