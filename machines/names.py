"""Names of targets, and words that other compilers use in targets, each with a hint.

A name is replaced by the target string in its row; further options may follow the name:
``raspberrypi4 -l2-kib=512``.
"""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    # Instruction sets.
    "x86_64": "llvm -mcpu=x86-64",
    "x86-64-levels": "llvm -mcpu=x86-64,x86-64-v2,x86-64-v3,x86-64-v4",
    "aarch64": "llvm -mcpu=generic-aarch64",
    "arm64": "llvm -mcpu=generic-aarch64",
    "riscv64": "llvm -mcpu=generic-rv64",
    "loongarch64": "llvm -mcpu=generic-la64",
    "ppc64le": "llvm -mcpu=generic-ppc64le",
    "s390x": "llvm -mcpu=generic-s390x",
    "armv7": "llvm -mcpu=generic-armv7",
    "hexagon": "llvm -mtriple=hexagon-unknown-linux-musl",
    "wasm32": "llvm -mtriple=wasm32-unknown-unknown -mattr=+simd128",
    "wasm": "llvm -mtriple=wasm32-unknown-unknown -mattr=+simd128",
    # Boards and instances.
    "raspberrypi3": "llvm -mcpu=cortex-a53",
    "raspberrypi4": "llvm -mcpu=cortex-a72",
    "raspberrypi5": "llvm -mcpu=cortex-a76",
    "raspberry-pi/4b": "llvm -mcpu=cortex-a72",
    "raspberry-pi/4b-aarch64": "llvm -mcpu=cortex-a72",
    "aws/cpu/c5": "llvm -mcpu=cascadelake",
    "aws/cpu/c6a": "llvm -mcpu=znver3",
    "aws/cpu/c6g": "llvm -mcpu=neoverse-n1",
    "aws/cpu/c6i": "llvm -mcpu=icelake-server",
    "aws/cpu/c7a": "llvm -mcpu=znver4",
    "aws/cpu/c7g": "llvm -mcpu=neoverse-v1",
    "aws/cpu/c7i": "llvm -mcpu=sapphirerapids",
    "aws/cpu/c8g": "llvm -mcpu=neoverse-v2",
    # GPUs.
    "nvidia/nvidia-v100": "cuda -arch=sm_70",
    "nvidia/jetson-agx-xavier": "cuda -arch=sm_72",
    "nvidia/nvidia-t4": "cuda -arch=sm_75",
    "nvidia/nvidia-a100": "cuda -arch=sm_80",
    "nvidia/nvidia-a10": "cuda -arch=sm_86",
    "nvidia/nvidia-l4": "cuda -arch=sm_89",
    "nvidia/nvidia-l40": "cuda -arch=sm_89",
    "nvidia/nvidia-h100": "cuda -arch=sm_90a",
    "nvidia/nvidia-h200": "cuda -arch=sm_90a",
    "nvidia/nvidia-b200": "cuda -arch=sm_100",
    "nvidia/geforce-rtx-3090": "cuda -arch=sm_86",
    "nvidia/geforce-rtx-4090": "cuda -arch=sm_89",
    "nvidia/geforce-rtx-5090": "cuda -arch=sm_120",
    "amd/mi250x": "rocm -mcpu=gfx90a",
    "amd/mi300x": "rocm -mcpu=gfx942",
    "amd/mi350x": "rocm -mcpu=gfx950",
}
"""Target strings by name: instruction sets, boards, instances and GPUs."""

PROCESSOR_NAMES: Mapping[str, str] = {
    "x86-64-v1": "x86-64",
    "core-avx2": "haswell",
    "skx": "skylake-avx512",
    "raptorlake": "alderlake",
    "meteorlake": "alderlake",
    "emeraldrapids": "sapphirerapids",
    "v67": "hexagonv67",
    "v68": "hexagonv67",
}
"""Processors for which code is the same as for one that has a row."""

ABSENT_KINDS: Mapping[str, str] = {
    "nvptx": "cuda makes PTX: cuda -arch=sm_80",
    "amdgpu": "rocm makes code objects: rocm -mcpu=gfx942",
    "ext_dev": "a package adds a device of its own as a backend: extensions=[…], or an entry point",
    "stackvm": "interpreter runs every program in Python",
    "hybrid": "interpreter runs every program in Python",
    "composite": "placement= puts ops on several targets",
}
"""Kinds of targets of other compilers that have no backend here, with the nearest that has one."""

_FAST_MATH = (
    'precision= of compile chooses: "strict" refuses algorithms with larger errors, "bf16" and '
    '"tf32" round the operands of products; NaN and infinity always keep their meaning'
)
_PLANS = "plans follow from the processor, -mcpu=NAME, and from the sizes of its caches, -l2-kib=N"
_FILES = "export_library writes .so, .o, .a, .tar and programs; embed=True puts weights inside"
_LIMITS = "-max-threads=N and -shared-kib=N are the limits of a block"
OPTION_NAMES: Mapping[str, str] = {
    "max-num-threads": "max-threads",
    "max-threads-per-block": "max-threads",
}
"""Other names of options: those of other compilers."""
OTHER_OPTIONS: Mapping[str, str] = {
    "keys": _PLANS,
    "device": _PLANS,
    "model": _PLANS,
    "mtune": _PLANS,
    "march": _PLANS,
    "libs": "all kernels are generated; te.extern and register_func call functions of libraries",
    "num-cores": "threads= of compile and build is the number of threads",
    "vector-width": "the width follows from the features: -mattr=-avx512f; SVE: -vector-bits=N",
    "mfloat-abi": "the triple names it: -mtriple=thumbv7em-none-eabihf",
    "target": "-mtriple=aarch64-linux-gnu",
    "jit": "a module is loaded at its first call; no option chooses the loader",
    "cl-opt": "LLVM's own options are not set; -opt-level=0 to 3 is",
    "system-lib": _FILES,
    "runtime": _FILES,
    "executor": _FILES,
    "link-params": _FILES,
    "interface-api": _FILES,
    "unpacked-api": _FILES,
    "max-num-threads": _LIMITS,
    "max-threads-per-block": _LIMITS,
    "max-shared-memory-per-block": _LIMITS,
    "thread-warp-size": "the size of a warp follows from the kind and the architecture",
    "fast-math": _FAST_MATH,
    "fast-math-nnan": _FAST_MATH,
    "fast-math-ninf": _FAST_MATH,
    "fast-math-nsz": _FAST_MATH,
    "fast-math-arcp": _FAST_MATH,
    "fast-math-contract": _FAST_MATH,
    "fast-math-reassoc": _FAST_MATH,
}
"""Options of targets of other compilers, with what has their effect here."""
