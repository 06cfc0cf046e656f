"""Convolutions on packed operands: results of drawn shapes, choices by cost, instructions."""

from __future__ import annotations

import random
from math import prod
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright
from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.codegen.ptx import assemble
from tilewright.dialects import simt
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.interp.simt import Race
from tilewright.machines.target import Target
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import channels_last, tensor_product

from ....peer import peer_results
from .sass import disassembled, find_tools, main_loop

NUMPY = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
BOUNDS = {"float16": 2e-3, "bfloat16": 2e-2}
HEAD = '<ir_version: 10, opset_import: ["": 22]> convolution ('


class Drawn:
    """A convolution of random sizes, with a bias and a relu behind it."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        rank, self.group = draw.choice([1, 2, 2, 2, 3]), draw.choice([1, 1, 1, 2])
        # Channels of a group, filters, and the sizes of windows and images.
        channels = draw.choice([8, 12, 16, 20, 24, 40, 48, 64])
        filters = self.group * draw.choice([12, 16, 20, 32, 40] if self.group == 1 else [16, 32])
        taps = [draw.choice([1, 2, 3, 3, 5]) for _ in range(rank)]
        self.dilations = [draw.choice([1, 1, 2]) for _ in range(rank)]
        self.strides = [draw.choice([1, 1, 2, 3]) for _ in range(rank)]
        self.pads = [draw.randint(0, n) for n in (*taps, *taps)]
        sizes = [max((n - 1) * d + 1, draw.randint(4, 12))
                 for n, d in zip(taps, self.dilations, strict=True)]  # fmt: skip
        self.shapes = {
            "x": [draw.choice([1, 1, 2, 5]), channels * self.group, *sizes],
            "w": [filters, channels, *taps],
            "b": [filters],
        }
        self.dtype = draw.choice(["float16", "bfloat16"])
        self.arrays = [
            np.random.default_rng(seed).standard_normal(shape).astype(NUMPY[self.dtype])
            for shape in self.shapes.values()
        ]

    def model(self, dtype: str) -> onnx.ModelProto:
        inputs = ", ".join(f"{dtype}{shape} {name}" for name, shape in self.shapes.items())
        result = ", ".join("nohwd"[: len(self.shapes["x"])])
        attributes = f"group = {self.group}, pads = {self.pads}, strides = {self.strides}, "
        attributes += f"dilations = {self.dilations}"
        body = f"c = Conv <{attributes}> (x, w, b) y = Relu (c)"
        return onnx.parser.parse_model(f"{HEAD}{inputs}) => ({dtype}[{result}] y) {{ {body} }}")

    def expected(self) -> np.ndarray:
        """Return what onnxruntime computes in f32."""
        given = {n: a.astype(np.float32) for n, a in zip(self.shapes, self.arrays, strict=True)}
        return peer_results(self.model("float"), given)[0]


@pytest.fixture
def free_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small convolutions have tiles and packed operands, too."""
    monkeypatch.setattr(tensor_product, "direct_clocks", lambda _view, _points: float("inf"))
    monkeypatch.setattr(channels_last, "copy_seconds", lambda _view, _numbers: 0.0)


def lowered(model: onnx.ModelProto, target: str = "cuda -arch=sm_80") -> ModuleOp:
    module = import_model(model)
    run_pipeline(module, new_context(), Target(target), to="simt")
    verify_module(module)
    verify_positions(module)
    return module


def copies(module: ModuleOp) -> list[simt.AsyncCopyOp]:
    return [op for op in module.walk() if isinstance(op, simt.AsyncCopyOp)]


@pytest.mark.usefixtures("free_copies")
@pytest.mark.parametrize("seed", [1, 4, 12, 16, *(pytest.param(n, marks=pytest.mark.nightly)
                                               for n in range(20, 60))])  # fmt: skip
def test_drawn_convolutions_are_right(seed: int) -> None:
    """The interpreter reports races, and accesses outside of buffers."""
    drawn = Drawn(seed)
    module = lowered(drawn.model(drawn.dtype))
    (got,) = packed.run(module, *drawn.arrays)
    want = drawn.expected()
    bound = BOUNDS[drawn.dtype] * float(np.abs(want).max())
    np.testing.assert_allclose(got.astype(np.float32), want, rtol=0, atol=bound)


def convolution(
    shape: tuple[int, ...], filters: tuple[int, ...], dtype: str = "float16"
) -> onnx.ModelProto:
    """Return a convolution with constant filters, whose border is half of the window."""
    pads = [n // 2 for n in filters[2:]] * 2
    text = f"{HEAD}{dtype}{list(shape)} x, {dtype}{list(filters)} w) => ({dtype}[n, o, h, w] y)"
    model = onnx.parser.parse_model(f"{text} {{ y = Conv <pads = {pads}> (x, w) }}")
    values = np.random.default_rng(0).standard_normal(filters)
    values = values.astype(np.float16 if dtype == "float16" else np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(values, "w"))
    del model.graph.input[1]
    return model


def test_constant_filters_are_packed_at_compile_time() -> None:
    """One launch packs the image, and another one multiplies."""
    module = lowered(convolution((8, 64, 28, 28), (64, 64, 3, 3)))
    pack, product = kernel_functions(module)
    assert not copies(pack)  # pyright: ignore
    assert {op.bytes for op in copies(module)} == {16}
    assert sum(isinstance(op, simt.BarrierOp) for op in product.walk()) > 0


@pytest.mark.parametrize(
    "signature",
    [
        "float16[1, 16, 5, 5] x, float16[16, 16, 3, 3] w",
        "float16[1, 64, 28, 28] x, float16[64, 64, 1, 1] w",
    ],
    ids=["small", "pointwise"],
)
def test_other_convolutions_read_their_operands(signature: str) -> None:
    """Launches that pack the operands would take longer than they save."""
    text = f"{HEAD}{signature}) => (float16[n, o, h, w] y) {{ y = Conv (x, w) }}"
    (kernel,) = kernel_functions(lowered(onnx.parser.parse_model(text)))
    assert kernel.sym_name.data == "conv"


@pytest.mark.usefixtures("free_copies")
def test_each_barrier_of_a_packed_convolution_is_needed() -> None:
    drawn = Drawn(4)
    planned = lowered(drawn.model(drawn.dtype))
    count = sum(isinstance(op, simt.BarrierOp) for op in planned.walk())
    assert count > 0
    for number in range(count):
        module = planned.clone()
        [op for op in module.walk() if isinstance(op, simt.BarrierOp)][number].detach()
        with pytest.raises(Race):
            packed.run(module, *drawn.arrays)


BUDGETS = {
    "3x3": ((32, 64, 56, 56), (64, 64, 3, 3), 4),
    "3x3, batch 1": ((1, 256, 28, 28), (128, 256, 3, 3), 9),
    "ragged": ((8, 72, 27, 31), (88, 72, 5, 3), 8),
}
"""The most instructions of the main loop per HMMA."""


@pytest.mark.skipif(find_tools() is None, reason="no ptxas and nvdisasm")
@pytest.mark.parametrize("name", BUDGETS)
def test_the_main_loop_has_few_instructions(name: str, tmp_path: Path) -> None:
    shape, filters, most = BUDGETS[name]
    architecture = "sm_80" if prod(shape) % 32 else "sm_90a"
    mod = tilewright.compile(
        convolution(shape, filters), target=f"cuda -arch={architecture}", cache=False,
        strict_plan=True,
    )  # fmt: skip
    ptx = mod.get_source("ptx")
    loop = main_loop(disassembled(ptx, architecture, tmp_path), "HMMA")
    assert loop.per("HMMA") <= most, loop.counts
    assert not loop.counts["LDG"]
    assert {used.spill_bytes for used in assemble(ptx, architecture).values()} == {0}


@pytest.mark.skipif(find_tools() is None, reason="no ptxas and nvdisasm")
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.nightly)
                                       for n in range(2, 20))])  # fmt: skip
def test_steps_of_f32_convolutions_have_few_instructions(seed: int, tmp_path: Path) -> None:
    """All elements of a step belong to one tap; their copies are asynchronous."""
    draw = random.Random(seed)
    window, channels = draw.choice([2, 3, 3, 5]), 16 * draw.randint(4, 16)
    shape = (draw.choice([1, 2, 8]), channels, *(draw.randint(14, 60) for _ in "hw"))
    filters = (16 * draw.randint(4, 16), channels, window, window)
    mod = tilewright.compile(
        convolution(shape, filters, "float"), target="cuda -arch=sm_90a", cache=False,
        strict_plan=True,
    )  # fmt: skip
    (record,) = mod.kernels
    assert record.calls == 1
    ptx = mod.get_source("ptx")
    loop = main_loop(disassembled(ptx, "sm_90a", tmp_path), "FFMA")
    assert loop.per("FFMA") <= 2.1, loop.counts
    assert not loop.counts["LDG"]
    assert {used.spill_bytes for used in assemble(ptx, "sm_90a").values()} == {0}
