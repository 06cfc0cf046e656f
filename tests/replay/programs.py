"""The programs whose kernels are replayed: networks, single operators and random programs.

All are made from seeds and from the graphs in tests/fixtures, so they are the same on every
machine: nothing is downloaded, and no other framework runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper
from xdsl.dialects.builtin import ModuleOp

from harness.gpu_cases import OPERATORS, TYPES
from tilewright.frontend.onnx.file.proto import load
from tilewright.frontend.onnx.importer import import_model
from tilewright.frontend.onnx.qdq import products_of, quantized, read
from tilewright.testing.fixtures import fixture_model
from tilewright.testing.fuzz.families import FAMILIES, drawn_program
from tilewright.testing.fuzz.program import IrProgram, OnnxProgram
from tilewright.testing.models import (
    conv_model,
    decoder_model,
    encoder_model,
    ffn_model,
    layernorm_model,
    residual_model,
    softmax_model,
)

FIXTURES = Path(__file__).parents[1] / "fixtures"
RANDOM_SEEDS = 3
"""Random programs per family; on each target they have more than 500 kernels."""
BF16 = "bf16-forced"
NOT_IN_ZOO = ("detector_nms_dynamo", "efficientnet_dynamo", "gru_dynamo", "whisper_dynamo")
"""Networks of known sizes without a larger one in tests/fixtures/zoo."""
RANGE = (-3.0, 5.0)
"""The smallest and largest activation of the quantized networks."""

MakeModel = Callable[[], onnx.ModelProto]
Shape = Sequence[int]


@dataclass(frozen=True)
class Program:
    """A program to compile.  make: returns its module.  precision: see `compile`."""

    make: Callable[[], ModuleOp]
    precision: str = "default"


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
    """Return a seeded weight."""
    return np.random.default_rng(0).standard_normal(shape, np.float32)


ENCODER = partial(encoder_model, layers=1, hidden=64, heads=4, ffn=128)
DECODER = partial(decoder_model, hidden=64, heads=4, past=5)

SMALL: Mapping[str, MakeModel] = {
    "ffn_1": partial(ffn_model, m=1, k=64, n=96),
    "ffn_5": partial(ffn_model, m=5, k=256, n=96),
    "ffn_13": partial(ffn_model, m=13, k=512, n=160),
    "ffn_20_odd": partial(ffn_model, m=20, k=70, n=33),
    "ffn_open": partial(ffn_model, m="rows", k=128, n=96),
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


def _int8(make: MakeModel) -> onnx.ModelProto:
    """Return a model with 8-bit products, all activations in the same range."""
    model = read(make())
    products = products_of(model)
    return quantized(model, products, {p.activation: RANGE for p in products})


def _of_model(make: MakeModel, precision: str = "default") -> Program:
    return Program(lambda: import_model(make()), precision)


def _random(family: str, seed: int) -> ModuleOp:
    program = drawn_program(family, seed)
    if isinstance(program, OnnxProgram):
        return import_model(load(program.data))
    assert isinstance(program, IrProgram), "a program is a model or a text"
    return program.parsed()


def _programs() -> Mapping[str, Program]:
    zoo = {p.stem: partial(fixture_model, p) for p in sorted((FIXTURES / "zoo").glob("*.onnx"))}
    nets = {p.stem: partial(fixture_model, p) for p in sorted(FIXTURES.glob("*_dynamo*.onnx"))}
    own = {n: make for n, make in nets.items() if n.endswith("_symbolic") or n in NOT_IN_ZOO}
    made = {f"small/{name}": _of_model(make) for name, make in SMALL.items()}
    made |= {f"zoo/{name}": _of_model(make) for name, make in zoo.items()}
    made |= {f"fixture/{name}": _of_model(make) for name, make in own.items()}
    for name in ("resnet18", "distilbert"):
        made[f"int8/{name}"] = _of_model(partial(_int8, zoo[name]))
    for name in ("vit_dynamo", "mobilenet_v2_dynamo_symbolic"):
        made[f"int8/{name}"] = _of_model(partial(_int8, nets[name]))
    for name in ("bert_dynamo", "llama_prefill_dynamo_symbolic", "unet_dynamo"):
        made[f"bf16/{name}"] = _of_model(nets[name], BF16)
    for dtype in TYPES:
        made |= {
            f"{dtype}/{name}": _of_model(partial(operator.model, dtype))
            for name, operator in OPERATORS.items()
        }
    for name in FAMILIES:
        for seed in range(RANDOM_SEEDS):
            made[f"random/{name}-{seed}"] = Program(partial(_random, name, seed))
    return made


PROGRAMS: Mapping[str, Program] = _programs()
"""All programs by name: the kind of program, and what it computes."""
