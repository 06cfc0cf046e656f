"""te-deduplicate keeps one of all kernels that differ only in their name."""

from __future__ import annotations

from tilewright.dialects.packed import CallOp

from .ir import apply, kernels, parse


def kernel(name: str, factor: str) -> str:
    return f"""
te.kernel @{name}(%x0: memref<4xf32>, %out: memref<4xf32>) {{
  te.compute @mul [i: 4] ins(%x0[i] : memref<4xf32>) outs(%out[i] : memref<4xf32>)
    body(%x: f32) {{
      %c = arith.constant {factor} : f32
      %r = arith.mulf %x, %c : f32
      te.yield %r : f32
    }}
  te.return
}}
"""


def module(*factors: str) -> str:
    kernels_text = "".join(kernel(f"mul_{i}", f) for i, f in enumerate(factors))
    calls = "\n".join(
        f"packed.call @mul_{i}(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()"
        for i in range(len(factors))
    )
    return (
        f"{kernels_text}\nfunc.func @main(%a: memref<4xf32>, %b: memref<4xf32>) {{\n{calls}\n"
        "func.return }"
    )


def test_equal_kernels_become_one() -> None:
    after = apply(parse(module("2.0", "3.0", "2.0")), "te-deduplicate")
    assert [k.label for k in kernels(after)] == ["mul_0", "mul_1"]
    called = [op.kernel_name for op in after.walk() if isinstance(op, CallOp)]
    assert called == ["mul_0", "mul_1", "mul_0"]


def test_different_kernels_stay() -> None:
    after = apply(parse(module("2.0", "3.0")), "te-deduplicate")
    assert len(kernels(after)) == 2
