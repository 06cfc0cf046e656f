"""Estimate the registers of a thread of a CUDA kernel, so that ptxas does not spill accumulators.

Input: a kernel of the simt level.  Output: how many blocks a multiprocessor should run at once,
which bounds the registers that ptxas uses per thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import prod

from xdsl.dialects import func
from xdsl.dialects.arith import AddfOp
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...dialects.dtypes import bit_width
from ...dialects.loop import AllocOp, ForOp, IfOp, LoadOp, StoreOp
from ...dialects.shape import size_parameters
from ...dialects.simt import AsyncCopyOp, AsyncWaitOp, BarrierOp, MmaOp, WarpgroupMmaOp
from ..device_kernels import buffers_of

_REGISTERS, _MOST_REGISTERS, _MOST_BLOCKS, _WARP, _WARPS = 1 << 16, 255, 16, 32, 4
"""Registers of a multiprocessor and of a thread, blocks that all multiprocessors hold, threads of a
warp, and the warps that have registers together.  Source: CUDA C++ Programming Guide, table of
compute capabilities 8.0 to 12.0; occupancy calculator."""

_FEWEST_SUMS, _MATRIX_OPERANDS = 64, 64
"""The accumulators of a thread of a kernel with matrix instructions, at least, and its registers
for the fragments of two steps and for addresses."""
_GROUP_OPERANDS = 40
"""Registers for the addresses and descriptors of products of warpgroups."""
_GATHER = 16
"""Registers for the quotients of a gathered element.  Source: without them, ptxas 12.9 spills for
sm_90a in tests/targets/gpu/plan/test_spills.py."""
_PEELED = 16
"""Registers for addresses that a loop and its peeled iterations use.  Source: without them, ptxas
12.9 spills for sm_80 and sm_90a in tests/targets/gpu/plan/test_tensor_plan.py."""
_GUARDED_LOAD = 3
"""Registers for the address and the condition of a load that may be outside of its buffer.  Source:
without them, ptxas 12.9 spills for sm_80 and sm_90a in tests/targets/gpu/plan/test_spills.py."""
_PAIRS: Mapping[str, int] = {"sm_100": 16}
"""Registers of a peeled loop without matrix instructions, by architecture: this one multiplies
pairs of f32, which are in adjacent registers.  Source: without them, ptxas 13.0 spills 80 bytes in
the product of 1024 x 1024 x 1024 in tests/targets/gpu/plan/test_spills.py."""
_OPERANDS, _ADDRESS, _SIZE, _LEAST_SUMS = 38, 2, 24, 2
"""Registers per thread besides the accumulators (``_OPERANDS``, for the operands of two steps and
their computation), per buffer, and per symbolic size, which is i64 like its products and bounds.
Each loop bound that varies takes one more register.  With fewer than ``_LEAST_SUMS`` accumulators,
the number of blocks is not bounded.  Source: with 16 registers per size, or without one per bound,
ptxas 12.9 spills in tests/targets/gpu/plan/test_spills.py."""


def least_blocks(function: func.FuncOp, threads: int, architecture: str) -> int | None:
    """Return how many blocks a multiprocessor should run at once; None if ptxas should choose.

    The number bounds the registers that ptxas uses per thread, from below as well as from above.
    Without it, ptxas uses as few as 48 or 64 registers for some architectures, and spills
    accumulators.
    threads: the number of threads of a block.
    architecture: the architecture of the GPU, such as "sm_80".
    """
    if any(isinstance(op, MmaOp | WarpgroupMmaOp) for op in function.walk()):
        groups = [4 * len(op.acc) for op in function.walk() if isinstance(op, WarpgroupMmaOp)]
        registers = max(_sums(function), *groups, _FEWEST_SUMS)
        registers += _GROUP_OPERANDS if groups else _MATRIX_OPERANDS
        registers += _GATHER if _gathers(function) else 0
        registers += _SIZE * len(size_parameters(function))
        registers += _PEELED if _is_peeled(function) else 0
        registers += _GUARDED_LOAD * _guarded_loads(function)
        # Fewer registers than a thread can have would leave loads no time before their use.
        registers = min(registers, _MOST_REGISTERS)
    elif (sums := _sums(function)) >= _LEAST_SUMS:
        registers = sums + _OPERANDS + _addresses(function)
        # Copies that are ahead of their use keep the positions of gathered elements.
        if _is_peeled(function):
            registers += _PAIRS.get(architecture, 0) + _GATHER * _gathers(function)
        registers += _GUARDED_LOAD * _guarded_loads(function)
    else:
        return None
    if registers > _MOST_REGISTERS:
        return None
    # A warp has a multiple of 256 registers.
    warps = _REGISTERS // (-(-registers // 8) * 8 * _WARP) // _WARPS * _WARPS
    return max(1, min(warps // -(-threads // _WARP), _MOST_BLOCKS))


def _is_peeled(function: func.FuncOp) -> bool:
    """Return whether the pass simt-peel-copies has peeled a loop of a kernel."""
    waits = [op.parent_op() for op in function.walk() if isinstance(op, AsyncWaitOp)]
    return len(set(waits)) > 1


def _gathers(function: func.FuncOp) -> bool:
    """Return whether the position of a load contains a floordiv or mod of a loop variable."""
    loads = (op for op in function.walk() if isinstance(op, LoadOp))
    atoms = (atom for load in loads for index in load.indices() for atom in index.atoms())
    keys = (key for atom in atoms for key in atom.operand.variables())
    return any(isinstance(key, BlockArgument) for key in keys)


def _guarded_loads(function: func.FuncOp) -> int:
    """Return how many loads that may be outside of their buffers a thread starts per step of a sum.

    The assembler unrolls the loops over the copies of one step, and starts all loads before it
    stores the first one.  A sum of one step has no loop.
    """
    counts: Counter[Operation] = Counter()
    for op in function.walk():
        if isinstance(op, LoadOp) and op.pad is not None:
            around, trips = op.parent_op(), 1
            while isinstance(around, ForOp | AsyncCopyOp | IfOp) and not _is_step(around):
                if isinstance(around, ForOp):
                    ((lower, *_), (upper, *_)) = around.bounds()
                    trips *= max(1, upper.const - lower.const)
                around = around.parent_op()
            counts[around or function] += trips
    steps = [count for op, count in counts.items() if isinstance(op, ForOp)]
    return max(steps or counts.values(), default=0)


def _is_step(op: Operation) -> bool:
    """Return whether an op is a loop whose iterations share tiles of shared memory."""
    return isinstance(op, ForOp) and any(isinstance(o, BarrierOp) for o in op.body.block.ops)


def _addresses(function: func.FuncOp) -> int:
    """Estimate the registers of a thread for addresses of buffers, sizes and loop bounds."""
    buffers, bounds = len(list(buffers_of(function))), 0
    for op in function.walk():
        if isinstance(op, AllocOp):
            buffers += op.scope.data == "shared"
        elif isinstance(op, ForOp):
            bounds += sum(not end.is_constant for ends in op.bounds() for end in ends)
        elif isinstance(op, IfOp) and isinstance(op.parent_op(), ForOp):
            bounds += 2  # the position and the end that the branch compares
    return _ADDRESS * buffers + bounds + _SIZE * len(size_parameters(function))


def _sums(function: func.FuncOp) -> int:
    """Estimate the registers that a thread needs for accumulators.

    These are local buffers, and the values that are added to them; a loop carries these values,
    unless it is unrolled.
    """
    local, carried, added = 0, 0, 0
    for op in function.walk():
        if isinstance(op, AllocOp) and op.scope.data == "local":
            local += _words(op.res.type)
        elif isinstance(op, StoreOp) and _is_local(op.mem):
            added += _words(op.value.type) if isinstance(op.value.owner, AddfOp) else 0
        elif isinstance(op, ForOp):
            carried = max(carried, sum(_words(result.type) for result in op.results))
    return local + max(carried, min(added, local))


def _is_local(buffer: SSAValue) -> bool:
    return isinstance(buffer.owner, AllocOp) and buffer.owner.scope.data == "local"


def _words(type_: Attribute) -> int:
    """Return how many 32-bit registers a value, or a local buffer of static sizes, needs."""
    count = 1
    if isinstance(type_, MemRefType | VectorType):
        count = prod(type_.get_shape())
        type_ = type_.get_element_type()
    return count * max(1, bit_width(type_) // 32)
