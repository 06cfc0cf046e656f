"""ONNX files of the networks, made once, in one folder each in the user's cache.

A folder holds model.onnx, data.npz (inputs, and torch's results in double precision) and
facts.json. Its name contains a key of the definitions and of torch's version, so other definitions
make other folders. Reading a folder needs neither torch nor onnx.
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tilewright.support.cache import content_key
from tilewright.support.config import read_config

from .networks import NETWORKS, Network

if TYPE_CHECKING:
    import onnx
    from torch import Tensor, nn

OPSET = 18
_SOURCES = Path(__file__).parent
_MOST_BYTES = 2 << 30


@dataclass(frozen=True)
class Facts:
    """Lower bounds of the work of one run.

    flops: operations of products and convolutions; a multiply-add counts as two.  weight_bytes:
    bytes of the weights, each read once, but only the used rows of an embedding.  argument_bytes:
    bytes of the inputs and outputs.
    """

    flops: int
    weight_bytes: int
    argument_bytes: int


@dataclass(frozen=True)
class Case:
    """A network with its file, inputs and expected outputs."""

    name: str
    network: Network
    path: Path
    inputs: dict[str, np.ndarray]
    expected: list[np.ndarray]
    facts: Facts

    def error(self, outputs: list[np.ndarray]) -> float:
        """Return the largest relative L2 error of an output against torch in double precision."""
        if len(outputs) != len(self.expected):
            raise ValueError(f"{len(outputs)} outputs, expected {len(self.expected)}")
        return max(map(_relative_error, outputs, self.expected))


def _relative_error(got: np.ndarray, expected: np.ndarray) -> float:
    if got.shape != expected.shape:
        raise ValueError(f"an output of shape {got.shape}, expected {expected.shape}")
    distance = np.linalg.norm(got.astype(np.float64) - expected)
    return float(distance / np.linalg.norm(expected))


def read_case(name: str) -> Case:
    """Read a network's folder, which must exist; see make_case."""
    return read_folder(case_folder(name), name, NETWORKS[name])


def read_folder(folder: Path, name: str, network: Network) -> Case:
    """Return the case in a folder that `write_folder` wrote."""
    with np.load(folder / "data.npz") as data:
        arrays = dict(data)
    inputs = {key: arrays[f"in.{key}"] for key in network.inputs}
    expected = [arrays[f"out.{i}"] for i in range(len(arrays) - len(inputs))]
    facts = Facts(**json.loads((folder / "facts.json").read_text()))
    return Case(name, network, folder / "model.onnx", inputs, expected, facts)


def make_case(name: str) -> None:
    """Make a network's folder unless it exists. Needs torch and onnxscript."""
    folder = case_folder(name)
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    for old in folder.parent.glob(f"{name}-*"):
        shutil.rmtree(old)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        made = Path(scratch) / "made"
        made.mkdir()
        write_folder(made, NETWORKS[name])
        made.rename(folder)


def case_folder(name: str) -> Path:
    """Return the folder of a network, existing or not."""
    network = NETWORKS[name]
    files = (network.definition.partition(".")[0], "text", "weights", "files")
    sources = ((_SOURCES / f"{name}.py").read_bytes() for name in files)
    parts = (repr(network), importlib.metadata.version("torch"), *sources)
    return cache_folder() / f"{name}-{content_key(*parts)[:12]}"


def cache_folder() -> Path:
    """Return the folder of all files that benchmarks keep."""
    return read_config().cache_dir / "benchmarks"


def write_folder(folder: Path, network: Network) -> None:
    """Export a network and compute its expected results."""
    import onnx
    import torch

    module, arguments = network.build(), network.arguments()
    path = folder / "model.onnx"
    with torch.no_grad():
        export(module, arguments, path)
        double = [x.double() if x.is_floating_point() else x for x in arguments.values()]
        results = module.double()(*double)
    outputs = results if isinstance(results, tuple) else (results,)
    arrays = {f"in.{name}": x.numpy() for name, x in arguments.items()}
    arrays |= {f"out.{i}": x.numpy() for i, x in enumerate(outputs)}
    np.savez(folder / "data.npz", **arrays)
    facts = count(onnx.load(path))
    (folder / "facts.json").write_text(json.dumps(asdict(facts)))


def export(module: nn.Module, arguments: dict[str, Tensor], path: Path) -> None:
    """Write a torch module as ONNX, by torch.export."""
    import torch

    torch.onnx.export(
        module,
        tuple(arguments.values()),
        path,
        dynamo=True,
        input_names=list(arguments),
        opset_version=OPSET,
        external_data=False,
        verbose=False,
    )
    assert path.stat().st_size < _MOST_BYTES, f"{path} is larger than a protobuf may be"


def count(model: onnx.ModelProto) -> Facts:
    """Return the work of a model whose sizes are all known."""
    import onnx

    graph = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    shapes = {weight.name: tuple(weight.dims) for weight in graph.initializer}
    for value in (*graph.input, *graph.output, *graph.value_info):
        dims = value.type.tensor_type.shape.dim
        shapes[value.name] = tuple(dim.dim_value for dim in dims)
    flops = sum(_flops(node, shapes) for node in graph.node)
    weights = {w.name: 4 * math.prod(w.dims) for w in graph.initializer if w.data_type == 1}
    used: dict[str, int] = {}
    for node in graph.node:
        for position, name in enumerate(node.input):
            if name in weights:
                is_looked_up = node.op_type == "Gather" and position == 0
                size = 4 * math.prod(shapes[node.output[0]]) if is_looked_up else weights[name]
                used[name] = max(used.get(name, 0), size)
    arguments = (value for value in (*graph.input, *graph.output) if value.name not in weights)
    return Facts(flops, sum(used.values()), sum(4 * math.prod(shapes[v.name]) for v in arguments))


def _flops(node: onnx.NodeProto, shapes: dict[str, tuple[int, ...]]) -> int:
    """Return the operations of a product, a convolution or a recurrence; 0 for other nodes."""
    result = shapes.get(node.output[0], ())
    match node.op_type:
        case "Conv":
            return 2 * math.prod(result) * math.prod(shapes[node.input[1]][1:])
        case "ConvTranspose":
            return 2 * math.prod(shapes[node.input[0]]) * math.prod(shapes[node.input[1]][1:])
        case "MatMul":
            return 2 * math.prod(result) * shapes[node.input[0]][-1]
        case "Gemm":
            transposed = any(a.name == "transA" and a.i for a in node.attribute)
            return 2 * math.prod(result) * shapes[node.input[0]][0 if transposed else 1]
        case "LSTM" | "GRU" | "RNN":
            steps, batch, _ = shapes[node.input[0]]
            each = (math.prod(shapes[name]) for name in node.input[1:3])
            return 2 * steps * batch * sum(each)
        case _:
            return 0
