"""Instructions that the model counts in ten CUDA kernels, compared with their machine code.

A loop of the machine code runs as often as the multiply-adds of the product require, whose number
follows from its sizes. Run with -s to see the table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import prod
from pathlib import Path

import onnx
import pytest
from xdsl.parser import Parser

import tilewright
from harness.gpu_issues import BARRIER, COPY, MATRIX_LOAD, MULTIPLY, SHUFFLE
from harness.gpu_traffic import WARP, traffic_of
from tilewright.dialects.simt import launch_of
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

from ..targets.gpu.plan.sass import Loop, disassembled, find_tools, loops_of

pytestmark = pytest.mark.nightly
ARCHITECTURE = "sm_80"

CLASSES = {
    MULTIPLY: ("HMMA", "IMMA"),
    MATRIX_LOAD: ("LDSM",),
    COPY: ("LDGSTS",),
    "global load": ("LDG",),
    "global store": ("STG",),
    "shared load": ("LDS",),
    "shared store": ("STS",),
    BARRIER: ("BAR",),
    SHUFFLE: ("SHFL",),
}
"""The mnemonics of each class that the model counts."""

HALVES, F32, BYTES = 16 * 8 * 16, 32, 16 * 8 * 32
"""The multiply-adds of an instruction of a warp."""


@dataclass(frozen=True)
class Case:
    """A kernel by hand: ONNX text, and the multiply-adds of its product.

    each: the multiply-adds of an instruction.  is_whole: whether to compare all instructions, too,
    of which the model leaves out those of addresses and loops.
    """

    signature: str
    body: str
    multiplies: int = 0
    each: int = HALVES
    is_whole: bool = False


def product(dtype: str, out: str = "", body: str = "y = MatMul (a, b)", each: int = HALVES) -> Case:
    shape = "[1024, 1024]"
    text = f"{dtype}{shape} a, {dtype}{shape} b) => ({out or dtype}{shape} y)"
    return Case(text, body, 1024**3, each)


ATTENTION = "float16[1, 12, 512, 64]"
IMAGE, FILTERS = "float16[32, 64, 56, 56]", "float16[64, 64, 3, 3]"
ROWS = "float16[4096, 1024]"
CASES = {
    "product f16": product("float16"),
    "product bf16": product("bfloat16"),
    "product f32": product("float", each=F32),
    "product int8": product("int8", "int32", "y = MatMulInteger (a, b)", BYTES),
    "softmax": Case(f"{ROWS} x) => ({ROWS} y)", "y = Softmax <axis = -1> (x)", is_whole=True),
    "gelu": Case(f"{ROWS} x) => ({ROWS} y)", "y = Gelu (x)", is_whole=True),
    "layer norm": Case(
        f"{ROWS} x, float16[1024] g, float16[1024] b) => ({ROWS} y)",
        "y = LayerNormalization <axis = -1> (x, g, b)",
        is_whole=True,
    ),
    "convolution 3x3": Case(
        f"{IMAGE} x, {FILTERS} w) => ({IMAGE} y)",
        "y = Conv <pads = [1, 1, 1, 1]> (x, w)",
        32 * 56 * 56 * 64 * 64 * 9,
    ),
    "attention": Case(
        f"{ATTENTION} q, {ATTENTION} k, {ATTENTION} v) => ({ATTENTION} y)",
        "y = Attention (q, k, v)",
        2 * 12 * 512 * 512 * 64,
    ),
    "transposition": Case(
        "float16[4096, 4096] x) => (float16[4096, 4096] y)", "y = Transpose <perm = [1, 0]> (x)"
    ),
}


def executed(loops: list[Loop], whole: Counter[str], case: Case, warps: int) -> Counter[str]:
    """Return the instructions of a warp by mnemonic.

    loops: the innermost loops.  whole: all instructions of the kernel.  The trips of the loop with
    multiply-adds follow from those of the product, which the ``warps`` share.
    """
    names = ("FFMA",) if case.each == F32 else ("HMMA", "IMMA")
    counts, left = Counter(whole), case.multiplies / case.each / warps
    for loop in loops:
        counts -= loop.counts
    left -= sum(counts[name] for name in names)
    hot = [loop for loop in loops if sum(loop.counts[name] for name in names)]
    for loop in sorted(hot, key=lambda loop: -sum(loop.counts[name] for name in names)):
        size = sum(loop.counts[name] for name in names)
        trips = int(left // size)
        left -= trips * size
        counts += Counter({name: n * trips for name, n in loop.counts.items()})
    return counts


@pytest.mark.parametrize("name", CASES)
def test_the_model_counts_the_instructions_of_the_machine_code(name: str, tmp_path: Path) -> None:
    if find_tools() is None:
        pytest.skip("no ptxas and nvdisasm: pip install tilewright[cuda] nvidia-cuda-nvdisasm")
    case = CASES[name]
    text = f'<ir_version: 11, opset_import: ["": 23]> counts ({case.signature} {{ {case.body} }}'
    target = f"cuda -arch={ARCHITECTURE}"
    made = tilewright.compile(onnx.parser.parse_model(text), target=target, cache=False)
    module = Parser(new_context(), made.get_source("packed")).parse_module()
    kernel = max(kernel_functions(module), key=lambda each: traffic_of(each).issues)
    launch, found = launch_of(kernel), traffic_of(kernel)
    assert launch is not None
    warps = prod(size.value or 0 for size in launch.grid) * -(-launch.threads // WARP)
    index = list(kernel_functions(module)).index(kernel)
    code = disassembled(made.get_source("ptx"), ARCHITECTURE, tmp_path)
    code = next(p for p in code.split(".section\t") if p.startswith(f".text.tw_k{index},"))
    whole, loops = loops_of(code)
    counted = executed(loops, whole, case, warps)
    rows = {
        label: (found.classes.get(label, 0) / warps, sum(counted[each] for each in mnemonics))
        for label, mnemonics in CLASSES.items()
    }
    if case.is_whole:
        rows["all"] = found.issues / warps, sum(counted.values())
    for label, (model, sass) in rows.items():
        if model or sass:
            print(f"{name:16} {label:14} {model:9.1f} {sass:9d} {model / max(sass, 1):6.2f}")
    for label, (model, sass) in rows.items():
        assert abs(model - sass) <= 0.1 * sass, label
