"""The targets on which models ran, and the programs that ran or checked their code.

`python -m tests.docs.targets` runs the models and writes the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Tested:
    """The models that ran on a target, or whose code a tool checked.

    status: "executed" if the models ran, and their outputs equal those of another program;
    "validated" if a tool of another project accepts the code; otherwise "emitted".  tool: the
    program that executed or checked the code, with its version.  models: the names of the models.
    """

    status: str
    tool: str
    models: str


TESTED: Mapping[str, Tested] = {
    "x86-64": Tested(
        "executed",
        "this machine",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "x86-64-v2": Tested(
        "executed",
        "this machine",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "x86-64-v3": Tested(
        "executed",
        "this machine",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "x86-64-v4": Tested(
        "executed",
        "this machine",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "interpreter": Tested(
        "executed",
        "this machine",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "opencl": Tested(
        "executed",
        "PoCL",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "webgpu": Tested(
        "executed",
        "wgpu-native on lavapipe",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "vulkan": Tested(
        "executed",
        "lavapipe",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "c": Tested(
        "executed",
        "gcc 12.2.0",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "hls": Tested(
        "executed",
        "g++ 12.2.0",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "aarch64": Tested(
        "executed",
        "qemu-aarch64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "aarch64 -mattr=+sve": Tested(
        "executed",
        "qemu-aarch64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "aarch64 -mattr=+sve -vector-bits=256": Tested(
        "executed",
        "qemu-aarch64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "aarch64 -mattr=+sve -vector-bits=512": Tested(
        "executed",
        "qemu-aarch64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "riscv64": Tested(
        "executed",
        "qemu-riscv64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "riscv64 -mattr=+v": Tested(
        "executed",
        "qemu-riscv64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "riscv64 -mattr=+v -vector-bits=256": Tested(
        "executed",
        "qemu-riscv64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "loongarch64": Tested(
        "executed",
        "qemu-loongarch64 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "ppc64le": Tested(
        "executed",
        "qemu-ppc64le 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "pwr9": Tested(
        "executed",
        "qemu-ppc64le 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "s390x": Tested(
        "executed",
        "qemu-s390x 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "z14": Tested(
        "executed",
        "qemu-s390x 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "armv7": Tested(
        "executed",
        "qemu-arm 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "hexagon": Tested(
        "executed",
        "qemu-hexagon 7.2.22",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "wasm32": Tested(
        "executed",
        "node 20.20.2, wasmtime 50.0.1",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "c -mcpu=cortex-m4": Tested(
        "executed",
        "qemu-system-arm 7.2.22 -M mps2-an386",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "c -mcpu=cortex-m7": Tested(
        "executed",
        "qemu-system-arm 7.2.22 -M mps2-an500",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "c -mcpu=cortex-m55": Tested(
        "executed",
        "qemu-system-arm 7.2.22 -M mps3-an547",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "metal": Tested(
        "executed",
        "g++ 12.2.0 with a shim of metal_stdlib, threads as fibers",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "llvm -mtriple=aarch64-linux-android": Tested(
        "validated",
        "llvm-readobj 14.0.6",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "llvm -mtriple=arm64-apple-darwin": Tested(
        "validated",
        "llvm-readobj 14.0.6",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "llvm -mtriple=x86_64-pc-windows-msvc": Tested(
        "validated",
        "llvm-readobj 14.0.6",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "cuda -arch=sm_80": Tested(
        "validated",
        "ptxas 12.9.86",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "cuda -arch=sm_90a": Tested(
        "validated",
        "ptxas 12.9.86",
        "vector addition, product, softmax, CNN, transformer, int8 product",
    ),
    "rocm": Tested(
        "emitted",
        "none",
        "product, softmax, CNN, transformer, int8 product",
    ),
}
"""By target."""
