"""gpu-plan-layouts, gpu-order-axes: values between convolutions have adjacent channels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp

from tilewright.analysis.verify import verify_module
from tilewright.dialects.packed import AllocOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.support.entry import entry_of, kernel_functions
from tilewright.support.precision import Precision
from tilewright.support.registry import new_context

from ...peer import peer_results

CUDA = "cuda -arch=sm_80"
HEAD = '<ir_version: 10, opset_import: ["": 22]> layouts ('
Shapes = Mapping[str, Sequence[int]]

BLOCK: Shapes = {
    "x": [1, 3, 16, 16], "w": [32, 3, 3, 3], "b": [32], "v": [32, 32, 3, 3], "u": [32, 32, 1, 1],
}  # fmt: skip
BODY = """
  a = Conv <pads = [1, 1, 1, 1]> (x, w, b)
  p = MaxPool <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (a)
  c = Conv <pads = [1, 1, 1, 1]> (p, v, b)  d = Relu (c)
  e = Conv (d, u, b)  f = Add (e, p)  g = Relu (f)
  h = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (g, v, b)
  y = GlobalAveragePool (h)
"""
"""A stem, a residual block and a reduction of all pixels."""


def model(dtype: str, shapes: Shapes, body: str) -> onnx.ModelProto:
    """Return a model whose only input is the first one of the shapes; the others are constants."""
    inputs = ", ".join(f"{dtype}{list(shape)} {name}" for name, shape in shapes.items())
    text = f"{HEAD}{inputs}) => ({dtype}[n, o, h, l] y) {{ {body} }}"
    made = onnx.parser.parse_model(text)
    rng = np.random.default_rng(0)
    for name, shape in [*shapes.items()][1:]:
        scale = np.sqrt(max(1, int(np.prod(shape[1:]))))
        values = (rng.standard_normal(shape) / scale).astype(np.float16)
        stored = values.astype(np.float32) if dtype == "float" else values
        made.graph.initializer.append(onnx.numpy_helper.from_array(stored, name))
    del made.graph.input[1:]
    return made


def lowered(source: onnx.ModelProto, target: str = CUDA) -> ModuleOp:
    module = import_model(source)
    run_pipeline(module, new_context(), Target(target), to="simt")
    verify_module(module)
    return module


def buffers(module: ModuleOp) -> list[tuple[int, ...]]:
    """Return the shapes of the buffers between kernels."""
    types = [op.res.type for op in entry_of(module).walk() if isinstance(op, AllocOp)]
    return [type_.get_shape() for type_ in types if isinstance(type_, MemRefType)]


def test_a_network_computes_with_adjacent_channels() -> None:
    """No launch packs or fills anything behind the stem, whose image is an argument."""
    module = lowered(model("float16", BLOCK, BODY))
    assert (1, 16, 16, 32) in buffers(module)
    assert buffers(module).count((1, 8, 8, 32)) == 3
    names = [kernel.sym_name.data for kernel in kernel_functions(module)]
    assert not [name for name in names if "phase" in name and not name.startswith("conv_phase")]
    x = np.random.default_rng(1).standard_normal(BLOCK["x"]).astype(np.float16)
    (got,) = packed.run(module, x)
    want = peer_results(model("float", BLOCK, BODY), {"x": x.astype(np.float32)})[0]
    bound = 3e-3 * float(np.abs(want).max())
    np.testing.assert_allclose(got.astype(np.float32), want, rtol=0, atol=bound)


ROW_MAJOR = {
    "depthwise": (
        {"x": [1, 32, 8, 8], "w": [32, 32, 1, 1], "v": [32, 1, 3, 3]},
        "a = Conv (x, w) y = Conv <group = 32, pads = [1, 1, 1, 1]> (a, v)",
    ),
    "few channels": (
        {"x": [1, 32, 8, 8], "w": [12, 32, 1, 1], "v": [32, 12, 3, 3]},
        "a = Conv (x, w) y = Conv <pads = [1, 1, 1, 1]> (a, v)",
    ),
    "added to an argument": (
        {"x": [1, 32, 8, 8], "w": [32, 32, 1, 1], "v": [32, 32, 3, 3]},
        "a = Conv (x, w) b = Add (a, x) y = Conv <pads = [1, 1, 1, 1]> (b, v)",
    ),
}


@pytest.mark.parametrize("name", ROW_MAJOR)
def test_other_values_stay_row_major(name: str) -> None:
    shapes, body = ROW_MAJOR[name]
    module = lowered(model("float16", shapes, body))
    assert [shape[1] for shape in buffers(module)][:1] == [shapes["w"][0]]


def test_a_value_stays_row_major_if_its_writer_would_pack_a_larger_image() -> None:
    """The image of the second convolution is row-major, because a depthwise one defines it."""
    shapes = {"x": [1, 32, 8, 8], "w": [32, 1, 3, 3], "v": [16, 32, 1, 1], "u": [64, 16, 1, 1]}
    body = "a = Conv <group = 32, pads = [1, 1, 1, 1]> (x, w) b = Conv (a, v) y = Conv (b, u)"
    module = lowered(model("float16", shapes, body))
    assert {shape[1:] for shape in buffers(module)} == {(32, 8, 8), (16, 8, 8)}


def test_targets_without_asynchronous_copies_keep_rows() -> None:
    module = lowered(model("float16", BLOCK, BODY), "opencl")
    assert not [shape for shape in buffers(module) if shape[-1] == 32]


def test_strict_programs_keep_rows() -> None:
    module = import_model(model("float16", BLOCK, BODY))
    run_pipeline(module, new_context(), Target(CUDA), to="simt", precision=Precision.STRICT)
    assert not [shape for shape in buffers(module) if shape[-1] == 32]
