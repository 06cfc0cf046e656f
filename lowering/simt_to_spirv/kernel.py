"""Lower kernel functions of the simt level to one module of SPIR-V, as text.

    func.func @add(%x: memref<256xf32>, ..) attributes {tw.launch = #simt.launch<..>} { .. }
    =>
    OpEntryPoint GLCompute %kernel_add "add" %block_id %thread_id %push_add
    OpExecutionMode %kernel_add LocalSize 64 1 1
    ..
    %push_add = OpVariable %ptr_push_arguments_add PushConstant
    %kernel_add = OpFunction %void None %fn

The push constants of a launch hold one address: that of a structure in device memory with the
addresses of the kernel's buffers, 8 bytes each, and the sizes that only the launch knows, 4 bytes
each. So the number of buffers has no limit. The types in a module determine the capabilities that
it requires. Source: Khronos, SPIR-V Specification 1.6; Vulkan 1.2, appendix A.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from xdsl.dialects import func

from ...dialects.shape import Dim
from ...support.precision import STRICT_MATH
from ..device_kernels import buffers_of, errors_name, folds_grid, required_launch
from ..lane_lists import NARROW_HANDLERS
from ..loop_to_llvm.op_emitter import Handlers
from ..loop_to_llvm.types import memory_type
from . import control, memory
from .emitter import SpirvEmitter
from .types import Declarations, position, spirv_type

HANDLERS: Handlers = {**NARROW_HANDLERS, **memory.HANDLERS, **control.HANDLERS}
SHARED_BYTES = 16384
"""The shared memory of a block that all devices of Vulkan have."""

_BUILT_IN = {"block_id": "WorkgroupId", "thread_id": "LocalInvocationId",
             "block_count": "NumWorkgroups"}  # fmt: skip
"""The variables of the ids and sizes of blocks, and Vulkan's names of them."""


def emit_kernel(
    function: func.FuncOp, symbol: str, *, shared_bytes: int = SHARED_BYTES
) -> SpirvEmitter:
    """Emit one kernel function; return its emitter, which holds declarations and instructions.

    symbol: the name of the kernel.
    shared_bytes: the most shared memory that a block may use.
    Errors: LoweringError for an op or type that SPIR-V cannot express, too much shared memory, or a
    function without a launch configuration.
    """
    launch = required_launch(function)
    e = SpirvEmitter(symbol, HANDLERS, strict_math=STRICT_MATH in function.attributes)
    e.folds_grid = folds_grid(launch)
    with errors_name(function):
        for number, buffer in enumerate(buffers_of(function)):
            held = spirv_type(memory_type(buffer.type).format).held
            e.values[buffer.value] = f"%p{number}_{symbol}"
            e.elements[buffer.value] = ("psb", held)
        e.emit_block(function.body.block)
        e.check_shared(shared_bytes, "a block has too much shared memory")
    return e


def numbers_of(function: func.FuncOp) -> list[Dim]:
    """Return the symbolic sizes whose values a launch must pass to a kernel, in order.

    Errors: as for `emit_kernel`.
    """
    e = emit_kernel(function, "k", shared_bytes=sys.maxsize)
    return [Dim.of(extent) for extent in e.numbers]


class _Kernel:
    """The parts of a SPIR-V module that belong to one kernel.

    entry: the line that declares the entry point.
    mode: the line with the size of a block.
    buffers: the element types of the kernel's buffers.
    own: the declarations of the types and variables of this kernel, by name.
    decorations: the decorations of these types, and of the results of instructions.
    """

    def __init__(self, function: func.FuncOp, e: SpirvEmitter) -> None:
        self.symbol, self._e = e.symbol, e
        x, y, z = required_launch(function).block
        ids = ["%block_id", "%thread_id", *(["%block_count"] if e.folds_grid else [])]
        interface = " ".join([*ids, f"%push_{e.symbol}", *e.shared])
        self.entry = f'OpEntryPoint GLCompute %kernel_{e.symbol} "{e.symbol}" {interface}'
        self.mode = f"OpExecutionMode %kernel_{e.symbol} LocalSize {x} {y} {z}"
        self.buffers = [e.elements[value][1] for value in function.body.block.args]
        arguments = f"arguments_{e.symbol}"
        members = [f"%ptr_psb_buf_{type_.lane[1:]}" for type_ in self.buffers]
        members += ["%i32"] * len(e.numbers)
        self.own = {
            arguments: f"OpTypeStruct {' '.join(members)}",
            f"constants_{e.symbol}": f"OpTypeStruct %ptr_psb_{arguments}",
            f"push_{e.symbol}": f"OpVariable %ptr_push_constants_{e.symbol} PushConstant",
            **e.own,
        }
        sizes = [8] * len(self.buffers) + [4] * len(e.numbers)
        offsets = [sum(sizes[:number]) for number in range(len(sizes))]
        self.decorations = [
            f"OpDecorate %constants_{e.symbol} Block",
            f"OpMemberDecorate %constants_{e.symbol} 0 Offset 0",
            f"OpDecorate %{arguments} Block",
            *(f"OpMemberDecorate %{arguments} {n} Offset {at}" for n, at in enumerate(offsets)),
            *e.decorations,
        ]

    def lines(self) -> list[str]:
        """Return the lines of the function; the first ones load addresses and sizes."""
        e, arguments = self._e, f"arguments_{self.symbol}"
        start, at = f"%start_{self.symbol}", f"%at_{self.symbol}"
        lines = [
            f"%kernel_{self.symbol} = OpFunction %void None %fn",
            f"%entry_{self.symbol} = OpLabel",
            *e.variables,
            f"{at} = OpAccessChain %ptr_push_ptr_psb_{arguments} %push_{self.symbol} {position(0)}",
            f"{start} = OpLoad %ptr_psb_{arguments} {at}",
        ]
        for number, type_ in enumerate(self.buffers):
            pointer = f"%ptr_psb_buf_{type_.lane[1:]}"
            lines += self._argument(number, pointer, f"%p{number}_{self.symbol}", 8)
        for number, name in enumerate(e.numbers.values(), len(self.buffers)):
            lines += self._argument(number, "%i32", name, 4)
        return [*lines, *e.lines, "OpReturn", "OpFunctionEnd"]

    def _argument(self, number: int, type_: str, name: str, size: int) -> list[str]:
        place = f"%at{number}_{self.symbol}"
        pointer = f"%ptr_psb_{type_[1:]}"
        return [
            f"{place} = OpAccessChain {pointer} %start_{self.symbol} {position(number)}",
            f"{name} = OpLoad {type_} {place} Aligned {size}",
        ]


def emit_program(
    kernels: Sequence[tuple[str, func.FuncOp]], *, shared_bytes: int = SHARED_BYTES
) -> str:
    """Return several kernels as the text of one module.

    kernels: the symbol and the function of each kernel.  shared_bytes: the most shared memory that
    a block may use.
    Errors: as for `emit_kernel`.
    """
    made = [
        _Kernel(function, emit_kernel(function, symbol, shared_bytes=shared_bytes))
        for symbol, function in kernels
    ]
    bodies = [line for kernel in made for line in kernel.lines()]
    built_in = dict.fromkeys(_BUILT_IN, "OpVariable %ptr_in_v3 Input")
    own = {**built_in, **{name: text for kernel in made for name, text in kernel.own.items()}}
    declared = Declarations(own)
    declared.add([*(kernel.entry for kernel in made), *bodies])
    return "\n".join(
        [
            "OpCapability Shader",
            "OpCapability PhysicalStorageBufferAddresses",
            *(f"OpCapability {name}" for name in declared.capabilities),
            '%glsl = OpExtInstImport "GLSL.std.450"',
            "OpMemoryModel PhysicalStorageBuffer64 GLSL450",
            *(kernel.entry for kernel in made),
            *(kernel.mode for kernel in made),
            *(
                f"OpDecorate %{name} BuiltIn {built_in}"
                for name, built_in in _BUILT_IN.items()
                if any(f"%{name} " in kernel.entry for kernel in made)
            ),
            *declared.decorations,
            *(text for kernel in made for text in kernel.decorations),
            *declared.lines,
            *bodies,
            "",
        ]
    )
