"""Hashes of the LLVM IR of small static models for two targets.

python -m tests.targets.golden_code    writes golden_code.json again
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from tilewright.driver.compilation import Compilation
from tilewright.driver.settings import settings_for
from tilewright.driver.source import ModelSource
from tilewright.testing.models import (
    conv_model,
    decoder_model,
    encoder_model,
    ffn_model,
    layernorm_model,
    residual_model,
    softmax_model,
)

PATH = Path(__file__).with_suffix(".json")
TARGETS = ("llvm -mcpu=x86-64-v3", "llvm -mcpu=skylake-avx512")
COMMAND = "python -m tests.targets.golden_code"
KERNEL, CALLS, TABLES = "; kernel ", "; the calls of the kernels", "; the tables of the entry"

Shape = Sequence[int]


def node(
    op_type: str,
    *inputs: Shape,
    out: Shape,
    dtype: str = "float32",
    weights: Sequence[np.ndarray] = (),
    **attributes: Any,
) -> onnx.ModelProto:
    """Return a model of one node; the weights are its last inputs."""
    type_ = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    names = [f"x{n}" for n in range(len(inputs))]
    infos = [helper.make_tensor_value_info(n, type_, s) for n, s in zip(names, inputs, strict=True)]
    stored = [numpy_helper.from_array(w, f"w{n}") for n, w in enumerate(weights)]
    made = helper.make_node(op_type, [*names, *(w.name for w in stored)], ["y"], **attributes)
    result = helper.make_tensor_value_info("y", attributes.get("to", type_), out)
    graph = helper.make_graph([made], op_type, infos, [result], stored)
    opset = helper.make_opsetid("", 20)
    return helper.make_model(graph, opset_imports=[opset], ir_version=9)


def weight(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape, np.float32)


ENCODER = partial(encoder_model, layers=1, hidden=64, heads=4, ffn=128)
DECODER = partial(decoder_model, hidden=64, heads=4, past=5)

MODELS: Mapping[str, Callable[[], onnx.ModelProto]] = {
    "ffn_1": partial(ffn_model, m=1, k=64, n=96),
    "ffn_5": partial(ffn_model, m=5, k=256, n=96),
    "ffn_13": partial(ffn_model, m=13, k=512, n=160),
    "ffn_20_odd": partial(ffn_model, m=20, k=70, n=33),
    "encoder_1x7": partial(ENCODER, batch=1, seq=7),
    "encoder_2x7": partial(ENCODER, batch=2, seq=7),
    "encoder_3x1": partial(ENCODER, batch=3, seq=1),
    "decoder_1x1": partial(DECODER, batch=1, seq=1),
    "decoder_2x3": partial(DECODER, batch=2, seq=3),
    "decoder_rows_2x3": partial(DECODER, batch=2, seq=3, rows=True),
    "conv_3x3": partial(conv_model, channels=16, filters=32, size=14),
    "conv_1x1": partial(conv_model, channels=32, filters=48, size=10, kernel=1),
    "conv_stride": partial(conv_model, channels=16, filters=16, size=15, stride=2),
    "conv_first": partial(conv_model, channels=3, filters=16, size=20, stride=2),
    "conv_depthwise": partial(conv_model, channels=32, filters=32, size=12, groups=32),
    "conv_groups": partial(conv_model, channels=32, filters=32, size=9, groups=4),
    "conv_batch": partial(conv_model, batch=2, channels=16, filters=16, size=8, relu=False),
    "residual": partial(residual_model, channels=16, size=12),
    "softmax_last": partial(softmax_model, shape=(3, 5, 37)),
    "softmax_first": partial(softmax_model, shape=(19, 40), axis=0),
    "layernorm": partial(layernorm_model, shape=(9, 70)),
    "matmul_batched": partial(node, "MatMul", (3, 6, 20), (3, 20, 40), out=(3, 6, 40)),
    "matmul_vector": partial(node, "MatMul", (30, 50), (50,), out=(30,)),
    "transpose": partial(node, "Transpose", (5, 7, 33), out=(33, 5, 7), perm=[2, 0, 1]),
    "max_pool": partial(
        node, "MaxPool", (1, 16, 9, 9), out=(1, 16, 4, 4), kernel_shape=[3, 3], strides=[2, 2]
    ),
    "conv_transpose": partial(
        node, "ConvTranspose", (1, 8, 6, 6), out=(1, 12, 13, 13), weights=(weight(8, 12, 3, 3),),
        strides=[2, 2],
    ),
    "gather": partial(
        node, "Gather", (20, 12), out=(3, 12), weights=(np.array([4, 0, 19]),), axis=0
    ),
    "cast_half": partial(node, "Cast", (4, 50), out=(4, 50), to=onnx.TensorProto.FLOAT16),
    "cumsum": partial(node, "CumSum", (6, 30), out=(6, 30), weights=(np.array(1),)),
    "gelu_flat": partial(node, "Gelu", (11, 13), out=(11, 13)),
}  # fmt: skip
"""Small models, by a name that says what their code is about."""


def hashes(name: str) -> dict[str, list[str]]:
    """Return two hashes per target: of the kernels, and of the calls in main."""
    model = MODELS[name]()
    return {target: parts(_text(model, target)) for target in TARGETS}


def _text(model: onnx.ModelProto, target: str) -> str:
    """Return the LLVM IR of all parts of a model, each after its label."""
    settings = settings_for(target, "default")
    texts = Compilation(ModelSource(model), settings, None, None, None).texts({}, {})
    return "\n".join(f"; {text.label}\n{text.source}" for text in texts)


def parts(text: str) -> list[str]:
    """Return the hashes of the kernels' IR without names, and of the calls' IR."""
    kernels, _, rest = text.partition(CALLS)
    calls, _, _ = rest.partition(TABLES)
    lines = [line for line in kernels.splitlines() if not line.startswith(KERNEL)]
    return [_digest("\n".join(lines)), _digest(calls)]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main() -> None:
    made = {name: hashes(name) for name in MODELS}
    PATH.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
