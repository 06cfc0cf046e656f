"""A decoder layer of one token: grouped heads, rotary positions, a cache, RMS norms, a gate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import onnx

Arrays = Mapping[str, np.ndarray]

NORM = (
    "{0}q = Mul ({1}, {1}) {0}m = ReduceMean <keepdims = 1> ({0}q, last) {0}s = Add ({0}m, eps) "
    "{0}t = Sqrt ({0}s) {0}r = Reciprocal ({0}t) {0}h = Mul ({1}, {0}r) {0} = Mul (g{0}, {0}h) "
)
HEADS = (
    "{0}l = MatMul (n1, w{0}) {0}i = Reshape ({0}l, by_head) "
    "{0} = Transpose <perm = [0, 2, 1, 3]> ({0}i) "
)
ROTATE = (
    "{0}a, {0}b = Split <axis = -1, num_outputs = 2> ({0}) {0}n = Neg ({0}b) "
    "{0}x = Concat <axis = -1> ({0}n, {0}a) {0}c = Mul ({0}, cos) {0}d = Mul ({0}x, sin) "
    "{0}p = Add ({0}c, {0}d) "
)
BODY = (
    NORM.format("n1", "x") + "".join(map(HEADS.format, "qkv")) + "".join(map(ROTATE.format, "qk"))
    + "keys = Concat <axis = 2> (pk, kp) values = Concat <axis = 2> (pv, v) "
    "o = Attention <scale = 0.2> (qp, keys, values) ot = Transpose <perm = [0, 2, 1, 3]> (o) "
    "oi = Reshape (ot, flat) oo = MatMul (oi, wo) x2 = Add (x, oo) "
    + NORM.format("n2", "x2")
    + "a = MatMul (n2, wa) b = MatMul (n2, wb) z = Sigmoid (a) c = Mul (a, z) e = Mul (c, b) "
    "d = MatMul (e, wd) y = Add (x2, d)"
)  # fmt: skip


@dataclass(frozen=True)
class DecoderLayer:
    """The sizes of a layer; features: those of a head; past: the cached keys; inner: the gate."""

    width: int = 256
    heads: int = 4
    key_heads: int = 2
    features: int = 64
    past: int = 40
    inner: int = 384
    element: str = "float"

    @property
    def dtype(self) -> type[np.generic]:
        return np.float16 if self.element == "float16" else np.float32

    def weights(self) -> Arrays:
        rng, size = np.random.default_rng(1), self.features
        queries, keys = self.heads * size, self.key_heads * size
        shapes = {
            "gn1": (self.width,), "gn2": (self.width,), "wq": (self.width, queries),
            "wk": (self.width, keys), "wv": (self.width, keys), "wo": (queries, self.width),
            "wa": (self.width, self.inner), "wb": (self.width, self.inner),
            "wd": (self.inner, self.width),
        }  # fmt: skip
        drawn = {n: rng.standard_normal(s) / np.sqrt(s[0]) for n, s in shapes.items()}
        angles = self.past * 10000.0 ** (-np.arange(size // 2) / (size // 2))
        turns = np.concatenate([angles, angles])
        drawn |= {"cos": np.cos(turns), "sin": np.sin(turns), "eps": np.array(1e-3)}
        return {name: value.astype(self.dtype) for name, value in drawn.items()}

    def inputs(self) -> Arrays:
        rng, cache = np.random.default_rng(2), (1, self.key_heads, self.past, self.features)
        shapes = {"x": (1, 1, self.width), "pk": cache, "pv": cache}
        return {n: rng.standard_normal(s).astype(self.dtype) for n, s in shapes.items()}

    def model(self) -> onnx.ModelProto:
        """Return the layer, with the new keys and values as further results."""
        after = f"1, {self.key_heads}, {self.past + 1}, {self.features}"
        inputs = [f"{self.element}{list(a.shape)} {n}" for n, a in self.inputs().items()]
        outputs = [f"{self.element}[1, 1, {self.width}] y"]
        outputs += [f"{self.element}[{after}] {name}" for name in ("keys", "values")]
        head = '<ir_version: 11, opset_import: ["": 23]> layer'
        signature = f"({', '.join(inputs)}) => ({', '.join(outputs)})"
        model = onnx.parser.parse_model(f"{head} {signature} {{ {BODY} }}")
        sizes = {"last": [-1], "by_head": [0, 0, -1, self.features], "flat": [0, 0, -1]}
        constants = {name: np.array(size, np.int64) for name, size in sizes.items()}
        model.graph.initializer.extend(
            onnx.numpy_helper.from_array(np.asarray(value), name)
            for name, value in (*self.weights().items(), *constants.items())
        )
        return model

    def expected(self) -> list[np.ndarray]:
        """Return the results in f64."""
        w, given = (
            {n: a.astype(np.float64) for n, a in arrays.items()}
            for arrays in (self.weights(), self.inputs())
        )

        def normed(x: np.ndarray, gain: np.ndarray) -> np.ndarray:
            return gain * x / np.sqrt((x * x).mean(-1, keepdims=True) + w["eps"])

        def split(name: str) -> np.ndarray:
            return (n1 @ w[name]).reshape(1, 1, -1, self.features).swapaxes(1, 2)

        def rotated(x: np.ndarray) -> np.ndarray:
            a, b = np.split(x, 2, -1)
            return x * w["cos"] + np.concatenate([-b, a], -1) * w["sin"]

        n1 = normed(given["x"], w["gn1"])
        keys = np.concatenate([given["pk"], rotated(split("wk"))], 2)
        values = np.concatenate([given["pv"], split("wv")], 2)
        group = self.heads // self.key_heads
        wide = [np.repeat(a, group, 1) for a in (keys, values)]
        scores = np.exp(0.2 * rotated(split("wq")) @ wide[0].swapaxes(-1, -2))
        mixed = scores @ wide[1] / scores.sum(-1, keepdims=True)
        x = given["x"] + mixed.swapaxes(1, 2).reshape(1, 1, -1) @ w["wo"]
        n2 = normed(x, w["gn2"])
        gate = n2 @ w["wa"]
        x = x + (gate / (1 + np.exp(-gate)) * (n2 @ w["wb"])) @ w["wd"]
        return [x, keys, values]
