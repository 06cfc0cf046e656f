"""int8, bf16 and compressed weights, next to our f32, to peers and to the peaks of instructions.

Run: python benchmarks/low_precision.py [SECTION ...] [--only NAME ...] [--rounds N] [--write]

Sections:
products  single products in int8 and bf16, with weights in the caches and from memory
layers    every convolution of ResNet-50 in int8, in its place in the network
int8      networks that onnxruntime's quantizer and ours have quantized
bf16      networks with precision="bf16"
decode    the products of a language model's decode step with compressed weights

Systems run by turns in one process, on one thread; a number is the least time of the rounds. Peaks
are those of a loop of the instruction that runs by turns with the products. ``--prepare`` makes the
files and compiles the modules, but measures nothing. ``--write`` puts the tables into
docs/performance.md. Needs the extras torch and peers, and AVX-512 with VNNI and BF16.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import decode_step
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from rich.console import Console

import tilewright
from harness.narrow_peak import VDPBF16PS, VPDPBUSD, NarrowPeak
from harness.page import PAGE
from harness.quantized_files import QUANTIZERS, quantized_case
from harness.results import geometric_mean
from harness.tables import Sheet, number, percent, read_sheet
from tilewright.machines.target import Target
from zoo.files import make_case, read_case

Call = Callable[[], Any]

PRODUCTS = ((1024, 1024, 1024), (128, 768, 3072), (128, 3072, 768), (128, 768, 768))
INT8 = ("resnet18", "resnet50", "mobilenet_v2", "bert_base", "vit_b16")
BF16 = ("bert_base", "llama_blocks")
LAYERS = "resnet50"
OPSET = 21
END = "<!-- end -->"
START = "<!-- low precision, made by benchmarks/low_precision.py -->"


@dataclass(frozen=True)
class Options:
    """The options of a run.

    rounds: how often to compare.  only: the networks to measure; empty: all.  prepare: only make
    files and compile modules, and measure nothing.
    """

    rounds: int
    only: Sequence[str]
    prepare: bool

    def of(self, names: Sequence[str]) -> list[str]:
        """Return the names that ``only`` selects; all names if ``only`` is empty."""
        return [name for name in names if not self.only or name in self.only]


def least_times(calls: Mapping[str, Call], rounds: int) -> dict[str, float]:
    """Run all calls by turns, in both orders; return the least time of each in seconds."""
    least = dict.fromkeys(calls, math.inf)
    for turn in range(rounds):
        for name in list(calls)[:: -1 if turn % 2 else 1]:
            start_s = time.perf_counter()
            calls[name]()
            least[name] = min(least[name], time.perf_counter() - start_s)
    return least


# Products.


def float_products(m: int, k: int, n: int, count: int) -> onnx.ModelProto:
    """Return a model of products of one f32 matrix with each of several constant matrices."""
    rng = np.random.default_rng(0)
    weights = [
        numpy_helper.from_array(rng.standard_normal((k, n), np.float32), f"w{i}")
        for i in range(count)
    ]
    nodes = [helper.make_node("MatMul", ["x", f"w{i}"], [f"y{i}"]) for i in range(count)]
    return _model(nodes, TensorProto.FLOAT, (m, k), (m, n), weights)


def byte_products(m: int, k: int, n: int, count: int) -> onnx.ModelProto:
    """Return a model of products of a u8 matrix by several constant s8 matrices, rounded to u8."""
    rng, weights, nodes = np.random.default_rng(0), [], []
    scalars = {
        "xs": np.float32(0.02), "xz": np.uint8(121), "wz": np.zeros(n, np.int8),
        "ws": rng.uniform(0.01, 0.02, n).astype(np.float32),
        "ys": np.float32(0.02 * 0.015 * 75 * 75 * math.sqrt(k) / 60), "yz": np.uint8(128),
    }  # fmt: skip
    weights = [numpy_helper.from_array(np.asarray(x), name) for name, x in scalars.items()]
    for i in range(count):
        w = rng.integers(-127, 128, (k, n), np.int8)
        weights.append(numpy_helper.from_array(w, f"w{i}"))
        names = ["x", "xs", "xz", f"w{i}", "ws", "wz", "ys", "yz"]
        nodes.append(helper.make_node("QLinearMatMul", names, [f"y{i}"]))
    return _model(nodes, TensorProto.UINT8, (m, k), (m, n), weights)


def _model(
    nodes: Sequence[onnx.NodeProto],
    kind: int,
    shape: tuple[int, int],
    result: tuple[int, int],
    weights: Sequence[TensorProto],
) -> onnx.ModelProto:
    x = helper.make_tensor_value_info("x", kind, shape)
    ys = [helper.make_tensor_value_info(n.output[0], kind, result) for n in nodes]
    graph = helper.make_graph(nodes, "products", [x], ys, weights)
    opsets = [helper.make_opsetid("", OPSET)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def into_outputs(
    module: tilewright.CompiledModule, inputs: Sequence[np.ndarray], *results: np.ndarray
) -> Call:
    """Return a function that calls a module, which writes its results to arrays of the caller."""
    return lambda: module(*inputs, *results)


def our_products(m: int, k: int, n: int, count: int) -> dict[str, Call]:
    """Return functions that compute the products by our modules, by precision."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((m, k), np.float32)
    bytes_ = rng.integers(0, 256, (m, k), np.uint8)
    y, z = np.empty((m, n), np.float32), np.empty((m, n), np.uint8)
    calls: dict[str, Call] = {}
    for name, model, given, result, precision in (
        ("int8", byte_products(m, k, n, count), bytes_, z, "default"),
        ("bf16", float_products(m, k, n, count), x, y, "bf16"),
        ("f32", float_products(m, k, n, count), x, y, "default"),
    ):
        module = tilewright.compile(model, threads=1, precision=precision)
        results = [result.copy() for _ in range(count)]
        calls[name] = into_outputs(module, [given], *results)
    return calls


def products(options: Options) -> Sheet:
    """Measure single products; return the table.

    With several products, each with its own weights, the weights are too large for the caches.
    """
    rows: list[tuple[str, ...]] = []
    for m, k, n in PRODUCTS:
        cold = math.ceil(1.25 * Target.native().l3_bytes / (k * n))
        calls = {"peak": NarrowPeak(VPDPBUSD), "bf16 peak": NarrowPeak(VDPBF16PS)}
        operations = {name: float(call.operations) for name, call in calls.items()}
        calls |= our_products(m, k, n, 1)
        x = np.random.default_rng(1).integers(0, 256, (m, k), np.uint8)
        model = byte_products(m, k, n, 1).SerializeToString()
        calls["onnxruntime"] = onnxruntime_call(model, {"x": x})
        calls |= {f"cold {name}": call for name, call in our_products(m, k, n, cold).items()}
        if options.prepare:
            continue
        least = least_times(calls, 3 * options.rounds)
        speed = {
            name: operations.get(name, 2.0 * m * k * n * (cold if "cold" in name else 1)) / time_s
            for name, time_s in least.items()
        }
        rows.append(
            (
                f"{m} x {k} x {n}",
                number(1e-9 * speed["int8"]),
                percent(speed["int8"] / speed["peak"]),
                percent(speed["cold int8"] / speed["peak"]),
                f"{speed['int8'] / speed['f32']:.2f}",
                f"{speed['int8'] / speed['onnxruntime']:.2f}",
                number(1e-9 * speed["bf16"]),
                percent(speed["bf16"] / speed["bf16 peak"]),
                percent(speed["cold bf16"] / speed["bf16 peak"]),
                f"{speed['bf16'] / speed['f32']:.2f}",
                number(1e-9 * speed["f32"]),
            )
        )
    columns = (
        "m x k x n", "int8 GOPS", "of peak", "from memory", "over f32", "over onnxruntime",
        "bf16 GFLOP/s", "of peak", "from memory", "over f32", "f32 GFLOP/s",
    )  # fmt: skip
    return Sheet("Products of int8 and bf16", columns, tuple(rows))


# Layers.


@dataclass(frozen=True)
class Layer:
    """A convolution: input and output channels, kernel, stride, and the height of its result."""

    channels: int
    filters: int
    kernel: int
    stride: int
    size: int

    @property
    def name(self) -> str:
        """The name of the convolution in the table."""
        stride = f", stride {self.stride}" if self.stride > 1 else ""
        return (
            f"{self.kernel}x{self.kernel}, {self.channels} to {self.filters}{stride}, {self.size}²"
        )

    @property
    def operations(self) -> int:
        """The number of operations of the sums, two per product."""
        return 2 * self.channels * self.filters * (self.kernel * self.size) ** 2

    @property
    def goal(self) -> float:
        """The part of the peak that a layer of this kind should reach."""
        if self.channels < 16:
            return 0.6
        return 0.7 if self.kernel == 1 and self.channels == 64 else 0.75


def layers_of(path: Path) -> dict[str, Layer]:
    """Return the square convolutions of an f32 model in a file, by the name of the node."""
    graph = onnx.shape_inference.infer_shapes(onnx.load(path)).graph
    shapes = {w.name: tuple(w.dims) for w in graph.initializer}
    for value in (*graph.input, *graph.output, *graph.value_info):
        shapes[value.name] = tuple(d.dim_value for d in value.type.tensor_type.shape.dim)
    found: dict[str, Layer] = {}
    for node in graph.node:
        if node.op_type == "Conv":
            filters, channels, kernel, _ = shapes[node.input[1]]
            strides = next(a.ints for a in node.attribute if a.name == "strides")
            size = shapes[node.output[0]][2]
            found[node.name] = Layer(channels, filters, kernel, strides[0], size)
    return found


def layers(options: Options) -> Sheet:
    """Profile a quantized network; return the table of its convolutions.

    The time of a layer is the time of its kernel, which also computes the fused ops.
    """
    case, path = quantized_case(LAYERS, "tilewright")
    module, known = tilewright.compile(str(path), threads=1), layers_of(case.path)
    rounds = 1 if options.prepare else options.rounds
    profile = module.profile(case.inputs, rounds=2 * rounds)
    peak = NarrowPeak(VPDPBUSD)
    flops = peak.operations / least_times({"peak": peak}, 10 * options.rounds)["peak"]
    times: dict[Layer, list[float]] = {}
    other_s = 0.0
    for step in profile.steps:
        names = [node for node in step.nodes if node in known]
        if names and (step.flops or 0) >= known[names[0]].operations:
            times.setdefault(known[names[0]], []).append(step.time_s)
        else:
            other_s += step.time_s
    rows = [
        (
            layer.name,
            str(len(found)),
            number(1e6 * min(found)),
            number(1e-9 * layer.operations * len(found) / sum(found)),
            percent(layer.operations * len(found) / sum(found) / flops),
            percent(layer.goal),
        )
        for layer, found in times.items()
    ]
    total = sum(layer.operations * len(found) for layer, found in times.items())
    total_s = sum(map(sum, times.values()))
    share = percent(total / total_s / flops)
    rows.append(
        (
            "all convolutions", str(sum(map(len, times.values()))), number(1e6 * total_s),
            number(1e-9 * total / total_s), share, "",
        )
    )  # fmt: skip
    rows.append(("all other kernels", "", number(1e6 * other_s), "", "", ""))
    columns = ("convolution", "layers", "µs", "GOPS", "of peak", "goal")
    return Sheet(f"Layers of {LAYERS} in int8", columns, tuple(rows))


# Networks.


def onnxruntime_call(model: str | bytes, feeds: Mapping[str, np.ndarray]) -> Call:
    """Return a function that runs a model in onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, dict(feeds))


def openvino_call(path: Path, feeds: Mapping[str, np.ndarray], precision: str = "f32") -> Call:
    """Return a function that runs a model in OpenVINO."""
    import openvino

    options = {
        "INFERENCE_NUM_THREADS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": precision,
    }
    request = openvino.Core().compile_model(str(path), "CPU", options).create_infer_request()
    for port in request.model_inputs:
        array = next(feeds[n] for n in port.get_names() if n in feeds)
        request.set_tensor(port, openvino.Tensor(array, shared_memory=True))
    return request.infer


def our_call(path: Path, feeds: Mapping[str, np.ndarray], precision: str = "default") -> Call:
    """Return a function that runs a model by our compiler."""
    module = tilewright.compile(str(path), threads=1, precision=precision)
    inputs = [feeds[spec.name] for spec in module.inputs]
    return into_outputs(module, inputs, *(x.numpy() for x in module.run(inputs)))


def int8(options: Options) -> Sheet:
    """Measure quantized networks; return the table."""
    rows: list[tuple[str, ...]] = []
    best: list[float] = []
    for name, quantizer in itertools.product(options.of(INT8), QUANTIZERS):
        case, path = quantized_case(name, quantizer)
        calls: dict[str, Call] = {
            "int8": our_call(path, case.inputs),
            "f32": our_call(case.path, case.inputs),
            "onnxruntime": onnxruntime_call(str(path), case.inputs),
        }
        # OpenVINO 2026.4 refuses BERT as onnxruntime's quantizer writes it.
        with suppress(RuntimeError):
            calls["openvino"] = openvino_call(path, case.inputs)
        for call in calls.values():
            call()
        if options.prepare:
            continue
        least = least_times(calls, options.rounds)
        ratios = {other: least[other] / least["int8"] for other in calls}
        best.append(min(ratios.get(other, math.inf) for other in ("onnxruntime", "openvino")))
        cells = (number(1e3 * least["int8"]), number(1e3 * least["f32"]), f"{ratios['f32']:.2f}")
        others = (
            f"{ratios[other]:.2f}" if other in ratios else "failed"
            for other in ("onnxruntime", "openvino")
        )
        rows.append((name, quantizer, *cells, *others, f"{best[-1]:.2f}"))
        del calls
        gc.collect()
    columns = (
        "network", "quantizer", "int8 ms", "f32 ms", "f32 over int8", "onnxruntime over int8",
        "openvino over int8", "best",
    )  # fmt: skip
    if best and len(options.of(INT8)) == len(INT8):
        rows.append(("**geometric mean**", *[""] * 6, f"{geometric_mean(best):.2f}"))
    return Sheet("Quantized networks", columns, tuple(rows))


def torch_bf16_call(name: str) -> Call:
    """Return a function that runs a network in torch, with weights and activations in bf16."""
    import torch

    torch.set_num_threads(1)
    network = read_case(name).network
    module = network.build().to(torch.bfloat16)
    arguments = [
        x.to(torch.bfloat16) if x.is_floating_point() else x for x in network.arguments().values()
    ]

    def call() -> object:
        with torch.inference_mode():
            return module(*arguments)

    return call


def bf16(options: Options) -> Sheet:
    """Measure networks whose products are computed in bf16; return the table."""
    rows: list[tuple[str, ...]] = []
    for name in options.of(BF16):
        make_case(name)
        case = read_case(name)
        calls: dict[str, Call] = {
            "bf16": our_call(case.path, case.inputs, "bf16"),
            "f32": our_call(case.path, case.inputs),
            "openvino": openvino_call(case.path, case.inputs, "bf16"),
            "torch": torch_bf16_call(name),
        }
        for call in calls.values():
            call()
        if options.prepare:
            continue
        least = least_times(calls, options.rounds)
        ratios = (f"{least[other] / least['bf16']:.2f}" for other in ("f32", "openvino", "torch"))
        rows.append((name, number(1e3 * least["bf16"]), *ratios))
        del calls
        gc.collect()
    columns = ("network", "bf16 ms", "f32 over bf16", "openvino bf16", "torch bf16")
    return Sheet("Networks in bf16", columns, tuple(rows))


def decode(options: Options) -> Sheet:
    """Measure the products of a decode step, of one layer and of the vocabulary.

    Return the table.
    """
    rows: list[tuple[str, ...]] = []
    for bits, level in itertools.product((4, 8), (0, 4)):
        with TemporaryDirectory() as folder:
            rows.append(tuple(decode_step.measured(bits, level, 1, 1, Path(folder))))
    columns = ("weights", "read GB/s", "ours, ms", "share", "onnxruntime ms", "share", "error")
    return Sheet("A decode step with compressed weights", columns, tuple(rows))


SECTIONS: Mapping[str, Callable[[Options], Sheet]] = {
    "products": products,
    "layers": layers,
    "int8": int8,
    "bf16": bf16,
    "decode": decode,
}


# The page.


def with_sheet(text: str, sheet: Sheet) -> str:
    """Return a page in which a table replaces the table with the same title.

    A new table comes after the others. Rows of networks that were not measured stay.
    """
    before, _, rest = text.partition(START)
    own, _, after = rest.partition(END)
    if f"### {sheet.title}\n" in own:
        old = read_sheet(own, sheet.title)
        own = own.replace(old.markdown(), merged(old, sheet).markdown())
    else:
        own = f"{own.rstrip()}\n\n{sheet.markdown()}\n"
    return f"{before}{START}{own}{END}{after}"


def merged(old: Sheet, new: Sheet) -> Sheet:
    """Return the new table, with the rows of the old one that are not in it.

    If the tables have different columns, or the new one has as many rows, return it unchanged.
    """
    kept = {row[:2]: row for row in old.rows}
    fresh = {row[:2]: row for row in new.rows}
    is_part = old.columns == new.columns and len(fresh) < len(kept)
    return replace(new, rows=tuple((kept | fresh).values())) if is_part else new


def measured(names: Sequence[str], options: Options) -> Iterator[Sheet]:
    """Yield the tables of the chosen sections."""
    for name in names:
        yield SECTIONS[name](options)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sections", nargs="*", default=list(SECTIONS))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    options = Options(given.rounds, given.only, given.prepare)
    for sheet in measured(given.sections, options):
        Console(width=160).print(sheet.rich())
        if given.write and sheet.rows:
            PAGE.write_text(with_sheet(PAGE.read_text(), sheet))


if __name__ == "__main__":
    main()
