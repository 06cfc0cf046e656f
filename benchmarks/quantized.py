"""Quantized models against onnxruntime: the same int8 model, and both systems in f32.

Run: python benchmarks/quantized.py [--threads N] [MODEL ...]

A model is a structure in tests/fixtures/zoo, with seeded weights. onnxruntime's quantizer makes
its QDQ form per channel. Systems run by turns; a row has the least time of each, the ratio of
onnxruntime's int8 to ours, and the distance of our result to that of onnxruntime without
optimizations. OpenVINO takes part if it is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from rich.console import Console
from rich.table import Table

import tilewright
from tilewright.machines.target import Target
from tilewright.testing.fixtures import fixture_inputs, fixture_model

ZOO = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "zoo"
MODELS = ("resnet18", "mobilenet_v2", "bert_base")
ROUNDS = 12

Call = Callable[[], Any]


class Samples(CalibrationDataReader):
    """A reader that yields seeded inputs for the calibration."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._feeds = iter([fixture_inputs(model, seed=seed) for seed in range(2)])

    def get_next(self) -> Any:
        return next(self._feeds, None)


def quantized(model: onnx.ModelProto, folder: Path) -> bytes:
    """Return a model in QDQ form, with u8 activations and s8 weights per channel.

    The function changes the model that is passed.
    """
    made = folder / "quantized.onnx"
    quantize_static(
        model,
        made,
        Samples(model),
        quant_format=QuantFormat.QDQ,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
    )
    return made.read_bytes()


def session(data: bytes, threads: int, *, optimized: bool = True) -> Any:
    """Return a session of onnxruntime for a model."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    if not optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def openvino_call(data: bytes, feeds: Mapping[str, np.ndarray], threads: int) -> Call | None:
    """Return a function that runs a model in OpenVINO; None without OpenVINO."""
    if find_spec("openvino") is None:
        return None
    import openvino

    options = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    compiled = openvino.Core().compile_model(data, "CPU", options)
    return lambda: compiled(list(feeds.values()))


def calls_of(
    f32: bytes, int8: bytes, feeds: Mapping[str, np.ndarray], threads: int
) -> dict[str, Call]:
    """Return a function for each system that runs its model, by the name of the system."""
    calls: dict[str, Call] = {}
    for kind, data in (("int8", int8), ("f32", f32)):
        module = tilewright.compile(data, threads=threads)
        peer = session(data, threads)
        calls[f"tilewright {kind}"] = lambda module=module: module.run(dict(feeds))
        calls[f"onnxruntime {kind}"] = lambda peer=peer: peer.run(None, dict(feeds))
    other = openvino_call(int8, feeds, threads)
    return calls if other is None else {**calls, "openvino int8": other}


def least_times(calls: Mapping[str, Call]) -> dict[str, float]:
    """Run all calls by turns; return the least time of each in milliseconds."""
    least = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            start_s = time.perf_counter()
            call()
            least[name] = min(least[name], 1e3 * (time.perf_counter() - start_s))
    return least


def distance(int8: bytes, feeds: Mapping[str, np.ndarray]) -> float:
    """Return the largest relative L2 distance of a result to onnxruntime without optimizations."""
    results = tilewright.compile(int8).run(dict(feeds))
    ours = results if isinstance(results, tuple | list) else [results]
    peer = session(int8, 1, optimized=False).run(None, dict(feeds))
    return max(
        float(np.linalg.norm(got.numpy() - want) / np.linalg.norm(want))
        for got, want in zip(ours, peer, strict=True)
    )


def main(names: Sequence[str], threads: int) -> None:
    """Measure the models and print a table."""
    target = Target.native()
    table = Table("model", title=f"{target}, {threads} threads, milliseconds")
    for name in names:
        model = fixture_model(ZOO / f"{name}.onnx")
        feeds, f32 = fixture_inputs(model), model.SerializeToString()
        with TemporaryDirectory() as folder:
            int8 = quantized(model, Path(folder))
        times = least_times(calls_of(f32, int8, feeds, threads))
        if not table.rows:
            for system in (*times, "ratio", "distance"):
                table.add_column(system, justify="right")
        ratio = times["onnxruntime int8"] / times["tilewright int8"]
        cells = [f"{ms:.2f}" for ms in times.values()]
        table.add_row(name, *cells, f"{ratio:.2f}", f"{distance(int8, feeds):.1e}")
    Console().print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.models, arguments.threads)
