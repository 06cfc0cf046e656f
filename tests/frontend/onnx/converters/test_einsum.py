"""Einsum: equations give the results of numpy.einsum, and matrix products are recognized."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto

import tilewright
from tilewright.dialects.graph import MatmulOp
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import ModelError, TypeMismatch

from ....onnx_models import node, onnx_model
from ..test_importer import main_of, result_dims

EQUATIONS = {
    "i->": [(4,)],
    "ij->ji": [(3, 4)],
    "ij": [(3, 4)],
    "ba": [(3, 4)],
    "ii->i": [(4, 4)],
    "ii": [(4, 4)],
    "iijj->ji": [(2, 2, 3, 3)],
    "...ii->...i": [(2, 5, 3, 3)],
    "i,i": [(4,), (4,)],
    "i,j->ij": [(3,), (4,)],
    "ij,jk->ik": [(3, 4), (4, 5)],
    "ij,jk->ki": [(3, 4), (4, 5)],
    "ji,kj->ik": [(4, 3), (5, 4)],
    "bij, bjk -> bik": [(2, 3, 4), (2, 4, 5)],
    "ibd,jbd->bij": [(3, 2, 4), (5, 2, 4)],
    "bhid,bhjd->bhij": [(2, 3, 4, 5), (2, 3, 6, 5)],
    "ijk,jkl->il": [(2, 3, 4), (3, 4, 5)],
    "ijk,kl->i": [(2, 3, 4), (4, 5)],
    "...ij,...jk->...ik": [(2, 1, 3, 4), (5, 4, 2)],
    "...ij,jk": [(2, 3, 4), (4, 5)],
    "i...,i...->...": [(2, 3, 4), (2, 4)],
    "ij,ij->ij": [(3, 4), (3, 4)],
    "ij,ij->i": [(3, 1), (3, 4)],
    "ij,jk,kl->il": [(2, 30), (30, 3), (3, 40)],
    "i,ij,j": [(3,), (3, 4), (4,)],
    "a,b,c,abc->": [(2,), (3,), (4,), (2, 3, 4)],
    "bn,anm,bm->ba": [(2, 3), (5, 3, 4), (2, 4)],
    "iA,Ai->A": [(3, 4), (4, 3)],
}


def run(equation, arrays):
    names = [f"x{n}" for n in range(len(arrays))]
    inputs = {name: list(a.shape) for name, a in zip(names, arrays, strict=True)}
    model = onnx_model([node("Einsum", names, equation=equation)], inputs)
    return run_graph(main_of(model), *arrays)[0]


@pytest.mark.parametrize("equation", EQUATIONS)
def test_equations_mean_what_they_mean_in_numpy(equation) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(-1, 1, shape).astype(np.float32) for shape in EQUATIONS[equation]]
    wanted = np.einsum(equation, *(a.astype(np.float64) for a in arrays))
    np.testing.assert_allclose(run(equation, arrays), wanted, rtol=1e-5, atol=1e-6)


@given(st.data())
def test_random_equations_mean_what_they_mean_in_numpy(data) -> None:
    labels = string.ascii_lowercase[: data.draw(st.integers(1, 5))]
    sizes = {label: data.draw(st.integers(1, 3)) for label in labels}
    term = st.text(labels, max_size=4)
    terms = data.draw(st.lists(term, min_size=1, max_size=4))
    used = sorted(set("".join(terms)))
    result = data.draw(st.permutations(used))[: data.draw(st.integers(0, len(used)))]
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-3, 4, [sizes[x] for x in t]).astype(np.float32) for t in terms]
    equation = f"{','.join(terms)}->{''.join(result)}"
    np.testing.assert_array_equal(run(equation, arrays), np.einsum(equation, *arrays))


@pytest.mark.parametrize(
    ("equation", "shapes", "count"),
    [
        ("bhid,bhjd->bhij", [(2, 3, 4, 5), (2, 3, 6, 5)], 1),
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)], 2),
        ("i,j->ij", [(2,), (3,)], 0),
    ],
)
def test_contractions_are_matrix_products(equation, shapes, count) -> None:
    names = [f"x{n}" for n in range(len(shapes))]
    inputs = dict(zip(names, map(list, shapes), strict=True))
    func = main_of(onnx_model([node("Einsum", names, equation=equation)], inputs))
    assert sum(isinstance(op, MatmulOp) for op in func.walk()) == count


def test_sizes_may_have_names() -> None:
    nodes = [node("Einsum", ["x", "w"], equation="bii,bij->bj")]
    func = main_of(onnx_model(nodes, {"x": ["b", "n", "n"], "w": ["b", "n", 4]}))
    assert result_dims(func) == [("b", "4")]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float64])
def test_machine_code_keeps_the_dtype(dtype) -> None:
    rng = np.random.default_rng(0)
    kind = {np.int8: "INT8", np.uint8: "UINT8", np.int64: "INT64", np.float64: "DOUBLE"}[dtype]
    code = getattr(TensorProto, kind)
    x, y = (rng.integers(0, 99, shape).astype(dtype) for shape in ((2, 3, 3), (3, 5)))
    nodes = [node("Einsum", ["x", "w"], equation="bii,ij->jb")]
    model = onnx_model(nodes, {"x": (code, x.shape), "w": (code, y.shape)}, opset=28)
    got = tilewright.compile(model)(x, y).numpy()
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.einsum("bii,ij->jb", x, y))


@pytest.mark.parametrize(
    ("equation", "shapes", "rule"),
    [
        ("ij,jk->ik", [(2, 3)], "number of terms"),
        ("ijk->i", [(2, 3)], "the rank of a term"),
        ("ij->k", [(2, 3)], "repeats or invents"),
        ("ij->ii", [(2, 3)], "repeats or invents"),
        ("ij,jk->ik", [(2, 3), (4, 5)], "sizes of label 'j' differ"),
        ("ii->i", [(2, 3)], "repeats with another size"),
        ("i+->i", [(2, 3)], "other than letters"),
    ],
)
def test_a_wrong_equation_is_an_error(equation, shapes, rule) -> None:
    names = [f"x{n}" for n in range(len(shapes))]
    inputs = dict(zip(names, map(list, shapes), strict=True))
    with pytest.raises((ModelError, TypeMismatch), match=rule):
        import_model(onnx_model([node("Einsum", names, equation=equation)], inputs))
