"""The syntax in which the C-like languages of GPU kernels differ, as one table per language.

All of them are C with address spaces, thread ids, a barrier, and vectors of two and four elements.
Multiplications and additions must not be contracted, and fast math must be off, so that results
equal those of a CPU. OpenCL C and Metal disable contraction in the source; CUDA C++ needs the
compiler option ``-fmad=false``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...dialects.simt import ASYNC
from ...machines.gpu import CUDA_BLOCKS

_UNSIGNED = {"i8": "uchar", "i16": "ushort", "i32": "uint", "i64": "ulong"}
_SIGNED = {"i8": "char", "i16": "short", "i32": "int", "i64": "long"}
_FLOATS = {"i1": "bool", "float": "float", "double": "double"}


@dataclass(frozen=True)
class CDialect:
    """The syntax of one C-like language: names, and patterns that `str.format` fills.

    types, signed: the names of element types, by LLVM's name of the type. In ``types``, integers
    are unsigned; in ``signed``, they are signed.
    bits: the function that reinterprets the bits of a value, by (source type, result type).
    prologue: the first lines of a program.
    definitions: lines that define a name, by the name; a program has those of the names it uses.
    kernel: the head of a kernel, before its parameters.
    pointer: the declaration of a kernel parameter that points to an array in device memory.
    size: the declaration of a kernel parameter that is a size.
    block, thread: the index of a block in the grid, and of a thread in its block, along a
    dimension.
    barriers: the statement of a barrier, by the accesses that it orders: ``shared``, ``global`` or
    ``async``. Languages without warpgroups have no ``async``.
    shared, local: the declaration of an array that a block shares, and of an array of one thread.
    helper: the words before the result type of a helper function.
    population: the name of the function that counts the one bits of an integer.
    spaces: the qualifier of a pointer, by the memory scope; arguments of kernels are ``global``.
    vectors: the names of vector types without the number of lanes, by LLVM's name of the element
    type.
    parameters_have_ids: whether thread and block indices are parameters of the kernel.
    most_blocks: the largest number of blocks along y and z; None if it is the same as along x.
    has_matrices: whether matrix instructions can be written as inline assembly.
    has_async_copies: whether a kernel can fill shared memory while its threads compute.
    shuffle: the expression of a value that another lane of the warp has; empty if the language
    cannot exchange values.
    float_suffix: the end of the names of math functions of f32.
    dynamic: the declaration of shared memory that the launch allocates; empty if kernels declare
    all their shared memory.
    loop_barrier: the barrier before the condition of a loop that contains barriers and may have no
    iteration; empty if the compilers of the language need none. Without it, PoCL 3.0 computes wrong
    values, because a barrier in a loop that may be skipped becomes a barrier under a condition.
    """

    name: str
    types: Mapping[str, str]
    signed: Mapping[str, str]
    bits: Mapping[tuple[str, str], str]
    prologue: tuple[str, ...]
    kernel: str
    pointer: str
    size: str
    block: str
    thread: str
    barriers: Mapping[str, str]
    shared: str
    local: str
    helper: str
    population: str
    spaces: Mapping[str, str]
    vectors: Mapping[str, str]
    parameters_have_ids: bool = False
    most_blocks: int | None = None
    has_matrices: bool = False
    has_async_copies: bool = False
    shuffle: str = ""
    float_suffix: str = ""
    dynamic: str = ""
    loop_barrier: str = ""
    definitions: Mapping[str, str] = field(default_factory=dict[str, str])


OPENCL = CDialect(
    name="opencl",
    types={**_FLOATS, **_UNSIGNED},
    signed=_SIGNED,
    bits={
        ("float", "i32"): "as_uint", ("i32", "float"): "as_float",
        ("double", "i64"): "as_ulong", ("i64", "double"): "as_double",
    },
    prologue=("#pragma OPENCL FP_CONTRACT OFF",),
    kernel="__kernel __attribute__((reqd_work_group_size({x}, {y}, {z})))\nvoid {name}",
    pointer="{const}__global {type} *restrict {name}",
    size="const long {name}",
    block="get_group_id({number})",
    thread="get_local_id({number})",
    barriers={
        "shared": "barrier(CLK_LOCAL_MEM_FENCE);",
        "global": "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    },
    loop_barrier="barrier(CLK_LOCAL_MEM_FENCE);",
    shared="__local {type} {name}[{count}] __attribute__((aligned(16)));",
    local="{type} {name}[{count}] __attribute__((aligned(16)));",
    helper="",
    population="popcount",
    spaces={"global": "__global ", "shared": "__local ", "local": ""},
    vectors={**_UNSIGNED, "float": "float", "double": "double"},
)  # fmt: skip

_RUNTIME_COMPILER = {
    name: f"#ifdef __CUDACC_RTC__\n#define {name} __int_as_float({bits})\n#endif"
    for name, bits in (("INFINITY", "0x7f800000"), ("NAN", "0x7fc00000"))
}
"""Definitions of the names that nvcc has from math.h, but NVRTC does not include."""

CUDA = CDialect(
    name="cuda",
    types={
        **_FLOATS, "i8": "unsigned char", "i16": "unsigned short", "i32": "unsigned",
        "i64": "unsigned long long",
    },
    signed={**_SIGNED, "i8": "signed char", "i64": "long long"},
    bits={
        ("float", "i32"): "__float_as_uint", ("i32", "float"): "__uint_as_float",
        ("double", "i64"): "__double_as_longlong", ("i64", "double"): "__longlong_as_double",
    },
    prologue=("// Compile with -fmad=false.",),
    kernel='extern "C" __global__ void __launch_bounds__({threads})\n{name}',
    pointer="{const}{type} *__restrict__ {name}",
    size="const long long {name}",
    block="blockIdx.{axis}",
    thread="threadIdx.{axis}",
    barriers={
        **dict.fromkeys(("shared", "global"), "__syncthreads();"),
        ASYNC: 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();',
    },
    shared="__shared__ __align__({alignment}) {type} {name}[{count}];",
    definitions=_RUNTIME_COMPILER,
    dynamic="extern __shared__ __align__({alignment}) unsigned char dynamic_shared[];",
    local="__align__(16) {type} {name}[{count}];",
    helper="static __device__ ",
    population="__popcll",
    spaces={"global": "", "shared": "", "local": ""},
    vectors={**_UNSIGNED, "i64": "ulonglong", "float": "float", "double": "double"},
    most_blocks=CUDA_BLOCKS,
    has_matrices=True,
    has_async_copies=True,
    shuffle="__shfl_xor_sync(0xffffffffu, {value}, {mask})",
)  # fmt: skip

METAL = CDialect(
    name="metal",
    types={"i1": "bool", "float": "float", **_UNSIGNED},
    signed=_SIGNED,
    bits={("float", "i32"): "as_type<uint>", ("i32", "float"): "as_type<float>"},
    prologue=(
        "#include <metal_stdlib>",
        "using namespace metal;",
        "#pragma METAL fp contract(off)",
    ),
    kernel="[[max_total_threads_per_threadgroup({threads})]]\nkernel void {name}",
    pointer="{const}device {type} *{name} [[buffer({position})]]",
    size="constant long &{name} [[buffer({position})]]",
    block="block.{axis}",
    thread="thread_.{axis}",
    barriers={
        "shared": "threadgroup_barrier(mem_flags::mem_threadgroup);",
        "global": "threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);",
    },
    shared="alignas(16) threadgroup {type} {name}[{count}];",
    local="alignas(16) {type} {name}[{count}];",
    helper="static inline ",
    population="popcount",
    spaces={"global": "device ", "shared": "threadgroup ", "local": "thread "},
    vectors={**_UNSIGNED, "float": "float"},
    parameters_have_ids=True,
    shuffle="simd_shuffle_xor({value}, ushort({mask}))",
)
