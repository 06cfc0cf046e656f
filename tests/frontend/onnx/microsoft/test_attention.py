"""Attention operators of com.microsoft, interpreted and compiled, against onnxruntime's kernels."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

import tilewright
from tilewright.interp.graph import run_graph
from tilewright.support.diagnostics import UnsupportedOp

from ....onnx_models import node, onnx_model
from ....peer import peer_results
from ..test_importer import main_of, result_dims

NATIVE = str(Path(__file__).parents[1] / "native.py")
DOMAIN = "com.microsoft"
RNG = np.random.default_rng(11)


def floats(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def integers(*values, dtype=np.int32):
    return np.array(values, dtype)


@dataclass
class Case:
    """A node: its inputs by position, None for an absent one; constants: positions.

    valid: the number of keys of each entry of the batch; later rows of the cache may be anything.
    queries: of which entries of the batch, how many results count.
    """

    op: str
    inputs: list
    attributes: dict
    outputs: int = 1
    constants: tuple[int, ...] = ()
    valid: tuple[int, ...] = ()
    queries: tuple[int, ...] = ()
    sizes: dict = field(default_factory=dict)

    def model(self):
        names = [f"v{n}" if x is not None else "" for n, x in enumerate(self.inputs)]
        values = {name: x for name, x in zip(names, self.inputs, strict=True) if x is not None}
        weights = {names[n]: values.pop(names[n]) for n in self.constants}
        types = {
            name: (helper.np_dtype_to_tensor_dtype(x.dtype), self.sizes.get(name, list(x.shape)))
            for name, x in values.items()
        }
        outputs = [f"y{n}" for n in range(self.outputs)]
        made = onnx_model(
            [node(self.op, names, outputs, domain=DOMAIN, **self.attributes)],
            types,
            outputs,
            weights=weights,
        )
        made.opset_import.append(helper.make_opsetid(DOMAIN, 1))
        return made, values

    def check(self, got, want):
        assert len(got) == len(want)
        for number, (ours, theirs) in enumerate(zip(got, want, strict=True)):
            assert ours.shape == theirs.shape
            axis = 1 if number == 0 else 2
            counts = self.queries if number == 0 else self.valid
            for entry, count in enumerate(counts or ()):
                pick = np.arange(count)
                np.testing.assert_allclose(
                    np.take(ours[entry], pick, axis - 1),
                    np.take(theirs[entry], pick, axis - 1),
                    rtol=2e-4,
                    atol=2e-5,
                )
            if not counts:
                np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5)


def expected(model, values):
    return peer_results(model, values)


B, S, N, M, H = 2, 5, 4, 2, 16
HEADS = {"num_heads": N, "kv_num_heads": M}
ANGLES = np.outer(np.arange(32), 0.3 ** np.arange(H // 2))
COS, SIN = np.cos(ANGLES).astype(np.float32), np.sin(ANGLES).astype(np.float32)
ROTARY = {**HEADS, "do_rotary": 1}


def grouped(
    batch=B, length=S, past=0, capacity=None, lengths=None, packed=False, size=H, more=(), **given
):
    """Return a case of GroupQueryAttention; more: inputs from cos_cache on."""
    total = past + length
    lengths = lengths or (total,) * batch
    widths = ((N + 2 * M) * size,) if packed else (N * size, M * size, M * size)
    projections = [floats(batch, length, width) for width in widths]
    states = [None, None]
    if past or capacity:
        states = [floats(batch, M, capacity or past, size) for _ in range(2)]
    inputs = [*projections, *[None] * (3 - len(widths)), *states]
    inputs += [integers(*(n - 1 for n in lengths)), integers(max(lengths)).reshape(()), *more]
    shown = {"outputs": 3} if past or capacity else {"outputs": 1}
    case = Case("GroupQueryAttention", inputs, {**HEADS, **given}, constants=(6,), **shown)
    case.valid = tuple(lengths)
    case.queries = tuple(min(length, n) for n in lengths)
    return case


GROUPED = {
    "prompt": grouped(),
    "prompt_padded": grouped(lengths=(5, 3)),
    "prompt_packed": grouped(packed=True),
    "prompt_rotary": grouped(more=(COS, SIN), do_rotary=1),
    "prompt_packed_rotary": grouped(packed=True, more=(COS, SIN), do_rotary=1),
    "prompt_interleaved": grouped(more=(COS, SIN), do_rotary=1, rotary_interleaved=1),
    "prompt_part_of_the_features": grouped(size=2 * H, more=(COS, SIN), do_rotary=1),
    "prompt_positions": grouped(
        more=(COS, SIN, np.tile(np.arange(S), (B, 1))), do_rotary=1
    ),
    "prompt_window": grouped(length=9, local_window_size=3),
    "prompt_cap": grouped(softcap=0.7, scale=0.9),
    "prompt_bias": grouped(more=(None, None, None, floats(1, N, S, S))),
    "prompt_capped_bias": grouped(more=(None, None, None, floats(B, 1, S, S)), softcap=0.5),
    "prompt_all_keys": grouped(lengths=(5, 3), causal=0),
    "prompt_smooth": grouped(smooth_softmax=1),
    "prompt_sink": grouped(more=(None, None, None, None, floats(N))),
    "token": grouped(batch=1, length=1, past=7),
    "token_rotary": grouped(batch=1, length=1, past=7, more=(COS, SIN), do_rotary=1),
    "tokens": grouped(batch=1, length=3, past=7, more=(COS, SIN), do_rotary=1),
    "tokens_window": grouped(batch=1, length=3, past=7, local_window_size=4),
    "token_of_entries": grouped(length=1, past=7, more=(COS, SIN), do_rotary=1),
    "token_ragged": grouped(length=1, past=7, lengths=(8, 5), more=(COS, SIN), do_rotary=1),
    "token_in_capacity": grouped(
        length=1, past=7, capacity=16, lengths=(8, 5), packed=True, more=(COS, SIN), do_rotary=1
    ),
    "prompt_in_capacity": grouped(capacity=16, lengths=(5, 3), more=(COS, SIN), do_rotary=1),
    "token_bias_in_capacity": grouped(
        length=1, past=7, capacity=16, more=(None, None, None, floats(1, 1, 1, 8))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GROUPED)
def test_groups_of_queries_share_keys_as_in_onnxruntime(name):
    case = GROUPED[name]
    model, values = case.model()
    case.check(run_graph(main_of(model), *values.values()), expected(model, values))


def drawn(seed):
    """Return a random case of GroupQueryAttention that onnxruntime takes."""
    rng = np.random.default_rng(seed)

    def one(*choices):
        return choices[rng.integers(len(choices))]

    past, size = int(one(0, 0, 3, 9)), int(one(16, 32))
    batch = int(one(1, 2, 3))
    length = int(one(1, 2, 7)) if past == 0 or batch == 1 else 1
    total = past + length
    capacity = int(one(total, total + 5)) if past and rng.random() < 0.5 else None
    lengths = (total, *(int(rng.integers(max(past, 1), total + 1)) for _ in range(batch - 1)))
    attributes = {}
    if rng.random() < 0.3:
        attributes["softcap"] = 0.8
    if rng.random() < 0.3:
        attributes["local_window_size"] = int(one(1, 2, 5))
    if rng.random() < 0.3:
        attributes["scale"] = 0.4
    if rng.random() < 0.2:
        attributes["smooth_softmax"] = 1
    more = [None] * 4
    if rng.random() < 0.5:
        more[:2] = [COS[:, :8], SIN[:, :8]]
        attributes |= {"do_rotary": 1, "rotary_interleaved": int(one(0, 1))}
    if rng.random() < 0.3:
        more[3] = floats(one(1, batch), one(1, N), length, total)
    return grouped(
        batch, length, past, capacity, lengths, one(False, True), size, more, **attributes
    )


@pytest.mark.parametrize("seed", range(40))
def test_random_forms_of_grouped_attention(seed):
    case = drawn(seed)
    model, values = case.model()
    case.check(run_graph(main_of(model), *values.values()), expected(model, values))


def heads(**given):
    return {"num_heads": N, **given}


WIDE = N * H
PAST = (floats(B, N, 3, H), floats(B, N, 3, H))
QKV = [floats(B, S, WIDE) for _ in range(3)]
PROJECTED = [floats(B, S, 12), floats(12, 3 * WIDE), floats(3 * WIDE)]
BYTES = RNG.integers(0, 255, (B, S, 12)).astype(np.uint8)
WEIGHTS = RNG.integers(-127, 127, (12, 3 * WIDE)).astype(np.int8)
SCALE = np.float32(0.02)
COLUMNS = (np.abs(floats(3 * WIDE)) / 50, np.zeros(3 * WIDE, np.int8))
QUANTIZED = [BYTES, WEIGHTS, floats(3 * WIDE), SCALE]
BLOCKS = {
    "multi": Case("MultiHeadAttention", QKV, heads()),
    "multi_bias": Case("MultiHeadAttention", [*QKV, floats(3 * WIDE)], heads(scale=0.2)),
    "multi_lengths": Case("MultiHeadAttention", [*QKV, None, integers(5, 3)], heads()),
    "multi_keys": Case(
        "MultiHeadAttention",
        [*QKV, None, integers([1, 1, 1, 0, 0], [1, 1, 1, 1, 0])],
        heads(mask_filter_value=-50.0),
    ),
    "multi_scores": Case("MultiHeadAttention", [*QKV, None, None, floats(1, N, S, S)], heads()),
    "multi_causal": Case("MultiHeadAttention", QKV, heads(unidirectional=1)),
    "multi_past": Case("MultiHeadAttention", [*QKV, *[None] * 3, *PAST], heads(), 3),
    "multi_crossed": Case(
        "MultiHeadAttention",
        [QKV[0], floats(B, N, 7, H), floats(B, N, 7, H), floats(3 * WIDE)],
        heads(),
    ),
    "self": Case("Attention", PROJECTED, heads()),
    "self_causal": Case("Attention", PROJECTED, heads(unidirectional=1)),
    "self_ends": Case("Attention", [*PROJECTED, integers(5, 3)], heads()),
    "self_ends_and_starts": Case("Attention", [*PROJECTED, integers(5, 4, 1, 0)], heads()),
    "self_keys": Case(
        "Attention", [*PROJECTED, integers([1, 1, 1, 1, 0], [1, 1, 0, 0, 0])], heads()
    ),
    "self_queries": Case(
        "Attention", [*PROJECTED, RNG.integers(0, 2, (B, S, S)).astype(np.int32)], heads()
    ),
    "self_past": Case(
        "Attention", [*PROJECTED, None, floats(2, B, N, 3, H)], heads(unidirectional=1), 2
    ),
    "self_widths": Case(
        "Attention",
        [PROJECTED[0], floats(12, 2 * WIDE + 16), floats(2 * WIDE + 16)],
        heads(qkv_hidden_sizes=[WIDE, WIDE, 16]),
    ),
    "quantized": Case(
        "QAttention", [*QUANTIZED, SCALE, None, np.uint8(120)], heads(), 1, (1, 3, 4, 6)
    ),
    "quantized_columns": Case(
        "QAttention",
        [*QUANTIZED, COLUMNS[0], integers(5, 3), np.uint8(120), COLUMNS[1]],
        heads(unidirectional=1),
        1,
        (1, 3, 4, 6, 7),
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_of_attention_give_what_onnxruntime_gives(name):
    case = BLOCKS[name]
    model, values = case.model()
    case.check(run_graph(main_of(model), *values.values()), expected(model, values))


@pytest.mark.parametrize("name", ["token_rotary", "token_in_capacity", "prompt_packed_rotary"])
def test_grouped_attention_is_one_kernel(name, worker):
    case = GROUPED[name]
    model, values = case.model()
    data = model.SerializeToString()
    case.check(worker.call(f"{NATIVE}:run", data, tuple(values.values())), expected(model, values))
    kernels = worker.call(f"{NATIVE}:kernels", data)
    assert ("attention_scores", "attention_max", "attention_exp", "attention_sum", "attention") in [
        tuple(ops) for ops in kernels
    ]


def decoder(batch):
    """Return a step of a decoder with dynamic sizes, as exporters write it."""
    case = grouped(batch=1, length=1, past=7, packed=True, more=(COS, SIN), do_rotary=1)
    cache = [batch, M, "past", H]
    nodes = [
        node("ReduceSum", ["mask", "one"], ["lengths"], keepdims=0),
        node("Sub", ["lengths", "one_"], ["last"]),
        node("Cast", ["last"], ["last32"], to=TensorProto.INT32),
        node("Shape", ["mask"], ["shape"]),
        node("Gather", ["shape", "one_"], ["total"]),
        node("Cast", ["total"], ["total32"], to=TensorProto.INT32),
        node(
            "GroupQueryAttention",
            ["x", "", "", "past_k", "past_v", "last32", "total32", "cos", "sin"],
            ["y", "k", "v"],
            domain=DOMAIN,
            **case.attributes,
        ),
    ]
    model = onnx_model(
        nodes,
        {
            "x": [batch, "seq", (N + 2 * M) * H],
            "mask": (TensorProto.INT64, [batch, "total"]),
            "past_k": cache,
            "past_v": cache,
        },
        ("y", "k", "v"),
        weights={
            "one": integers(1, dtype=np.int64),
            "one_": np.int64(1),
            "cos": COS,
            "sin": SIN,
        },
    )
    model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    return model


def step(batch, length, past, lengths):
    mask = np.zeros((batch, past + length), np.int64)
    for row, count in zip(mask, lengths, strict=True):
        row[:count] = 1
    return {
        "x": floats(batch, length, (N + 2 * M) * H),
        "mask": mask,
        "past_k": floats(batch, M, past, H),
        "past_v": floats(batch, M, past, H),
    }


@pytest.mark.parametrize("is_compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_one_decoder_serves_all_sizes(is_compiled):
    model = decoder("batch")
    func = main_of(model)
    module = tilewright.compile(model, threads=1) if is_compiled else None
    assert module is None or not module.reason
    for batch, length, past, lengths in ((1, 1, 4, (5,)), (2, 1, 6, (7, 4)), (1, 3, 5, (8,))):
        values = step(batch, length, past, lengths)
        if module is None:
            got = run_graph(func, *values.values())
        else:
            got = [np.asarray(array) for array in module.run(values)]
        want = expected(model, values)
        case = Case("", [], {}, valid=lengths, queries=(length,) * batch)
        case.check(got, want)


def test_a_cache_whose_size_is_a_number_keeps_its_size():
    values = step(2, 1, 6, (7, 4))
    values |= {"past_k": floats(2, M, 12, H), "past_v": floats(2, M, 12, H)}
    func = main_of(decoder("batch"), shapes={"past": 12})
    assert ("batch", "2", "12", "16") in result_dims(func)
    case = Case("", [], {}, valid=(7, 4), queries=(1, 1))
    case.check(run_graph(func, *values.values()), expected(decoder("batch"), values))


@pytest.mark.slow
def test_a_session_appends_to_the_cache_of_one_sequence():
    state = {"past_k": "k", "past_v": "v"}
    model = decoder("batch")
    module = tilewright.compile(
        model, shapes={"batch": 1}, state=state, capacity={"past": 16}, threads=1
    )
    session, keys = module.session(), np.zeros((1, M, 0, H), np.float32)
    values = keys
    for past in range(3):
        given = step(1, 1, past, (past + 1,)) | {"past_k": keys, "past_v": values}
        want, keys, values = expected(model, given)
        got = session(given["x"], given["mask"])
        np.testing.assert_allclose(np.asarray(got), want, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(
    ("attributes", "message"),
    [({"sliding_window_cache": 1}, "form of attention"), ({"k_quant_type": "PER_TENSOR"}, "cache")],
)
def test_other_caches_are_refused(attributes, message):
    model, _ = grouped(**attributes).model()
    with pytest.raises(UnsupportedOp, match=message):
        main_of(model)
