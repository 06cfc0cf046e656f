"""Networks with dynamic sizes: one module for all sizes, against a module per size and onnxruntime.

Run: python benchmarks/dynamic_sizes.py [NETWORK ...] [--count N] [--seed N] [--threads N]
                                        [--static] [--write]

torch exports each network with symbolic sizes; the model is compiled once and called with sizes
drawn at random, small ones as often as large ones. Results are compared with torch in double
precision, and bit by bit with those of two threads. A ratio is the time of the other system over
ours, so above 1 we are faster; OpenVINO takes part if it is installed. ``--static`` also compiles
the model for each of the sizes; runs of less than 20 us do not count. The title of a table has the
costs of compilation and of a call with new sizes; a line below says which required ratios are
reached. ``--write`` puts a row per network into docs/performance.md. Needs the extras torch and
test.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import onnxruntime
from rich.console import Console
from rich.table import Table

import tilewright
from harness.page import PAGE
from harness.results import geometric_mean
from harness.tables import read_sheet
from tilewright.testing.measure import compare
from zoo.networks import NETWORKS, Network, cache

if TYPE_CHECKING:
    from torch import Tensor

OURS, THEIRS, OPENVINO, STATIC = "tilewright", "onnxruntime", "openvino", "static"
MOST_ERROR = 1e-4
"""Largest relative L2 error against torch in double precision."""

MOST_BOXES, OVERLAP, LEAST_SCORE = 100, np.float32(0.5), np.float32(0.55)
"""Boxes per class that a detector selects, and their largest overlap and least score."""

ROUNDS, WINDOW_S, PAUSE_S = 7, 0.02, 0.05
LONG_S, LONG_ROUNDS = 0.3, 3
"""Calls of this many seconds vary less, so they need fewer rounds."""
SHORTEST_MS = 0.02
"""Runs that take less time do not count: the call itself is a large part of them."""

REQUIRED_PEER = (1.15, 1.0)
"""The geometric mean and the least ratio to the sessions of other systems for all sizes."""
LEAST_STATIC = 0.85
TITLE = "Modules for all sizes"
"""The title of their table in docs/performance.md."""
NEW_SIZES, NEW_SIZES_S = 32, 10
"""Sizes that have not run before, to measure what a call with new sizes costs, and seconds of it.
"""


@dataclass(frozen=True)
class DynamicSize:
    """A symbolic size: ``factor`` times a number that is drawn from ``least`` to ``most``."""

    name: str
    least: int
    most: int
    factor: int = 1


@dataclass(frozen=True)
class DynamicNetwork:
    """A network with symbolic sizes.

    sizes: the symbolic size of each axis, equal for all inputs except caches.  past: the symbolic
    size of axis 2 of the caches, which are named ``past.*``.  static: the required geometric mean
    of the ratios to modules for fixed sizes.  selects: whether the model ends with
    NonMaxSuppression of its results, boxes and scores.
    """

    network: Network
    sizes: Mapping[int, DynamicSize]
    static: float = 0.97
    past: DynamicSize | None = None
    selects: bool = False

    def dynamic_sizes(self) -> list[DynamicSize]:
        """Return all symbolic sizes."""
        return [*self.sizes.values(), *([self.past] if self.past else [])]

    def dynamic_axes(self, name: str) -> Mapping[int, DynamicSize]:
        """Return the symbolic axes of an input."""
        return {2: self.past} if self.past and name.startswith("past.") else self.sizes

    def draw(self, rng: np.random.Generator) -> dict[str, int]:
        """Draw a number for each size; the logarithm of the number + 1 is uniform."""
        return {
            s.name: int(math.exp(rng.uniform(math.log(s.least + 1), math.log(s.most + 2)))) - 1
            for s in self.dynamic_sizes()
        }

    def with_sizes(self, drawn: Mapping[str, int]) -> Network:
        """Return the network with numbers in place of its symbolic sizes."""
        inputs = {name: self._shape(name, drawn) for name in self.network.inputs}
        return replace(self.network, inputs=inputs)

    def _shape(self, name: str, drawn: Mapping[str, int]) -> tuple[int, ...]:
        made = list(self.network.inputs[name])
        for axis, size in self.dynamic_axes(name).items():
            made[axis] = size.factor * drawn[size.name]
        return tuple(made)


BATCH, SEQUENCE = DynamicSize("batch", 1, 8), DynamicSize("seq", 1, 512)
IMAGES = DynamicSize("batch", 1, 32)
DYNAMIC: dict[str, DynamicNetwork] = {
    "bert_base": DynamicNetwork(NETWORKS["bert_base"], {0: BATCH, 1: SEQUENCE}),
    "vit_b16": DynamicNetwork(NETWORKS["vit_b16"], {0: IMAGES}),
    "resnet50": DynamicNetwork(NETWORKS["resnet50"], {0: IMAGES}, 0.95),
    "mobilenet_v2": DynamicNetwork(NETWORKS["mobilenet_v2"], {0: IMAGES}, 0.95),
    "efficientnet_b0": DynamicNetwork(NETWORKS["efficientnet_b0"], {0: IMAGES}, 0.95),
    "swin_t": DynamicNetwork(NETWORKS["swin_t"], {0: IMAGES}),
    "unet": DynamicNetwork(
        NETWORKS["unet"],
        {2: DynamicSize("height", 2, 20, factor=16), 3: DynamicSize("width", 2, 20, factor=16)},
        0.92,
    ),
    "detector": DynamicNetwork(
        Network("vision.Detector", {"x": (1, 3, 256, 256)}),
        {2: DynamicSize("height", 1, 20, factor=32), 3: DynamicSize("width", 1, 20, factor=32)},
        0.92,
        selects=True,
    ),
    "gpt2_prefill": DynamicNetwork(NETWORKS["gpt2_prefill"], {1: SEQUENCE}),
    "llama_blocks": DynamicNetwork(NETWORKS["llama_blocks"], {1: DynamicSize("seq", 1, 128)}),
    "gpt2_cached": DynamicNetwork(
        Network(
            "text.Gpt2",
            {"input_ids": (1, 1), **cache(12, 12, 1)},
            {"chunks": True},
            limits={"input_ids": 50257},
        ),
        {1: DynamicSize("seq", 1, 64)},
        past=DynamicSize("past", 0, 959),
    ),
    "llama_cached": DynamicNetwork(
        Network(
            "text.LlamaBlocks",
            {"x": (1, 1, 1024), **cache(6, 4, 1)},
            {"rows": 1024, "chunks": True},
        ),
        {1: DynamicSize("seq", 1, 64)},
        past=DynamicSize("past", 0, 959),
    ),
    "whisper_encoder": DynamicNetwork(
        NETWORKS["whisper_encoder"], {2: DynamicSize("half", 4, 1500, factor=2)}
    ),
    "lstm": DynamicNetwork(NETWORKS["lstm"], {1: DynamicSize("seq", 1, 300)}, 0.95),
}


@dataclass(frozen=True)
class Row:
    """The measurement for one combination of sizes.

    error: the largest relative error.  is_same: whether one and two threads give equal bits.  ms:
    our time.  ratios: the time of each other system over ours.
    """

    sizes: dict[str, int]
    error: float
    is_same: bool
    ms: float
    ratios: dict[str, float]


@dataclass(frozen=True)
class Costs:
    """The cost of compilation, and of a call with new sizes.

    compile_s: seconds of the compilation for all sizes.  static_s: seconds of a compilation for
    fixed sizes; 0 if there was none.  new_sizes_us: the additional microseconds of a call with new
    sizes.
    """

    compile_s: float
    static_s: float
    new_sizes_us: float

    def __str__(self) -> str:
        ratio = f", {self.compile_s / self.static_s:.2f} x static" if self.static_s else ""
        return f"compiled in {self.compile_s:.1f} s{ratio}; new sizes {self.new_sizes_us:.0f} us"


def export(net: DynamicNetwork, path: Path) -> None:
    """Write a network with symbolic sizes as ONNX."""
    import torch
    from torch.export import Dim

    # Exporters take sizes of 0 and 1 for constants, so the example has others.
    example = net.with_sizes({size.name: min(size.most, 7) for size in net.dynamic_sizes()})
    dims = {
        size: size.factor * Dim(size.name, min=2, max=size.most) for size in net.dynamic_sizes()
    }
    arguments = example.arguments()
    shapes = [{axis: dims[size] for axis, size in net.dynamic_axes(n).items()} for n in arguments]
    with torch.no_grad():
        torch.onnx.export(
            example.build(),
            tuple(arguments.values()),
            path,
            dynamo=True,
            input_names=list(arguments),
            opset_version=18,
            external_data=False,
            verbose=False,
            # torch takes the shapes of the caches, one variadic parameter, as one tuple.
            dynamic_shapes=(shapes[0], tuple(shapes[1:])) if net.past else tuple(shapes),
        )
    # torch declares results of an LSTM with the sizes of the example, and onnxruntime trusts that.
    model = onnx.load(path)
    model.graph.ClearField("value_info")
    for result in model.graph.output:
        result.type.tensor_type.ClearField("shape")
    if net.selects:
        add_selection(model)
    onnx.save(model, path)


def add_selection(model: onnx.ModelProto) -> None:
    """Append NonMaxSuppression of the results of a model, which are boxes and scores."""
    for name, value in (("most", MOST_BOXES), ("overlap", OVERLAP), ("least", LEAST_SCORE)):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([value]), name))
    names = [result.name for result in model.graph.output]
    given = [*names, "most", "overlap", "least"]
    model.graph.node.append(onnx.helper.make_node("NonMaxSuppression", given, ["selected"]))
    model.graph.output.append(
        onnx.helper.make_tensor_value_info("selected", onnx.TensorProto.INT64, [None, 3])
    )


def selected(boxes: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the boxes that NonMaxSuppression selects, by the definition in the ONNX standard."""
    found: list[tuple[int, int, int]] = []
    corners, sizes = boxes[0], boxes[0][:, 2:] - boxes[0][:, :2]
    for kind, row in enumerate(scores[0]):
        left = [int(i) for i in np.argsort(-row, kind="stable") if row[i] > LEAST_SCORE]
        for _ in range(MOST_BOXES):
            if not left:
                break
            best, *left = left
            found.append((0, kind, best))
            low = np.maximum(corners[best, :2], corners[left, :2])
            high = np.minimum(corners[best, 2:], corners[left, 2:])
            shared = np.prod(np.maximum(high - low, 0), axis=1)
            whole = np.prod(sizes[best]) + np.prod(sizes[left], axis=1) - shared
            left = [
                i for i, is_kept in zip(left, shared <= OVERLAP * whole, strict=True) if is_kept
            ]
    return np.array(found, np.int64).reshape(-1, 3)


def expected(module: Any, arguments: Mapping[str, Tensor]) -> list[np.ndarray]:
    """Return the results of a torch module in double precision."""
    import torch

    with torch.no_grad():
        given = [x.double() if x.is_floating_point() else x for x in arguments.values()]
        results = module(*given)
    return [x.numpy() for x in (results if isinstance(results, tuple) else (results,))]


def relative_error(got: np.ndarray, wanted: np.ndarray) -> float:
    """Return the relative L2 error; infinite for results of another shape."""
    if got.shape != wanted.shape:
        return math.inf
    if not wanted.any():
        return float(np.abs(got).max(initial=0))
    return float(np.linalg.norm(got - wanted) / np.linalg.norm(wanted))


def measure(
    name: str, count: int, seed: int, threads: int, *, static: bool
) -> tuple[list[Row], Costs]:
    """Return a row per combination of sizes, and the costs of the module for all sizes."""
    net, rng = DYNAMIC[name], np.random.default_rng(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        export(net, path)
        empty = {s.name: range(s.most + 1) for s in net.dynamic_sizes() if not s.least}
        tilewright.compile(path, threads=threads, cache=False)  # imports the compiler
        start_s = time.perf_counter()
        module = tilewright.compile(path, threads=threads, cache=False, shapes=empty)
        compile_s = time.perf_counter() - start_s
        if module.reason:
            raise SystemExit(f"{name} is not compiled for all sizes: {module.reason}")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        peer = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
        other = openvino_session(path, threads)
        reference = net.with_sizes({s.name: 7 for s in net.dynamic_sizes()}).build().double()
        rows, new_us, static_s = list[Row](), new_sizes_us(name, module), list[float]()
        for _ in range(count):
            drawn = net.draw(rng)
            arguments = net.with_sizes(drawn).arguments()
            feeds = {key: value.numpy() for key, value in arguments.items()}
            start_s = time.perf_counter()
            got = [np.asarray(y) for y in module.run(feeds, threads=1)]
            rounds = ROUNDS if time.perf_counter() - start_s < LONG_S else LONG_ROUNDS
            shared = [np.asarray(y) for y in module.run(feeds, threads=2)]
            wanted = expected(reference, arguments)
            if net.selects:
                wanted.append(selected(got[0], got[1]))
            systems: dict[str, Callable[[], object]] = {
                OURS: lambda feeds=feeds: module.run(feeds),
                THEIRS: lambda feeds=feeds: peer.run(None, feeds),
            }
            if other is not None:
                systems[OPENVINO] = lambda feeds=feeds, other=other: other(feeds)
            if static:
                shapes = {key: value.shape for key, value in feeds.items()}
                start_s = time.perf_counter()
                closed = tilewright.compile(path, threads=threads, cache=False, shapes=shapes)
                static_s.append(time.perf_counter() - start_s)
                systems[STATIC] = lambda feeds=feeds, closed=closed: closed.run(feeds)
            found = compare(systems, rounds=rounds, window_s=WINDOW_S, pause_s=PAUSE_S)
            rows.append(
                Row(
                    drawn,
                    max(map(relative_error, got, wanted)),
                    all((a == b).all() for a, b in zip(got, shared, strict=True)),
                    found[OURS].median_s * 1e3,
                    {other: found.ratio(other, over=OURS) for other in systems if other != OURS},
                )
            )
            Console(stderr=True).print(f"{name}: {rows[-1]}", soft_wrap=True)  # a run is long
    return rows, Costs(compile_s, statistics.median(static_s) if static_s else 0.0, new_us)


def openvino_session(
    path: Path, threads: int
) -> Callable[[Mapping[str, np.ndarray]], object] | None:
    """Return a function that runs OpenVINO's model for all sizes; None without OpenVINO."""
    if not find_spec("openvino"):
        return None
    import openvino

    config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}
    request = openvino.Core().compile_model(path, "CPU", config).create_infer_request()
    return lambda feeds: request.infer(dict(feeds), share_inputs=True)


def new_sizes_us(name: str, module: tilewright.CompiledModule) -> float:
    """Return the median extra time, in us, of a call with new sizes, compared with later calls.

    The call with the largest sizes runs first, so that the arena has its final size. Another such
    call before each measured call replaces the data in the caches, and each call reads new copies
    of its inputs. Sizes are measured from the smallest on, until NEW_SIZES_S seconds are over.
    """
    net, found = DYNAMIC[name], list[float]()
    drawn = [
        {s.name: min(s.most, s.least + step) for s in net.dynamic_sizes()}
        for step in range(NEW_SIZES)
    ]
    *others, known = (
        {k: x.numpy() for k, x in net.with_sizes(d).arguments().items()} for d in drawn
    )
    module.run(known)
    until_s = time.perf_counter() + NEW_SIZES_S
    for feeds in others:
        if found and time.perf_counter() > until_s:
            break
        times: list[float] = []
        for _ in range(4):
            module.run(known)
            given = {key: value.copy() for key, value in feeds.items()}
            start_s = time.perf_counter()
            module.run(given)
            times.append(time.perf_counter() - start_s)
        found.append(times[0] - statistics.median(times[1:]))
    return statistics.median(found) * 1e6


def verdict(name: str, rows: Sequence[Row]) -> str:
    """Return a sentence that says whether the ratios of a network reach the required ratios."""
    wanted = {STATIC: (DYNAMIC[name].static, LEAST_STATIC), THEIRS: REQUIRED_PEER}
    texts: list[str] = []
    for other, (mean, least) in {**wanted, OPENVINO: REQUIRED_PEER}.items():
        ratios = [r.ratios[other] for r in rows if other in r.ratios and r.ms >= SHORTEST_MS]
        if not ratios:
            continue
        reaches = geometric_mean(ratios) >= mean and min(ratios) >= least
        word = "reaches" if reaches else "misses"
        texts.append(f"{other} {word} a mean of {mean} and at least {least}")
    return "; ".join(texts)


def table_of(name: str, rows: list[Row], costs: Costs) -> Table:
    """Return the rows of one network as a table."""
    others = list(rows[0].ratios)
    table = Table(title=f"{name}, {costs}")
    for title in ("sizes", "error", "ms", *others):
        table.add_column(title)
    for row in rows:
        sizes = ", ".join(f"{key} {value}" for key, value in row.sizes.items())
        ratios = (f"{row.ratios[other]:.2f}" for other in others)
        table.add_row(sizes, f"{row.error:.1e}", f"{row.ms:.2f}", *ratios)
    counted = [row for row in rows if row.ms >= SHORTEST_MS] or rows
    means = (f"{geometric_mean([row.ratios[other] for row in counted]):.2f}" for other in others)
    table.add_row("geometric mean", "", "", *means)
    return table


def summary(name: str, threads: int, rows: Sequence[Row], costs: Costs) -> tuple[str, ...]:
    """Return the row of a network in the table of the page.

    Each ratio cell has the mean (the least).
    """
    counted = [row for row in rows if row.ms >= SHORTEST_MS] or rows
    ratios = (
        [row.ratios[other] for row in counted if other in row.ratios]
        for other in (STATIC, THEIRS, OPENVINO)
    )
    times = [row.ms for row in rows]
    return (
        name,
        str(threads),
        str(len(rows)),
        f"{min(times):.2f} to {max(times):.2f}",
        *(f"{geometric_mean(found):.2f} ({min(found):.2f})" if found else "" for found in ratios),
        f"{max(row.error for row in rows):.1e}",
        f"{costs.compile_s:.1f}",
    )


def with_summary(text: str, row: tuple[str, ...]) -> str:
    """Return the page with the row of a network inserted in order, for its number of threads."""
    old = read_sheet(text, TITLE)
    kept = [other for other in old.rows if other[:2] != row[:2]]
    rows = sorted([*kept, row], key=lambda r: (r[1], list(DYNAMIC).index(r[0])))
    return text.replace(old.markdown(), replace(old, rows=tuple(rows)).markdown())


def main() -> None:
    """Measure the networks; fail if a result is wrong, or depends on the number of threads."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("networks", nargs="*", default=list(DYNAMIC))
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--static", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    failed: list[str] = []
    for name in options.networks:
        rows, costs = measure(
            name, options.count, options.seed, options.threads, static=options.static
        )
        Console().print(table_of(name, rows, costs))
        Console().print(verdict(name, rows))
        if options.write:
            row = summary(name, options.threads, rows, costs)
            PAGE.write_text(with_summary(PAGE.read_text(), row))
        failed += [name for row in rows if row.error > MOST_ERROR or not row.is_same]
    if failed:
        raise SystemExit(f"wrong or different results: {', '.join(dict.fromkeys(failed))}")


if __name__ == "__main__":
    main()
