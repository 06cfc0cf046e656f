"""Models that onnxruntime's quantizer wrote, against onnxruntime without optimizations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)

from tilewright.testing.fixtures import fixture_inputs, fixture_model
from tilewright.testing.worker import WorkerProcess

FIXTURES = Path(__file__).parents[1] / "fixtures"
NATIVE = str(Path(__file__).parents[1] / "frontend" / "onnx" / "native.py")
pytestmark = pytest.mark.slow


class Samples(CalibrationDataReader):
    """Seeded inputs for the calibration."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._feeds = iter([fixture_inputs(model, seed=seed) for seed in range(2)])

    def get_next(self) -> Any:
        return next(self._feeds, None)


def quantized(model: onnx.ModelProto, kind: str, folder: Path) -> bytes:
    """Return the model quantized per channel: in pairs, in operators, or only its weights."""
    made = folder / "quantized.onnx"
    if kind == "dynamic":
        quantize_dynamic(model, made, per_channel=True)
    else:
        quantize_static(
            model,
            made,
            Samples(model),
            quant_format=QuantFormat.QDQ if kind == "pairs" else QuantFormat.QOperator,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )
    return made.read_bytes()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("mobilenet_v2_script", "pairs"),
        ("mobilenet_v2_script", "operators"),
        pytest.param("mobilenet_v2_script", "dynamic", marks=pytest.mark.nightly),
        pytest.param("vit_script", "pairs", marks=pytest.mark.nightly),
        pytest.param("vit_script", "operators", marks=pytest.mark.nightly),
        ("vit_script", "dynamic"),
    ],
)
def test_quantized_models_give_what_onnxruntime_gives(
    name: str, kind: str, worker: WorkerProcess, tmp_path: Path
) -> None:
    model = fixture_model(FIXTURES / f"{name}.onnx")
    feeds = fixture_inputs(model)
    data = quantized(model, kind, tmp_path)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    results = worker.call(f"{NATIVE}:run", data, tuple(feeds.values()))
    for got, want in zip(results, map(np.asarray, session.run(None, feeds)), strict=True):
        # Sums of floats in another order move single values to the next byte.
        assert np.linalg.norm(got - want) <= 0.03 * np.linalg.norm(want)
