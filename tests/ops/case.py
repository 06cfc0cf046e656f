"""What an op case is: a builder, the operands' types, and what numpy or ONNX says.

A case says how to build an op on operands of given types and what its results are for given
arrays; the cases themselves are in cases.py and in the files that it joins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

from tilewright.dialects.dtypes import element_type
from tilewright.dialects.shape import tensor_type

Array = np.ndarray[Any, np.dtype[Any]]
Reference = Callable[..., Any]


@dataclass(frozen=True)
class Input:
    """Type and range of an operand's values; integers include both ends."""

    dtype: str
    shape: tuple[int, ...]
    low: float = -4.0
    high: float = 4.0

    def array(self, rng: np.random.Generator) -> Array:
        """Return random values of this type."""
        dtype = np_dtype(self.dtype)
        if self.dtype == "bool":
            return rng.integers(0, 2, self.shape).astype(bool)
        if dtype.kind in "iu" or self.dtype.startswith(("int", "uint")):
            low = max(self.low, 0) if self.dtype.startswith("u") else self.low
            return rng.integers(int(low), int(self.high) + 1, self.shape).astype(dtype)
        return rng.uniform(self.low, self.high, self.shape).astype(dtype)


@dataclass(frozen=True)
class OpCase:
    """An op on given operands, and the arrays it has to give; ``ulp`` bounds the difference."""

    name: str
    build: Callable[..., Operation]
    inputs: tuple[Input, ...]
    reference: Reference
    ulp: float = 0.0

    def arrays(self, seed: int = 0) -> tuple[Array, ...]:
        """Return values for the operands."""
        rng = np.random.default_rng(seed)
        return tuple(one.array(rng) for one in self.inputs)

    def function(self) -> tuple[ModuleOp, FuncOp]:
        """Return a module with the op in a function ``main`` that returns its results."""
        types = [tensor_type(element_type(np_dtype(i.dtype)), i.shape) for i in self.inputs]
        func = FuncOp("main", (types, []))
        op = self.build(*func.body.block.args)
        func.body.block.add_ops([op, ReturnOp(*op.results)])
        func.update_function_type()
        return ModuleOp([func]), func

    def expected(self, *arrays: Array) -> tuple[Array, ...]:
        """Return what the reference gives."""
        with np.errstate(all="ignore"):
            results = self.reference(*arrays)
        if not isinstance(results, tuple | list):
            results = (results,)
        return tuple(np.asarray(r) for r in results)


def np_dtype(name: str) -> np.dtype[Any]:
    """Return a numpy or ml_dtypes dtype by name."""
    return np.dtype(getattr(ml_dtypes, name, name))


def assert_close(got: Array, expected: Array, ulp: float) -> None:
    """Compare bitwise for ``ulp == 0``, else relative to the largest value (NaN equals NaN)."""
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    if expected.dtype.kind in "biu" or ulp == 0:
        np.testing.assert_array_equal(got, expected)
        return
    eps = float(ml_dtypes.finfo(expected.dtype).eps)
    a, b = got.astype(np.float64), expected.astype(np.float64)
    finite = np.abs(b[np.isfinite(b)])
    scale = float(finite.max()) if finite.size else 0.0
    np.testing.assert_allclose(a, b, rtol=ulp * eps, atol=ulp * eps * min(scale, 1.0))


def onnx_reference(op_type: str, *, opset: int = 21, outputs: int = 1, **attrs: Any) -> Reference:
    """Return a function that runs one ONNX operator in onnx's reference evaluator."""

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


def float_input(*shape: int) -> Input:
    """Return an f32 operand."""
    return Input("float32", shape)
