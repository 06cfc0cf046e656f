"""Kernels of the loop level against numpy: addresses, loops, tasks, memory, integers."""

from __future__ import annotations

import re

import ml_dtypes
import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from tilewright.lowering.loop_to_llvm import emit_kernel
from tilewright.lowering.loop_to_llvm.types import SMALL_FLOATS
from tilewright.support.diagnostics import LoweringError
from tilewright.support.registry import new_context
from tilewright.testing.guard import guarded

from .native import (
    AVX2,
    AVX512,
    HOST,
    RUNNABLE,
    SSE2,
    Kernel,
    assembly,
    calls,
    only_function,
)

TARGETS = pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def random(*shape: int) -> np.ndarray:
    return rng().standard_normal(shape).astype(np.float32)


MATMUL = """
func.func @mm(%A: memref<12x20xf32>, %B: memref<3x20x8xf32>, %C: memref<12x24xf32>) {
  %z = arith.constant dense<0.0> : vector<8xf32>
  loop.for parallel %j = 0 to 3 {
    loop.for parallel %i = 0 to 6 {
      %s, %t = loop.for %k = 0 to 20 unroll 4
          iter_args(%x = %z, %y = %z : vector<8xf32>, vector<8xf32>) {
        %b = loop.load %B[%j, %k, 0] : memref<3x20x8xf32>, vector<8xf32>
        %a0 = loop.load %A[%i * 2, %k] : memref<12x20xf32>, f32
        %a1 = loop.load %A[%i * 2 + 1, %k] : memref<12x20xf32>, f32
        %v0 = loop.broadcast %a0 : f32 to vector<8xf32>
        %v1 = loop.broadcast %a1 : f32 to vector<8xf32>
        %n0 = math.fma %v0, %b, %x : vector<8xf32>
        %n1 = math.fma %v1, %b, %y : vector<8xf32>
        loop.yield %n0, %n1 : vector<8xf32>, vector<8xf32>
      }
      loop.store %s, %C[%i * 2, %j * 8] : memref<12x24xf32>, vector<8xf32>
      loop.store %t, %C[%i * 2 + 1, %j * 8] : memref<12x24xf32>, vector<8xf32>
    }
  }
  func.return
}"""


@TARGETS
def test_matmul_tile_with_parallel_nest(target):
    a, b, c = random(12, 20), random(3, 20, 8), np.zeros((12, 24), np.float32)
    kernel = Kernel(MATMUL, target)
    assert kernel.info.tasks == 18
    kernel(a, b, c)
    np.testing.assert_allclose(c, a @ b.transpose(1, 0, 2).reshape(20, 24), atol=1e-5)


def test_hoisted_addresses_leave_one_gep_per_load_in_the_loop():
    lines = Kernel(MATMUL, AVX2).text.splitlines()
    body = lines[next(i for i, s in enumerate(lines) if " phi " in s) :]
    body = body[: next(i for i, s in enumerate(body) if " br " in s)]
    assert not [s for s in body if " mul " in s and "i64 %task" in s]
    # The bases of A and B move with k; every further copy and row is at a constant offset.
    assert len([s for s in body if "getelementptr" in s]) <= 3 * 4 + 3


def register_tile(rows: int) -> str:
    """Return a matmul kernel with a tile of some rows and two AVX2 vectors."""
    cells = [f"{r}_{c}" for r in range(rows) for c in (0, 1)]
    types = ", ".join(["vector<8xf32>"] * len(cells))
    carried = ", ".join(f"%x{n} = %z" for n in cells)
    body = [f"%b{c} = loop.load %B[%k, {8 * c}] : memref<64x16xf32>, vector<8xf32>" for c in (0, 1)]
    for r in range(rows):
        body.append(f"%a{r} = loop.load %A[%i * {rows} + {r}, %k] : memref<48x64xf32>, f32")
        body.append(f"%v{r} = loop.broadcast %a{r} : f32 to vector<8xf32>")
        body += [f"%n{r}_{c} = math.fma %v{r}, %b{c}, %x{r}_{c} : vector<8xf32>" for c in (0, 1)]
    stores = [
        f"loop.store %s{r}_{c}, %C[%i * {rows} + {r}, {8 * c}] : memref<48x16xf32>, vector<8xf32>"
        for r in range(rows)
        for c in (0, 1)
    ]
    return f"""
    func.func @k(%A: memref<48x64xf32>, %B: memref<64x16xf32>, %C: memref<48x16xf32>) {{
      %z = arith.constant dense<0.0> : vector<8xf32>
      loop.for parallel %i = 0 to {48 // rows} {{
        {", ".join("%s" + n for n in cells)} =
          loop.for %k = 0 to 64 unroll 4 iter_args({carried} : {types}) {{
          {chr(10).join(body)}
          loop.yield {", ".join("%n" + n for n in cells)} : {types}
        }}
        {chr(10).join(stores)}
      }}
      func.return
    }}"""


def test_register_tile_keeps_its_accumulators_in_registers():
    asm = assembly(emit_kernel(only_function(register_tile(6)), AVX2), AVX2)
    assert asm.count("vfmadd") == 6 * 2 * 4
    assert not re.search(r"vmov\w+\t%ymm\d+, -?\d*\(%rsp", asm)
    if HOST.has("avx2"):
        a, b, c = random(48, 64), random(64, 16), np.empty((48, 16), np.float32)
        Kernel(register_tile(6), AVX2)(a, b, c)
        np.testing.assert_allclose(c, a @ b, atol=1e-4)


LAST_VECTOR = """
func.func @k(%X: memref<11xf32>, %Y: memref<16xf32>) {
  loop.for parallel %i = 0 to 1 {
    %t = loop.alloc "local" : memref<11xf32>
    %x = loop.load %X[0] lanes 3 : memref<11xf32>, vector<8xf32>
    loop.store %x, %t[8] lanes 3 : memref<11xf32>, vector<8xf32>
    loop.store %x, %t[0] lanes 3 : memref<11xf32>, vector<8xf32>
    %y = loop.load %t[8] lanes 3 : memref<11xf32>, vector<8xf32>
    loop.store %y, %Y[%i * 8 + 0] : memref<16xf32>, vector<8xf32>
  }
  func.return
}"""


@TARGETS
def test_the_last_vector_of_a_local_buffer_needs_no_mask(target):
    x, y = random(11), random(16)
    kernel = Kernel(LAST_VECTOR, target)
    kernel(x, y)
    np.testing.assert_array_equal(y[:8], [*x[:3], 0, 0, 0, 0, 0])
    assert "alloca [16 x float]" in kernel.text
    calls = [s for s in kernel.text.splitlines() if " call " in s]
    assert len([s for s in calls if "masked.load" in s]) == 1, "of the argument"
    assert len([s for s in calls if "masked.store" in s]) == 1, "in front of other elements"


def test_same_text_twice():
    texts = {emit_kernel(only_function(MATMUL), AVX2) for _ in range(2)}
    assert len(texts) == 1


@TARGETS
def test_dynamic_bounds_and_nested_carried_values(target):
    kernel = Kernel(
        """
    func.func @k(%x: memref<10x10xf32>, %y: memref<10xf32>) {
      %z = arith.constant 0.0 : f32
      loop.for %i = 0 to 10 {
        %s = loop.for %j = max(0, %i - 2) to min(10, %i + 3, 7) iter_args(%a = %z : f32) {
          %v = loop.load %x[%i, %j] : memref<10x10xf32>, f32
          %t = arith.addf %a, %v : f32
          loop.yield %t : f32
        }
        loop.store %s, %y[%i] : memref<10xf32>, f32
      }
      func.return
    }""",
        target,
    )
    x, y = random(10, 10), np.empty(10, np.float32)
    kernel(x, y)
    want = [x[i, max(0, i - 2) : min(i + 3, 7)].sum() for i in range(10)]
    np.testing.assert_allclose(y, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("form", ["", "unroll 2", "unroll 30"])
@pytest.mark.parametrize("shift", [0, -13])
def test_floordiv_and_mod_of_any_sign_in_addresses(form, shift):
    kernel = Kernel(
        f"""
    func.func @k(%x: memref<64xi32>, %y: memref<30x2xi32>) {{
      loop.for %i = 0 to 30 {form} {{
        %a = loop.load %x[(%i + {shift}) floordiv 7 + 5] : memref<64xi32>, i32
        %b = loop.load %x[(%i + {shift}) mod 7 * 4 + (%i + {shift}) mod 8] : memref<64xi32>, i32
        loop.store %a, %y[%i, 0] : memref<30x2xi32>, i32
        loop.store %b, %y[%i, 1] : memref<30x2xi32>, i32
      }}
      func.return
    }}"""
    )
    x, y = np.arange(64, dtype=np.int32), np.empty((30, 2), np.int32)
    kernel(x, y)
    i = np.arange(30) + shift
    np.testing.assert_array_equal(y[:, 0], i // 7 + 5)
    np.testing.assert_array_equal(y[:, 1], i % 7 * 4 + i % 8)


def test_split_index_of_a_blocked_layout_is_linear_again():
    text = Kernel(
        """
    func.func @k(%x: memref<4x8xf32>, %y: memref<32xf32>) {
      loop.for %i = 0 to 32 {
        %a = loop.load %x[%i floordiv 8, %i mod 8] : memref<4x8xf32>, f32
        loop.store %a, %y[%i] : memref<32xf32>, f32
      }
      func.return
    }"""
    ).text
    assert not any(word in text for word in ("udiv", "urem", "ashr", "and i64"))


def test_computed_positions_in_unrolled_copies_differ():
    kernel = Kernel(
        """
    func.func @k(%p: memref<12xi32>, %x: memref<50x4xf32>, %y: memref<12xf32>) {
      loop.for %i = 0 to 12 unroll 3 {
        %n = loop.load %p[%i] : memref<12xi32>, i32
        %d = arith.index_cast %n : i32 to index
        %one = arith.constant 1 : index
        %e = arith.addi %d, %one : index
        %q = arith.addi %e, %i : index
        %z = arith.constant 0.0 : f32
        %s = loop.for %j = 0 to 4 iter_args(%a = %z : f32) {
          %v = loop.load %x[%q, %j] : memref<50x4xf32>, f32
          %t = arith.addf %a, %v : f32
          loop.yield %t : f32
        }
        loop.store %s, %y[%i] : memref<12xf32>, f32
      }
      func.return
    }"""
    )
    p, x = rng().integers(0, 30, 12).astype(np.int32), random(50, 4)
    y = np.empty(12, np.float32)
    kernel(p, x, y)
    np.testing.assert_allclose(y, x[p + 1 + np.arange(12)].sum(1), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("around", ["loop.for %j = 0 to min(%i, 3)", "loop.if %b"])
def test_addresses_made_in_a_body_that_may_not_run_are_not_used_after_it(around):
    kernel = Kernel(
        f"""
    func.func @k(%p: memref<1xi32>, %x: memref<5x7xf32>, %y: memref<5xf32>, %z: memref<5xf32>) {{
      %n = loop.load %p[0] : memref<1xi32>, i32
      %zero = arith.constant 0 : i32
      %b = arith.cmpi ne, %n, %zero : i32
      loop.for %i = 0 to 5 {{
        {around} {{
          %m = loop.load %p[0] : memref<1xi32>, i32
          %q = arith.index_cast %m : i32 to index
          %v = loop.load %x[%i, %q] : memref<5x7xf32>, f32
          loop.store %v, %z[%i] : memref<5xf32>, f32
        }}
        %w = loop.load %x[%i, 0] : memref<5x7xf32>, f32
        loop.store %w, %y[%i] : memref<5xf32>, f32
      }}
      func.return
    }}"""
    )
    p, x = np.array([4], np.int32), random(5, 7)
    y, z = np.zeros(5, np.float32), np.zeros(5, np.float32)
    kernel(p, x, y, z)
    np.testing.assert_array_equal(y, x[:, 0])
    first = 1 if "for" in around else 0
    np.testing.assert_array_equal(z[first:], x[first:, 4])


@pytest.mark.parametrize("form", ["", "unroll 2", "unroll 6"])
def test_loop_variables_are_values_too(form):
    kernel = Kernel(
        f"""
    func.func @k(%x: memref<6xindex>, %y: memref<6xindex>) {{
      loop.for %i = 0 to 6 {form} {{
        loop.store %i, %x[%i] : memref<6xindex>, index
        %s = loop.for %j = 0 to 4 iter_args(%a = %i : index) {{
          %t = arith.addi %a, %j : index
          loop.yield %t : index
        }}
        loop.store %s, %y[5 - %i] : memref<6xindex>, index
      }}
      func.return
    }}"""
    )
    x, y = np.empty(6, np.int64), np.empty(6, np.int64)
    kernel(x, y)
    np.testing.assert_array_equal(x, np.arange(6))
    np.testing.assert_array_equal(y[::-1], np.arange(6) + 6)


def test_index_vectors_compare_select_and_if():
    kernel = Kernel(
        """
    func.func @k(%x: memref<32xf32>, %y: memref<32xi64>, %c: memref<1xi32>) {
      %minus = arith.constant -1 : i64
      %neg = loop.broadcast %minus : i64 to vector<8xi64>
      %zero = arith.constant dense<0.0> : vector<8xf32>
      %zs = arith.constant 0.0 : f32
      loop.for %i = 0 to 4 {
        %v = loop.load %x[%i * 8] : memref<32xf32>, vector<8xf32>
        %p = loop.index [%i * 8] step 1 : vector<8xindex>
        %q = loop.cast "index_cast" %p : vector<8xindex> to vector<8xi64>
        %m = loop.cmp "ogt" %v, %zero : vector<8xf32>, vector<8xf32>, vector<8xi1>
        %r = loop.select %m, %q, %neg : vector<8xi1>, vector<8xi64>, vector<8xi64>, vector<8xi64>
        loop.store %r, %y[%i * 8] : memref<32xi64>, vector<8xi64>
        %first = loop.extract %v 0 : vector<8xf32>
        %b = arith.cmpf ogt, %first, %zs : f32
        loop.if %b {
          %old = loop.load %c[0] : memref<1xi32>, i32
          %one = arith.constant 1 : i32
          %new = arith.addi %old, %one : i32
          loop.store %new, %c[0] : memref<1xi32>, i32
        }
      }
      func.return
    }"""
    )
    x, y, c = random(32), np.empty(32, np.int64), np.zeros(1, np.int32)
    kernel(x, y, c)
    np.testing.assert_array_equal(y, np.where(x > 0, np.arange(32), -1))
    assert c[0] == (x[::8] > 0).sum()


# ---- memory


@TARGETS
@pytest.mark.parametrize(
    ("dtype", "name"),
    [(np.float64, "f64"), (np.float32, "f32"), (np.float16, "f16"), (ml_dtypes.bfloat16, "bf16"),
     (np.bool_, "i1"), (np.int8, "i8"), (np.int16, "i16"), (np.int32, "i32"), (np.int64, "i64")],
)  # fmt: skip
@pytest.mark.parametrize("lanes", [4, 8])
def test_copies_with_lanes_and_strides(dtype, name, lanes, target):
    kernel = Kernel(
        f"""
    func.func @k(%x: memref<3x9x{name}>, %y: memref<27x{name}>) {{
      %a = loop.load %x[0, 0] : memref<3x9x{name}>, vector<{lanes}x{name}>
      loop.store %a, %y[0] : memref<27x{name}>, vector<{lanes}x{name}>
      %b = loop.load %x[2, 6] lanes 3 : memref<3x9x{name}>, vector<{lanes}x{name}>
      loop.store %b, %y[8] : memref<27x{name}>, vector<{lanes}x{name}>
      loop.store %a, %y[24] lanes 3 : memref<27x{name}>, vector<{lanes}x{name}>
      %c = loop.load %x[1, 0] lanes 3 stride 4 : memref<3x9x{name}>, vector<{lanes}x{name}>
      loop.store %c, %y[16] lanes 3 stride 3 : memref<27x{name}>, vector<{lanes}x{name}>
      func.return
    }}""",
        target,
    )
    x = guarded(rng().integers(0, 2 if name == "i1" else 90, (3, 9)).astype(dtype))
    y = guarded(np.zeros(27, dtype))
    kernel(x, y)
    want = np.zeros(27, dtype)
    want[:lanes], want[8:11], want[24:27] = x[0, :lanes], x[2, 6:], x[0, :3]
    want[[16, 19, 22]] = x[1, ::4]
    np.testing.assert_array_equal(y, want)


@TARGETS
@pytest.mark.parametrize("at_start", [False, True])
@pytest.mark.parametrize("name", ["f32", "f16", "i8", "i1"])
@pytest.mark.parametrize("options", ["", "lanes 3", "stride 2"])
def test_padded_loads_read_nothing_outside(options, name, at_start, target):
    dtype = {"f32": np.float32, "f16": np.float16, "i8": np.int8, "i1": np.bool_}[name]
    pad = 1 if name == "i1" else 7
    literal = f"{pad}.0" if name[0] == "f" else str(pad)
    vector = f"vector<4x{name}>"
    kernel = Kernel(
        f"""
    func.func @k(%x: memref<3x5x{name}>, %y: memref<9x11x4x{name}>, %s: memref<9x11x{name}>) {{
      loop.for %i = 0 to 9 {{
        loop.for %j = 0 to 11 {{
          %v = loop.load %x[%i - 3, %j - 4] {options} pad {literal} : memref<3x5x{name}>, {vector}
          loop.store %v, %y[%i, %j, 0] : memref<9x11x4x{name}>, {vector}
          %t = loop.load %x[%i - 3, %j - 4] pad {literal} : memref<3x5x{name}>, {name}
          loop.store %t, %s[%i, %j] : memref<9x11x{name}>, {name}
        }}
      }}
      func.return
    }}""",
        target,
    )
    x = guarded(rng().integers(0, 2, (3, 5)).astype(dtype), at_start=at_start)
    y, s = np.zeros((9, 11, 4), dtype), np.zeros((9, 11), dtype)
    kernel(x, y, s)
    padded = np.pad(x, ((3, 20), (4, 30)), constant_values=dtype(pad))
    step = 2 if "stride" in options else 1
    want = np.stack([padded[:9, step * k : step * k + 11] for k in range(4)], -1)
    if "lanes" in options:
        want[..., 3] = 0
    np.testing.assert_array_equal(y, want)
    np.testing.assert_array_equal(s, padded[:9, :11])


def test_local_buffers_and_workspace():
    text = """
    func.func @k(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
      loop.for parallel %i = 0 to 4 {
        %t = loop.alloc "local" : memref<8xf32>
        %u = loop.alloc "workspace" at 64 : memref<8xf32>
        loop.for %j = 0 to 8 {
          %v = loop.load %x[%i, %j] : memref<4x8xf32>, f32
          loop.store %v, %t[%j] : memref<8xf32>, f32
          loop.store %v, %u[7 - %j] : memref<8xf32>, f32
        }
        loop.for %j = 0 to 8 {
          %a = loop.load %t[%j] : memref<8xf32>, f32
          %b = loop.load %u[%j] : memref<8xf32>, f32
          %s = arith.addf %a, %b : f32
          loop.store %s, %y[%i, %j] : memref<4x8xf32>, f32
        }
      }
      func.return
    }"""
    attributes = "attributes {tw.workspace_bytes = 128 : i64}"
    text = text.replace(
        ") {\n      loop.for parallel", f") {attributes} {{\n      loop.for parallel", 1
    )
    kernel = Kernel(text)
    assert kernel.info.workspace_bytes == 128
    x, y = random(4, 8), np.zeros((4, 8), np.float32)
    kernel(x, y, worker=3)
    np.testing.assert_array_equal(y, x + x[:, ::-1])


# ---- arithmetic


def binary_kernel(op: str, dtype: str, lanes: int, size: int, result: str = "") -> str:
    """Return a kernel that applies a two-operand op of vectors."""
    vector = f"vector<{lanes}x{dtype}>" if lanes > 1 else dtype
    m, r = f"memref<{size}x{dtype}>", f"memref<{size}x{result or dtype}>"
    out = vector.replace(dtype, result or dtype)
    return f"""
    func.func @k(%a: {m}, %b: {m}, %y: {r}) {{
      loop.for %i = 0 to {size // lanes} {{
        %x = loop.load %a[%i * {lanes}] : {m}, {vector}
        %z = loop.load %b[%i * {lanes}] : {m}, {vector}
        %r = {op} : {vector}{f", {vector}, {out}" if result else ""}
        loop.store %r, %y[%i * {lanes}] : {r}, {out}
      }}
      func.return
    }}"""


def wrapped(values: list[int], bits: int) -> np.ndarray:
    return np.array([v % (1 << bits) for v in values], f"u{bits // 8}").view(f"i{bits // 8}")


def divided(a: int, b: int) -> int:
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def shifted(kind: str, a: int, n: int, bits: int) -> int:
    inside = 0 <= n < bits
    if kind == "shli":
        return a << n if inside else 0
    if kind == "shrui":
        return (a % (1 << bits)) >> n if inside else 0
    return a >> (n if inside else bits - 1)


INTEGERS = {
    "divsi": lambda a, b, w: divided(a, b),
    "divui": lambda a, b, w: divided(a % (1 << w), b % (1 << w)),
    "remsi": lambda a, b, w: 0 if b == 0 else a - b * divided(a, b),
    "remui": lambda a, b, w: 0 if b == 0 else a % (1 << w) % (b % (1 << w)),
    "floordivsi": lambda a, b, w: 0 if b == 0 else a // b,
    "shli": lambda a, b, w: shifted("shli", a, b, w),
    "shrsi": lambda a, b, w: shifted("shrsi", a, b, w),
    "shrui": lambda a, b, w: shifted("shrui", a, b, w),
    "addi": lambda a, b, w: a + b,
    "subi": lambda a, b, w: a - b,
    "muli": lambda a, b, w: a * b,
    "andi": lambda a, b, w: a & b,
    "ori": lambda a, b, w: a | b,
    "xori": lambda a, b, w: a ^ b,
    "maxsi": lambda a, b, w: max(a, b),
    "minui": lambda a, b, w: min(a % (1 << w), b % (1 << w)),
}


@pytest.mark.one_in(4)
@TARGETS
@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("name", INTEGERS)
def test_integer_operations_are_total(name, bits, lanes, target):
    low = -(1 << (bits - 1))
    edges = [0, 1, -1, 2, -2, 3, 7, -7, 8, bits - 1, bits, bits + 1, low, low + 1, -low - 1, 100]
    edges += [int(v) for v in rng().integers(low, -low - 1, 8)]
    a, b = (v.ravel() for v in np.meshgrid(np.array(edges), np.array(edges)))
    x, z = wrapped(a.tolist(), bits), wrapped(b.tolist(), bits)
    y = np.empty_like(x)
    Kernel(binary_kernel(f"arith.{name} %x, %z", f"i{bits}", lanes, len(x)), target)(x, z, y)
    pairs = zip(x.tolist(), z.tolist(), strict=True)
    want = wrapped([INTEGERS[name](p, q, bits) for p, q in pairs], bits)
    np.testing.assert_array_equal(y, want)


@pytest.mark.parametrize("divisor", [0, 1, -1, 7, -7])
def test_division_by_constants(divisor):
    x = np.array([0, 1, -1, 6, 7, 8, -8, 2**31 - 1, -(2**31)] * 8, np.int32)
    for name in ("divsi", "remsi"):
        text = binary_kernel(f"arith.{name} %x, %d", "i32", 8, len(x)).replace(
            "%r =", f"%d = arith.constant dense<{divisor}> : vector<8xi32>\n%r ="
        )
        y = np.empty_like(x)
        Kernel(text)(x, x, y)
        want = wrapped([INTEGERS[name](v, divisor, 32) for v in x.tolist()], 32)
        np.testing.assert_array_equal(y, want)


FLOATS = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5, -3.25, 1e-40]


@TARGETS
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("name", ["maximumf", "minimumf", "maxnumf", "minnumf", "addf", "divf"])
def test_float_operations(name, lanes, dtype, target):
    kinds = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
    a, b = (v.ravel().astype(kinds[dtype]) for v in np.meshgrid(FLOATS, FLOATS))
    y = np.empty_like(a)
    Kernel(binary_kernel(f"arith.{name} %x, %z", dtype, lanes, len(a)), target)(a, b, y)
    reference = {"maximumf": np.maximum, "minimumf": np.minimum, "maxnumf": np.fmax,
                 "minnumf": np.fmin, "addf": np.add, "divf": np.divide}[name]  # fmt: skip
    with np.errstate(all="ignore"):
        want = reference(a.astype(np.float64), b.astype(np.float64)).astype(a.dtype)
    np.testing.assert_array_equal(y.astype(float), want.astype(float))
    if name in ("maximumf", "minimumf"):
        both = (a == 0) & (b == 0)
        signs = np.signbit(a[both].astype(float)), np.signbit(b[both].astype(float))
        negative = signs[0] & signs[1] if name == "maximumf" else signs[0] | signs[1]
        np.testing.assert_array_equal(np.signbit(y[both].astype(float)), negative)


@TARGETS
def test_relu_is_one_instruction_and_keeps_nan(target):
    text = binary_kernel("arith.maximumf %zero, %x", "f32", 4, 20).replace(
        "%r =", "%zero = arith.constant dense<0.0> : vector<4xf32>\n%r ="
    )
    a = np.array(FLOATS * 2, np.float32)
    y = np.empty_like(a)
    Kernel(text, target)(a, a, y)
    np.testing.assert_array_equal(y, np.maximum(a, 0))
    asm = assembly(emit_kernel(only_function(text), target), target)
    assert "maxps" in asm
    assert "blend" not in asm
    assert "cmpunord" not in asm


@TARGETS
@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("source", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("target_type", ["i8", "i16", "i32", "i64"])
def test_float_to_integer_saturates(source, target_type, lanes, target):
    kinds = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
    bits = int(target_type[1:])
    edges = [0, 0.9, -0.9, 1.5, -1.5, 127.9, 128, -128.9, -129, 255.5, 256, 3e9, -3e9, 1e19]
    edges += [2.0**31, -(2.0**31), 2.0**32, 2.0**63, 2.0**64, -(2.0**63), np.inf, -np.inf]
    edges += [np.nan, 32768]
    with np.errstate(all="ignore"):
        x = np.array(edges).astype(kinds[source])
    for name, low, high in (
        ("fptosi", -(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        ("fptoui", 0, (1 << bits) - 1),
    ):
        v = (lambda t: f"vector<{lanes}x{t}>") if lanes > 1 else str
        text = f"""
        func.func @k(%x: memref<24x{source}>, %y: memref<24x{target_type}>) {{
          loop.for %i = 0 to {24 // lanes} {{
            %a = loop.load %x[%i * {lanes}] : memref<24x{source}>, {v(source)}
            %b = {cast(name, lanes)} %a : {v(source)} to {v(target_type)}
            loop.store %b, %y[%i * {lanes}] : memref<24x{target_type}>, {v(target_type)}
          }}
          func.return
        }}"""
        y = np.empty(24, f"i{bits // 8}")
        Kernel(text, target)(x, y)
        wide = [float(e) for e in x]
        want = [0 if e != e else low if e < low else high if e > high else int(e) for e in wide]
        np.testing.assert_array_equal(y, wrapped(want, bits))


@TARGETS
@pytest.mark.parametrize(("name", "kind"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_sixteen_bit_floats_convert_exactly(name, kind, target):
    every = np.arange(65536, dtype=np.uint16).view(kind)
    wide = np.empty(65536, np.float32)
    text = conversion("extf", name, "f32", 65536)
    Kernel(text, target)(every, wide)
    np.testing.assert_array_equal(wide, every.astype(np.float32))
    finite = np.sort(np.abs(wide[np.isfinite(wide)]))
    values = np.concatenate([finite, np.nextafter(finite, 0), np.nextafter(finite, np.inf)])
    middle = finite[1:] / 2 + finite[:-1] / 2
    values = np.concatenate([values, middle, [np.inf, -np.inf, np.nan]]).astype(np.float32)
    for dtype, source in ((np.float32, "f32"), (np.float64, "f64")):
        x = np.resize(values, -(-len(values) // 8) * 8).astype(dtype)
        if dtype is np.float64:
            x = x * (1 + np.tile([0, 2.0**-40, -(2.0**-40), 0], len(x) // 4))
        out = np.empty(len(x), kind)
        Kernel(conversion("truncf", source, name, len(x)), target)(x, out)
        with np.errstate(all="ignore"):
            want = x.astype(kind)
        if name == "bf16" and source == "f64":
            continue  # ml_dtypes rounds twice; see the next test
        np.testing.assert_array_equal(out.astype(np.float32), want.astype(np.float32))


@TARGETS
@pytest.mark.parametrize("name", sorted(SMALL_FLOATS))
def test_floats_of_a_byte_convert_as_in_ml_dtypes(name, target):
    kind = np.dtype(getattr(ml_dtypes, SMALL_FLOATS[name]))
    codes = np.arange(1 << {"f8": 8, "f6": 6, "f4": 4}[name[:2]], dtype=np.uint8)
    every = np.resize(codes, max(8, len(codes))).view(kind)
    wide = np.empty(len(every), np.float32)
    Kernel(conversion("extf", name, "f32", len(every)), target)(every, wide)
    np.testing.assert_array_equal(wide, every.astype(np.float32))
    if name == "f8E8M0FNU":
        return  # built from bit operations
    finite = np.sort(wide[np.isfinite(wide)])
    values = np.concatenate([finite, finite[1:] / 2 + finite[:-1] / 2])
    values = np.concatenate([np.nextafter(values, v) for v in (-np.inf, np.inf)] + [values])
    values = np.concatenate([values, [1e9, -1e9, 1e-30, -1e-30, np.inf, -np.inf]])
    x = np.resize(values, -(-len(values) // 8) * 8).astype(np.float32)
    out = np.empty(len(x), kind)
    Kernel(conversion("truncf", "f32", name, len(x)), target)(x, out)
    np.testing.assert_array_equal(out.view(np.uint8), x.astype(kind).view(np.uint8))


def cast(op: str, lanes: int) -> str:
    """Return the spelling of a conversion; upstream's integer conversions are scalar only."""
    return f"arith.{op}" if lanes == 1 or op in ("extf", "truncf") else f'loop.cast "{op}"'


def conversion(op: str, source: str, target: str, size: int) -> str:
    """Return a kernel that converts an array 8 at a time."""
    return f"""
    func.func @k(%x: memref<{size}x{source}>, %y: memref<{size}x{target}>) {{
      loop.for %i = 0 to {size // 8} {{
        %a = loop.load %x[%i * 8] : memref<{size}x{source}>, vector<8x{source}>
        %b = {cast(op, 8)} %a : vector<8x{source}> to vector<8x{target}>
        loop.store %b, %y[%i * 8] : memref<{size}x{target}>, vector<8x{target}>
      }}
      func.return
    }}"""


@TARGETS
def test_bf16_of_f64_is_rounded_once(target):
    # Just above the midpoint of two bf16 numbers; in f32 it is the midpoint and rounds down.
    x = np.full(8, 1 + 2.0**-8 + 2.0**-40)
    out = np.empty(8, ml_dtypes.bfloat16)
    Kernel(conversion("truncf", "f64", "bf16", 8), target)(x, out)
    assert float(out[0]) == 1 + 2.0**-7


def test_lanes_are_packed_kept_and_extracted():
    kernel = Kernel(
        """
    func.func @k(%x: memref<4xf32>, %y: memref<5xf32>) {
      %one = arith.constant 1.0 : f32
      %a = loop.load %x[0] : memref<4xf32>, f32
      %p = loop.pack %a, %one, %a, %one : f32, f32, f32, f32 to vector<4xf32>
      %v = loop.load %x[0] : memref<4xf32>, vector<4xf32>
      %k = loop.keep_lanes 3 of %v else %p : vector<4xf32>
      %e = loop.extract %v 2 : vector<4xf32>
      loop.store %k, %y[0] : memref<5xf32>, vector<4xf32>
      loop.store %e, %y[4] : memref<5xf32>, f32
      func.return
    }"""
    )
    x, y = random(4), np.empty(5, np.float32)
    kernel(x, y)
    np.testing.assert_array_equal(y, [*x[:3], 1, x[2]])


@TARGETS
@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
@pytest.mark.parametrize("dtype", ["f32", "i8", "f64"])
def test_squares_of_vectors_are_turned(dtype, lanes, target):
    kinds = {"f32": np.float32, "i8": np.int8, "f64": np.float64}
    memref, vector = f"memref<{lanes}x{lanes}x{dtype}>", f"vector<{lanes}x{dtype}>"
    rows = range(lanes)
    kernel = Kernel(
        f"func.func @k(%x: {memref}, %y: {memref}) {{\n"
        + "".join(f"%a{i} = loop.load %x[{i}, 0] : {memref}, {vector}\n" for i in rows)
        + ", ".join(f"%b{i}" for i in rows)
        + f" = loop.transpose {', '.join(f'%a{i}' for i in rows)} : {vector}\n"
        + "".join(f"loop.store %b{i}, %y[{i}, 0] : {memref}, {vector}\n" for i in rows)
        + "func.return }",
        target,
    )
    x = rng().integers(-100, 100, (lanes, lanes)).astype(kinds[dtype])
    y = np.empty_like(x)
    kernel(x, y)
    np.testing.assert_array_equal(y, x.T)


@pytest.mark.parametrize(
    "values", ["%a : vector<2xf32>", "%a, %a, %a : vector<3xf32>", "%a, %a : vector<4xf32>"]
)
def test_only_squares_of_powers_of_2_are_turned(values):
    count, type_ = values.count("%a"), values.split(" : ")[1]
    rows = ", ".join(f"%b{i}" for i in range(count))
    text = f"func.func @k(%a: {type_}) {{ {rows} = loop.transpose {values} func.return }}"
    with pytest.raises(VerifyException, match="square block of a power of 2"):
        Parser(new_context(), text).parse_module().verify()


@TARGETS
@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        *(
            (dtype, kind)
            for dtype in ("f32", "i32", "f16")
            for kind in ("add", "mul", "max", "min")
        ),
        *(("i32", kind) for kind in ("and", "or", "xor")),
    ],
)
def test_reduce_halves(kind, dtype, target):
    kinds = {"f32": np.float32, "i32": np.int32, "f16": np.float16}
    x = rng().integers(-3, 4, 8).astype(kinds[dtype])
    y = np.empty(1, kinds[dtype])
    Kernel(
        f"""
    func.func @k(%x: memref<8x{dtype}>, %y: memref<1x{dtype}>) {{
      %v = loop.load %x[0] : memref<8x{dtype}>, vector<8x{dtype}>
      %s = loop.reduce "{kind}" %v : vector<8x{dtype}> to {dtype}
      loop.store %s, %y[0] : memref<1x{dtype}>, {dtype}
      func.return
    }}""",
        target,
    )(x, y)
    ufunc = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum,
             "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}[kind]  # fmt: skip
    v = x.astype(np.float32) if dtype == "f16" else x
    while len(v) > 1:
        v = ufunc(v[: len(v) // 2], v[len(v) // 2 :])
    assert y[0] == v.astype(kinds[dtype])[0]


@TARGETS
@pytest.mark.parametrize("bits", [8, 32, 64])
@pytest.mark.parametrize("lanes", [1, 8])
def test_integer_powers_wrap_and_have_negative_exponents(bits, lanes, target):
    bases = [-128, -3, -2, -1, 0, 1, 2, 3, 127]
    exponents = [-128, -3, -2, -1, 0, 1, 2, 5, 31, 63, 127]
    pairs = [(a, b) for a in bases for b in exponents]
    pairs += [(0, 0)] * (-len(pairs) % 8)
    a, b = (np.array(column, f"i{bits // 8}") for column in zip(*pairs, strict=True))
    y = np.empty_like(a)
    Kernel(binary_kernel("math.ipowi %x, %z", f"i{bits}", lanes, len(a)), target)(a, b, y)
    inverse = {1: lambda n: 1, -1: lambda n: 1 - n % 2 * 2}
    want = [x**n if n >= 0 else inverse.get(x, lambda n: 0)(n) for x, n in pairs]
    np.testing.assert_array_equal(y, wrapped(want, bits))


# ---- forbidden contents of the assembly


@pytest.mark.parametrize("target", [SSE2, AVX2, AVX512], ids=lambda t: t.cpu)
def test_no_arithmetic_calls_a_library(target):
    for dtype in ("f16", "bf16", "f32", "f64"):
        for op in ("maximumf", "minimumf", "maxnumf", "addf", "divf"):
            for lanes in (1, 8):
                check_no_calls(binary_kernel(f"arith.{op} %x, %z", dtype, lanes, 8), target)
    for bits in (8, 16, 32, 64):
        for op in INTEGERS:
            check_no_calls(binary_kernel(f"arith.{op} %x, %z", f"i{bits}", 8, 8), target)
    for source in ("f16", "bf16", "f32", "f64"):
        for integer in ("i8", "i16", "i32", "i64"):
            for op in ("fptosi", "fptoui"):
                check_no_calls(conversion(op, source, integer, 8), target)
            for op in ("sitofp", "uitofp"):
                check_no_calls(conversion(op, integer, source, 8), target)


def check_no_calls(text: str, target) -> None:
    assert not calls(assembly(emit_kernel(only_function(text), target), target))


def test_wide_vectors_are_asked_for_on_avx512():
    assert '"prefer-vector-width"="512"' in emit_kernel(only_function(MATMUL), AVX512)
    assert "prefer-vector-width" not in emit_kernel(only_function(MATMUL), AVX2)


def test_unknown_op_is_named():
    text = MATMUL.replace(
        "func.return", "%u = arith.constant 1 : i32\n%w = math.cttz %u : i32\nfunc.return"
    )
    with pytest.raises(LoweringError, match="no machine code for this op"):
        emit_kernel(only_function(text), HOST)
