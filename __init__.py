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
    from .runtime.device.streams import DeviceEvent, DeviceStream
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
    from .tracing.reference import ref
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
    "DeviceEvent",
    "DeviceStream",
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
    "ref",
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
    name: home
    for home, names in {
        ".driver.compile": "compile",
        ".driver.compile_module": "compile_module",
        ".driver.expressions": "build",
        ".driver.extension": "Extension",
        ".driver.imported": "from_onnx",
        ".driver.module.compiled_module": "CompiledModule",
        ".driver.passes.pass_context": "PassContext",
        ".driver.quantize.layer_choice": "LayerChoice LayerLimits",
        ".driver.quantize.quantize": "quantize quantize_by_layer",
        ".driver.traced.derived": "checkpoint custom_vjp grad hvp jvp value_and_grad vjp vmap",
        ".driver.traced.function": "Function function",
        ".driver.traced.step": "StepSession TrainingStep compile_step",
        ".machines.target": "Target",
        ".runtime.abi.device": (
            "Device DeviceAPI cpu cuda device opencl register_device rocm vulkan webgpu"
        ),
        ".runtime.abi.library": "LoadError",
        ".runtime.abi.ndarray": "DeviceArray NDArray",
        ".runtime.abi.packed": "PackedFunc",
        ".runtime.abi.registry": (
            "get_global_func list_global_func_names register_func remove_global_func"
        ),
        ".runtime.abi.values": "Shape",
        ".runtime.call.memory": "Memory",
        ".runtime.call.session": "Session",
        ".runtime.call.timing": "BenchmarkResult TimeEvaluator",
        ".runtime.device.kernels": "KernelAPI KernelProgram",
        ".runtime.device.streams": "DeviceEvent DeviceStream",
        ".runtime.errors": (
            "ArgumentError DeviceError Error KernelError OutOfRangeError UnknownFunction"
        ),
        ".runtime.module.c_functions": "load_functions",
        ".runtime.module.exported": "ExportedModule",
        ".runtime.module.function_library": "load_module",
        ".runtime.module.graph_executor": "GraphModule",
        ".runtime.module.module": "Module",
        ".support.diagnostics": (
            "LoweringError ModelError NeedsBinding PlanWarning ScheduleError TargetError "
            "TypeMismatch UnsupportedOp"
        ),
        ".support.instruments": "PassInstrument",
        ".tracing.control": "cond scan while_loop",
        ".tracing.custom": "stop_gradient",
        ".tracing.reference": "ref",
        ".tuning.tuner": "tune",
    }.items()
    for name in names.split()
}
"""The module of each public name."""


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
