"""Kernels in buffer form as text, and checks for the schedule tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, ModuleOp

from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.te import ComputeOp, KernelOp, kernels_of
from tilewright.dialects.te.layout import layout_shape
from tilewright.interp.loop import run_function
from tilewright.interp.te import run_kernel
from tilewright.lowering.te_to_loop.te_to_loop import lower_kernel
from tilewright.passes.schedule.apply_schedule import ApplySchedule
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import parsed as parse

Array = np.ndarray[Any, np.dtype[Any]]

_MULTIPLY_ADD = {
    "f32": ("arith.mulf", "arith.addf", "0.0"),
    "f16": ("arith.mulf", "arith.addf", "0.0"),
    "i32": ("arith.muli", "arith.addi", "0"),
}

SCAN = """
te.kernel @k(%X: memref<4x8xf32>, %Y: memref<4x8xf32>) {
  te.compute @sums [i: 4, j: 8 scan]
    ins(%X[i, j] : memref<4x8xf32>) outs(%Y[i, j] add 0.0 : f32 : memref<4x8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
"""
"""A running sum."""


def matmul(m: int, n: int, k: int, dtype: str = "f32") -> str:
    """Return C = A * B + bias; B is constant."""
    mul, add, zero = _MULTIPLY_ADD[dtype]
    a, b, c = f"memref<{m}x{k}x{dtype}>", f"memref<{k}x{n}x{dtype}>", f"memref<{m}x{n}x{dtype}>"
    return f"""
te.kernel @k(%A: {a}, %B: {b}, %bias: memref<{n}x{dtype}>, %C: {c})
    attributes {{constants = array<i64: 1>}} {{
  te.compute @mm [m: {m}, n: {n}, k: {k} red]
    ins(%A[m, k] : {a}, %B[k, n] : {b})
    post(%bias[n] : memref<{n}x{dtype}>)
    outs(%C[m, n] add {zero} : {dtype} : {c})
    body(%x: {dtype}, %y: {dtype}) {{
      %p = {mul} %x, %y : {dtype}
      te.yield %p : {dtype}
    }} then(%v: {dtype}, %z: {dtype}) {{
      %s = {add} %v, %z : {dtype}
      te.yield %s : {dtype}
    }}
  te.return
}}
"""


def conv_chain(h: int, w: int, stride: int, pad: int, channels: int = 3, out: int = 4) -> str:
    """Return Y = conv3x3(2 * X), then Z = max(Y, 0), with separate computes @double and @relu."""
    oh, ow = (h + 2 * pad - 3) // stride + 1, (w + 2 * pad - 3) // stride + 1
    x, y = f"memref<{channels}x{h}x{w}xf32>", f"memref<{out}x{oh}x{ow}xf32>"
    weight = f"memref<{out}x{channels}x3x3xf32>"
    padded = " pad 0.0" if pad else ""
    return f"""
te.kernel @k(%X: {x}, %W: {weight}, %Z: {y}) attributes {{constants = array<i64: 1>}} {{
  %t = loop.alloc "local" : {x}
  %y = loop.alloc "local" : {y}
  te.compute @double [c: {channels}, h: {h}, w: {w}]
    ins(%X[c, h, w] : {x}) outs(%t[c, h, w] : {x})
    body(%x: f32) {{
      %r = arith.addf %x, %x : f32
      te.yield %r : f32
    }}
  te.compute @conv [o: {out}, h: {oh}, w: {ow}, c: {channels} red, r: 3 red, s: 3 red]
    ins(%t[c, h * {stride} + r - {pad}, w * {stride} + s - {pad}]{padded} : {x},
        %W[o, c, r, s] : {weight})
    outs(%y[o, h, w] add 0.0 : f32 : {y})
    body(%x: f32, %v: f32) {{
      %p = arith.mulf %x, %v : f32
      te.yield %p : f32
    }}
  te.compute @relu [o: {out}, h: {oh}, w: {ow}]
    ins(%y[o, h, w] : {y}) outs(%Z[o, h, w] : {y})
    body(%x: f32) {{
      %z = arith.constant 0.0 : f32
      %r = arith.maximumf %x, %z : f32
      te.yield %r : f32
    }}
  te.return
}}
"""


def softmax(rows: int, columns: int) -> str:
    """Return softmax over columns: @mx, @ex, @sm, @dv."""
    x, r = f"memref<{rows}x{columns}xf32>", f"memref<{rows}xf32>"
    return f"""
te.kernel @k(%X: {x}, %Y: {x}) {{
  %m = loop.alloc "local" : {r}
  %e = loop.alloc "local" : {x}
  %s = loop.alloc "local" : {r}
  te.compute @mx [i: {rows}, j: {columns} red]
    ins(%X[i, j] : {x}) outs(%m[i] max -inf : f32 : {r})
    body(%x: f32) {{
      te.yield %x : f32
    }}
  te.compute @ex [i: {rows}, j: {columns}]
    ins(%X[i, j] : {x}, %m[i] : {r}) outs(%e[i, j] : {x})
    body(%x: f32, %c: f32) {{
      %d = arith.subf %x, %c : f32
      %r = math.exp %d : f32
      te.yield %r : f32
    }}
  te.compute @sm [i: {rows}, j: {columns} red]
    ins(%e[i, j] : {x}) outs(%s[i] add 0.0 : f32 : {r})
    body(%x: f32) {{
      te.yield %x : f32
    }}
  te.compute @dv [i: {rows}, j: {columns}]
    ins(%e[i, j] : {x}, %s[i] : {r}) outs(%Y[i, j] : {x})
    body(%x: f32, %c: f32) {{
      %r = arith.divf %x, %c : f32
      te.yield %r : f32
    }}
  te.return
}}
"""


def argmax(rows: int, columns: int) -> str:
    """Return the value and first position of each row's maximum."""
    x = f"memref<{rows}x{columns}xf32>"
    return f"""
te.kernel @k(%X: {x}, %V: memref<{rows}xf32>, %I: memref<{rows}xindex>) {{
  te.compute @am [i: {rows}, j: {columns} red]
    ins(%X[i, j] : {x}, index[j])
    outs(%V[i] by -inf : f32 : memref<{rows}xf32>,
         %I[i] by {columns} : index : memref<{rows}xindex>)
    body(%x: f32, %p: index) {{
      te.yield %x, %p : f32, index
    }} combine(%v0: f32, %i0: index, %v1: f32, %i1: index) {{
      %gt = arith.cmpf ogt, %v0, %v1 : f32
      %eq = arith.cmpf oeq, %v0, %v1 : f32
      %lt = arith.cmpi ult, %i0, %i1 : index
      %tie = arith.andi %eq, %lt : i1
      %c = arith.ori %gt, %tie : i1
      %v = arith.select %c, %v0, %v1 : f32
      %i = arith.select %c, %i0, %i1 : index
      te.yield %v, %i : f32, index
    }}
  te.return
}}
"""


@dataclass
class Scheduled:
    """A module after its script, and its only kernel."""

    module: ModuleOp
    kernel: KernelOp

    def computes(self, name: str | None = None) -> list[ComputeOp]:
        found = [op for op in self.kernel.walk() if isinstance(op, ComputeOp)]
        return [op for op in found if name is None or op.label == name]


def schedule(kernel: str, script: str) -> Scheduled:
    """Apply a script to a kernel; the result verifies, prints and parses back."""
    module = parse(f"{kernel}\nsched.script @k {{\n{script}\n}}\n")
    ApplySchedule().apply(new_context(), module)
    module.verify()
    text = str(module)
    assert str(parse(text)) == text
    return Scheduled(module, kernels_of(module)[0])


def example_inputs(kernel: KernelOp, seed: int = 0) -> list[Array]:
    """Return small integers for every argument, so that sums are exact in every element type."""
    rng = np.random.default_rng(seed)
    out: list[Array] = []
    for argument in kernel.body.block.args:
        assert isinstance(argument.type, MemRefType)
        dtype = numpy_dtype(argument.type.element_type)
        out.append(rng.integers(-3, 4, argument.type.get_shape()).astype(dtype))
    return out


def packed(array: Array, layout: AffineMapAttr) -> Array:
    """Return a weight as a recorded pack map stores it."""
    out = np.zeros(layout_shape(layout, array.shape), array.dtype)
    for position in np.ndindex(*array.shape):
        out[layout.data.eval(position, ())] = array[position]
    return out


def assert_same_results(kernel: str, script: str, *, rtol: float = 0.0) -> Scheduled:
    """Check that the scheduled kernel gives the results of the unscheduled one; return it."""
    plain = kernels_of(parse(kernel))[0]
    done = schedule(kernel, script)
    expected = example_inputs(plain)
    got = [a.copy() for a in expected]
    for position, layout in done.kernel.pack_maps.items():
        got[position] = packed(got[position], layout)
    packs = set(done.kernel.pack_maps)
    run_kernel(plain, *expected)
    run_kernel(done.kernel, *got)
    for position, (a, b) in enumerate(zip(expected, got, strict=True)):
        if position not in packs:
            np.testing.assert_allclose(b, a, rtol=rtol, atol=0)
    return done


def assert_same_loops(kernel: str, script: str, *, rtol: float = 0.0) -> Scheduled:
    """Check that the scheduled kernel, also as loops, gives the results of the unscheduled one."""
    done = assert_same_results(kernel, script, rtol=rtol)
    plain = kernels_of(parse(kernel))[0]
    expected = example_inputs(plain)
    got = [a.copy() for a in expected]
    run_kernel(plain, *expected)
    lowered = kernels_of(parse(str(done.module)))[0]
    assert not lowered.pack_maps, "weights are packed by a later pass"
    run_function(lower_kernel(lowered), *got)
    for a, b in zip(expected, got, strict=True):
        np.testing.assert_allclose(b, a, rtol=rtol, atol=0)
    return done


def window(rows: int, columns: int, taps: int = 3, stride: int = 1, dtype: str = "f32") -> str:
    """Return Y = windowed sums of X over columns, then over rows: @across, @down."""
    add, zero = ("arith.addf", "0.0") if dtype == "f32" else ("arith.addi", "0")
    high = (rows - 1) * stride + taps
    x = f"memref<{high}x{columns + taps - 1}x{dtype}>"
    t, y = f"memref<{high}x{columns}x{dtype}>", f"memref<{rows}x{columns}x{dtype}>"
    return f"""
te.kernel @k(%X: {x}, %Y: {y}) {{
  %t = loop.alloc "local" : {t}
  te.compute @across [h: {high}, w: {columns}, s: {taps} red]
    ins(%X[h, w + s] : {x}) outs(%t[h, w] add {zero} : {dtype} : {t})
    body(%x: {dtype}) {{
      %r = {add} %x, %x : {dtype}
      te.yield %r : {dtype}
    }}
  te.compute @down [h: {rows}, w: {columns}, r: {taps} red]
    ins(%t[h * {stride} + r, w] : {t}) outs(%Y[h, w] add {zero} : {dtype} : {y})
    body(%x: {dtype}) {{
      te.yield %x : {dtype}
    }}
  te.return
}}
"""


def blurs(h: int, w: int, pad: float = 0.0) -> str:
    """Return two 3x3 sums over 2 * X: @double, @first, @second."""
    x = f"memref<{h}x{w}xf32>"
    blur = """
  te.compute @{0} [h: {h}, w: {w}, r: 3 red, s: 3 red]
    ins(%{1}[h + r - 1, w + s - 1] pad {pad} : {x}) outs(%{2}[h, w] add 0.0 : f32 : {x})
    body(%x: f32) {{
      te.yield %x : f32
    }}"""
    sizes = {"h": h, "w": w, "x": x, "pad": pad}
    return f"""
te.kernel @k(%X: {x}, %Y: {x}) {{
  %t = loop.alloc "local" : {x}
  %u = loop.alloc "local" : {x}
  te.compute @double [h: {h}, w: {w}]
    ins(%X[h, w] : {x}) outs(%t[h, w] : {x})
    body(%x: f32) {{
      %r = arith.addf %x, %x : f32
      te.yield %r : f32
    }}{blur.format("first", "t", "u", **sizes)}{blur.format("second", "u", "Y", **sizes)}
  te.return
}}
"""
