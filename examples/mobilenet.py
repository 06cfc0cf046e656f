"""Compile MobileNetV2 from torch with our own pass and an edited schedule, and compare run times.

Run: python examples/mobilenet.py        or --width 0.5 --size 96 --threads 2 --rounds 30

The network is that of the paper (Sandler et al., 2018) with random weights. The steps:

1. torch exports the network, and `from_onnx` imports it as a module of graph ops.
2. A pass of this file, `MeanIntoWeights`, and two passes of the compiler change the module.
3. `build` compiles the module, with a schedule by the compiler for each kernel.
4. The schedule of the kernel with the most work is edited: programs with other sizes of its
   register tile are compiled, and their kernels timed.
5. Four systems are timed in turns: the program with the compiler's schedules, the fastest program
with an edited schedule, eager torch and torch.compile.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import nn
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

import tilewright
from tilewright.dialects.graph import BroadcastOp, ConstantOp, DivOp, MatmulOp, MulOp
from tilewright.dialects.shape import static_shape, type_of
from tilewright.passes.graph.constant_values import uniform_value
from tilewright.passes.graph.dce import Dce
from tilewright.passes.graph.fold_constants import FoldConstants
from tilewright.support.registry import new_context
from tilewright.support.rewriting import apply_patterns, replace_op, rewrites
from tilewright.testing.measure import TimedComparison, Timing, compare

Call: TypeAlias = Callable[[], object]

ROWS = (
    # Expansion, channels, repetitions and stride of the bottlenecks: table 2 of the paper.
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
    (6, 320, 1, 1),
)  # fmt: skip
TILE = re.compile(r"\b(\w+) = (\d+), even = \[\1\]")
"""A regular expression for the register tile in a schedule: an axis and its size."""
OWN, PLANNED = "tilewright, own schedule", "tilewright"


@dataclass(frozen=True)
class Sizes:
    """The sizes of the network and of its input."""

    width: float = 1.0
    size: int = 224
    classes: int = 1000

    def channels(self, count: int) -> int:
        """Return the number of channels after scaling by the width, a multiple of 8."""
        return max(8, int(count * self.width + 4) // 8 * 8)


# Step 1: the network.


def convolution(inputs: int, outputs: int, kernel: int, *, stride: int = 1, groups: int = 1) -> Any:
    """Return a convolution and its normalization."""
    conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs))


class Bottleneck(nn.Module):
    """An inverted residual: expansion, depthwise convolution, projection."""

    def __init__(self, inputs: int, outputs: int, expansion: int, stride: int) -> None:
        super().__init__()
        wide = inputs * expansion
        expand = [convolution(inputs, wide, 1), nn.ReLU6()] if expansion > 1 else []
        depthwise = convolution(wide, wide, 3, stride=stride, groups=wide)
        self.layers = nn.Sequential(*expand, depthwise, nn.ReLU6(), convolution(wide, outputs, 1))
        self.is_residual = stride == 1 and inputs == outputs

    def forward(self, x: Any) -> Any:
        return x + self.layers(x) if self.is_residual else self.layers(x)


class MobileNetV2(nn.Module):
    """The network of the paper: images (n, 3, size, size) to scores (n, classes)."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        inputs = sizes.channels(32)
        layers: list[nn.Module] = [convolution(3, inputs, 3, stride=2), nn.ReLU6()]
        for expansion, channels, count, first_stride in ROWS:
            outputs = sizes.channels(channels)
            for n in range(count):
                layers.append(Bottleneck(inputs, outputs, expansion, 1 if n else first_stride))
                inputs = outputs
        wide = max(1280, sizes.channels(1280))
        self.layers = nn.Sequential(*layers, convolution(inputs, wide, 1), nn.ReLU6())
        self.classifier = nn.Linear(wide, sizes.classes)

    def forward(self, x: Any) -> Any:
        return self.classifier(self.layers(x).mean((2, 3)))


def network(sizes: Sizes) -> MobileNetV2:
    """Return the network with seeded random weights that preserve the scale of activations."""
    torch.manual_seed(0)
    made = MobileNetV2(sizes).eval()
    for part in made.modules():
        if isinstance(part, nn.Conv2d):
            nn.init.kaiming_normal_(part.weight)
    return made


def imported(model: nn.Module, example: torch.Tensor) -> tuple[ModuleOp, dict[str, Any]]:
    """Export a network by torch and import it; return a module of graph ops, and its parameters.

    example: an input of the network.
    """
    with warnings.catch_warnings(action="ignore"):
        program: Any = torch.onnx.export(model, (example,), dynamo=True, verbose=False)
    return tilewright.from_onnx(program.model_proto)


# Step 2: passes.


class MeanIntoWeights(RewritePattern):
    """``(x / n) @ w -> x @ (w * 1/n)``: the weights are constants, so the division costs nothing.

    Legality: n is one finite number; the result differs by the rounding of two products.
    """

    @rewrites(MatmulOp)
    def match_and_rewrite(self, op: MatmulOp, rewriter: PatternRewriter) -> None:
        mean = op.lhs.owner
        if not isinstance(mean, DivOp) or not isinstance(op.rhs.owner, ConstantOp):
            return
        count = uniform_value(mean.rhs)
        if not count:
            return
        scalar = ConstantOp(np.asarray(1 / count, np.float32))
        factor = BroadcastOp(scalar.out, static_shape(type_of(op.rhs)), ())
        weights = MulOp(op.rhs, factor.out)
        product = MatmulOp(mean.lhs, weights.out, transpose_rhs=op.transpose_rhs)
        replace_op(rewriter, op, [scalar, factor, weights, product])


class FoldMean(ModulePass):
    """The pass that applies `MeanIntoWeights`."""

    name = "mobilenet-fold-mean"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        apply_patterns(op, MeanIntoWeights())


def run_passes(module: ModuleOp) -> dict[str, int]:
    """Run passes on the module; return its number of ops before the passes and after each."""
    counts = {"imported": _count(module)}
    for step in (FoldMean(), FoldConstants(), Dce()):
        step.apply(new_context(), module)
        counts[step.name] = _count(module)
    return counts


def _count(module: ModuleOp) -> int:
    return sum(1 for _ in module.walk())


# Step 4: a schedule of our own.


@dataclass(frozen=True)
class Edit:
    """A kernel, and edited texts of its schedule.

    axis: the axis of the register tile.  planned: the size of the tile in the compiler's schedule.
    texts: the schedule by size of the tile.
    """

    kernel: str
    axis: str
    planned: int
    texts: Mapping[int, str]


def edits_of(module: Any, folder: Path) -> Edit:
    """Return the edited schedules of the kernel that has the most operations."""
    files = {path.stem: path.read_text() for path in module.dump_schedules(folder)}
    kernels = [each for each in module.kernels if each.name in files]
    kernels = [each for each in kernels if TILE.search(files[each.name])]
    heavy = max(kernels, key=lambda each: each.flops * each.calls).name
    text = files[heavy]
    found = TILE.search(text)
    assert found is not None, "kernels without a register tile are left out"
    axis, planned = found[1], int(found[2])
    sizes = {max(1, planned // 2), planned - 1, planned + 1, 2 * planned} - {0, planned}
    texts = {
        size: text[: found.start(2)] + str(size) + text[found.end(2) :] for size in sorted(sizes)
    }
    return Edit(heavy, axis, planned, texts)


def built(module: ModuleOp, text: str, threads: int) -> Any:
    """Build a module in which one kernel has the schedule given as text; return the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.mlir"
        path.write_text(text)
        return tilewright.build(module, plan=path, threads=threads)


def kernel_us(program: Any, kernel: str, x: np.ndarray) -> float:
    """Return the total time of all calls of a kernel in one run, in microseconds."""
    rows = program.profile(x, rounds=5).rows
    return next(row.us for row in rows if row.kernel == kernel)


def fastest(programs: Mapping[int, Any], kernel: str, x: np.ndarray) -> dict[int, float]:
    """Return the least microseconds of a kernel in each program, over three interleaved rounds."""
    least = dict.fromkeys(programs, float("inf"))
    for _ in range(3):
        for size, program in programs.items():
            least[size] = min(least[size], kernel_us(program, kernel, x))
    return least


# Step 5: the table.


def rows_of(result: TimedComparison, over: str, first_s: Mapping[str, float]) -> list[str]:
    """Return the lines of the table: times, and the quartiles of the time ratios of all rounds.

    over: the system with which the others are compared.  first_s: the seconds of the first call.
    """
    lines = [f"{'system':26}{'median ms':>10}{'min ms':>9}{'time / ours':>13}{'quartiles':>14}"]
    lines[0] += f"{'first call s':>14}"
    for timing in result.timings:
        low, middle, high = ratios(timing, result[over])
        shown = f"{timing.name:26}{1e3 * timing.median_s:10.3f}{1e3 * timing.min_s:9.3f}"
        first = f"{first_s[timing.name]:14.1f}" if timing.name in first_s else ""
        lines.append(f"{shown}{middle:13.2f}{low:8.2f} ..{high:4.2f}{first}")
    return lines


def ratios(timing: Timing, over: Timing) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile of time ratios."""
    each = [a / b for a, b in zip(timing.samples_s, over.samples_s, strict=True)]
    if len(each) < 2:
        return each[0], each[0], each[0]
    low, _, high = quantiles(each, n=4)
    return low, median(each), high


def timed(call: Call) -> float:
    """Return the seconds of a call."""
    start_s = time.perf_counter()
    call()
    return time.perf_counter() - start_s


def torch_calls(model: nn.Module, x: torch.Tensor) -> dict[str, Call]:
    """Return the calls of eager torch, and of torch.compile with frozen weights."""
    compiled: Any = torch.compile(model, options={"freezing": True})
    return {"torch, eager": lambda: model(x), "torch.compile": lambda: compiled(x)}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="MobileNetV2 from torch to a table of times.")
    parser.add_argument("--width", type=float, default=1.0)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args(words)
    torch.set_num_threads(given.threads)
    sizes = Sizes(given.width, given.size)
    model, x = network(sizes), torch.randn(1, 3, sizes.size, sizes.size)
    image = x.numpy()

    module, _ = imported(model, x)
    counts = [f"{count} {name}" for name, count in run_passes(module).items()]
    print(f"ops after each pass: {', '.join(counts)}")
    first_s: dict[str, float] = {}
    start_s = time.perf_counter()
    planned = tilewright.build(module, threads=given.threads, cache=False)
    first_s[PLANNED] = time.perf_counter() - start_s

    with tempfile.TemporaryDirectory() as folder:
        edit = edits_of(planned, Path(folder))
    programs = {n: built(module, text, given.threads) for n, text in edit.texts.items()}
    least = fastest({edit.planned: planned, **programs}, edit.kernel, image)
    best = min(programs, key=lambda size: least[size])
    own = programs[best]
    print(f"kernel {edit.kernel}, register tile of {edit.planned} along {edit.axis}; us per run:")
    for size, us in sorted(least.items()):
        mark = {edit.planned: "the plan", best: "the best of the others"}.get(size, "")
        print(f"  {size:3} {us:8.1f}  {mark}")

    with torch.inference_mode():
        ours = {PLANNED: lambda: planned(image), OWN: lambda: own(image)}
        systems = {**ours, **torch_calls(model, x)}
        expected = model(x).numpy()
        for name, call in systems.items():
            if name not in ours:
                first_s[name] = timed(call)
            np.testing.assert_allclose(np.asarray(call()), expected, rtol=1e-3, atol=1e-4)
        result = compare(systems, rounds=given.rounds, pause_s=0.01)
    print("\n".join(rows_of(result, PLANNED, first_s)))


if __name__ == "__main__":
    main()
