"""Random resizes of dynamic images by scales, against the exact rule in docs/limits.md."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.frontend.onnx.converters.resize import FRACTIONAL_LENGTHS, scale_of

from ...sweeps import sampled

Array = np.ndarray[Any, np.dtype[Any]]
HALF = Fraction(1, 2)
COORDINATES = (
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
    "tf_crop_and_resize", "tf_half_pixel_for_nn",
)  # fmt: skip
ROUNDINGS = {
    "round_prefer_floor": lambda p: ceil(p - HALF),
    "round_prefer_ceil": lambda p: floor(p + HALF),
    "floor": floor,
    "ceil": ceil,
}
PARTS = ((0.125, 0.75), (0.0, 1.0), (-0.25, 1.5), (0.875, 0.125))
OUTSIDE = 3.0


class Case:
    """A random node: its opset, its attributes, and scale and part of both axes."""

    def __init__(self, rng: np.random.Generator) -> None:
        mode = str(rng.choice(["nearest", "linear", "cubic"]))
        coordinates = str(rng.choice(COORDINATES))
        self.opset = int(rng.choice([13, 18, 19, 22]))
        if coordinates == "tf_half_pixel_for_nn":
            self.opset = 13
        elif coordinates == "half_pixel_symmetric":
            self.opset = max(self.opset, 19)
        self.attributes: dict[str, Any] = {
            "mode": mode, "coordinate_transformation_mode": coordinates,
            "nearest_mode": str(rng.choice(list(ROUNDINGS))), "extrapolation_value": OUTSIDE,
            "cubic_coeff_a": float(rng.choice([-0.5, -0.75])),
        }  # fmt: skip
        if mode == "cubic" and rng.random() < 0.3:
            self.attributes["exclude_outside"] = 1
        if self.opset >= 18 and mode != "nearest" and rng.random() < 0.25:
            self.attributes["antialias"] = 1
        self.scales = [self._scale(rng) for _ in range(2)]
        self.parts = [PARTS[rng.integers(len(PARTS))] for _ in range(2)]

    @staticmethod
    def _scale(rng: np.random.Generator) -> float:
        return float(rng.choice([rng.integers(1, 22) / 7, rng.integers(1, 32) / 10, 1 / 3, 2.3]))

    def model(self) -> onnx.ModelProto:
        starts, ends = zip(*self.parts, strict=True)
        constants = {
            "scales": np.array([1, 1, *self.scales], np.float32),
            "roi": np.array([0, 0, *starts, 1, 1, *ends], np.float32),
        }
        node = helper.make_node("Resize", ["x", "roi", "scales"], ["y"], **self.attributes)
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["b", 2, "h", "w"])
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
        graph = helper.make_graph([node], "resize", [x], [y], tensors)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)

    def resized(self, x: Array) -> Array:
        y, is_outside = x.astype(np.float64), np.False_
        is_crop = self.attributes["coordinate_transformation_mode"] == "tf_crop_and_resize"
        for axis, number, part in zip((2, 3), self.scales, self.parts, strict=True):
            if number == 1 and not (is_crop and part != (0.0, 1.0)):
                continue
            weights, missing = self._table(x.shape[axis], number, part)
            y = np.moveaxis(np.tensordot(y, weights, (axis, 1)), -1, axis)
            is_outside = is_outside | np.expand_dims(missing, tuple(range(1, 4 - axis)))
        return np.where(is_outside, OUTSIDE, y)

    def _table(self, size: int, number: float, part: tuple[float, float]) -> tuple[Array, Array]:
        """Return the weights by (row of the result, row of x), and which rows are outside."""
        scale = scale_of(float(np.float32(number)))
        out = floor(size * scale)
        table, missing = np.zeros((out, size)), np.zeros(out, np.bool_)
        for row in range(out):
            at = self._position(row, size, out, scale, part)
            if self.attributes["coordinate_transformation_mode"] == "tf_crop_and_resize":
                missing[row] = not 0 <= at <= size - 1
            for position, weight in self._weights(at, size, scale).items():
                table[row, min(max(position, 0), size - 1)] += weight
        return table, missing

    def _position(
        self, row: int, size: int, out: int, scale: Fraction, part: tuple[float, float]
    ) -> Fraction:
        length = Fraction(out) if self.opset < FRACTIONAL_LENGTHS else size * scale
        last, steps = size - 1, length - 1
        start, end = map(Fraction, part)
        center = (row + HALF) / scale
        match self.attributes["coordinate_transformation_mode"]:
            case "half_pixel":
                return center - HALF
            case "pytorch_half_pixel":
                return center - HALF if out > 1 else Fraction(0)
            case "half_pixel_symmetric":
                return size * HALF * (1 - out / (scale * size)) + center - HALF
            case "align_corners":
                return row * last / steps if steps else Fraction(0)
            case "asymmetric":
                return row / scale
            case "tf_half_pixel_for_nn":
                return center
            case _ if steps:
                return start * last + row * (end - start) * last / steps
            case _:
                return start * last + (end - start) * last / 2

    def _weights(self, at: Fraction, size: int, scale: Fraction) -> Mapping[int, float]:
        if self.attributes["mode"] == "nearest":
            return {ROUNDINGS[self.attributes["nearest_mode"]](at): 1.0}
        narrow = min(float(scale), 1.0) if "antialias" in self.attributes else 1.0
        reach = floor((1 if self.attributes["mode"] == "linear" else 2) / narrow)
        taps = range(floor(at) - reach - 1, floor(at) + reach + 3)
        weights = {tap: self._kernel(abs(float(tap - at)) * narrow) for tap in taps}
        if "exclude_outside" in self.attributes:
            weights = {tap: w * (0 <= tap < size) for tap, w in weights.items()}
        if narrow < 1 or "exclude_outside" in self.attributes:
            total = sum(weights.values())
            weights = {tap: w / total if total else np.nan for tap, w in weights.items()}
        return weights

    def _kernel(self, x: float) -> float:
        if self.attributes["mode"] == "linear":
            return max(0.0, 1 - x)
        a = self.attributes["cubic_coeff_a"]
        near = ((a + 2) * x - (a + 3)) * x * x + 1
        far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return near if x <= 1 else far if x < 2 else 0.0


@pytest.mark.parametrize("seed", sampled(range(300), str, one_in=40, each_family=False))
@pytest.mark.filterwarnings("ignore:invalid value")
def test_random_resizes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    case = Case(rng)
    module = tilewright.compile(case.model(), cache=False)
    for _ in range(3):
        shape = (int(rng.integers(1, 3)), 2, *rng.integers(10, 40, 2).tolist())
        x = rng.standard_normal(shape).astype(np.float32)
        np.testing.assert_allclose(module.run([x])[0], case.resized(x), rtol=1e-4, atol=1e-4)
