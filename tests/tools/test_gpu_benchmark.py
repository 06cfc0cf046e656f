"""The figures that benchmarks/gpu.py computes: traffic, bank conflicts, occupancy, bounds."""

from __future__ import annotations

import onnx
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser

import tilewright
from harness.gpu_cases import OPERATORS
from harness.gpu_model import GPUS, Plan, bound, occupancy, roofline
from harness.gpu_traffic import traffic_of
from tilewright.codegen.ptx import Resources
from tilewright.dialects import loop, simt
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.backend import KernelRecord

HEAD = """
func.func @k(%x: memref<256x256xf32>, %y: memref<256x256xf32>)
    attributes {{tw.launch = #simt.launch<grid [{blocks}], block [{threads}], shared 0>}} {{
  %b = simt.block_id x below {blocks}
  %t = simt.thread_id x below {threads}
  %s = loop.alloc "shared" : memref<64x32xf32>
  {body}
  func.return
}}
"""


def traffic(body: str, *, threads: int = 32, blocks: int = 4):
    text = HEAD.format(body=body, threads=threads, blocks=blocks)
    (kernel,) = kernel_functions(Parser(new_context(), text).parse_module())
    return traffic_of(kernel)


@pytest.mark.parametrize(
    ("index", "sectors"),
    [("%b, %t", 4), ("%t, %b", 32), ("%b, 0", 1), ("%b, %t * 2", 8), ("%b, %t + 1", 5)],
    ids=["row", "column", "one element", "every second", "unaligned"],
)
def test_a_warp_asks_for_the_sectors_that_its_threads_touch(index: str, sectors: int) -> None:
    found = traffic(f"%v = loop.load %x[{index}] : memref<256x256xf32>, f32")
    assert found.sectors == 4 * sectors
    assert found.global_bytes == 4 * sectors * 32


def test_loops_guards_and_vectors_count() -> None:
    load = "%v = loop.load %x[%b, {}] : memref<256x256xf32>, {}"
    looped = f"loop.for %i = 0 to 8 {{ {load.format('%t + %i * 8', 'f32')} }}"
    assert traffic(looped).sectors == 4 * 8 * 4
    until = f"loop.for %i = 0 to %t {{ {load.format('%i', 'f32')} }}"
    assert traffic(until).sectors == 4 * 16
    copied = """simt.async_copy {
      %v = loop.load %x[%b, %t * 4] : memref<256x256xf32>, vector<4xf32>
      loop.store %v, %s[0, %t * 4] : memref<64x32xf32>, vector<4xf32>
    }"""
    found = traffic(copied.replace("%t * 4", "%t mod 8 * 4"), blocks=1)
    assert (found.sectors, found.copied_sectors, found.passes, found.l1_clocks) == (4, 4, 1, 1)
    few = f"""%n = loop.index [8] : index
      %c = loop.cmp "slt" %t, %n : index, index, i1
      loop.if %c {{ {load.format("%t", "f32")} }}"""
    assert traffic(few).sectors == 4
    assert traffic(load.format("%t * 4", "vector<4xf32>")).sectors == 4 * 16


@pytest.mark.parametrize(
    ("index", "kind", "passes", "least"),
    [
        ("0, %t", "f32", 1, 1),
        ("0, 5", "f32", 1, 1),
        ("%t, 0", "f32", 32, 1),
        ("%t floordiv 2, 0", "f32", 16, 1),
        ("%t floordiv 8, (%t mod 8) * 4", "vector<4xf32>", 4, 4),
        ("%t, 0", "vector<4xf32>", 32, 4),
    ],
    ids=["row", "broadcast", "column", "pairs", "vectors", "column of vectors"],
)
def test_shared_memory_has_32_banks(index: str, kind: str, passes: int, least: int) -> None:
    found = traffic(f"%v = loop.load %s[{index}] : memref<64x32xf32>, {kind}", blocks=1)
    assert (found.passes, found.least_passes) == (passes, least)


@pytest.mark.parametrize(("pitch", "passes"), [(64, 32), (72, 4)], ids=["even", "padded"])
def test_a_load_of_matrices_passes_once_for_each_if_its_rows_have_other_banks(
    pitch: int, passes: int
) -> None:
    body = f"""%h = loop.alloc "shared" : memref<32x{pitch}xf16>
      %v = simt.load_matrix %h[%t, 0] : memref<32x{pitch}xf16>, vector<8xf16>"""
    found = traffic(body, blocks=1)
    assert (found.passes, found.matrix_passes, found.least_passes) == (passes, passes, 4)
    assert found.issues == 3


def test_iterations_that_load_neighbors_are_one_load() -> None:
    body = """loop.for %i = 0 to 8 {
      %v = loop.load %s[0, %i] : memref<64x32xf32>, f32
    }"""
    assert traffic(body, blocks=1).passes == 2


def test_an_access_that_is_not_counted_is_an_error() -> None:
    with pytest.raises(NotImplementedError, match=r"loop\.prefetch accesses memory"):
        traffic("loop.prefetch %x[%b, %t] locality 3 : memref<256x256xf32>")


@pytest.mark.parametrize(
    ("registers", "shared", "threads", "blocks", "limit"),
    [
        (32, 0, 256, 8, "threads"),
        (64, 8192, 256, 4, "registers"),
        (65, 0, 256, 3, "registers"),
        (128, 8192, 256, 2, "registers"),
        (32, 48 << 10, 256, 3, "shared memory"),
        (16, 0, 32, 32, "blocks"),
    ],
)
def test_occupancy_is_that_of_the_calculator_of_cuda(
    registers: int, shared: int, threads: int, blocks: int, limit: str
) -> None:
    found = occupancy(GPUS["sm_80"], Resources(registers, 0, 0, shared), threads)
    assert (found.blocks, found.limit) == (blocks, limit)
    assert found.share == blocks * threads / 2048


def plan(flops: int, moved: int, blocks: int, threads: int = 256) -> Plan:
    record = KernelRecord("k", ("k",), flops, blocks, 1, moved_bytes=moved)
    found = traffic("%v = loop.load %x[0, 0] : memref<256x256xf32>, f32", blocks=1)
    return Plan(record, Resources(32, 0, 0, 0), (blocks,), (threads,), found)


def test_a_bound_is_the_time_at_the_limit_that_takes_longest() -> None:
    gpu = GPUS["sm_80"]
    assert gpu.flops == pytest.approx(19.5e12, rel=1e-3)
    full = bound(gpu, plan(10**12, 10**6, 108 * 8), 1e12)
    assert (full.limit, full.seconds) == ("compute", pytest.approx(1e12 / gpu.flops))
    tail = bound(gpu, plan(10**12, 10**6, 109), 1e12)
    assert tail.seconds == pytest.approx(2 * 108 / 109 * 1e12 / gpu.flops)
    one = bound(gpu, plan(10**9, 10**6, 1, threads=1), 1e9)
    assert one.seconds == pytest.approx(1e9 / (2 * 1.41e9))
    moving = bound(gpu, plan(10**6, 10**9, 108), 1e6)
    assert (moving.limit, moving.seconds) == ("memory", pytest.approx(1e9 / 2039e9))
    tensor = plan(10**12, 10**6, 108 * 8)
    tensor.traffic.uses_mma = True
    assert bound(gpu, tensor, 1e12).seconds == pytest.approx(1 / 312)
    assert roofline(gpu, 1e12, 1e6, is_half=True) == pytest.approx(1 / 312)
    tensor.traffic.classes["math.fma"] = 108 * 8 * 1e9
    issued = bound(gpu, tensor, 1e12)
    assert (issued.limit, issued.seconds) == ("issue", pytest.approx(8e9 / 4 / 1.41e9))
    hopper = GPUS["sm_90a"]
    assert bound(hopper, tensor, 1e12).compute == pytest.approx(7 * 132 / 864 / (0.62 * 989))


def kernel_of(case: str, dtype: str) -> FuncOp:
    """Return the kernel of an operator of one kernel, without products of warpgroups."""
    model = OPERATORS[case].model(dtype)
    mod = tilewright.compile(model, target="cuda -arch=sm_90a -mattr=-wgmma", cache=False)
    (kernel,) = kernel_functions(Parser(new_context(), mod.get_source("packed")).parse_module())
    return kernel


PRODUCT, IMAGE = "y = {} (a, b)", "float[1, {0}, {1}, {1}] a, float[{2}, {0}, 1, 1] b"


@pytest.mark.parametrize(
    ("inputs", "body", "most"),
    [
        ("float[1024, 1024] a, float[1024, 1024] b", PRODUCT.format("MatMul"), 1.2),
        ("float[1024, 1024] a, float[1024, 1024] b", PRODUCT.format("Gemm <transA = 1>"), 1.0),
        ("float[1024, 1024] a, float[1024, 1024] b", PRODUCT.format("Gemm <transB = 1>"), 1.25),
        ("float[1000, 1001] a, float[1001, 1000] b", PRODUCT.format("MatMul"), 1.2),
        (IMAGE.format(384, 14, 64), PRODUCT.format("Conv"), 1.65),
        (IMAGE.format(144, 28, 32), PRODUCT.format("Conv"), 1.1),
    ],
    ids=["product", "transposed lhs", "transposed rhs", "ragged", "strips", "vectors of strips"],
)
def test_shared_memory_has_few_bank_conflicts(inputs: str, body: str, most: float) -> None:
    """Count the passes of an access; a warp whose accesses to a bank differ takes several."""
    text = f'<ir_version: 9, opset_import: ["": 22]> g ({inputs}) => (y) {{ {body} }}'
    model = onnx.parser.parse_model(text)
    mod = tilewright.compile(model, target="cuda -arch=sm_80", cache=False)
    (kernel,) = kernel_functions(Parser(new_context(), mod.get_source("packed")).parse_module())
    assert traffic_of(kernel).conflicts <= most


def test_sums_of_a_thread_stay_in_registers() -> None:
    """A block has only as many rows of the result as a thread has registers for their sums."""
    text = f"g ({IMAGE.format(576, 14, 96)}) => (y) {{ {PRODUCT.format('Conv')} }}"
    model = onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 22]> {text}')
    mod = tilewright.compile(model, target="cuda -arch=sm_80", cache=False)
    (kernel,) = kernel_functions(Parser(new_context(), mod.get_source("packed")).parse_module())
    loops = [op for op in kernel.walk() if isinstance(op, loop.ForOp)]
    stored = [op for each in loops for op in each.walk() if isinstance(op, loop.StoreOp)]
    assert not stored
    assert max(len(op.results) for op in loops) > 1


def test_a_product_asks_for_the_tiles_of_its_blocks() -> None:
    kernel = kernel_of("matmul_1024", "f32")
    launch = simt.launch_of(kernel)
    assert launch is not None
    columns, rows = (1024 // (blocks.value or 1) for blocks in launch.grid[:2])
    read = (1024 // rows) * (1024 // columns) * (rows + columns) * 1024 * 4
    # The walk counts each step like the first one, but the last ones copy no later tile.
    assert traffic_of(kernel).global_bytes == pytest.approx(read + 1024 * 1024 * 4, rel=0.02)


def test_a_product_of_f16_has_the_passes_and_instructions_that_a_person_counts() -> None:
    kernel = kernel_of("matmul_4096", "f16")
    found, blocks, warps, steps = traffic_of(kernel), 32 * 32, 4, 4096 // 16
    # A step of a warp loads four matrices four times for the rows, as often for the columns, and
    # multiplies 32 times.
    assert found.matrix_passes == blocks * steps * warps * (4 * 4 + 4 * 4) == blocks * 32768
    # All warps copy two tiles of 4 KiB in a step, without conflicts.
    stores = (found.passes - found.matrix_passes) / blocks
    assert stores == pytest.approx(steps * 64, rel=0.01)
    # Multiplications, loads of matrices, two copies, a commit, a wait and a barrier; 160 in SASS,
    # where each copy is an unrolled loop of its own.
    counted = found.issues / blocks / warps / steps
    assert 32 + 8 + 2 <= counted <= 160


@pytest.mark.parametrize(
    ("case", "blocks", "warps", "instructions", "share", "most"),
    # The assembler removes maxima of a softmax with the identity, which the count has.
    [("softmax_4096x1024", 4096, 4, 227, 0.8, 1.11), ("gelu_4m", 2048, 8, 257, 0.8, 1.02)],
)
def test_a_count_of_instructions_stays_below_that_of_the_assembled_code(
    case: str, blocks: int, warps: int, instructions: int, share: float, most: float
) -> None:
    """instructions: the number in the SASS for sm_90a, on the path without special numbers."""
    found = traffic_of(kernel_of(case, "f16"))
    counted = found.issues / blocks / warps
    # A person counts some instructions of a path that the assembler shares with another one.
    assert share * instructions <= counted <= most * instructions
