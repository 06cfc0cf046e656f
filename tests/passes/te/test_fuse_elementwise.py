"""te-fuse-elementwise merges neighbours into one compute and keeps the results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.passes.rewrite.compose import is_movement
from tilewright.passes.te.fuse_elementwise import FuseElementwise
from tilewright.support.registry import new_context
from tilewright.testing.pass_case import check_pass

from .ir import apply, assert_same_results, computes, parse

NAME = "te-fuse-elementwise"

MATMUL = """
  %c = te.compute @matmul [m: 4, n: 6, k: 5 red]
    ins(%a[m, k] : tensor<4x5xf32>, %b[k, n] : tensor<5x6xf32>)
    outs([m, n] add 0.0 : f32 : tensor<4x6xf32>)
    body(%x: f32, %y: f32) {
      %p = arith.mulf %x, %y : f32
      te.yield %p : f32
    }
"""


def relu(source: str, result: str, shape: str = "4x6", read: str = "i, j") -> str:
    """Return a pointwise compute over two axes."""
    return f"""
  %{result} = te.compute @relu [i: {shape.split("x")[0]}, j: {shape.split("x")[1]}]
    ins(%{source}[{read}] : tensor<4x6xf32>)
    outs([i, j] : tensor<{shape}xf32>)
    body(%x: f32) {{
      %z = arith.constant 0.0 : f32
      %r = arith.maximumf %x, %z : f32
      te.yield %r : f32
    }}
"""


def main(body: str, result: str, types: str = "tensor<4x6xf32>") -> str:
    """Return a main of two operands around a body."""
    return (
        f"func.func @main(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>) -> ({types}) {{"
        f"{body}\n  func.return {result} : {types}\n}}"
    )


def test_pointwise_consumer_becomes_the_epilogue() -> None:
    module = parse(main(MATMUL + relu("c", "r"), "%r"))
    fused = apply(module, NAME)
    (only,) = computes(fused)
    assert only.label == "matmul"
    assert only.then.blocks
    assert_same_results(module, fused, [(4, 5), (5, 6)])


def test_consumer_that_reads_at_computed_positions_stays_apart() -> None:
    reverse = """
  %r = te.compute @reverse [i: 4, j: 6]
    ins(%c : tensor<4x6xf32>, index[3 - i], index[j])
    outs([i, j] : tensor<4x6xf32>)
    body(%t: tensor<4x6xf32>, %i: index, %j: index) {
      %v = te.at %t[%i, %j] : tensor<4x6xf32> -> f32
      te.yield %v : f32
    }
"""
    module = parse(main(MATMUL + reverse, "%r"))
    fused = apply(module, NAME)
    assert [op.label for op in computes(fused)] == ["matmul", "reverse"]
    assert_same_results(module, fused, [(4, 5), (5, 6)])


def test_transposed_consumer_permutes_the_output() -> None:
    module = parse(main(MATMUL + relu("c", "r", "6x4", "j, i"), "%r", "tensor<6x4xf32>"))
    fused = apply(module, NAME)
    (only,) = computes(fused)
    assert [str(e) for e in only.view().outputs[0].indices or []] == ["n", "m"]
    assert_same_results(module, fused, [(4, 5), (5, 6)])


def test_a_result_with_a_second_user_stays() -> None:
    module = parse(main(MATMUL + relu("c", "r"), "%r, %c", "tensor<4x6xf32>, tensor<4x6xf32>"))
    fused = apply(module, NAME)
    assert len(computes(fused)) == 2
    assert_same_results(module, fused, [(4, 5), (5, 6)])


def test_consumer_of_fewer_points_is_not_an_epilogue() -> None:
    body = MATMUL + relu("c", "r", "2x3", "i + 1, j * 2")
    module = parse(main(body, "%r", "tensor<2x3xf32>"))
    fused = apply(module, NAME)
    assert [op.label for op in computes(fused)] == ["matmul", "relu"]
    assert_same_results(module, fused, [(4, 5), (5, 6)])


MOVEMENT = """
  %t = te.compute @transpose [i: 5, j: 4]
    ins(%a[j, i] : tensor<4x5xf32>) outs([i, j] : tensor<5x4xf32>)
    body(%x: f32) { te.yield %x : f32 }
  %f = te.compute @reshape [i: 20]
    ins(%t[i floordiv 4, i mod 4] : tensor<5x4xf32>) outs([i] : tensor<20xf32>)
    body(%x: f32) { te.yield %x : f32 }
  %s = te.compute @scale [i: 20, j: 6]
    ins(%f[i] : tensor<20xf32>, %b[i floordiv 4, j] : tensor<5x6xf32>)
    outs([i, j] : tensor<20x6xf32>)
    body(%x: f32, %y: f32) {
      %p = arith.mulf %x, %y : f32
      te.yield %p : f32
    }
"""


def test_movement_goes_into_the_maps_of_its_reader() -> None:
    module = parse(main(MOVEMENT, "%s", "tensor<20x6xf32>"))
    fused = apply(module, NAME)
    (only,) = computes(fused)
    assert not is_movement(only.view())
    assert [str(e) for e in only.view().inputs[0].indices or []] == ["i mod 4", "i floordiv 4"]
    assert_same_results(module, fused, [(4, 5), (5, 6)])


PADDED = """
  %t = te.compute @transpose [i: 5, j: 4]
    ins(%a[j, i] : tensor<4x5xf32>) outs([i, j] : tensor<5x4xf32>)
    body(%x: f32) { te.yield %x : f32 }
  %s = te.compute @shift [i: 5, j: 4]
    ins(%t[i - 1, j] pad 2.0 : tensor<5x4xf32>) outs([i, j] : tensor<5x4xf32>)
    body(%x: f32) {
      %p = arith.mulf %x, %x : f32
      te.yield %p : f32
    }
"""


def test_a_padded_read_keeps_its_producer() -> None:
    module = parse(main(PADDED, "%s", "tensor<5x4xf32>"))
    fused = apply(module, NAME)
    assert len(computes(fused)) == 2
    assert_same_results(module, fused, [(4, 5), (5, 6)])


ROW = """
  %d = te.compute @double [k: 5]
    ins(%a[0, k] : tensor<4x5xf32>)
    outs([k] : tensor<5xf32>)
    body(%x: f32) {
      %s = arith.addf %x, %x : f32
      te.yield %s : f32
    }
  %c = te.compute @matmul [n: COLUMNS, k: 5 red]
    ins(%d[k] : tensor<5xf32>, %b[k, n] : tensor<5xCOLUMNSxf32>)
    outs([n] add 0.0 : f32 : tensor<COLUMNSxf32>)
    body(%x: f32, %y: f32) {
      %p = arith.mulf %x, %y : f32
      te.yield %p : f32
    }
"""


@pytest.mark.parametrize(("columns", "left"), [(15, 1), (16, 2)])
def test_the_row_of_a_product_is_not_computed_for_many_columns(columns: int, left: int) -> None:
    text = main(ROW, "%c", "tensor<COLUMNSxf32>").replace("5x6", "5xCOLUMNS")
    module = parse(text.replace("COLUMNS", str(columns)))
    fused = apply(module, NAME)
    assert len(computes(fused)) == left
    assert_same_results(module, fused, [(4, 5), (5, columns)])


@pytest.mark.parametrize(
    ("taps", "scalar", "left"), [(3, "addf", 1), (9, "addf", 2), (3, "divf", 2)]
)
def test_a_stencil_computes_cheap_neighbours_again(taps: int, scalar: str, left: int) -> None:
    reads = ", ".join(f"%t[i, j + {n}] : tensor<4x15xf32>" for n in range(taps))
    names = ", ".join(f"%x{n}: f32" for n in range(taps))
    sums = "\n".join(
        f"%s{n} = arith.addf {'%x0' if n == 1 else f'%s{n - 1}'}, %x{n} : f32"
        for n in range(1, taps)
    )
    text = f"""
func.func @main(%a: tensor<4x15xf32>, %b: tensor<4x15xf32>) -> tensor<4x6xf32> {{
  %t = te.compute @t [i: 4, j: 15]
    ins(%a[i, j] : tensor<4x15xf32>, %b[i, j] : tensor<4x15xf32>)
    outs([i, j] : tensor<4x15xf32>)
    body(%x: f32, %y: f32) {{
      %r = arith.{scalar} %x, %y : f32
      %q = arith.mulf %r, %y : f32
      te.yield %q : f32
    }}
  %y = te.compute @stencil [i: 4, j: 6]
    ins({reads}) outs([i, j] : tensor<4x6xf32>)
    body({names}) {{
      {sums}
      te.yield %s{taps - 1} : f32
    }}
  func.return %y : tensor<4x6xf32>
}}
"""
    module = parse(text)
    fused = apply(module, NAME)
    assert len(computes(fused)) == left
    assert_same_results(module, fused, [(4, 15), (4, 15)])


def test_constant_of_equal_elements_is_read_from_the_body() -> None:
    body = """
  %w = te.compute @fill [i: 4, j: 5] outs([i, j] : tensor<4x5xf32>) body() {
    %v = arith.constant 3.0 : f32
    te.yield %v : f32
  }
  %s = te.compute @add [i: 4, j: 5]
    ins(%a[i, j] : tensor<4x5xf32>, %w[i, j] : tensor<4x5xf32>) outs([i, j] : tensor<4x5xf32>)
    body(%x: f32, %y: f32) {
      %p = arith.addf %x, %y : f32
      te.yield %p : f32
    }
"""
    module = parse(main(body, "%s", "tensor<4x5xf32>"))
    fused = apply(module, NAME)
    (only,) = computes(fused)
    assert len(only.view().inputs) == 1
    assert_same_results(module, fused, [(4, 5), (5, 6)])


UNARY = {
    "neg": "%r = arith.negf %x : f32",
    "abs": "%r = math.absf %x : f32",
    "exp": "%r = math.exp %x : f32",
    "square": "%r = arith.mulf %x, %x : f32",
}


@given(st.lists(st.sampled_from([*UNARY, "flip", "sum"]), min_size=1, max_size=7))
def test_random_chains_keep_their_function(steps: list[str]) -> None:
    lines, value, shape = [], "a", (4, 5)
    for i, step in enumerate(steps):
        m, n = shape
        source, target = f"tensor<{m}x{n}xf32>", f"tensor<{m}x{n}xf32>"
        if step == "flip":
            shape = (n, m)
            target = f"tensor<{n}x{m}xf32>"
            head = f"[i: {n}, j: {m}] ins(%{value}[j, i] : {source}) outs([i, j] : {target})"
            code = "body(%x: f32) { te.yield %x : f32 }"
        elif step == "sum":
            shape = (m, 1)
            target = f"tensor<{m}x1xf32>"
            head = (
                f"[i: {m}, j: 1, k: {n} red] ins(%{value}[i, k] : {source}) "
                f"outs([i, j] add 0.0 : f32 : {target})"
            )
            code = "body(%x: f32) { te.yield %x : f32 }"
        else:
            head = f"[i: {m}, j: {n}] ins(%{value}[i, j] : {source}) outs([i, j] : {target})"
            code = f"body(%x: f32) {{ {UNARY[step]}\n te.yield %r : f32 }}"
        lines.append(f"  %v{i} = te.compute @{step} {head} {code}")
        value = f"v{i}"
    result = f"tensor<{shape[0]}x{shape[1]}xf32>"
    module = parse(main("\n" + "\n".join(lines), f"%{value}", result))
    fused = apply(module, NAME)
    assert len(computes(fused)) <= len(computes(module))
    assert_same_results(module, fused, [(4, 5), (5, 6)], exact="sum" not in steps)


@pytest.mark.parametrize("limit", [0, 40])
def test_the_epilogue_limit_is_an_option(limit: int) -> None:
    module = parse(main(MATMUL + relu("c", "r"), "%r"))
    FuseElementwise(max_epilogue_ops=limit, max_inlined_ops=0).apply(new_context(), module)
    assert len(computes(module)) == (2 if limit == 0 else 1)


@pytest.mark.parametrize(("target", "kernels"), [("webgpu", 3), ("vulkan", 1)])
def test_a_kernel_accesses_no_more_buffers_than_the_target_allows(
    target: str, kernels: int
) -> None:
    count, type_ = 19, "tensor<4x8xf32>"
    terms = [
        f"%s{n} = graph.add {f'%s{n - 1}' if n > 1 else '%x0'}, %x{n} : {type_}"
        for n in range(1, count)
    ]
    arguments = ", ".join(f"%x{n}: {type_}" for n in range(count))
    body = "\n".join([*terms, f"func.return %s{count - 1} : {type_}"])
    text = f"func.func @main({arguments}) -> {type_} {{\n{body}\n}}"
    made = check_pass(text, f'graph-to-te,{NAME}{{target="{target}"}}')
    assert len(computes(made)) == kernels
    assert max(len(op.operands) + len(op.results) for op in computes(made)) <= (
        8 if target == "webgpu" else 64
    )
