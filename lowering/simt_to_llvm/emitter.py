"""The emitter of one GPU kernel: the KernelEmitter of CPUs, with other memory handlers.

Pointers are generic: the entry casts each argument from global memory, and a shared buffer's
address is cast from its global variable.  LLVM infers the address spaces of loads and stores. Each
access has the alignment that follows from its index, so that four floats are one load of 16 bytes.
"""

from __future__ import annotations

from math import gcd, prod

from ...dialects import loop, simt
from ...dialects.shape import MOST, extent_of, static_shape
from ...machines.gpu import CUDA_BLOCKS
from ...machines.target import Target
from ..device_kernels import (
    DynamicShared,
    Exchange,
    exchanges_of,
    has_one_guard,
    shared_alignment,
)
from ..loop_to_llvm import memory
from ..loop_to_llvm.emitter import KernelEmitter
from ..loop_to_llvm.op_emitter import Handlers, emit_nothing
from ..loop_to_llvm.types import LlvmType, memory_type
from ..warpgroup_code import barrier_code
from . import async_copy, matrix, warpgroup
from .dialect import DeviceEmitter, LlvmDialect

MOST_ALIGNED_BYTES = 16
"""The largest access of a thread; buffers and arguments start at multiples of it."""

_MOST_UNROLLED_STEPS = 4
"""The most steps of a sum that ptxas unrolls to the end.  Source: with more registers instead,
ptxas 13.0 spills for sm_90a in tests/targets/gpu/plan/test_spills.py."""
_ROLLED = '!2 = distinct !{!2, !{!"llvm.loop.unroll.disable"}}'
_BY_FOUR = '!3 = distinct !{!3, !{!"llvm.loop.unroll.count", i32 4}}'
"""The metadata of a loop that LLVM must not unroll, and of one that it unrolls by four."""


class GpuKernelEmitter(DeviceEmitter):
    """The emitter of one kernel function for a GPU back end.

    symbol: the kernel's name.
    globals: the definitions of the kernel's shared buffers.
    dynamic: the layout of the shared memory that the launch allocates.
    metadata: the metadata nodes to which the kernel refers.
    """

    def __init__(
        self,
        target: Target,
        handlers: Handlers,
        symbol: str,
        dialect: LlvmDialect,
        *,
        strict_math: bool,
    ) -> None:
        super().__init__(target, handlers, strict_math=strict_math)
        self.symbol, self.dialect = symbol, dialect
        self.globals: list[str] = []
        self.dynamic = DynamicShared()
        self.metadata: set[str] = set()

    @property
    def has_rounding(self) -> bool:
        return True

    @property
    def rounds_to_integer(self) -> bool:
        return False

    @property
    def converts_half(self) -> bool:
        return True

    @property
    def converts_bfloat(self) -> bool:
        return self.dialect.converts_bfloat

    def from_bfloat(self, source: LlvmType, x: str) -> str:
        """Append a conversion of bf16 values to f32; return it.

        The values are taken from 32-bit words of two values each.  A shift moves the first value,
        the lower half of a word, to the upper half; a mask selects the second value, the upper
        half.
        """
        wide, words = source.of("i32"), source.of("i32").with_lanes(max(1, source.lanes // 2))
        if source.lanes % 2:
            raised = self.binary("shl", wide, self.cast("zext", x, source, wide), wide.const(16))
            return self.cast("bitcast", raised, wide, source.of("f32"))
        pairs = self.cast("bitcast", x, source, words)
        first = self.binary("shl", words, pairs, words.const(16))
        second = self.binary("and", words, pairs, words.const(-1 << 16))
        order = [lane // 2 + lane % 2 * words.lanes for lane in range(source.lanes)]
        both = self.shuffle(words, first, second, order) if words.lanes > 1 else ""
        both = both or self.pack(wide, [first, second])
        return self.cast("bitcast", both, wide, source.of("f32"))

    def to_bfloat(self, target: LlvmType, x: str) -> str:
        held = target.half_text.replace("half", "bfloat")
        rounded = self.emit(f"fptrunc {target.of('f32').text} {x} to {held}")
        return self.emit(f"bitcast {held} {rounded} to {target.text}")

    @property
    def approximates(self) -> bool:
        return bool(self.dialect.approximations) and not self.strict_math

    def approximate(self, function: str, type_: LlvmType, x: str) -> str:
        name = self.dialect.approximations[function]
        self.declarations.add(f"declare float {name}(float)")
        lanes = [x] if type_.lanes == 1 else [self.extract(type_, x, n) for n in range(type_.lanes)]
        made = [self.emit(f"call float {name}(float {lane})") for lane in lanes]
        return made[0] if type_.lanes == 1 else self.pack(type_, made)

    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", type_, a, b, c)

    def loop_hint(self, op: loop.ForOp) -> str:
        """Return metadata that prevents the unrolling of a loop; "" for loops that may be unrolled.

        It applies to some loops over the steps of a sum.  A second copy of products of warpgroups
        needs more registers for addresses, and saves few instructions.  If a loop has few steps
        between barriers, ptxas unrolls all of them, loads the tiles of all steps ahead, and spills.
        So it does in a peeled step, whose loop is unrolled as far as vectors of its loads need.
        """
        has_product = any(isinstance(o, simt.WarpgroupMmaOp) for o in op.body.block.ops)
        is_rolled = has_product or self._is_short_sum(op)
        if not is_rolled and not self._is_in_peeled_step(op):
            return ""
        hint = _ROLLED if is_rolled else _BY_FOUR
        self.metadata.add(hint)
        return f", !llvm.loop {hint.split()[0]}"

    @staticmethod
    def _is_in_peeled_step(op: loop.ForOp) -> bool:
        block = op.parent_block()
        if block is None or isinstance(op.parent_op(), loop.ForOp) or not op.results:
            return False
        return any(isinstance(o, simt.AsyncWaitOp) for o in block.ops)

    @staticmethod
    def _is_short_sum(op: loop.ForOp) -> bool:
        bounds, ops = op.static_bounds, list(op.body.block.ops)
        has_tiles = any(isinstance(o, loop.ForOp | simt.AsyncWaitOp) for o in ops)
        is_step = has_tiles and any(isinstance(o, simt.BarrierOp) for o in ops)
        return is_step and bounds is not None and bounds[1] - bounds[0] <= _MOST_UNROLLED_STEPS

    def stack_array(self, array: str) -> str:
        if not self.dialect.stack_space:
            return super().stack_array(array)
        name, place = self.name(), f"addrspace({self.dialect.stack_space})"
        self.entry.append(f" {name} = alloca {array}, align {MOST_ALIGNED_BYTES}, {place}")
        return self.emit(f"addrspacecast ptr {place} {name} to ptr")


def emit_id(e: GpuKernelEmitter, op: simt.IdOp) -> None:
    """Emit simt.thread_id or simt.block_id as a read of a special register.

    If the launch may exchange dimensions of the grid, a select chooses between two block indices.
    """
    launch, is_thread = simt.launch_of(op), isinstance(op, simt.ThreadIdOp)
    function = e.dialect.thread_id if is_thread else e.dialect.block_id
    read = _register(e, function, op.position)
    if launch is not None and not is_thread:
        for exchange in reversed(exchanges_of(launch, CUDA_BLOCKS)):
            if op.position in (0, exchange.position):
                other = _register(e, function, exchange.position if op.position == 0 else 0)
                read = e.emit(f"select i1 {_happens(e, exchange)}, i32 {other}, i32 {read}")
    e.define(op.res, e.emit(f"zext nneg i32 {read} to i64"))
    bound = op.bound.value
    e.ranges[op.res] = 0, MOST if bound is None else bound - 1


def _register(e: KernelEmitter, function: str, position: int) -> str:
    function = f"{function}.{simt.DIMENSIONS[position]}"
    e.declarations.add(f"declare i32 {function}()")
    return e.emit(f"call i32 {function}()")


def _happens(e: KernelEmitter, exchange: Exchange) -> str:
    """Append the condition under which the launch exchanges two dimensions; return it."""
    test = e.emit(f"icmp sgt i64 {e.size(extent_of(exchange.size))}, {CUDA_BLOCKS}")
    if exchange.unless is None:
        return test
    return e.emit(f"select i1 {_happens(e, exchange.unless)}, i1 false, i1 {test}")


def emit_barrier(e: GpuKernelEmitter, op: simt.BarrierOp) -> None:
    """Emit simt.barrier as the back end's instructions for the memory that it orders."""
    e.declarations.add(e.dialect.declaration)
    e.lines += [f" {line}" for line in barrier_code(op, e.dialect.barriers)]


def emit_alloc(e: GpuKernelEmitter, op: loop.AllocOp) -> None:
    """Emit loop.alloc as a global variable if the block shares the buffer, else as an alloca.

    A kernel whose launch allocates its shared buffers has one external variable for all of them.
    """
    if op.scope.data != "shared":
        memory.emit_alloc(e, op)
        return
    if op in e.dynamic.offsets:
        name = f"@{e.symbol}_dynamic"
        alignment = e.dynamic.alignment
        e.globals = [f"{name} = external addrspace(3) global [0 x i8], align {alignment}"]
        offset = f"i64 {e.dynamic.offsets[op]}"
        start = e.emit(f"getelementptr i8, ptr addrspace(3) {name}, {offset}")
        e.values[op.res] = e.emit(f"addrspacecast ptr addrspace(3) {start} to ptr")
        return
    type_, count = memory_type(op.res.type), max(1, prod(static_shape(op.res.type)))
    name = f"@{e.symbol}.s{len(e.globals)}"
    array = f"[{count} x {type_.memory_element}]"
    place = f"internal addrspace(3) global {array} undef, align {shared_alignment(op)}"
    e.globals.append(f"{name} = {place}")
    e.values[op.res] = e.emit(f"addrspacecast ptr addrspace(3) {name} to ptr")


def known_alignment(e: KernelEmitter, op: loop.LoadOp | loop.StoreOp, type_: LlvmType) -> int:
    """Return the alignment in bytes that follows from the index of an access, at most 16.

    The alignment is a power of 2.
    type_: the type of the accessed value.
    """
    plan = e.plan(op)
    factors = [c for level in plan.levels for _, c in level.terms]
    factors += [c for _, c in plan.moving]
    numbers = [c for c in factors if isinstance(c, int)]
    if len(numbers) < len(factors):
        return type_.alignment
    size = gcd(plan.constant, *numbers) * type_.alignment or MOST_ALIGNED_BYTES
    return max(type_.alignment, min(MOST_ALIGNED_BYTES, size & -size))


def emit_load(e: KernelEmitter, op: loop.LoadOp) -> None:
    """Emit loop.load; a vector load has the alignment that follows from its index.

    If all lanes of a padded vector are inside or all are outside of its buffer, one condition
    selects between the vector and the padding.
    """
    type_ = e.type_of(op.res)
    is_whole = op.lanes is None and op.stride is None and not type_.rows
    if type_.format == "i1" or not is_whole or not has_one_guard(e, op, type_.lanes):
        memory.emit_load(e, op)
        return
    alignment = known_alignment(e, op, type_)
    inside = memory.load_condition(e, op) if op.pad is not None else ""
    pointer = e.address(op)
    if inside:
        pointer = e.emit(f"select i1 {inside}, ptr {pointer}, ptr {e.readable(op.mem)}")
    value = e.emit(f"load {type_.memory_text}, ptr {pointer}, align {alignment}")
    if inside:
        pad = memory.pad_constant(op, type_)
        value = e.select(inside, type_, value, pad, mask=type_.mask.scalar)
    e.define(op.res, value)


def emit_store(e: KernelEmitter, op: loop.StoreOp) -> None:
    """Emit loop.store; a vector store has the alignment that follows from its index."""
    type_ = e.type_of(op.value)
    if type_.format == "i1" or type_.rows or op.lanes is not None or op.stride is not None:
        memory.emit_store(e, op)
        return
    alignment = known_alignment(e, op, type_)

    def store() -> None:
        value = f"{type_.memory_text} {e.values[op.value]}"
        e.lines.append(f" store {value}, ptr {e.address(op)}, align {alignment}")

    if op.clip is None:
        store()
    else:
        e.when(memory.store_condition(e, op), store)


HANDLERS: Handlers = {
    simt.ThreadIdOp: emit_id,
    simt.BlockIdOp: emit_id,
    simt.BarrierOp: emit_barrier,
    **matrix.HANDLERS,
    **async_copy.HANDLERS,
    **warpgroup.HANDLERS,
    loop.AllocOp: emit_alloc,
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.PrefetchOp: emit_nothing,
}
