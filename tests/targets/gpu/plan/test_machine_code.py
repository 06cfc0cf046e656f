"""The machine code of products and of vector kernels on CUDA: instructions of loops and kernels."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from xdsl.parser import Parser

from tilewright.codegen.ptx import assemble
from tilewright.dialects.simt import AsyncCopyOp, launch_of
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

from ....sweeps import in_turn
from . import test_vectors
from .sass import disassembled, find_tools, instructions, main_loop
from .test_tiles import compiled

if find_tools() is None:
    # Before any kernel is compiled, and once for all tests of this file.
    reason = "no ptxas and nvdisasm: pip install tilewright[cuda] nvidia-cuda-nvdisasm"
    pytest.skip(reason, allow_module_level=True)

BUDGETS = {
    "f16 4096": ("float16", (4096, 4096, 4096), "HMMA", 2.5),
    "bf16 4096": ("bfloat16", (4096, 4096, 4096), "HMMA", 2.5),
    "f32 4096": ("float", (4096, 4096, 4096), "FFMA", 1.25),
    "f32 1024": ("float", (1024, 1024, 1024), "FFMA", 1.35),
    "f16 1024": ("float16", (1024, 1024, 1024), "HMMA", 3),
    "f16 ragged": ("float16", (4000, 4008, 4000), "HMMA", 4),
    "f16 odd": ("float16", (4000, 4001, 4000), "HMMA", 4),
    "f16 batch": ("float16", (512, 64, 512, 12), "HMMA", 5),
    "f32 ragged": ("float", (1000, 1000, 1000), "FFMA", 1.6),
}
"""The most instructions of a main loop per multiply-add of a warp."""


@pytest.mark.parametrize(("name", "architecture"), in_turn(BUDGETS, [("sm_80",), ("sm_90a",)]))
def test_the_main_loop_has_few_instructions(name: str, architecture: str, tmp_path: Path) -> None:
    dtype, shape, mnemonic, most = BUDGETS[name]
    check_code(dtype, shape, mnemonic, most, architecture, tmp_path)


def check_code(
    dtype: str, shape: tuple[int, ...], mnemonic: str, most: float, architecture: str, folder: Path
) -> None:
    ptx = compiled(dtype, shape, f"cuda -arch={architecture}").get_source("ptx")
    code = disassembled(ptx, architecture, folder)
    group = re.search(r"HGMMA\.64x(\d+)x16", code) if mnemonic == "HMMA" else None
    if group is not None:
        # A warp's part of it is an HMMA per eight columns.
        mnemonic, most = "HGMMA", most * int(group[1]) / 8
    loop = main_loop(code, mnemonic)
    assert loop.per(mnemonic) <= most, loop.counts
    used = assemble(ptx, architecture).values()
    assert {(each.spill_bytes, each.stack_bytes) for each in used} == {(0, 0)}


def drawn(seed: int) -> tuple[str, tuple[int, ...]]:
    """Draw a product, ragged or batched, of adjacent elements by multiples of 8.

    Every fifth product of 16-bit floats has a sum of less than 512 elements.
    """
    draw = random.Random(seed)
    m, n = (8 * draw.randint(8, 300) for _ in range(2))
    batch = draw.choice([(), (), (draw.randint(2, 12),)])
    k = 8 * draw.randint(64, 300)
    dtype = draw.choice(["float16", "bfloat16", "float"])
    # ptxas unrolls short sums of f32 without a main loop.
    if seed % 5 == 4 and dtype != "float":
        k = 8 * draw.randint(4, 63)
    return dtype, (m, n, k, *batch)


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(n, marks=pytest.mark.nightly) for n in range(2, 20))]
)
def test_drawn_products_have_few_instructions(seed: int, tmp_path: Path) -> None:
    dtype, shape = drawn(seed)
    mnemonic, most = ("FFMA", 2) if dtype == "float" else ("HMMA", 6)
    check_code(dtype, shape, mnemonic, most, "sm_90a", tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_drawn_convolutions_have_few_instructions(seed: int, tmp_path: Path) -> None:
    """The main loop of 3 x 3 and 1 x 1 filters has at most 1.5 times 12 instructions per HMMA."""
    draw = random.Random(seed)
    batch, channels, filters = draw.randint(8, 32), 8 * draw.randint(2, 32), 8 * draw.randint(4, 32)
    image = f"{draw.randint(14, 56)}, {draw.randint(14, 56)}"
    window, stride = draw.choice([1, 3, 3]), draw.choice([1, 1, 2])
    dtype = draw.choice(["float16", "bfloat16"])
    sizes = f"{dtype}[{batch}, {channels}, {image}] x, {dtype}[{filters}, {channels}, {window}, "
    body = f"y = Conv <pads = {[window // 2] * 4}, strides = {[stride] * 2}> (x, w)"
    signature = f"{sizes}{window}] w) => ({dtype}[n, o, h, w] y)"
    mod = test_vectors.compiled(signature, body, "cuda -arch=sm_90a")
    loop = main_loop(disassembled(mod.get_source("ptx"), "sm_90a", tmp_path), "HMMA")
    assert loop.per("HMMA") <= 18, loop.counts


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(6))
def test_drawn_attentions_have_few_barriers(seed: int, tmp_path: Path) -> None:
    """At most 1.5 times 8 barriers for 128 keys by 128 queries, and no spills."""
    draw = random.Random(seed)
    heads, queries = draw.randint(4, 32), draw.randint(300, 2048)
    features = draw.choice([32, 64, 128])
    shape = f"float16[1, {heads}, {queries}, {features}]"
    body = f"y = Attention <is_causal = {draw.randint(0, 1)}> (q, k, v)"
    mod = test_vectors.compiled(
        f"{shape} q, {shape} k, {shape} v) => ({shape} y)", body, "cuda -arch=sm_90a"
    )
    loop = main_loop(disassembled(mod.get_source("ptx"), "sm_90a", tmp_path), "HMMA")
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    (launch,) = [launch_of(function) for function in kernel_functions(module)]
    assert launch is not None
    # A warp has 16 queries; an HMMA multiplies them by 8 keys and 16 features, or the other way.
    keys, block_queries = loop.counts["HMMA"] * 64 / features, launch.threads / 2
    assert loop.counts["BAR"] * (128 / keys) * (128 / block_queries) <= 12, loop.counts
    used = assemble(mod.get_source("ptx"), "sm_90a").values()
    assert all(each.spill_bytes == 0 for each in used)


EIGHTS = {
    "long sum": ((1000, 1000, 1000), "sm_90a"),
    "one step": ((1240, 880, 24), "sm_80"),
    "batch": ((136, 264, 200, 3), "sm_90a"),
}
"""Products whose dimensions are multiples of 8, but not of the tiles."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n == "one step" else pytest.mark.nightly) for n in EIGHTS]
)
def test_no_access_is_of_a_single_half(name: str, tmp_path: Path) -> None:
    """Tiles are copied by 16 bytes, and results stored by pairs, also if a tile is ragged."""
    shape, architecture = EIGHTS[name]
    made = compiled("float16", shape, f"cuda -arch={architecture}")
    module = Parser(new_context(), made.get_source("packed")).parse_module()
    copies = [op for f in kernel_functions(module) for op in f.walk()
              if isinstance(op, AsyncCopyOp)]  # fmt: skip
    assert {op.bytes for op in copies} <= {16}
    ops = instructions(disassembled(made.get_source("ptx"), architecture, tmp_path))
    loads = [op for op in ops if op.startswith(("LDG.", "LDGSTS."))]
    assert loads
    assert not [op for op in loads if "128" not in op]
    assert not [op for op in ops if "U16" in op]


@pytest.mark.parametrize(
    ("signature", "body", "most"),
    [
        ("float16[4096, 1024] x) => (float16[4096, 1024] y)", test_vectors.ROWS["softmax"], 230),
        ("bfloat16[4096, 1024] x) => (bfloat16[4096, 1024] y)", test_vectors.ROWS["softmax"], 240),
        ("float16[4096, 4096] x) => (float16[4096, 4096] y)", "y = Gelu (x)", 300),
        ("bfloat16[4096, 4096] x) => (bfloat16[4096, 4096] y)", "y = Gelu (x)", 310),
        (
            "float16[4096, 4096] x) => (float16[4096, 4096] y)",
            "y = Transpose <perm = [1, 0]> (x)",
            80,
        ),
    ],
    ids=["softmax-f16", "softmax-bf16", "gelu-f16", "gelu-bf16", "transpose-f16"],
)
def test_kernels_stay_within_their_budget_of_instructions(
    signature: str, body: str, most: int, tmp_path: Path
) -> None:
    mod = test_vectors.compiled(signature, body, "cuda -arch=sm_90a")
    ops = instructions(disassembled(mod.get_source("ptx"), "sm_90a", tmp_path))
    assert len(ops) <= most
    assert not [op for op in ops if op.startswith(("LDG", "STG")) and "128" not in op]
    assert not [op for op in ops if op.startswith(("CALL", "LDL", "STL"))]


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_drawn_rows_and_gelus_stay_within_the_budget(seed: int, tmp_path: Path) -> None:
    """A thread needs at most 1.5 times the instructions of the fixed shapes for 8 elements."""
    draw = random.Random(seed)
    name, dtype = draw.choice(["softmax", "gelu"]), draw.choice(["float16", "bfloat16"])
    shape = f"{dtype}[{8 * draw.randint(500, 2000)}, {8 * draw.randint(64, 512)}]"
    body, most = (test_vectors.ROWS[name], 240) if name == "softmax" else ("y = Gelu (x)", 310)
    mod = test_vectors.compiled(f"{shape} x) => ({shape} y)", body, "cuda -arch=sm_90a")
    module = Parser(new_context(), mod.get_source("packed")).parse_module()
    (launch,) = [launch_of(function) for function in kernel_functions(module)]
    assert launch is not None
    columns = int(shape.partition(" ")[2].rstrip("]"))
    vectors = -(-columns // (8 * launch.block[0])) if name == "softmax" else 1
    ops = instructions(disassembled(mod.get_source("ptx"), "sm_90a", tmp_path))
    assert len(ops) <= 1.5 * most * vectors
    assert not [op for op in ops if op.startswith(("LDG", "STG")) and "128" not in op]
