"""Tilewright: a deep-learning compiler on xDSL. Start reading at docs/architecture.md.

    import tilewright
    mod = tilewright.compile("model.onnx")
    outputs = mod.run({"x": x})

    from tilewright import te          # tensor expressions: docs/te.md
    mod = tilewright.build([A, B, C])

Every name is loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import nd, ops, runtime, te
    from .driver.compile import compile
    from .driver.compile_module import compile_module
    from .driver.expressions import build
    from .driver.extension import Extension
    from .driver.imported import from_onnx
    from .driver.layer_choice import LayerChoice, LayerLimits
    from .driver.modules import CompiledModule
    from .driver.quantization import quantize, quantize_by_layer
    from .machines.target import Target
    from .runtime.c_functions import load_functions
    from .runtime.device import (
        Device,
        DeviceAPI,
        cpu,
        cuda,
        device,
        opencl,
        register_device,
        rocm,
        webgpu,
    )
    from .runtime.errors import (
        ArgumentError,
        DeviceError,
        Error,
        KernelError,
        OutOfRangeError,
        UnknownFunction,
    )
    from .runtime.exported import ExportedModule
    from .runtime.function_library import load_module
    from .runtime.graph_executor import GraphModule
    from .runtime.kernels import KernelAPI, KernelProgram
    from .runtime.library import LoadError
    from .runtime.memory import Memory
    from .runtime.module import Module
    from .runtime.ndarray import DeviceArray, NDArray
    from .runtime.packed import PackedFunc
    from .runtime.registry import (
        get_global_func,
        list_global_func_names,
        register_func,
        remove_global_func,
    )
    from .runtime.session import Session
    from .runtime.timing import BenchmarkResult, TimeEvaluator
    from .runtime.values import Shape
    from .support.diagnostics import (
        LoweringError,
        ModelError,
        NeedsBinding,
        PlanWarning,
        ScheduleError,
        TargetError,
        TypeMismatch,
        UnsupportedOp,
    )

__version__ = "0.1.0"
__all__ = [
    "ArgumentError",
    "BenchmarkResult",
    "CompiledModule",
    "Device",
    "DeviceAPI",
    "DeviceArray",
    "DeviceError",
    "Error",
    "ExportedModule",
    "Extension",
    "GraphModule",
    "KernelAPI",
    "KernelError",
    "KernelProgram",
    "LayerChoice",
    "LayerLimits",
    "LoadError",
    "LoweringError",
    "Memory",
    "ModelError",
    "Module",
    "NDArray",
    "NeedsBinding",
    "OutOfRangeError",
    "PackedFunc",
    "PlanWarning",
    "ScheduleError",
    "Session",
    "Shape",
    "Target",
    "TargetError",
    "TimeEvaluator",
    "TypeMismatch",
    "UnknownFunction",
    "UnsupportedOp",
    "__version__",
    "build",
    "compile",
    "compile_module",
    "cpu",
    "cuda",
    "device",
    "from_onnx",
    "get_global_func",
    "list_global_func_names",
    "load_functions",
    "load_module",
    "nd",
    "opencl",
    "ops",
    "quantize",
    "quantize_by_layer",
    "register_device",
    "register_func",
    "remove_global_func",
    "rocm",
    "runtime",
    "te",
    "webgpu",
]

_MODULES = {
    "nd": ".nd",
    "onnx_backend": ".driver.onnx_backend",
    "ops": ".ops",
    "runtime": ".runtime",
    "te": ".te",
    # Other names of modules, for programs in the manner of TVM.
    "contrib": ".contrib",
    "relay": ".relay",
    "target": ".target",
}
_HOMES = {
    "CompiledModule": ".driver.modules",
    "ExportedModule": ".runtime.exported",
    "Extension": ".driver.extension",
    "build": ".driver.expressions",
    "from_onnx": ".driver.imported",
    "compile": ".driver.compile",
    "compile_module": ".driver.compile_module",
    "LayerChoice": ".driver.layer_choice",
    "LayerLimits": ".driver.layer_choice",
    "quantize": ".driver.quantization",
    "quantize_by_layer": ".driver.quantization",
    "get_global_func": ".runtime.registry",
    "load_functions": ".runtime.c_functions",
    "load_module": ".runtime.function_library",
    "list_global_func_names": ".runtime.registry",
    "register_func": ".runtime.registry",
    "remove_global_func": ".runtime.registry",
    "Module": ".runtime.module",
    "Memory": ".runtime.memory",
    "BenchmarkResult": ".runtime.timing",
    "Session": ".runtime.session",
    "TimeEvaluator": ".runtime.timing",
    "Shape": ".runtime.values",
    "Device": ".runtime.device",
    "DeviceAPI": ".runtime.device",
    "DeviceArray": ".runtime.ndarray",
    "cpu": ".runtime.device",
    "cuda": ".runtime.device",
    "device": ".runtime.device",
    "opencl": ".runtime.device",
    "rocm": ".runtime.device",
    "webgpu": ".runtime.device",
    "register_device": ".runtime.device",
    "NDArray": ".runtime.ndarray",
    "PackedFunc": ".runtime.packed",
    "PlanWarning": ".support.diagnostics",
    "Target": ".machines.target",
    "ArgumentError": ".runtime.errors",
    "DeviceError": ".runtime.errors",
    "Error": ".runtime.errors",
    "KernelAPI": ".runtime.kernels",
    "KernelError": ".runtime.errors",
    "KernelProgram": ".runtime.kernels",
    "OutOfRangeError": ".runtime.errors",
    "GraphModule": ".runtime.graph_executor",
    "LoadError": ".runtime.library",
    "UnknownFunction": ".runtime.errors",
    "LoweringError": ".support.diagnostics",
    "ModelError": ".support.diagnostics",
    "NeedsBinding": ".support.diagnostics",
    "ScheduleError": ".support.diagnostics",
    "TargetError": ".support.diagnostics",
    "TypeMismatch": ".support.diagnostics",
    "UnsupportedOp": ".support.diagnostics",
}


def __getattr__(name: str) -> object:
    """Load a public name from its home, or a public module."""
    from importlib import import_module

    home = _HOMES.get(name, _MODULES.get(name))
    if home is None:
        if name.startswith("_"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from .runtime.spelling import unknown_name

        raise unknown_name("tilewright", name, __all__)
    module = import_module(home, __name__)
    return module if name in _MODULES else getattr(module, name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
