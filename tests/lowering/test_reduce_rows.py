"""loop.reduce_rows: compared with numpy in the order of loop.reduce, and its errors."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.support.diagnostics import TypeMismatch

from .native import RUNNABLE, Kernel, parse


@pytest.mark.parametrize("target", RUNNABLE, ids=lambda t: t.cpu)
@pytest.mark.parametrize("rows", [2, 4, 8, 16])
@pytest.mark.parametrize(("dtype", "kind"), [("f32", "add"), ("f16", "add"), ("i32", "max")])
def test_rows_are_combined_in_the_order_of_one_vector(rows, dtype, kind, target):
    numpy_type = {"f32": np.float32, "f16": np.float16, "i32": np.int32}[dtype]
    x = (100 * np.random.default_rng(rows).standard_normal((rows, 16))).astype(numpy_type)
    y = np.zeros(rows, numpy_type)
    names = ", ".join(f"%v{i}" for i in range(rows))
    vector, loads = f"vector<16x{dtype}>", f"memref<{rows}x16x{dtype}>"
    Kernel(
        f"func.func @k(%x: {loads}, %y: memref<{rows}x{dtype}>) {{"
        + "".join(f"%v{i} = loop.load %x[{i}, 0] : {loads}, {vector}\n" for i in range(rows))
        + f"""%s = loop.reduce_rows "{kind}" {names} : {", ".join([vector] * rows)} to
            vector<{rows}x{dtype}>
        loop.store %s, %y[0] : memref<{rows}x{dtype}>, vector<{rows}x{dtype}>
        func.return
    }}""",
        target,
    )(x, y)
    v = x.T.astype(np.float32) if dtype == "f16" else x.T
    while len(v) > 1:
        low, high = v[: len(v) // 2], v[len(v) // 2 :]
        v = low + high if kind == "add" else np.maximum(low, high)
    np.testing.assert_array_equal(y, v[0].astype(numpy_type))


@pytest.mark.parametrize(
    ("vectors", "lanes", "result"), [(3, 4, 3), (1, 4, 1), (4, 2, 4), (2, 4, 4)]
)
def test_a_number_of_vectors_without_a_tree_is_an_error(vectors, lanes, result):
    arguments = ", ".join(f"%v{i}: vector<{lanes}xf32>" for i in range(vectors))
    names = ", ".join(f"%v{i}" for i in range(vectors))
    types = ", ".join([f"vector<{lanes}xf32>"] * vectors)
    text = f"""
    func.func @k({arguments}) {{
      %s = loop.reduce_rows "add" {names} : {types} to vector<{result}xf32>
      func.return
    }}"""
    with pytest.raises(TypeMismatch, match="does not give one lane per vector"):
        parse(text).verify()
