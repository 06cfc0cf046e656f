"""Generate tokens with a decoder whose caches live in a session, and compare with other engines.

Run: python examples/generate.py --shape gpt2      or --shape llama, --layers 12, --sample, …

The models have random weights and the operators of GPT-2 (learned positions, LayerNorm, GELU) and
of Llama (rotary positions, RMSNorm, grouped heads, SwiGLU). The tokens of greedy decoding must
equal those of onnxruntime, which binds its caches to memory of its own, and, where torch is
installed, of the same decoder written in torch. OpenVINO, where installed, runs the model with its
stateful transformation.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import onnxruntime

import tilewright

if TYPE_CHECKING:
    from torch import Tensor

HEADER = """
<ir_version: 9, opset_import: ["": 20]>
decoder (int64[1, s] ids{pasts}) => (float[1, {vocab}] logits{presents})
  <int64 zero = {{0}}, int64 one = {{1}}, int64 two = {{2}}, int64 newest = {{-1}},
   int64[1] last_axis = {{-1}}, float low = {{-10000.0}},
   float epsilon = {{0.00001}}, float scale = {{{scale}}}, int64[2] halves = {{{half}, {half}}},
   int64[5] q_heads = {{0, 0, {groups}, {repeats}, {size}}},
   int64[4] kv_heads = {{0, 0, {groups}, {size}}}, int64[1] middle = {{2}},
   int64[3] merged = {{0, 0, {hidden}}}> {{
  ids_shape = Shape (ids)
  s = Gather (ids_shape, one)
  past_shape = Shape (past_k0)
  past = Gather (past_shape, two)
  all = Add (past, s)
  rows = Range (past, all, one)
  columns = Range (zero, all, one)
  row = Unsqueeze (rows, last_axis)
  is_past = LessOrEqual (columns, row)
  words = Gather (table, ids)
"""
ATTENTION = """
  q_split{i} = Reshape (q_flat{i}, q_heads)
  k_split{i} = Reshape (k_flat{i}, kv_heads)
  v_split{i} = Reshape (v_flat{i}, kv_heads)
  q_straight{i} = Transpose <perm = [0, 2, 3, 1, 4]> (q_split{i})
  k_straight{i} = Transpose <perm = [0, 2, 1, 3]> (k_split{i})
  v_new{i} = Transpose <perm = [0, 2, 1, 3]> (v_split{i})
{turn}
  k{i} = Concat <axis = 2> (past_k{i}, k_new{i})
  v{i} = Concat <axis = 2> (past_v{i}, v_new{i})
  k_group{i} = Unsqueeze (k{i}, middle)
  v_group{i} = Unsqueeze (v{i}, middle)
  k_columns{i} = Transpose <perm = [0, 1, 2, 4, 3]> (k_group{i})
  scores{i} = MatMul (q{i}, k_columns{i})
  scaled{i} = Mul (scores{i}, scale)
  masked{i} = Where (is_past, scaled{i}, low)
  weights{i} = Softmax (masked{i})
  mixed{i} = MatMul (weights{i}, v_group{i})
  back{i} = Transpose <perm = [0, 3, 1, 2, 4]> (mixed{i})
  flat{i} = Reshape (back{i}, merged)
  out{i} = MatMul (flat{i}, w_o{i})
  y{i} = Add (x{i}, out{i})
"""
PROJECTION = "\n".join(f"  {part}_flat{{i}} = MatMul (inner{{i}}, w_{part}{{i}})" for part in "qkv")
NORMS = {
    "gpt2": "  {out} = LayerNormalization (x{x}, gain, bias)\n",
    "llama": """
  square_{out} = Mul (x{x}, x{x})
  mean_{out} = ReduceMean (square_{out}, last_axis)
  stable_{out} = Add (mean_{out}, epsilon)
  root_{out} = Sqrt (stable_{out})
  even_{out} = Div (x{x}, root_{out})
  {out} = Mul (even_{out}, gain)
""",
}
TURN = """
  {part}_a{i}, {part}_b{i} = Split <axis = -1> ({part}_straight{i}, halves)
  {part}_minus{i} = Neg ({part}_b{i})
  {part}_swapped{i} = Concat <axis = -1> ({part}_minus{i}, {part}_a{i})
  {part}_cos{i} = Mul ({part}_straight{i}, cos)
  {part}_sin{i} = Mul ({part}_swapped{i}, sin)
  {result} = Add ({part}_cos{i}, {part}_sin{i})
"""
FORWARD = {
    "gpt2": """
  wide{i} = MatMul (next{i}, w_in{i})
  active{i} = Gelu (wide{i})
""",
    "llama": """
  up{i} = MatMul (next{i}, w_in{i})
  gate{i} = MatMul (next{i}, w_gate{i})
  logistic{i} = Sigmoid (gate{i})
  silu{i} = Mul (gate{i}, logistic{i})
  active{i} = Mul (silu{i}, up{i})
""",
}


@dataclass(frozen=True)
class Sizes:
    """The sizes of a decoder.

    positions: the capacity of its caches, in tokens.
    """

    shape: str = "gpt2"
    layers: int = 2
    hidden: int = 768
    heads: int = 12
    groups: int = 12
    vocab: int = 8192
    positions: int = 512

    @property
    def size(self) -> int:
        """Return the number of features of an attention head."""
        return self.hidden // self.heads


def text_of(sizes: Sizes) -> str:
    """Return the text of the model in the format of ONNX, without weights."""
    cache = f"float[1, {sizes.groups}, {{}}, {sizes.size}] {{}}"
    caches = [f"{part}{i}" for i in range(sizes.layers) for part in "kv"]
    header = HEADER.format(
        pasts="".join(f", {cache.format('past', f'past_{name}')}" for name in caches),
        presents="".join(f", {cache.format('all', name)}" for name in caches),
        vocab=sizes.vocab, scale=sizes.size**-0.5, half=sizes.size // 2, groups=sizes.groups,
        repeats=sizes.heads // sizes.groups, size=sizes.size, hidden=sizes.hidden,
    )  # fmt: skip
    if sizes.shape == "gpt2":
        header += "  places = Gather (positions, rows)\n  x0 = Add (words, places)\n"
    else:
        header += "  x0 = Identity (words)\n"
        header += "  cos = Gather (cosines, rows)\n  sin = Gather (sines, rows)\n"
    layers = "".join(_layer(sizes.shape, i) for i in range(sizes.layers))
    norm = NORMS[sizes.shape].format(x=sizes.layers, out="final")
    end = "  end = Gather <axis = 1> (final, newest)\n  logits = MatMul (end, w_vocab)\n}"
    return f"{header}{layers}{norm}{end}"


def _layer(shape: str, i: int) -> str:
    turn = "".join(
        TURN.format(part=part, i=i, result=result)
        if shape == "llama"
        else f"\n  {result} = Identity ({part}_straight{i})"
        for part, result in (("q", f"q{i}"), ("k", f"k_new{i}"))
    )
    norm = NORMS[shape]
    second = norm.replace("x{x}", "y{x}").format(x=i, out=f"next{i}")
    forward = FORWARD[shape].format(i=i)
    end = f"  narrow{i} = MatMul (active{i}, w_out{i})\n  x{i + 1} = Add (y{i}, narrow{i})\n"
    first = norm.format(x=i, out=f"inner{i}") + PROJECTION.format(i=i)
    return first + ATTENTION.format(i=i, turn=turn) + second + forward + end


def decoder(sizes: Sizes) -> onnx.ModelProto:
    """Return a decoder with seeded random weights."""
    model, rng = onnx.parser.parse_model(text_of(sizes)), np.random.default_rng(0)
    hidden, wide, own = sizes.hidden, 4 * sizes.hidden, sizes.groups * sizes.size
    shapes = {"table": (sizes.vocab, hidden), "w_vocab": (hidden, sizes.vocab)}
    for i in range(sizes.layers):
        for name, columns in (("q", hidden), ("k", own), ("v", own), ("o", hidden), ("in", wide)):
            shapes[f"w_{name}{i}"] = (hidden, columns)
        shapes[f"w_out{i}"] = (wide, hidden)
        if sizes.shape == "llama":
            shapes[f"w_gate{i}"] = (hidden, wide)
    weights = {n: rng.standard_normal(s, np.float32) * s[0] ** -0.5 for n, s in shapes.items()}
    for name in (f"w_{part}{i}" for part in "qko" for i in range(sizes.layers)):
        weights[name] *= 3  # so that the next token depends on all earlier ones
    weights["table"] = rng.standard_normal(shapes["table"], np.float32)
    weights["gain"] = np.ones(hidden, np.float32)
    if sizes.shape == "gpt2":
        weights["bias"] = np.zeros(hidden, np.float32)
        weights["positions"] = rng.standard_normal((sizes.positions, hidden), np.float32)
    else:
        speeds = 10000.0 ** (-np.arange(0, sizes.size, 2) / sizes.size)
        angles = np.tile(np.outer(np.arange(sizes.positions), speeds), 2)
        weights["cosines"] = np.cos(angles).astype(np.float32)
        weights["sines"] = np.sin(angles).astype(np.float32)
    for name, array in weights.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(array.astype(np.float32), name))
    return model


def states_of(model: onnx.ModelProto) -> dict[str, str]:
    """Return the output that replaces each cache in the next call, by the input of the cache."""
    pasts = [value.name for value in model.graph.input if value.name.startswith("past_")]
    return {name: name.removeprefix("past_") for name in pasts}


Engine: TypeAlias = Callable[[np.ndarray], np.ndarray]
"""A decoder of some system: it returns the logits after new tokens, and extends its caches."""


def tilewright_engine(model: onnx.ModelProto, sizes: Sizes, threads: int) -> Callable[[], Engine]:
    """Compile the model; return a function that starts a decoding session."""
    module = tilewright.compile(
        model, state=states_of(model), capacity={"past": sizes.positions}, threads=threads
    )
    return lambda: _session_engine(module.session())


def _session_engine(session: tilewright.Session) -> Engine:
    return lambda ids: np.asarray(session(ids))


def onnxruntime_engine(model: onnx.ModelProto, sizes: Sizes, threads: int) -> Callable[[], Engine]:
    """Return a function that starts a decoder in onnxruntime, with caches in its memory."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, ["CPUExecutionProvider"]
    )
    names = states_of(model)
    outputs = ["logits", *names.values()]

    def make() -> Engine:
        empty = np.zeros((1, sizes.groups, 0, sizes.size), np.float32)
        caches = [onnxruntime.OrtValue.ortvalue_from_numpy(empty) for _ in names]

        def run(ids: np.ndarray) -> np.ndarray:
            binding = session.io_binding()
            binding.bind_cpu_input("ids", ids)
            for name, cache in zip(names, caches, strict=True):
                binding.bind_ortvalue_input(name, cache)
            for name in outputs:
                binding.bind_output(name)
            session.run_with_iobinding(binding)
            logits, *caches[:] = binding.get_outputs()
            return logits.numpy()

        return run

    return make


def openvino_engine(model: onnx.ModelProto, sizes: Sizes, threads: int) -> Callable[[], Engine]:
    """Return a function that starts a decoder in OpenVINO, with its stateful model."""
    import io

    import openvino
    from openvino._offline_transformations import apply_make_stateful_transformation

    core = openvino.Core()
    read = core.read_model(io.BytesIO(model.SerializeToString()))
    apply_make_stateful_transformation(read, states_of(model))
    config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = core.compile_model(read, "CPU", config)

    def make() -> Engine:
        request = compiled.create_infer_request()
        return lambda ids: request.infer({"ids": ids})["logits"]

    return make


def torch_engine(model: onnx.ModelProto, sizes: Sizes, threads: int) -> Callable[[], Engine]:
    """Return a function that starts a decoder in torch with the weights of the model."""
    import torch

    torch.set_num_threads(threads)
    arrays = {t.name: onnx.numpy_helper.to_array(t) for t in model.graph.initializer}
    weights = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}

    def make() -> Engine:
        caches: dict[str, torch.Tensor] = {}

        def run(ids: np.ndarray) -> np.ndarray:
            with torch.inference_mode():
                return torch_logits(weights, caches, torch.from_numpy(ids), sizes).numpy()

        return run

    return make


def torch_logits(
    weights: Mapping[str, Tensor], caches: dict[str, Tensor], ids: Tensor, sizes: Sizes
) -> Tensor:
    """Return the logits (1, vocab) after the tokens (1, s); extend the key-value caches."""
    import torch
    from torch.nn import functional

    known = caches["k0"].shape[2] if caches else 0
    rows = slice(known, known + ids.shape[1])
    is_gpt2 = sizes.shape == "gpt2"

    def norm(x: Tensor) -> Tensor:
        if is_gpt2:
            return functional.layer_norm(x, x.shape[-1:], weights["gain"], weights["bias"])
        return functional.rms_norm(x, x.shape[-1:], weights["gain"], 1e-5)

    def turned(x: Tensor) -> Tensor:
        if is_gpt2:
            return x
        first, second = x.chunk(2, -1)
        swapped = torch.cat([-second, first], -1)
        return x * weights["cosines"][rows] + swapped * weights["sines"][rows]

    def attention(x: Tensor, i: int) -> Tensor:
        inner = norm(x)
        q, k, v = (
            (inner @ weights[f"w_{part}{i}"]).unflatten(-1, (-1, sizes.size)).transpose(1, 2)
            for part in "qkv"
        )
        new = {f"k{i}": turned(k), f"v{i}": v}
        caches.update({n: torch.cat([caches[n], t], 2) if known else t for n, t in new.items()})
        places = torch.arange(known + ids.shape[1])
        mixed = functional.scaled_dot_product_attention(
            turned(q), caches[f"k{i}"], caches[f"v{i}"],
            attn_mask=places[None, :] <= places[rows, None], enable_gqa=True,
        )  # fmt: skip
        return mixed.transpose(1, 2).flatten(2) @ weights[f"w_o{i}"]

    def forward(x: Tensor, i: int) -> Tensor:
        inner = norm(x)
        wide = inner @ weights[f"w_in{i}"]
        if is_gpt2:
            return functional.gelu(wide) @ weights[f"w_out{i}"]
        gate = functional.silu(inner @ weights[f"w_gate{i}"])
        return (gate * wide) @ weights[f"w_out{i}"]

    x = weights["table"][ids]
    if is_gpt2:
        x = x + weights["positions"][rows]
    for i in range(sizes.layers):
        x = x + attention(x, i)
        x = x + forward(x, i)
    return norm(x)[:, -1] @ weights["w_vocab"]


def largest(logits: np.ndarray) -> int:
    """Return the most probable token."""
    return int(logits[0].argmax())


def sampler(seed: int, temperature: float = 0.8, count: int = 40) -> Callable[[np.ndarray], int]:
    """Return a function that draws one of the most probable tokens.

    count: the number of tokens to draw from.
    """
    rng = np.random.default_rng(seed)

    def draw(logits: np.ndarray) -> int:
        best = np.argpartition(logits[0], -count)[-count:]
        scores = logits[0][best].astype(np.float64) / temperature
        weights = np.exp(scores - scores.max())
        return int(rng.choice(best, p=weights / weights.sum()))

    return draw


def generate(
    engine: Engine, prompt: Sequence[int], count: int, choose: Callable[[np.ndarray], int]
) -> tuple[list[int], float]:
    """Return the tokens after a prompt, and the tokens per second after the prompt's run."""
    logits = engine(np.array([prompt], np.int64))
    tokens = [choose(logits)]
    start_s = time.perf_counter()
    while len(tokens) < count:
        tokens.append(choose(engine(np.array([tokens[-1:]], np.int64))))
    return tokens, (count - 1) / (time.perf_counter() - start_s)


def engines(sizes: Sizes, threads: int) -> dict[str, Callable[[], Engine]]:
    """Return the engines that are installed, ours first."""
    makers = {"tilewright": tilewright_engine, "onnxruntime": onnxruntime_engine}
    for name, make in (("openvino", openvino_engine), ("torch", torch_engine)):
        if find_spec(name):
            makers[name] = make
    model = decoder(sizes)
    return {name: make(model, sizes, threads) for name, make in makers.items()}


def main() -> None:
    """Decode with each engine in turn; fail if the engines generate different greedy tokens."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shape", choices=sorted(NORMS), default="gpt2")
    for name in ("layers", "hidden", "heads", "groups", "vocab", "positions"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Sizes, name))
    for name, default in (("prompt", 16), ("tokens", 128), ("threads", 1), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--sample", action="store_true", help="draw tokens; the default is greedy")
    options = parser.parse_args()
    fields = {name: getattr(options, name) for name in Sizes.__dataclass_fields__}
    sizes = replace(Sizes(), **fields)
    prompt = [int(t) for t in np.random.default_rng(1).integers(0, sizes.vocab, options.prompt)]
    made, best, tokens = engines(sizes, options.threads), {}, {}
    for _ in range(options.rounds):
        for name, make in made.items():
            choose = sampler(0) if options.sample else largest
            tokens[name], speed = generate(make(), prompt, options.tokens, choose)
            best[name] = max(speed, best.get(name, 0.0))
    ours = tokens["tilewright"]
    for name, speed in best.items():
        same = "same" if tokens[name] == ours else "other"
        print(f"{name:12} {speed:8.1f} tokens/s  {same} tokens as tilewright")
    others = [name for name, found in tokens.items() if found != ours and name != "openvino"]
    if others and not options.sample:
        raise SystemExit(f"greedy tokens differ from those of {', '.join(others)}")


if __name__ == "__main__":
    main()
