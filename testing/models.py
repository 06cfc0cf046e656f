"""Models for tests, examples and benchmarks: the light_* models of onnx, and our own builders.

Weights are seeded, so a name means the same bytes everywhere. Needs the package ``onnx``,
which is imported when a model is built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto

OPSET = 20
IR_VERSION = 9

LIGHT_MODELS = (
    "bvlc_alexnet",
    "densenet121",
    "inception_v1",
    "inception_v2",
    "resnet50",
    "shufflenet",
    "squeezenet",
    "vgg19",
    "zfnet512",
)

# Bounds of the uniform distribution of weights that are not matrices.
BOUNDS = {
    ("BatchNormalization", 1): (0.8, 1.2),
    ("BatchNormalization", 4): (0.5, 1.5),
    ("Residual", 1): (0.3, 0.5),
    ("Residual", 4): (0.5, 1.5),
    ("Mul", 1): (0.8, 1.2),
}


def light_path(name: str) -> Path:
    """Return the file of a light_* model of onnx, in which each weight has equal elements."""
    import onnx

    data = Path(onnx.__file__).parent / "backend" / "test" / "data"
    return data / "light" / f"light_{name}.onnx"


def light_model(name: str, *, seed: int = 0) -> ModelProto:
    """Build a published network with seeded random weights: ``light_model("resnet50")``.

    The package onnx ships the graphs with a ConstantOfShape in place of each weight; this function
    replaces each with an initializer, scaled by fan-in so that activations neither vanish nor
    explode.
    """
    import onnx

    model = onnx.load(light_path(name))
    graph, rng = model.graph, np.random.default_rng(seed)
    shapes = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}
    roles = _roles(model)
    for node in [node for node in graph.node if node.op_type == "ConstantOfShape"]:
        shape = [int(size) for size in shapes[node.input[0]]]
        array = _weight(rng, shape, *roles.get(node.output[0], ("", 0)))
        graph.initializer.append(onnx.numpy_helper.from_array(array, node.output[0]))
        graph.node.remove(node)
    _keep_data_inputs(model)
    model.ir_version = IR_VERSION
    return model


def _roles(model: ModelProto) -> dict[str, tuple[str, int]]:
    """Return, for each value, the operator that reads it and the position among its inputs.

    Unsqueeze is skipped: the reader of its result counts.  A BatchNormalization whose result is an
    operand of Sum is called "Residual", and a grouped Conv is called "GroupedConv".
    """
    roles: dict[str, tuple[str, int]] = {}
    for node in reversed(model.graph.node):
        reader, op_type = roles.get(node.output[0], ("", 0)), node.op_type
        if op_type == "BatchNormalization" and reader[0] == "Sum":
            op_type = "Residual"
        elif op_type == "Conv" and any(a.name == "group" and a.i > 1 for a in node.attribute):
            op_type = "GroupedConv"
        for position, name in enumerate(node.input):
            roles[name] = reader if op_type == "Unsqueeze" else (op_type, position)
    return roles


def _weight(
    rng: np.random.Generator, shape: Sequence[int], op_type: str, position: int
) -> np.ndarray:
    """Return random values for the weight that an operator reads at a position."""
    if op_type in ("Conv", "GroupedConv", "Gemm", "MatMul") and len(shape) > 1:
        gain = 0.8 if op_type == "GroupedConv" else 1.5
        return rng.standard_normal(shape, np.float32) * np.float32(sqrt(gain / prod(shape[1:])))
    low, high = BOUNDS.get((op_type, position), (-0.1, 0.1))
    return rng.uniform(low, high, shape).astype(np.float32)


def _keep_data_inputs(model: ModelProto) -> None:
    """Remove initializers that no node reads, and inputs that are weights or that no node reads.

    Engines would not fold a weight that is also an input, because it can be replaced at run time.
    """
    used = {name for node in model.graph.node for name in node.input}
    for weight in [t for t in model.graph.initializer if t.name not in used]:
        model.graph.initializer.remove(weight)
    weights = {t.name for t in model.graph.initializer}
    for value in list(model.graph.input):
        if value.name not in used or value.name in weights:
            model.graph.input.remove(value)


class _Graph:
    """A model under construction: nodes, random weights, float inputs."""

    def __init__(self, name: str, seed: int):
        import onnx.helper

        self.helper: Any = onnx.helper
        self.name = name
        self.rng = np.random.default_rng(seed)
        self.nodes: list[NodeProto] = []
        self.weights: list[Any] = []
        self.inputs: list[Any] = []

    def input(self, name: str, shape: Sequence[int | str]) -> str:
        self.inputs.append(self.helper.make_tensor_value_info(name, 1, list(shape)))
        return name

    def weight(self, name: str, array: np.ndarray) -> str:
        from onnx import numpy_helper

        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def matrix(self, name: str, shape: Sequence[int]) -> str:
        """Add a random weight that keeps the scale of activations; return its name."""
        fan_in = shape[0] if len(shape) == 2 else prod(shape[1:])
        values = self.rng.standard_normal(shape, np.float32) / np.float32(sqrt(fan_in))
        return self.weight(name, values)

    def vector(self, name: str, size: int, around: float = 0.0) -> str:
        """Add a random vector with elements near ``around``; return its name."""
        values = self.rng.uniform(around - 0.1, around + 0.1, size)
        return self.weight(name, values.astype(np.float32))

    def op(self, op_type: str, inputs: Sequence[str], name: str, **attributes: Any) -> str:
        """Add a node whose only output has the name of the node; return this name."""
        self.nodes.append(
            self.helper.make_node(op_type, list(inputs), [name], name=name, **attributes)
        )
        return name

    def linear(self, x: str, name: str, rows: int, columns: int) -> str:
        product = self.op(
            "MatMul", [x, self.matrix(f"{name}/weight", (rows, columns))], f"{name}/MatMul"
        )
        return self.op("Add", [product, self.vector(f"{name}/bias", columns)], f"{name}/Add")

    def layer_norm(self, x: str, name: str, hidden: int) -> str:
        scale = self.vector(f"{name}/scale", hidden, around=1.0)
        bias = self.vector(f"{name}/bias", hidden)
        return self.op("LayerNormalization", [x, scale, bias], name, axis=-1, epsilon=1e-12)

    def rows_linear(self, x: str, name: str, sizes: Sequence[int]) -> str:
        """Compute ``x @ W + b`` as a Gemm on the rows of x.

        sizes: the shape of x, then the number of columns of W.
        """
        *leading, rows, columns = sizes
        self.weight(f"{name}/rows", np.array([-1, rows], np.int64))
        self.weight(f"{name}/shape", np.array([*leading, columns], np.int64))
        flat = self.op("Reshape", [x, f"{name}/rows"], f"{name}/Reshape")
        inputs = [flat, self.matrix(f"{name}/weight", (rows, columns))]
        inputs.append(self.vector(f"{name}/bias", columns))
        product = self.op("Gemm", inputs, f"{name}/Gemm")
        return self.op("Reshape", [product, f"{name}/shape"], f"{name}/Reshape_1")

    def finish(
        self,
        output: str,
        shape: Sequence[int | str],
        others: Mapping[str, Sequence[int | str]] | None = None,
    ) -> ModelProto:
        """Return the model with float outputs.

        output, shape: the first output and its shape.  others: the shapes of further outputs, by
        name.
        """
        shapes = {output: shape, **(others or {})}
        outs = [self.helper.make_tensor_value_info(n, 1, list(s)) for n, s in shapes.items()]
        graph = self.helper.make_graph(self.nodes, self.name, self.inputs, outs, self.weights)
        opset = self.helper.make_opsetid("", OPSET)
        return self.helper.make_model(graph, opset_imports=[opset], ir_version=IR_VERSION)


def encoder_model(
    *,
    layers: int = 2,
    hidden: int = 768,
    heads: int = 12,
    ffn: int = 3072,
    seq: int | str = 128,
    batch: int | str = 1,
    seed: int = 0,
) -> ModelProto:
    """Build a transformer encoder of BERT's shape: attention and feed-forward, post-normalized.

    hidden: the number of features of a token.  heads: the number of attention heads.  ffn: the
    width of the feed-forward layer.  seq: the length of the sequence.  A text for seq or batch is a
    symbolic size.
    """
    g = _Graph("encoder", seed)
    x = g.input("hidden_states", (batch, seq, hidden))
    g.weight("split_heads", np.array([0, 0, heads, hidden // heads], np.int64))
    g.weight("merge_heads", np.array([0, 0, hidden], np.int64))
    g.weight("scale", np.array(1 / sqrt(hidden // heads), np.float32))
    for i in range(layers):
        name = f"layer.{i}"
        attended = _attention(g, x, f"{name}/attention", hidden)
        x = g.op("Add", [attended, x], f"{name}/attention/residual")
        x = g.layer_norm(x, f"{name}/attention/norm", hidden)
        inner = g.linear(x, f"{name}/ffn/in", hidden, ffn)
        inner = g.op("Gelu", [inner], f"{name}/ffn/Gelu")
        outer = g.linear(inner, f"{name}/ffn/out", ffn, hidden)
        x = g.op("Add", [outer, x], f"{name}/ffn/residual")
        x = g.layer_norm(x, f"{name}/ffn/norm", hidden)
    return g.finish(x, (batch, seq, hidden))


def _attention(g: _Graph, x: str, name: str, hidden: int) -> str:
    """Apply multi-head self-attention made of single operators."""
    parts: dict[str, str] = {}
    for part, perm in (("q", (0, 2, 1, 3)), ("k", (0, 2, 3, 1)), ("v", (0, 2, 1, 3))):
        flat = g.linear(x, f"{name}/{part}", hidden, hidden)
        split = g.op("Reshape", [flat, "split_heads"], f"{name}/{part}/Reshape")
        parts[part] = g.op("Transpose", [split], f"{name}/{part}/Transpose", perm=perm)
    scores = g.op("MatMul", [parts["q"], parts["k"]], f"{name}/scores")
    scaled = g.op("Mul", [scores, "scale"], f"{name}/Mul")
    weights = g.op("Softmax", [scaled], f"{name}/Softmax", axis=-1)
    mixed = g.op("MatMul", [weights, parts["v"]], f"{name}/context")
    merged = g.op("Transpose", [mixed], f"{name}/Transpose", perm=(0, 2, 1, 3))
    flat = g.op("Reshape", [merged, "merge_heads"], f"{name}/Reshape")
    return g.linear(flat, f"{name}/out", hidden, hidden)


def decoder_model(
    *,
    layers: int = 1,
    hidden: int = 768,
    heads: int = 12,
    seq: int = 1,
    past: int = 128,
    batch: int = 1,
    rows: bool = False,
    seed: int = 0,
) -> ModelProto:
    """Build a transformer decoder of GPT-2's shape with a cache of keys and values.

    seq: the number of new tokens.  past: the number of tokens in the cache.
    rows: whether each matrix product is a Gemm between two Reshape nodes, as torch exports it.
    """
    g = _Graph("decoder", seed)
    size, shape = hidden // heads, (batch, seq, hidden)
    x, mask = g.input("x", shape), g.input("mask", (1, 1, seq, past + seq))
    g.weight("split_heads", np.array([0, 0, heads, size], np.int64))
    g.weight("merge_heads", np.array([0, 0, hidden], np.int64))
    g.weight("scale", np.array(1 / sqrt(size), np.float32))
    present: dict[str, Sequence[int | str]] = {}

    def linear(x: str, name: str, columns: int, width: int = hidden) -> str:
        if rows:
            return g.rows_linear(x, name, (batch, seq, width, columns))
        return g.linear(x, name, width, columns)

    for i in range(layers):
        name = f"layer.{i}"
        inner = g.layer_norm(x, f"{name}/norm_1", hidden)
        parts: dict[str, str] = {}
        for part in ("q", "k", "v"):
            split = g.op(
                "Reshape",
                [linear(inner, f"{name}/{part}", hidden), "split_heads"],
                f"{name}/{part}4",
            )
            parts[part] = g.op("Transpose", [split], f"{name}/{part}/heads", perm=(0, 2, 1, 3))
        for part in ("k", "v"):
            old = g.input(f"{name}/past_{part}", (batch, heads, past, size))
            parts[part] = g.op("Concat", [old, parts[part]], f"{name}/present_{part}", axis=2)
            present[parts[part]] = (batch, heads, past + seq, size)
        keys = g.op("Transpose", [parts["k"]], f"{name}/keys", perm=(0, 1, 3, 2))
        scores = g.op("MatMul", [parts["q"], keys], f"{name}/scores")
        scaled = g.op("Mul", [scores, "scale"], f"{name}/Mul")
        masked = g.op("Add", [scaled, mask], f"{name}/masked")
        weights = g.op("Softmax", [masked], f"{name}/Softmax", axis=-1)
        mixed = g.op("MatMul", [weights, parts["v"]], f"{name}/context")
        merged = g.op("Transpose", [mixed], f"{name}/Transpose", perm=(0, 2, 1, 3))
        flat = g.op("Reshape", [merged, "merge_heads"], f"{name}/Reshape")
        x = g.op("Add", [x, linear(flat, f"{name}/out", hidden)], f"{name}/residual_1")
        inner = linear(g.layer_norm(x, f"{name}/norm_2", hidden), f"{name}/ffn/in", 4 * hidden)
        inner = g.op("Gelu", [inner], f"{name}/ffn/Gelu")
        outer = linear(inner, f"{name}/ffn/out", hidden, 4 * hidden)
        x = g.op("Add", [x, outer], f"{name}/residual_2")
    return g.finish(x, shape, present)


def ffn_model(*, m: int | str = 128, k: int = 768, n: int = 3072, seed: int = 0) -> ModelProto:
    """Build a feed-forward layer: MatMul of (m, k) by (k, n), Add and Gelu."""
    g = _Graph("ffn", seed)
    x = g.linear(g.input("x", (m, k)), "ffn", k, n)
    return g.finish(g.op("Gelu", [x], "Gelu"), (m, n))


def conv_model(
    *,
    batch: int = 1,
    channels: int = 64,
    size: int = 56,
    filters: int = 64,
    kernel: int = 3,
    stride: int = 1,
    groups: int = 1,
    relu: bool = True,
    seed: int = 0,
) -> ModelProto:
    """Build a padded convolution with bias, with or without Relu.

    size: the height and width of the image.  groups: the number of groups of channels.
    """
    g = _Graph("conv", seed)
    x, pad = g.input("x", (batch, channels, size, size)), kernel // 2
    w = g.matrix("weight", (filters, channels // groups, kernel, kernel))
    strides, pads = [stride, stride], [pad, pad, pad, pad]
    inputs = [x, w, g.vector("bias", filters)]
    out = g.op("Conv", inputs, "Conv", strides=strides, pads=pads, group=groups)
    if relu:
        out = g.op("Relu", [out], "Relu")
    side = (size + 2 * pad - kernel) // stride + 1
    return g.finish(out, (batch, filters, side, side))


def residual_model(*, channels: int = 64, size: int = 56, seed: int = 0) -> ModelProto:
    """Build two 3x3 convolutions with bias and Relu; the second adds the result of the first.

    size: the height and width of the image.
    """
    g = _Graph("residual", seed)
    shape = (1, channels, size, size)
    value = g.input("x", shape)
    skip = None
    for name in ("first", "second"):
        w = g.matrix(f"{name}_weight", (channels, channels, 3, 3))
        inputs = [value, w, g.vector(f"{name}_bias", channels)]
        out = g.op("Conv", inputs, f"{name}_Conv", pads=[1, 1, 1, 1])
        if skip is not None:
            out = g.op("Add", [out, skip], f"{name}_Add")
        skip = value = g.op("Relu", [out], f"{name}_Relu")
    return g.finish(value, shape)


def softmax_model(*, shape: Sequence[int] = (12, 128, 128), axis: int = -1) -> ModelProto:
    """Build a model of one Softmax along an axis."""
    g = _Graph("softmax", 0)
    return g.finish(g.op("Softmax", [g.input("x", shape)], "Softmax", axis=axis), shape)


def layernorm_model(*, shape: Sequence[int] = (128, 768), seed: int = 0) -> ModelProto:
    """Build a model of one LayerNormalization over the last axis."""
    g = _Graph("layernorm", seed)
    out = g.layer_norm(g.input("x", shape), "LayerNormalization", shape[-1])
    return g.finish(out, shape)


def with_weights(text: str, **shapes: Sequence[int]) -> ModelProto:
    """Return the model of a text in ONNX's textual format, with random weights.

    shapes: the shape of each weight, by name.
    """
    import onnx.numpy_helper
    import onnx.parser

    model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
    for name, shape in shapes.items():
        array = (rng.standard_normal(shape) * 0.2).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return model


def inputs_for(model: ModelProto, *, seed: int = 0) -> list[np.ndarray]:
    """Return random normal inputs for a model with fixed sizes, whose inputs are floats."""
    rng = np.random.default_rng(seed)
    known = {t.name for t in model.graph.initializer}
    shapes = [
        [d.dim_value for d in value.type.tensor_type.shape.dim]
        for value in model.graph.input
        if value.name not in known
    ]
    return [rng.standard_normal(shape, np.float32) for shape in shapes]
