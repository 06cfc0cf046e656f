"""packed dialect: the host program, which calls kernels in order and contains the control flow.

Before bufferization, calls take and return tensors.  After bufferization, outputs are arguments,
and control-flow ops carry and yield existing buffers.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from .control import IfOp, LoopOp, NumberOp, SliceOp, YieldOp, host_blocks, host_ops
from .program import (
    AllocOp,
    BindOp,
    CallOp,
    CheckIndicesOp,
    ConcatOp,
    ConstantOp,
    CopyOp,
    ExternOp,
    SectionsOp,
    ViewOp,
)
from .stages import check_stages, stage_of_type, start_of_stage

PACKED = Dialect(
    "packed",
    [
        ConstantOp,
        AllocOp,
        CallOp,
        ExternOp,
        CheckIndicesOp,
        BindOp,
        SectionsOp,
        CopyOp,
        ConcatOp,
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
    "BindOp",
    "CallOp",
    "CheckIndicesOp",
    "ConcatOp",
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
    "check_stages",
    "host_blocks",
    "host_ops",
    "stage_of_type",
    "start_of_stage",
]
