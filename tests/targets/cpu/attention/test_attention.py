"""Attention as one kernel: recognized forms and their results, on several targets."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from tilewright.driver.passes.check import validate_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.machines.target import Target
from tilewright.testing.worker import WorkerProcess

from ....sweeps import sampled

NATIVE = str(Path(__file__).with_name("native_attention.py"))
SMALL = "llvm -mcpu=x86-64-v3 -l1-kib=4 -l2-kib=32"
"""Caches too small for rows of scores."""

TARGETS = ("llvm -mcpu=x86-64", "llvm -mcpu=x86-64-v3", "")


@dataclass(frozen=True)
class Form:
    """An attention as torch exports it, from single operators, and its sizes.

    mask: none, keys (added, the same for all queries), full (added), where (selected by a
    condition), causal (selected by a constant), added (a constant addend), lower (causal, with
    -inf).
    fused: queries, keys and values are parts of one matrix.
    """

    heads: int
    queries: int
    keys: int
    size: int
    batch: int = 1
    kv_heads: int = 0
    mask: str = "none"
    fused: bool = False
    divides: bool = False
    double: bool = False

    @property
    def shared(self) -> int:
        return self.kv_heads or self.heads


class Graph:
    """A model under construction: nodes, inputs and constants."""

    def __init__(self, form: Form) -> None:
        self.form, self.nodes = form, list[onnx.NodeProto]()
        self.inputs = dict[str, tuple[int, list[int]]]()
        self.constants = list[onnx.TensorProto]()
        self.real = TensorProto.DOUBLE if form.double else TensorProto.FLOAT
        self.dtype = np.float64 if form.double else np.float32

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def number(self, value: object, dtype: object = None) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(value, dtype or self.dtype), name))
        return name

    def input(self, name: str, shape: list[int], kind: int = 0) -> str:
        self.inputs[name] = (kind or self.real, shape)
        return name

    def model(self, out: str, shape: list[int]) -> onnx.ModelProto:
        infos = [helper.make_tensor_value_info(n, *t) for n, t in self.inputs.items()]
        result = helper.make_tensor_value_info(out, self.real, shape)
        graph = helper.make_graph(self.nodes, "attention", infos, [result], self.constants)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
        made.ir_version = 9
        return made


def attention_model(form: Form) -> onnx.ModelProto:
    g, f = Graph(form), form
    q, k, v = _parts(g)
    k = g.op("Transpose", k, perm=[0, 1, 3, 2])
    scores = g.op("MatMul", q, k)
    scale = math.sqrt(f.size)
    scores = (
        g.op("Div", scores, g.number(scale))
        if f.divides
        else g.op("Mul", scores, g.number(1 / scale))
    )
    weights = g.op("Softmax", _masked(g, scores), axis=-1)
    out = g.op("MatMul", weights, v)
    return g.model(out, [f.batch, f.heads, f.queries, f.size])


def _parts(g: Graph) -> tuple[str, str, str]:
    f = g.form
    if f.fused:
        joined = g.input("qkv", [f.batch, f.queries, 3 * f.heads * f.size])
        split = g.op("Reshape", joined, g.number([0, 0, 3, f.heads, f.size], np.int64))
        turned = g.op("Transpose", split, perm=[2, 0, 3, 1, 4])
        q, k, v = (g.op("Gather", turned, g.number(i, np.int64), axis=0) for i in range(3))
        return q, k, v
    q = g.input("q", [f.batch, f.heads, f.queries, f.size])
    k, v = (_repeated(g, g.input(n, [f.batch, f.shared, f.keys, f.size])) for n in "kv")
    return q, k, v


def _repeated(g: Graph, x: str) -> str:
    f = g.form
    if f.shared == f.heads:
        return x
    shape = [f.batch, f.shared, 1, f.keys, f.size]
    x = g.op("Reshape", x, g.number(shape, np.int64))
    x = g.op("Expand", x, g.number([*shape[:2], f.heads // f.shared, *shape[3:]], np.int64))
    return g.op("Reshape", x, g.number([f.batch, f.heads, f.keys, f.size], np.int64))


def _masked(g: Graph, scores: str) -> str:
    f = g.form
    lowest = float(np.finfo(g.dtype).min)
    if f.mask == "keys":
        return g.op("Add", scores, g.input("mask", [f.batch, 1, 1, f.keys]))
    if f.mask == "full":
        return g.op("Add", scores, g.input("mask", [f.batch, 1, f.queries, f.keys]))
    if f.mask == "where":
        seen = g.input("seen", [f.batch, 1, f.queries, f.keys], TensorProto.BOOL)
        return g.op("Where", seen, scores, g.number(-math.inf))
    seen = np.tri(f.queries, f.keys, f.keys - f.queries, dtype=np.bool_)
    if f.mask in ("causal", "lower"):
        hidden = lowest if f.mask == "causal" else -math.inf
        return g.op("Where", g.number(seen, np.bool_), scores, g.number(hidden))
    if f.mask == "added":
        return g.op("Add", scores, g.number(np.where(seen, 0, -math.inf)))
    return scores


def arrays_for(form: Form, model: onnx.ModelProto) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(form.keys)
    arrays: dict[str, np.ndarray] = {}
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [d.dim_value for d in tensor.shape.dim]
        if tensor.elem_type == TensorProto.BOOL:
            arrays[value.name] = rng.random(shape) < 0.7
            arrays[value.name][..., 0, :] = False
        else:
            dtype = np.float64 if form.double else np.float32
            arrays[value.name] = rng.standard_normal(shape).astype(dtype)
    if form.mask in ("keys", "full"):
        arrays["mask"][..., form.keys // 2 :] = np.finfo(np.float32).min
    return arrays


def expected(form: Form, arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Compute softmax attention in double precision; a query without keys gives NaN."""
    f, wide = form, {n: x.astype(np.float64) for n, x in arrays.items()}
    if f.fused:
        split = wide["qkv"].reshape(f.batch, f.queries, 3, f.heads, f.size)
        q, k, v = split.transpose(2, 0, 3, 1, 4)
    else:
        q, k, v = wide["q"], *(np.repeat(wide[n], f.heads // f.shared, 1) for n in "kv")
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(f.size)
    if f.mask in ("keys", "full"):
        scores = scores + wide["mask"]
    if f.mask == "where":
        scores = np.where(arrays["seen"], scores, -math.inf)
    if f.mask in ("causal", "lower", "added"):
        hidden = -1e38 if f.mask == "causal" else -math.inf
        scores = np.where(np.tri(f.queries, f.keys, f.keys - f.queries), scores, hidden)
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True) @ v


FORMS = {
    "plain": Form(2, 48, 48, 32),
    "ragged": Form(3, 37, 53, 20),
    "blocks_and_a_rest": Form(2, 141, 141, 16),
    "divided": Form(2, 33, 40, 24, divides=True),
    "fused_matrix": Form(3, 64, 64, 32, batch=2, fused=True),
    "mask_of_keys": Form(2, 40, 48, 16, batch=2, mask="keys"),
    "full_mask": Form(2, 35, 48, 16, batch=2, mask="full"),
    "rows_without_keys": Form(2, 33, 34, 16, mask="where"),
    "causal": Form(2, 48, 64, 32, mask="causal"),
    "causal_blocks": Form(2, 96, 96, 32, mask="causal"),
    "causal_addend": Form(2, 64, 128, 16, mask="added"),
    "causal_rows_without_keys": Form(2, 96, 64, 16, mask="lower"),
    "causal_uneven": Form(2, 50, 50, 16, mask="lower"),
    "causal_length_without_divisors": Form(2, 131, 131, 16, mask="added"),
    "causal_hundred": Form(2, 100, 100, 24, mask="lower"),
    "causal_more_keys": Form(2, 45, 75, 16, mask="causal"),
    "mask_of_many_keys": Form(2, 40, 256, 16, mask="keys"),
    "rows_without_many_keys": Form(1, 33, 192, 16, mask="where"),
    "many_keys_without_divisors": Form(2, 37, 521, 24),
    "shared_heads": Form(6, 48, 32, 16, kv_heads=2, batch=2),
    "one_head_for_all": Form(4, 40, 32, 16, kv_heads=1),
    "decoding": Form(4, 1, 96, 64),
    "decoding_with_shared_heads": Form(8, 1, 33, 20, kv_heads=2, mask="keys"),
    "decoding_one_head_for_all": Form(8, 1, 33, 16, kv_heads=1),
    "a_few_queries": Form(4, 3, 40, 32, mask="full"),
    "a_few_queries_of_narrow_heads": Form(2, 3, 71, 9, batch=2),
    "a_few_queries_of_shared_heads": Form(8, 3, 33, 20, kv_heads=4, mask="keys"),
    "a_few_causal_queries": Form(2, 7, 50, 40, mask="causal"),
    "double": Form(2, 33, 40, 24, double=True),
}


@pytest.mark.parametrize("name", FORMS)
def test_attention_is_one_kernel_as_exact_as_its_type(name: str, worker: WorkerProcess) -> None:
    form = FORMS[name]
    model = attention_model(form)
    arrays = arrays_for(form, model)
    wanted = expected(form, arrays)
    for target in TARGETS:
        kernels, once, same = worker.call(
            f"{NATIVE}:run", model.SerializeToString(), arrays, target
        )
        assert kernels == ["attention"], target
        np.testing.assert_allclose(once, wanted, rtol=0, atol=1e-12 if form.double else 3e-6)
        assert same, "one, two and three threads agree"


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("ragged", TARGETS[1]),
        ("rows_without_keys", TARGETS[1]),
        pytest.param("shared_heads", TARGETS[1], marks=pytest.mark.nightly),
        pytest.param("a_few_queries", TARGETS[1], marks=pytest.mark.nightly),
        pytest.param("causal_addend", TARGETS[1], marks=pytest.mark.nightly),
        pytest.param("blocks_and_a_rest", SMALL, marks=pytest.mark.nightly),
    ],
)
def test_every_pass_keeps_what_attention_computes(name: str, target: str) -> None:
    form = FORMS[name]
    model = attention_model(form)
    arrays = arrays_for(form, model)
    inputs = [arrays[value.name] for value in model.graph.input]
    validate_pipeline(import_model(model), Target(target), inputs)


MANY_KEYS = ("mask_of_many_keys", "rows_without_many_keys", "many_keys_without_divisors")


@pytest.mark.parametrize("name", MANY_KEYS)
def test_rows_of_scores_that_leave_the_caches_come_in_blocks(
    name: str, worker: WorkerProcess
) -> None:
    form = FORMS[name]
    model = attention_model(form)
    arrays = arrays_for(form, model)
    binary = model.SerializeToString()
    kernels, once, same = worker.call(f"{NATIVE}:run", binary, arrays, SMALL)
    assert kernels == ["attention"]
    np.testing.assert_allclose(once, expected(form, arrays), rtol=0, atol=3e-6)
    assert same, "one, two and three threads agree"
    assert "@attention_factor" in worker.call(f"{NATIVE}:source", binary, SMALL, "scheduled")


def test_few_queries_read_each_key_once(worker: WorkerProcess) -> None:
    binary = attention_model(Form(4, 3, 40, 64)).SerializeToString()
    text = worker.call(f"{NATIVE}:source", binary, TARGETS[1], "scheduled")
    scores = re.search(r"te.compute @attention_scores \[([^]]*)\]", text)
    assert scores is not None
    assert re.search(r"\w+: 3, \w+: [2-9], k: 64 red", scores[1]), scores[1]


def test_blocks_that_are_masked_are_left_out(worker: WorkerProcess) -> None:
    binary = attention_model(FORMS["causal_blocks"]).SerializeToString()
    text = worker.call(f"{NATIVE}:source", binary, TARGETS[1], "scheduled")
    assert re.search(r"loop.for %\w+ = 0 to %(\w+) \+ 1 {", text), "query blocks end their keys"


def test_probabilities_that_are_read_elsewhere_are_kept(worker: WorkerProcess) -> None:
    model = attention_model(FORMS["plain"])
    weights = next(n for n in model.graph.node if n.op_type == "Softmax").output[0]
    shape = [1, 2, 48, 48]
    model.graph.output.append(helper.make_tensor_value_info(weights, TensorProto.FLOAT, shape))
    arrays = arrays_for(FORMS["plain"], model)
    kernels, *_ = worker.call(f"{NATIVE}:run", model.SerializeToString(), arrays, TARGETS[1])
    assert "attention" not in kernels


FMA = ("x86-64-v3", "skylake-avx512", "sapphirerapids")
Budget: TypeAlias = "tuple[str, Form, int, int]"
BUDGETS: list[Budget] = [
    *((cpu, Form(12, 128, 128, 64), 8, 1500) for cpu in ("x86-64", *FMA)),
    # Tiles of two heights, for blocks of queries of two sizes.
    *((cpu, Form(12, 197, 197, 64), 16, 1600) for cpu in FMA),
    # Queries share a task, and keys have tiles of two heights.
    *((cpu, Form(12, 3, 391, 72), 10, 1600) for cpu in FMA),
    # A running maximum adds five small computes.
    *((cpu, Form(12, 256, 256, 64, mask="causal"), 13, 1500) for cpu in ("x86-64", *FMA)),
]
"""Target, attention, most computes after scheduling, most lines of LLVM IR."""


@pytest.mark.parametrize("budget", sampled(BUDGETS, lambda b: f"{b[0]}_{b[1]}", one_in=8))
def test_code_of_attention_is_small_and_its_products_stay_in_registers(
    budget: Budget, worker: WorkerProcess
) -> None:
    cpu, form, most_leaves, most_lines = budget
    binary = attention_model(form).SerializeToString()
    text, assembly, leaves = worker.call(f"{NATIVE}:levels", binary, f"llvm -mcpu={cpu}")
    lines = re.search(r"define [^@]*@tw\.k\.0\(.*?\n}", text, re.DOTALL)
    assert lines is not None
    assert len([line for line in lines[0].splitlines() if line]) <= most_lines
    assert leaves <= most_leaves
    assert spilling_products(assembly) == []


_LOOP = re.compile(r"(\.L\w+):[^\n]*\n((?:(?!\.L\w+:).)*?)\tj\w+\t\1\n", re.DOTALL)
_PRODUCT = re.compile(r"vfmadd231ps|\tmulps")
_STACK = re.compile(r"\tv?mov\w+\t(?:[^\n]*\(%rsp\)[^\n]*%[xyz]mm|%[xyz]mm[^\n]*\(%rsp\))")


def spilling_products(assembly: str) -> list[str]:
    """Return innermost loops of at least eight multiply-adds that spill vectors to the stack."""
    loops = [body for _, body in _LOOP.findall(assembly) if len(_PRODUCT.findall(body)) >= 8]
    assert loops, "there are loops over products"
    # Exponentials subtract the maximum first.
    products = [body for body in loops if "subps" not in body]
    return [body for body in products if _STACK.search(body)]
