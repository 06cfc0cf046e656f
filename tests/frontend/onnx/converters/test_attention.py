"""Attention and rotary embeddings as machine code, against onnx.reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, shape_inference
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.runtime.errors import ArgumentError

from ....onnx_models import node, onnx_model

NATIVE = str(Path(__file__).parents[1] / "native.py")
FLOAT, BOOL, INT64 = TensorProto.FLOAT, TensorProto.BOOL, TensorProto.INT64
CACHED = {"past_key": (2, 2, 4, 8), "past_value": (2, 2, 4, 6)}


def arrays_for(model, seed=0):
    rng = np.random.default_rng(seed)
    out = []
    for value in model.graph.input:
        tensor = value.type.tensor_type
        shape = [dim.dim_value for dim in tensor.shape.dim]
        if tensor.elem_type == BOOL:
            out.append(rng.integers(0, 3, shape) > 0)
        elif tensor.elem_type == INT64:
            out.append(rng.integers(0, 5, shape))
        else:
            dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
            out.append(rng.standard_normal(shape).astype(dtype))
    return tuple(out)


def check(worker, model, arrays, tolerance=1e-5):
    names = [value.name for value in model.graph.input]
    wanted = ReferenceEvaluator(model).run(None, dict(zip(names, arrays, strict=True)))
    typed = shape_inference.infer_shapes(model).SerializeToString()
    for got, want in zip(worker.call(f"{NATIVE}:run", typed, arrays), wanted, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def typed(inputs):
    """Return inputs as (type, shape); the type of a bare shape is f32."""
    return {n: s if isinstance(s[1], tuple | list) else (FLOAT, s) for n, s in inputs.items()}


def attention_model(queries, keys, values, *others, outputs=("y",), opset=25, **attributes):
    inputs = typed({"q": queries, "k": keys, "v": values, **dict(others)})
    order = ("q", "k", "v", "mask", "past_key", "past_value", "lengths")
    used = [name if name in inputs else "" for name in order]
    while not used[-1]:
        used.pop()
    return onnx_model(
        [node("Attention", used, outputs, **attributes)], inputs, outputs, opset=opset
    )


FOUR = (2, 4, 5, 8), (2, 2, 7, 8), (2, 2, 7, 6)
FORMS = {
    "plain": attention_model((1, 3, 5, 8), (1, 3, 5, 8), (1, 3, 5, 8)),
    "joined_heads": attention_model(
        (2, 5, 32), (2, 7, 16), (2, 7, 12), q_num_heads=4, kv_num_heads=2, scale=0.3
    ),
    "shared_heads_causal": attention_model(*FOUR, is_causal=1, softcap=2.0),
    "float_mask_shorter_than_keys": attention_model(*FOUR, ("mask", (1, 1, 5, 6))),
    "mask_of_one_key": attention_model(*FOUR, ("mask", (1, 1, 5, 1))),
    "bool_mask_with_empty_rows": attention_model(*FOUR, ("mask", (BOOL, (2, 1, 5, 7)))),
    "cache": attention_model(
        *FOUR, *CACHED.items(), outputs=("y", "pk", "pv", "qk"), is_causal=1,
        qk_matmul_output_mode=3,
    ),
    "lengths_and_window": attention_model(
        *FOUR, ("lengths", (INT64, [2])), is_causal=1, left_window_size=2
    ),
    "f16_softmax_in_f32": attention_model(
        *((TensorProto.FLOAT16, shape) for shape in FOUR), softmax_precision=1
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_attention_is_that_of_the_standard(form, worker):
    model = FORMS[form]
    arrays = arrays_for(model)
    if form == "bool_mask_with_empty_rows":
        arrays[3][0, 0, 2] = False
    check(worker, model, arrays, 2e-3 if form.startswith("f16") else 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("code", [FLOAT, BOOL])
def test_a_mask_of_an_open_length_hides_the_keys_beyond_it(code):
    """Keys and mask have names of their own, and a cache goes before the keys."""
    model = attention_model(
        ("b", 4, 5, 8), ("b", 2, "new", 8), ("b", 2, "new", 6), ("mask", (code, (1, 1, 5, "m"))),
        ("past_key", (FLOAT, ("b", 2, "old", 8))), ("past_value", (FLOAT, ("b", 2, "old", 6))),
        outputs=("y", "pk", "pv"),
    )  # fmt: skip
    module = tilewright.compile(model, cache=False, strict_plan=True)
    assert not module.reason
    reference = ReferenceEvaluator(model)
    for seed, (new, old, length) in enumerate(((7, 3, 10), (7, 3, 6), (1, 30, 17), (40, 1, 1))):
        rng = np.random.default_rng(seed)
        sizes = {"b": 2, "new": new, "old": old, "m": length}
        given = {}
        for value in model.graph.input:
            dims = value.type.tensor_type.shape.dim
            shape = [sizes.get(dim.dim_param, dim.dim_value) for dim in dims]
            given[value.name] = rng.standard_normal(shape).astype(np.float32)
        if code == BOOL:
            given["mask"] = given["mask"] > -1
            given["mask"][..., 0] = True
        for got, wanted in zip(
            module.run(given, threads=1), reference.run(None, given), strict=True
        ):
            np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5)
    given["mask"] = np.concatenate([given["mask"]] * 42, axis=-1)
    with pytest.raises(ArgumentError, match="too small"):
        module.run(given)


def test_no_head_or_transpose_of_attention_is_copied(worker):
    model = shape_inference.infer_shapes(FORMS["joined_heads"]).SerializeToString()
    kernels = worker.call(f"{NATIVE}:kernels", model)
    copies = [ops for ops in kernels if set(ops) <= {"transpose", "reshape", "broadcast"}]
    # The one copy makes the result, because the product writes heads separately.
    assert len(copies) <= 1


ROTARY = {
    "halves": ({"x": (2, 3, 5, 8), "cos": (9, 4), "sin": (9, 4), "ids": (INT64, (2, 5))}, {}),
    "pairs": (
        {"x": (2, 3, 5, 8), "cos": (2, 5, 4), "sin": (2, 5, 4)},
        {"interleaved": 1},
    ),
    "part_of_joined_heads": (
        {"x": (2, 5, 24), "cos": (9, 2), "sin": (9, 2), "ids": (INT64, (2, 5))},
        {"num_heads": 3, "rotary_embedding_dim": 4},
    ),
}


@pytest.mark.parametrize("form", ROTARY)
def test_rotary_embedding_is_that_of_the_standard(form, worker):
    inputs, attributes = typed(ROTARY[form][0]), ROTARY[form][1]
    model = onnx_model([node("RotaryEmbedding", inputs, **attributes)], inputs, opset=23)
    check(worker, model, arrays_for(model))
