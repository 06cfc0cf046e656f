"""Reference values of op cases by ONNX and in f64; testing/op_case.py defines the case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ModuleOp

from tilewright.interp.graph import run_graph
from tilewright.testing.op_case import (
    Array,
    Input,
    OpCase,
    Reference,
    assert_close,
    float_input,
    np_dtype,
)

__all__ = [
    "Array",
    "Input",
    "OpCase",
    "Reference",
    "assert_close",
    "float_input",
    "in_f64",
    "interpreted",
    "np_dtype",
    "onnx_reference",
]


def interpreted(case: OpCase) -> tuple[ModuleOp, tuple[Array, ...], Sequence[Array]]:
    """Return a module of the op, values of its operands, and its results by the interpreter."""
    module, function = case.function()
    arrays = case.arrays()
    return module, arrays, run_graph(function, *arrays)


def onnx_reference(op_type: str, *, opset: int = 21, outputs: int = 1, **attrs: Any) -> Reference:
    """Return a function that runs one ONNX operator with onnx's reference evaluator."""

    def run(*arrays: Array) -> tuple[Array, ...]:
        names = [f"x{i}" for i in range(len(arrays))]
        outs = [f"y{i}" for i in range(outputs)]
        node = onnx.helper.make_node(op_type, names, outs, **attrs)
        infos = [
            onnx.helper.make_tensor_value_info(
                name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in zip(names, arrays, strict=True)
        ]
        results = [onnx.helper.make_empty_tensor_value_info(out) for out in outs]
        graph = onnx.helper.make_graph([node], "case", infos, results)
        model = onnx.helper.make_model(
            graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=10
        )
        evaluator = ReferenceEvaluator(model)
        return tuple(evaluator.run(None, dict(zip(names, arrays, strict=True))))

    return run


def in_f64(function: Reference) -> Reference:
    """Return a function computed in f64 and rounded to the first operand's type."""

    def run(*arrays: Array) -> Array:
        return np.asarray(function(*(a.astype(np.float64) for a in arrays)), arrays[0].dtype)

    return run
