"""The targets on which models ran, and the programs that ran or checked their code.

`python -m tests.docs.targets` runs the models and writes the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ALL_MODELS = "vector addition, product, softmax, CNN, transformer, int8 product"


@dataclass(frozen=True)
class Tested:
    """The models that ran on a target, or whose code a tool checked.

    status: "executed" if the models ran, and their outputs equal those of another program;
    "validated" if a tool of another project accepts the code; otherwise "emitted".  tool: the
    program that executed or checked the code, with its version.  models: the names of the models.
    """

    status: str
    tool: str
    models: str = ALL_MODELS


TESTED: Mapping[str, Tested] = {
    "x86-64": Tested("executed", "this machine"),
    "x86-64-v2": Tested("executed", "this machine"),
    "x86-64-v3": Tested("executed", "this machine"),
    "x86-64-v4": Tested("executed", "this machine"),
    "interpreter": Tested("executed", "this machine"),
    "opencl": Tested("executed", "PoCL"),
    "webgpu": Tested("executed", "wgpu-native on lavapipe"),
    "vulkan": Tested("executed", "lavapipe"),
    "c": Tested("executed", "gcc 12.2.0"),
    "hls": Tested("executed", "g++ 12.2.0"),
    "aarch64": Tested("executed", "qemu-aarch64 7.2.22"),
    "aarch64 -mattr=+sve": Tested("executed", "qemu-aarch64 7.2.22"),
    "aarch64 -mattr=+sve -vector-bits=256": Tested("executed", "qemu-aarch64 7.2.22"),
    "aarch64 -mattr=+sve -vector-bits=512": Tested("executed", "qemu-aarch64 7.2.22"),
    "riscv64": Tested("executed", "qemu-riscv64 7.2.22"),
    "riscv64 -mattr=+v": Tested("executed", "qemu-riscv64 7.2.22"),
    "riscv64 -mattr=+v -vector-bits=256": Tested("executed", "qemu-riscv64 7.2.22"),
    "loongarch64": Tested("executed", "qemu-loongarch64 7.2.22"),
    "ppc64le": Tested("executed", "qemu-ppc64le 7.2.22"),
    "pwr9": Tested("executed", "qemu-ppc64le 7.2.22"),
    "s390x": Tested("executed", "qemu-s390x 7.2.22"),
    "z14": Tested("executed", "qemu-s390x 7.2.22"),
    "armv7": Tested("executed", "qemu-arm 7.2.22"),
    "hexagon": Tested("executed", "qemu-hexagon 7.2.22"),
    "wasm32": Tested("executed", "node 20.20.2, wasmtime 50.0.1"),
    "c -mcpu=cortex-m4": Tested("executed", "qemu-system-arm 7.2.22 -M mps2-an386"),
    "c -mcpu=cortex-m7": Tested("executed", "qemu-system-arm 7.2.22 -M mps2-an500"),
    "c -mcpu=cortex-m55": Tested("executed", "qemu-system-arm 7.2.22 -M mps3-an547"),
    "metal": Tested("executed", "g++ 12.2.0 with a shim of metal_stdlib, threads as fibers"),
    "llvm -mtriple=aarch64-linux-android": Tested("validated", "llvm-readobj 14.0.6"),
    "llvm -mtriple=arm64-apple-darwin": Tested("validated", "llvm-readobj 14.0.6"),
    "llvm -mtriple=x86_64-pc-windows-msvc": Tested("validated", "llvm-readobj 14.0.6"),
    "cuda -arch=sm_72": Tested("validated", "ptxas 12.9.86"),
    "cuda -arch=sm_80": Tested("validated", "ptxas 12.9.86"),
    "cuda -arch=sm_90a": Tested("validated", "ptxas 12.9.86"),
    "rocm": Tested("emitted", "none", "product, softmax, CNN, transformer, int8 product"),
}
"""By target."""
