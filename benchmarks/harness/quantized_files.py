"""QDQ files of networks, by onnxruntime's quantizer and by ours, kept with the other files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from zoo.files import Case, make_case, read_case

QUANTIZERS = ("onnxruntime", "tilewright")
SAMPLES = 2


def quantized_case(name: str, quantizer: str) -> tuple[Case, Path]:
    """Return a network and its QDQ file; make the file if it does not exist.

    Activations are u8, weights s8 per channel.
    """
    make_case(name)
    case = read_case(name)
    path = case.path.with_name(f"int8-{quantizer}.onnx")
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = Path(folder) / "made.onnx"
            {"onnxruntime": _by_onnxruntime, "tilewright": _by_tilewright}[quantizer](case, made)
            made.rename(path)
    return case, path


def _samples(case: Case) -> list[dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    samples = [case.inputs]
    for _ in range(SAMPLES - 1):
        samples.append({k: rng.permutation(x, axis=-1) for k, x in case.inputs.items()})
    return samples


def _by_onnxruntime(case: Case, made: Path) -> None:
    from onnxruntime import quantization

    class Samples(quantization.CalibrationDataReader):
        """A reader that yields the calibration inputs one after another."""

        def __init__(self) -> None:
            self._samples = iter(_samples(case))

        def get_next(self) -> Any:
            return next(self._samples, None)

    quantization.quantize_static(
        case.path,
        made,
        Samples(),
        quant_format=quantization.QuantFormat.QDQ,
        per_channel=True,
        activation_type=quantization.QuantType.QUInt8,
        weight_type=quantization.QuantType.QInt8,
    )


def _by_tilewright(case: Case, made: Path) -> None:
    import tilewright

    tilewright.quantize(str(case.path), _samples(case), made, threads=1)
