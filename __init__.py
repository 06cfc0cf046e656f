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
    from . import ir, nd, ops, optim, runtime, te, tuning
    from .driver.compile import compile
    from .driver.compile_module import compile_module
    from .driver.expressions import build
    from .driver.extension import Extension
    from .driver.imported import from_onnx
    from .driver.module.compiled_module import CompiledModule
    from .driver.passes.pass_context import PassContext
    from .driver.quantize.layer_choice import LayerChoice, LayerLimits
    from .driver.quantize.quantize import quantize, quantize_by_layer
    from .driver.traced.derived import (
        checkpoint,
        custom_vjp,
        grad,
        hvp,
        jvp,
        value_and_grad,
        vjp,
        vmap,
    )
    from .driver.traced.function import Function, function
    from .driver.traced.step import StepSession, TrainingStep, compile_step
    from .machines.target import Target
    from .runtime.abi.device import (
        Device,
        DeviceAPI,
        cpu,
        cuda,
        device,
        opencl,
        register_device,
        rocm,
        vulkan,
        webgpu,
    )
    from .runtime.abi.library import LoadError
    from .runtime.abi.ndarray import DeviceArray, NDArray
    from .runtime.abi.packed import PackedFunc
    from .runtime.abi.registry import (
        get_global_func,
        list_global_func_names,
        register_func,
        remove_global_func,
    )
    from .runtime.abi.values import Shape
    from .runtime.call.memory import Memory
    from .runtime.call.session import Session
    from .runtime.call.timing import BenchmarkResult, TimeEvaluator
    from .runtime.device.kernels import KernelAPI, KernelProgram
    from .runtime.errors import (
        ArgumentError,
        DeviceError,
        Error,
        KernelError,
        OutOfRangeError,
        UnknownFunction,
    )
    from .runtime.module.c_functions import load_functions
    from .runtime.module.exported import ExportedModule
    from .runtime.module.function_library import load_module
    from .runtime.module.graph_executor import GraphModule
    from .runtime.module.module import Module
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
    from .support.instruments import PassInstrument
    from .tracing.control import cond, scan, while_loop
    from .tracing.custom import stop_gradient
    from .tuning.tuner import tune

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
    "Function",
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
    "PassContext",
    "PassInstrument",
    "PlanWarning",
    "ScheduleError",
    "Session",
    "Shape",
    "StepSession",
    "Target",
    "TargetError",
    "TimeEvaluator",
    "TrainingStep",
    "TypeMismatch",
    "UnknownFunction",
    "UnsupportedOp",
    "__version__",
    "build",
    "checkpoint",
    "compile",
    "compile_module",
    "compile_step",
    "cond",
    "cpu",
    "cuda",
    "custom_vjp",
    "device",
    "from_onnx",
    "function",
    "get_global_func",
    "grad",
    "hvp",
    "ir",
    "jvp",
    "list_global_func_names",
    "load_functions",
    "load_module",
    "nd",
    "opencl",
    "ops",
    "optim",
    "quantize",
    "quantize_by_layer",
    "register_device",
    "register_func",
    "remove_global_func",
    "rocm",
    "runtime",
    "scan",
    "stop_gradient",
    "te",
    "tune",
    "tuning",
    "value_and_grad",
    "vjp",
    "vmap",
    "vulkan",
    "webgpu",
    "while_loop",
]

_MODULES = {
    "instrument": ".driver.passes.instrument",
    "ir": ".ir",
    "nd": ".nd",
    "onnx_backend": ".driver.onnx_backend",
    "ops": ".ops",
    "optim": ".optim",
    "runtime": ".runtime",
    "te": ".te",
    "tuning": ".tuning",
    # Other names of modules, for programs in the manner of TVM.
    "contrib": ".contrib",
    "relay": ".relay",
    "rpc": ".rpc",
    "target": ".target",
    "transform": ".driver.passes.pass_context",
}
_HOMES = {
    "CompiledModule": ".driver.module.compiled_module",
    "ExportedModule": ".runtime.module.exported",
    "Extension": ".driver.extension",
    "PassContext": ".driver.passes.pass_context",
    "PassInstrument": ".support.instruments",
    "build": ".driver.expressions",
    "from_onnx": ".driver.imported",
    "compile": ".driver.compile",
    "compile_module": ".driver.compile_module",
    "tune": ".tuning.tuner",
    "LayerChoice": ".driver.quantize.layer_choice",
    "LayerLimits": ".driver.quantize.layer_choice",
    "quantize": ".driver.quantize.quantize",
    "quantize_by_layer": ".driver.quantize.quantize",
    **dict.fromkeys(("StepSession", "TrainingStep", "compile_step"), ".driver.traced.step"),
    **dict.fromkeys(("Function", "function"), ".driver.traced.function"),
    **dict.fromkeys(
        (
            "checkpoint",
            "custom_vjp",
            "grad",
            "hvp",
            "jvp",
            "value_and_grad",
            "vjp",
            "vmap",
        ),
        ".driver.traced.derived",
    ),
    **dict.fromkeys(("cond", "scan", "while_loop"), ".tracing.control"),
    "stop_gradient": ".tracing.custom",
    "get_global_func": ".runtime.abi.registry",
    "load_functions": ".runtime.module.c_functions",
    "load_module": ".runtime.module.function_library",
    "list_global_func_names": ".runtime.abi.registry",
    "register_func": ".runtime.abi.registry",
    "remove_global_func": ".runtime.abi.registry",
    "Module": ".runtime.module.module",
    "Memory": ".runtime.call.memory",
    "BenchmarkResult": ".runtime.call.timing",
    "Session": ".runtime.call.session",
    "TimeEvaluator": ".runtime.call.timing",
    "Shape": ".runtime.abi.values",
    "Device": ".runtime.abi.device",
    "DeviceAPI": ".runtime.abi.device",
    "DeviceArray": ".runtime.abi.ndarray",
    "cpu": ".runtime.abi.device",
    "cuda": ".runtime.abi.device",
    "device": ".runtime.abi.device",
    "opencl": ".runtime.abi.device",
    "rocm": ".runtime.abi.device",
    "vulkan": ".runtime.abi.device",
    "webgpu": ".runtime.abi.device",
    "register_device": ".runtime.abi.device",
    "NDArray": ".runtime.abi.ndarray",
    "PackedFunc": ".runtime.abi.packed",
    "PlanWarning": ".support.diagnostics",
    "Target": ".machines.target",
    "ArgumentError": ".runtime.errors",
    "DeviceError": ".runtime.errors",
    "Error": ".runtime.errors",
    "KernelAPI": ".runtime.device.kernels",
    "KernelError": ".runtime.errors",
    "KernelProgram": ".runtime.device.kernels",
    "OutOfRangeError": ".runtime.errors",
    "GraphModule": ".runtime.module.graph_executor",
    "LoadError": ".runtime.abi.library",
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
