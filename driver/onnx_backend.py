"""Tilewright as an ONNX backend: an implementation of `onnx.backend.base.Backend`.

from tilewright import onnx_backend
outputs = onnx_backend.prepare(model, "CPU").run([x])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend, BackendRep

from ..support.diagnostics import TargetError
from .compile import compile as compile_model
from .module.compiled_module import CompiledModule


class CompiledRep(BackendRep):
    """A compiled model with the interface `BackendRep` of the onnx package."""

    def __init__(self, module: CompiledModule) -> None:
        self.module = module

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Run the model; return each output as an array, or as a list of arrays for a sequence.

        inputs: arrays in the order of the model's inputs, one array, or arrays by name.
        """
        if isinstance(inputs, Mapping):
            given = dict(inputs)
        else:
            values = [inputs] if isinstance(inputs, np.ndarray) else list(inputs)
            names = [spec.name for spec in self.module.inputs]
            given = dict(zip(names, values, strict=True))
        results = self.module.run(given, **kwargs)
        return tuple(_array(output) for output in results)


class TilewrightBackend(Backend):
    """The ONNX backend that compiles models for the processor of this machine."""

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Return whether models can run on a device; only ``CPU`` is supported."""
        return device.partition(":")[0] == "CPU"

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Return whether the device is supported; the model is not checked.

        `prepare` raises an error that names the unsupported nodes of a model.
        """
        return cls.supports_device(device)

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> CompiledRep:
        """Compile a model; keyword arguments are passed to `tilewright.compile`.

        Errors: TargetError for a device other than CPU; see `tilewright.compile`.
        """
        if not cls.supports_device(device):
            raise TargetError("the device is not supported", expected="CPU", got=device)
        return CompiledRep(compile_model(model, **kwargs))

    @classmethod
    def run_model(
        cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any
    ) -> tuple[Any, ...]:
        """Compile a model and run it once."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[np.dtype, tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """Run one node on arrays, as a model that consists of this node.

        inputs: arrays for the node's inputs that are not omitted, in order.
        kwargs: ``opset_version`` chooses the opset, by default the newest; others go to `compile`.
        outputs_info: the types of the outputs, which are ignored.
        """
        opset = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        values = [inputs] if isinstance(inputs, np.ndarray) else list(inputs)
        arrays = dict(zip(filter(None, node.input), map(np.asarray, values), strict=True))
        given = [
            onnx.helper.make_tensor_value_info(
                name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in arrays.items()
        ]
        results = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        graph = onnx.helper.make_graph([node], node.op_type, given, results)
        imports = [onnx.helper.make_opsetid(node.domain, opset)]
        model = onnx.helper.make_model(graph, opset_imports=imports)
        return cls.prepare(model, device, **kwargs).run(arrays)


def _array(output: Any) -> Any:
    """Return an output as an array, a sequence as a list of arrays, an absent optional as None."""
    if isinstance(output, list | tuple):
        return [_array(each) for each in output]
    return None if output is None else output.numpy()


prepare = TilewrightBackend.prepare
run_model = TilewrightBackend.run_model
run_node = TilewrightBackend.run_node
supports_device = TilewrightBackend.supports_device
is_compatible = TilewrightBackend.is_compatible
