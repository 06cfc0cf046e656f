"""The convolutions that use Winograd, their accuracy, and the switch to turn it off."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import onnxruntime
import pytest

import tilewright
from tilewright.dialects.shape import Dim
from tilewright.dialects.te import ComputeOp, kernels_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.support.accuracy import WINOGRAD_ERROR
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.precision import Precision
from tilewright.support.registry import new_context
from tilewright.targets.cpu.plan.winograd import (
    DynamicImages,
    Layer,
    WinogradPlan,
    choose_dynamic_winograd,
    choose_winograd,
)
from tilewright.testing import models

from ....sweeps import in_turn

AVX512 = Target("llvm -mcpu=sapphirerapids")
AVX2 = Target("llvm -mcpu=x86-64-v3")


@pytest.mark.parametrize(
    ("c", "o", "size", "expected"),
    [
        # All tiles fit in L2, or are too few for 16 cores: run phase by phase.
        (128, 128, 28, WinogradPlan(4, 0)),
        (256, 256, 32, WinogradPlan(4, 0)),
        # At least 12 tiles per task, also if the weights exceed L2.
        (64, 64, 56, WinogradPlan(4, 1)),
        (64, 64, 224, WinogradPlan(4, 1)),
        (128, 128, 64, WinogradPlan(4, 1)),
        (256, 256, 56, WinogradPlan(4, 1)),
        (256, 256, 48, WinogradPlan(4, 1)),
        # 16 products per tile stream fewer weights.
        (256, 256, 14, WinogradPlan(2, 0)),
        # Four tiles do not amortize four times the weights, nor three channels the transforms.
        (512, 512, 7, None),
        (3, 16, 224, None),
        # Sums of 16 terms still save more than the transforms take: 2.7 and 2.5 times faster.
        (16, 64, 56, WinogradPlan(4, 1)),
        (64, 16, 56, WinogradPlan(4, 1)),
    ],
)
def test_rule(c: int, o: int, size: int, expected: WinogradPlan | None) -> None:
    assert choose_winograd(Layer(1, size, size, c, o), 16, AVX512) == expected


@pytest.mark.parametrize(
    ("c", "o", "multiples", "expected"),
    [
        (64, 64, (16, 16), WinogradPlan(4, 4, 4)),
        (64, 64, (8, 24), WinogradPlan(4, 2, 8)),
        # Weights from beyond L2 need more tiles, or phases; single rows of tiles need phases.
        (128, 128, (16, 16), WinogradPlan(4, 4, 8)),
        (512, 256, (16, 16), WinogradPlan(4, 0)),
        (64, 64, (4, 4), WinogradPlan(4, 0)),
        # Two rows of pixels and whole columns are enough for a tile.
        (64, 64, (2, 8), WinogradPlan(4, 0)),
        (16, 64, (16, 16), WinogradPlan(4, 4, 4)),
        (3, 8, (16, 16), None),
    ],
)
def test_open_images_in_tiles_for_all_sizes(
    c: int, o: int, multiples: tuple[int, int], expected: WinogradPlan | None
) -> None:
    images = DynamicImages(1, (Dim.sym("h") * multiples[0], Dim.sym("w") * multiples[1]))
    assert choose_dynamic_winograd(Layer(1, 64, 64, c, o), images, 16, AVX512) == expected


@pytest.mark.parametrize(("c", "o"), [(64, 64), (128, 256), (512, 512)])
@pytest.mark.parametrize("multiples", [(1, 1), (2, 2), (1, 8)])
def test_sizes_decide_where_tiles_are_incomplete(
    c: int, o: int, multiples: tuple[int, int]
) -> None:
    sizes = Dim.sym("h") * multiples[0], Dim.sym("w") * multiples[1]
    images = DynamicImages(Dim.sym("n"), sizes, (1, 1), (1, 1))
    plan = choose_dynamic_winograd(Layer(2, 64, 64, c, o), images, 16, AVX512)
    assert plan is not None
    assert (plan.tile, plan.rows) == (4, 0)
    if plan.when is None:
        assert multiples == (2, 2), "one version for all sizes"
        assert 4 * 36 * c * o <= AVX512.l2_bytes
        return
    assert plan.other == (2 if multiples == (2, 2) else 0)
    found: set[int] = set()
    for n, h, w in product((1, 3), range(1, 24), range(1, 24)):
        given = plan.when.evaluate({"n": n, "h": h, "w": w})
        height, width = h * multiples[0], w * multiples[1]
        fixed = choose_winograd(Layer(n, height, width, c, o), 16, AVX512)
        assert given in (0, 1)
        # Where tiles of 4 pay in a static image, they do here, unless most taps read zeros.
        few = 1 in (height, width) or images.busy_taps(0, height).lower_bound() < 2.6 * height
        assert given == 1 or fixed is None or fixed.tile == 2 or few
        found.add(given)
    assert found == {0, 1}
    assert plan.when.evaluate({"n": 0, "h": 0, "w": 0}) == 0
    # A direct sum needs no memory for the tiles of large images.
    assert plan.when.evaluate({"n": 1, "h": 2000, "w": 2000}) == (plan.other > 0)


@pytest.mark.parametrize("pads", [(0, 0), (1, 1), (0, 2), (2, 1), (2, 2)])
def test_a_direct_sum_skips_taps_on_zeros(pads: tuple[int, int]) -> None:
    before, after = pads
    images = DynamicImages(1, (Dim.sym("h"), Dim.sym("w")), (before, before), (after, after))
    rows, columns = (images.busy_taps(d, Dim.sym(name)) for d, name in enumerate("hw"))
    for size in range(max(1, before + after - 1), 9):
        inputs = size + 2 - before - after
        taps = [{k for k in range(3) if 0 <= y + k - before < inputs} for y in range(size)]
        assert rows.evaluate({"h": size}) == sum(map(len, taps))
        used = set[int]().union(*taps)
        assert columns.evaluate({"w": size}) == size * (max(used) - min(used) + 1)


def test_batches_are_tasks_too() -> None:
    assert choose_winograd(Layer(8, 7, 7, 512, 512), 16, AVX512) is not None


def scheduled(model: onnx.ModelProto, target: Target, precision: Precision) -> dict[str, list[str]]:
    """Return the labels of the computes of every kernel after scheduling."""
    module = import_model(model)
    run_pipeline(module, new_context(), target, to="scheduled", precision=precision)
    found: dict[str, list[str]] = {}
    for kernel in kernels_of(module):
        computes = [op for op in kernel.walk() if isinstance(op, ComputeOp)]
        found[kernel.label] = [op.label for op in computes if op.label != "halo"]
    return found


@pytest.mark.parametrize("target", [AVX2, AVX512], ids=["avx2", "avx512"])
def test_phases_are_one_kernel_or_three(target: Target) -> None:
    large = scheduled(models.conv_model(size=56), target, Precision.DEFAULT)
    assert set(large["conv"]) == {"conv_in", "conv_product", "conv"}
    assert len(large["conv"]) <= 6
    small = scheduled(models.conv_model(size=28), target, Precision.DEFAULT)
    assert {"conv_in", "conv_product", "conv"} <= set(small)
    strict = scheduled(models.conv_model(size=28), target, Precision.STRICT)
    assert {label for labels in strict.values() for label in labels} <= {"conv", "copy"}


SCALES = """<ir_version: 9, opset_import: ["" : 17]>
scales (float[1, 256, {h}, {w}] x) => (float[1, 256, oh, ow] y) {{
  c = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x, w0)
  r = Resize <mode = "nearest"> (c, , factors)
  y = Conv <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (r, w1)
}}"""


def two_scales(h: int | str, w: int | str) -> onnx.ModelProto:
    """Return convolutions with equal channels: of an image, and of it in twice the size."""
    model = onnx.parser.parse_model(SCALES.format(h=h, w=w))
    rng = np.random.default_rng(0)
    made = {f"w{n}": rng.standard_normal((256, 256, 3, 3)).astype(np.float32) / 48 for n in (0, 1)}
    made["factors"] = np.array([1, 1, 2, 2], np.float32)
    rows = (onnx.numpy_helper.from_array(value, name) for name, value in made.items())
    model.graph.initializer.extend(rows)
    return model


@pytest.mark.parametrize("target", [AVX2, AVX512], ids=["avx2", "avx512"])
def test_one_product_kernel_serves_all_tiles_and_scales(target: Target) -> None:
    found = scheduled(two_scales("h", "w"), target, Precision.DEFAULT)
    products = [name for name, labels in found.items() if "conv_product" in labels]
    assert len(products) == 1, products
    transforms = [name for name, labels in found.items() if "conv_in" in labels]
    assert len(transforms) == 3, "an image with tiles of 4, twice its size with tiles of 4 and 2"


@pytest.mark.parametrize("threads", [1, 2])
def test_images_of_any_size_share_products(threads: int) -> None:
    model = two_scales("h", "w")
    module = tilewright.compile(model, threads=threads)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for h, w in ((1, 1), (1, 7), (3, 2), (8, 8), (17, 12), (31, 5), (26, 30)):
        x = np.random.default_rng(h).standard_normal((1, 256, h, w)).astype(np.float32)
        np.testing.assert_allclose(module(x), session.run(None, {"x": x})[0], atol=2e-4)
    assert len(module.programs) == 1


def direct(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    """Compute the convolution and relu of a model in float64."""
    weights = {w.name: onnx.numpy_helper.to_array(w) for w in model.graph.initializer}
    w, bias = (v.astype(np.float64) for v in weights.values())
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    out = np.tensordot(windows, w, axes=([1, 4, 5], [1, 2, 3])).transpose(0, 3, 1, 2)
    return np.maximum(out + bias[:, None, None], 0)


FORMS = {
    "one kernel": (1, 32, 32, 60),
    "three kernels, ragged": (1, 32, 48, 23),
    "half vectors of channels": (1, 40, 56, 18),
    "tiles of 2x2": (1, 256, 256, 14),
    "a batch": (2, 32, 64, 45),
}
"""The sizes of the batch, the channels, the filters and the side of the image."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "mcpu"), in_turn(FORMS, [("x86-64",), ("x86-64-v3",), ("native",)])
)
def test_error_is_small(name: str, mcpu: str) -> None:
    batch, channels, filters, size = FORMS[name]
    model = models.conv_model(batch=batch, channels=channels, filters=filters, size=size)
    target = f"llvm -mcpu={mcpu}" if mcpu != "native" else None
    x = np.random.default_rng(0).standard_normal((batch, channels, size, size)).astype(np.float32)
    expected = direct(model, x)

    def error(precision: str) -> float:
        module = tilewright.compile(model, target=target, precision=precision)
        one, two = (np.asarray(module.run([x], threads=n)[0]) for n in (1, 2))
        np.testing.assert_array_equal(one, two)
        return float(np.linalg.norm(one - expected) / np.linalg.norm(expected))

    assert error("strict") < 1e-6
    assert error("default") <= WINOGRAD_ERROR


def test_other_precisions_are_refused() -> None:
    with pytest.raises(TilewrightError, match=re.escape("unknown precision")):
        tilewright.compile(models.conv_model(size=8), precision="fast")
