"""The emitter of one kernel for NVPTX: the KernelEmitter of CPUs, with other handlers of memory.

Pointers are generic: an argument is cast from global memory at the entry, a shared buffer from its
global variable, and LLVM infers the address spaces of loads and stores. Each access states the
alignment that follows from its index, so that four floats are one load of 16 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, prod

from xdsl.dialects.builtin import f16, f32, i8
from xdsl.ir import Operation, SSAValue

from ...dialects import loop, simt
from ...dialects.dtypes import bit_width
from ...dialects.shape import MOST, extent_of, static_shape
from ...support.gpu_limits import CUDA_BLOCKS
from ...support.target import Target
from ..device_kernels import Exchange, exchanges_of
from ..loop_to_llvm import memory
from ..loop_to_llvm.emitter import Handler, KernelEmitter
from ..loop_to_llvm.types import LlvmType, memory_type

MOST_ALIGNED_BYTES = 16
"""The largest access of a thread; buffers and arguments start at multiples of it."""
_BARRIER = "@llvm.nvvm.barrier.cta.sync.aligned.all"


class NvptxEmitter(KernelEmitter):
    """The emitter of one kernel function; globals: its shared buffers.  symbol: its name."""

    def __init__(
        self,
        target: Target,
        handlers: Mapping[type[Operation], Handler],
        symbol: str,
        *,
        strict_math: bool,
    ) -> None:
        super().__init__(target, handlers, strict_math=strict_math)
        self.symbol = symbol
        self.globals: list[str] = []

    @property
    def has_rounding(self) -> bool:
        return True

    @property
    def rounds_to_integer(self) -> bool:
        return False

    @property
    def converts_half(self) -> bool:
        return True

    def fma(self, type_: LlvmType, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", type_, a, b, c)


def emit_id(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.thread_id or simt.block_id: a read of a special register."""
    assert isinstance(op, simt.IdOp)
    launch, is_thread = simt.launch_of(op), isinstance(op, simt.ThreadIdOp)
    read = _register(e, "tid" if is_thread else "ctaid", op.position)
    if launch is not None and not is_thread:
        for exchange in reversed(exchanges_of(launch, CUDA_BLOCKS)):
            if op.position in (0, exchange.position):
                other = _register(e, "ctaid", exchange.position if op.position == 0 else 0)
                read = e.emit(f"select i1 {_happens(e, exchange)}, i32 {other}, i32 {read}")
    e.define(op.res, e.emit(f"zext nneg i32 {read} to i64"))
    bound = op.bound.value
    e.ranges[op.res] = 0, MOST if bound is None else bound - 1


def _register(e: KernelEmitter, kind: str, position: int) -> str:
    function = f"@llvm.nvvm.read.ptx.sreg.{kind}.{simt.DIMENSIONS[position]}"
    e.declarations.add(f"declare i32 {function}()")
    return e.emit(f"call i32 {function}()")


def _happens(e: KernelEmitter, exchange: Exchange) -> str:
    """Return the condition for an exchange of dimensions."""
    test = e.emit(f"icmp sgt i64 {e.size(extent_of(exchange.size))}, {CUDA_BLOCKS}")
    if exchange.unless is None:
        return test
    return e.emit(f"select i1 {_happens(e, exchange.unless)}, i1 false, i1 {test}")


def emit_barrier(e: KernelEmitter, _op: Operation) -> None:
    """Emit simt.barrier, which orders shared and global memory on these GPUs."""
    e.declarations.add(f"declare void {_BARRIER}(i32) convergent nounwind")
    e.lines.append(f" call void {_BARRIER}(i32 0)")


def emit_alloc(e: KernelEmitter, op: Operation) -> None:
    """Emit loop.alloc: a global variable of a block, or memory of a thread."""
    assert isinstance(op, loop.AllocOp)
    assert isinstance(e, NvptxEmitter), "its handlers are those of NVPTX"
    if op.scope.data != "shared":
        memory.emit_alloc(e, op)
        return
    type_, count = memory_type(op.res.type), max(1, prod(static_shape(op.res.type)))
    name = f"@{e.symbol}.s{len(e.globals)}"
    array = f"[{count} x {type_.memory_element}]"
    place = f"internal addrspace(3) global {array} undef, align {MOST_ALIGNED_BYTES}"
    e.globals.append(f"{name} = {place}")
    e.values[op.res] = e.emit(f"addrspacecast ptr addrspace(3) {name} to ptr")


def emit_mma(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.mma: one mma.sync, whose operands are elements in words of 32 bits."""
    assert isinstance(op, simt.MmaOp)
    is_half, is_bytes = op.element_type == f16, op.element_type == i8
    is_tf32 = op.element_type == f32
    words = [*_words(e, op.lhs, is_half=is_half), *_words(e, op.rhs, is_half=is_half)]
    if is_tf32:
        words = [_tf32(e, word) for word in words]
    acc, count = e.values[op.acc], simt.OUT.registers
    sums = [e.emit(f"extractelement {e.type_of(op.acc).text} {acc}, i32 {r}") for r in range(count)]
    sum_type, word = e.type_of(op.acc).scalar.text, "<2 x half>" if is_half else "i32"
    signs = dict.fromkeys("u8" if sign else "s8" for sign in (op.lhs_unsigned, op.rhs_unsigned))
    steps = simt.SHAPES[op.element_type].lhs.columns
    name = ".".join(signs) if is_bytes else "f32.f32" if is_half else "tf32" if is_tf32 else "bf16"
    kind = f"k{steps}.row.col.{name}"
    function = f"@llvm.nvvm.mma.m16n8{kind}"
    result = f"{{ {', '.join([sum_type] * count)} }}"
    types = [*[word] * len(words), *[sum_type] * count]
    e.declarations.add(f"declare {result} {function}({', '.join(types)})")
    operands = zip(types, [*words, *sums], strict=True)
    made = e.emit(f"call {result} {function}({', '.join(f'{t} {v}' for t, v in operands)})")
    lanes = [e.emit(f"extractvalue {result} {made}, {r}") for r in range(count)]
    e.define(op.res, e.pack(e.type_of(op.res), lanes))


def emit_load_matrix(e: KernelEmitter, op: Operation) -> None:
    """Emit simt.load_matrix: one ldmatrix, whose results are pairs of elements in 32 bits.

    As assembly it has an address that other loads share, and an offset; LLVM's function has an
    address of its own, so that each load of a tile needs two more registers.
    """
    assert isinstance(op, simt.LoadMatrixOp)
    count, order = op.matrices, ".trans" if op.transposed else ""
    pointer, offset = e.address_and_offset(op)
    assert isinstance(offset, int), "shared buffers have static sizes"
    shared = e.emit(f"addrspacecast ptr {pointer} to ptr addrspace(3)")
    address = e.emit(f"ptrtoint ptr addrspace(3) {shared} to i32")
    results = ", ".join(f"${n}" for n in range(count))
    offset_bytes = offset * bit_width(op.res.type.element_type) // 8
    text = f"ldmatrix.sync.aligned.m8n8.x{count}{order}.shared.b16"
    text = f"{text} {{{results}}}, [${count}+{offset_bytes}];"
    result = "i32" if count == 1 else f"{{ {', '.join(['i32'] * count)} }}"
    constraints = ",".join([*["=r"] * count, "r", "~{memory}"])
    call = f'call {result} asm sideeffect "{text}", "{constraints}"(i32 {address})'
    made = e.emit(f"{call} convergent nounwind")
    words, vector = f"<{count} x i32>", "poison"
    for n in range(count):
        word = made if count == 1 else e.emit(f"extractvalue {result} {made}, {n}")
        vector = e.emit(f"insertelement {words} {vector}, i32 {word}, i32 {n}")
    e.define(op.res, e.emit(f"bitcast {words} {vector} to {e.type_of(op.res).text}"))


def _tf32(e: KernelEmitter, word: str) -> str:
    function = "@llvm.nvvm.f2tf32.rna"
    e.declarations.add(f"declare i32 {function}(float)")
    return e.emit(f"call i32 {function}(float {e.emit(f'bitcast i32 {word} to float')})")


def _words(e: KernelEmitter, value: SSAValue, *, is_half: bool) -> list[str]:
    """Return the words of 32 bits of a vector."""
    type_ = e.type_of(value)
    count = type_.bits * type_.lanes // 32
    words = e.emit(f"bitcast {type_.text} {e.values[value]} to <{count} x i32>")
    found = [e.emit(f"extractelement <{count} x i32> {words}, i32 {r}") for r in range(count)]
    return [e.emit(f"bitcast i32 {word} to <2 x half>") for word in found] if is_half else found


def known_alignment(e: KernelEmitter, op: loop.LoadOp | loop.StoreOp, type_: LlvmType) -> int:
    """Return the bytes that divide the address of an access, 16 at most."""
    plan = e.plan(op)
    factors = [c for level in plan.levels for _, c in level.terms]
    factors += [c for _, c in plan.moving]
    numbers = [c for c in factors if isinstance(c, int)]
    if len(numbers) < len(factors):
        return type_.alignment
    size = gcd(plan.constant, *numbers) * type_.alignment or MOST_ALIGNED_BYTES
    return max(type_.alignment, min(MOST_ALIGNED_BYTES, size & -size))


def emit_load(e: KernelEmitter, op: Operation) -> None:
    """Emit loop.load; a plain one with its alignment."""
    assert isinstance(op, loop.LoadOp)
    type_ = e.type_of(op.res)
    if len(op.properties) > 1 or type_.format == "i1":
        memory.emit_load(e, op)
        return
    alignment = known_alignment(e, op, type_)
    e.define(op.res, e.emit(f"load {type_.memory_text}, ptr {e.address(op)}, align {alignment}"))


def emit_store(e: KernelEmitter, op: Operation) -> None:
    """Emit loop.store; a plain one with its alignment."""
    assert isinstance(op, loop.StoreOp)
    type_ = e.type_of(op.value)
    if type_.format == "i1" or any(key in op.properties for key in ("lanes", "stride", "clip")):
        memory.emit_store(e, op)
        return
    alignment = known_alignment(e, op, type_)
    value = f"{type_.memory_text} {e.values[op.value]}"
    e.lines.append(f" store {value}, ptr {e.address(op)}, align {alignment}")


def emit_nothing(_e: KernelEmitter, _op: Operation) -> None:
    """Emit nothing for a hint."""


HANDLERS: dict[type[Operation], Handler] = {
    simt.ThreadIdOp: emit_id,
    simt.BlockIdOp: emit_id,
    simt.BarrierOp: emit_barrier,
    simt.MmaOp: emit_mma,
    simt.LoadMatrixOp: emit_load_matrix,
    loop.AllocOp: emit_alloc,
    loop.LoadOp: emit_load,
    loop.StoreOp: emit_store,
    loop.PrefetchOp: emit_nothing,
}
