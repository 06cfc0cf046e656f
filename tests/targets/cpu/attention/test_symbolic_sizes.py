"""Attention with symbolic numbers of queries and keys: one module, compared with numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tilewright

from ....sweeps import in_turn

QUERIES = (1, 2, 3, 4, 5, 7, 8, 13, 15, 16, 17, 20, 31, 32, 33, 37, 49, 64, 100)
"""Around groups of three queries, and blocks of one vector."""

KEYS = (1, 3, 9, 15, 16, 17, 31, 32, 33, 64, 127, 128, 129, 150, 256, 300)
"""Around vectors, and blocks of 32 and of 128 keys."""

TARGETS = ("llvm -mcpu=x86-64", "llvm -mcpu=x86-64-v3", "")


@dataclass(frozen=True)
class Form:
    """An attention; queries, keys: a static number, or 0 for a symbol.

    mask: none, added (to the scores of each query and key), or selected (a condition, which hides
    all keys from the first query, whose result is 0).
    is_self: queries and keys are equally many.
    """

    heads: int = 2
    shared: int = 2
    features: int = 16
    queries: int = 0
    keys: int = 0
    mask: str = "none"
    causal: bool = False
    is_self: bool = False
    double: bool = False

    @property
    def dtype(self) -> type[np.floating]:
        return np.float64 if self.double else np.float32

    def sizes(self) -> list[tuple[int, int]]:
        """Return pairs of queries and keys: all numbers of each, with different others."""
        queries = [self.queries] if self.queries else list(QUERIES)
        if self.is_self:
            return [(n, n) for n in (*QUERIES, 128, 200)]
        keys = [self.keys] if self.keys else list(KEYS)
        count = max(len(queries), len(keys))
        return [(queries[n % len(queries)], keys[(5 * n) % len(keys)]) for n in range(count)]

    def model(self) -> onnx.ModelProto:
        """Return the model with symbols."""
        q, k = self.queries or "q", "q" if self.is_self else self.keys or "k"
        real = TensorProto.DOUBLE if self.double else TensorProto.FLOAT
        shapes: dict[str, list[int | str]] = {
            "q": ["b", self.heads, q, self.features],
            "k": ["b", self.shared, k, self.features],
            "v": ["b", self.shared, k, self.features],
        }
        inputs = [helper.make_tensor_value_info(n, real, shape) for n, shape in shapes.items()]
        if self.mask != "none":
            kind = real if self.mask == "added" else TensorProto.BOOL
            inputs.append(helper.make_tensor_value_info("mask", kind, ["b", 1, q, k]))
        names = [value.name for value in inputs]
        node = helper.make_node("Attention", names, ["y"], is_causal=int(self.causal))
        out = helper.make_tensor_value_info("y", real, shapes["q"])
        graph = helper.make_graph([node], "attention", inputs, [out])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
        model.ir_version = 10
        return model

    def arrays(self, batch: int, queries: int, keys: int) -> list[np.ndarray]:
        rng = np.random.default_rng(100 * queries + keys)
        shapes = [(self.heads, queries), (self.shared, keys), (self.shared, keys)]
        made = [
            rng.standard_normal((batch, heads, n, self.features)).astype(self.dtype)
            for heads, n in shapes
        ]
        if self.mask == "added":
            made.append(rng.standard_normal((batch, 1, queries, keys)).astype(self.dtype))
        if self.mask == "selected":
            seen = rng.random((batch, 1, queries, keys)) < 0.6
            seen[..., 1:, 0] = True
            seen[..., 0, :] = False
            made.append(seen)
        return made

    def expected(self, arrays: list[np.ndarray]) -> np.ndarray:
        """Compute the attention in double precision."""
        q, k, v = (x.astype(np.float64) for x in arrays[:3])
        k, v = (np.repeat(x, self.heads // self.shared, 1) for x in (k, v))
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(self.features)
        if self.mask == "added":
            scores = scores + arrays[3]
        if self.mask == "selected":
            scores = np.where(arrays[3], scores, -np.inf)
        if self.causal:
            scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
        with np.errstate(invalid="ignore"):
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            return np.nan_to_num(weights / weights.sum(-1, keepdims=True) @ v)


FORMS = {
    "plain": Form(),
    "self": Form(is_self=True, features=64),
    "causal": Form(is_self=True, causal=True),
    "causal_other_keys": Form(causal=True, features=24),
    "added_mask": Form(mask="added", features=20),
    "selected_mask": Form(mask="selected"),
    "shared_heads": Form(heads=6, shared=2, features=9),
    "one_query": Form(queries=1, features=64),
    "two_queries": Form(queries=2),
    "four_queries": Form(queries=4, heads=4),
    "static_queries": Form(queries=40),
    "static_keys": Form(keys=50),
    "many_static_keys": Form(keys=300, mask="added"),
    "double": Form(double=True, features=10),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "target"), in_turn(FORMS, [(target,) for target in TARGETS]))
def test_one_module_computes_every_number_of_queries_and_keys(name: str, target: str) -> None:
    form = FORMS[name]
    module = tilewright.compile(form.model(), target=target or None, cache=False, strict_plan=True)
    assert not module.reason
    for number, (queries, keys) in enumerate(form.sizes()):
        arrays = form.arrays(1 + number % 2, queries, keys)
        got = module.run(arrays, threads=1)[0]
        tolerance = 1e-12 if form.double else 3e-6
        np.testing.assert_allclose(got, form.expected(arrays), rtol=0, atol=tolerance)
        for threads in (2, 3):
            np.testing.assert_array_equal(got, module.run(arrays, threads=threads)[0])


def test_keys_of_an_open_batch_take_the_queries_and_values_of_one() -> None:
    """The batch of the keys is no axis of the values, so that queries of all could share a task."""
    shapes = {"q": [1, 4, 2, 20], "k": ["b", 4, 2, 20], "v": [1, 4, 2, 20]}
    nodes = [
        helper.make_node("Transpose", ["k"], ["t"], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", ["q", "t"], ["s"]),
        helper.make_node("Softmax", ["s"], ["p"], axis=-1),
        helper.make_node("MatMul", ["p", "v"], ["y"]),
    ]
    real = TensorProto.FLOAT
    inputs = [helper.make_tensor_value_info(n, real, shape) for n, shape in shapes.items()]
    out = helper.make_tensor_value_info("y", real, ["b", 4, 2, 20])
    graph = helper.make_graph(nodes, "attention", inputs, [out])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)
    module = tilewright.compile(model, cache=False, strict_plan=True)
    assert not module.reason
    for batch in (1, 2, 3, 17):
        rng = np.random.default_rng(batch)
        sizes = ((1, 4, 2, 20), (batch, 4, 2, 20), (1, 4, 2, 20))
        q, k, v = (rng.standard_normal(size).astype(np.float32) for size in sizes)
        weights = np.exp(q.astype(np.float64) @ k.swapaxes(-1, -2))
        expected = weights / weights.sum(-1, keepdims=True) @ v
        got = module.run([q, k, v], threads=1)[0]
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(module.run([q, k, v], threads=2)[0], got)
