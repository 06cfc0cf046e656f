"""The cases of onnx.backend.test as plain data: model, arrays, tolerances and a group each.

A case is in group ``core`` if its inputs and outputs are tensors of ordinary types and its shapes
follow from the inputs' types and the values that decide shapes; every other group names what
sets it apart.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

Data: TypeAlias = Any
"""An array, a list of them (a sequence) or None (an optional that is absent)."""

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator", "real")
SEED = 20
_BF16_RTOL, _F16_RTOL = 2.0**-6, 2.0**-9
_CORE_TYPES = {
    "FLOAT", "FLOAT16", "DOUBLE", "BFLOAT16", "BOOL", "INT8", "INT16", "INT32", "INT64",
    "UINT8", "UINT16", "UINT32", "UINT64", "UNDEFINED",
}  # fmt: skip
_CONTROL = {"If", "Loop", "Scan", "SequenceMap"}
_RANDOM = {
    "Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
    "RandomUniformLike",
}  # fmt: skip
_DATA_DEPENDENT = {"Compress", "NonMaxSuppression", "NonZero", "Unique"}


def _exact_inverse_transform(x: Any, *_: Any) -> list[Data]:
    """Return the inverse Fourier transform along axis 1, computed in double precision."""
    wide = np.fft.ifft(x[..., 0].astype(np.float64) + 1j * x[..., 1], axis=1)
    return [np.stack([wide.real, wide.imag], -1).astype(x.dtype)]


DEFECTS: dict[str, Callable[..., list[Data]]] = {
    "node/test_dft_inverse": _exact_inverse_transform,
    "node/test_dft_inverse_opset19": _exact_inverse_transform,
}
"""Cases whose expected values are wrong, with functions that compute the right ones.

test_dft_inverse: the expected values contain the f32 rounding noise of numpy's transform, 1.9e-7
where the exact value is 0, but the tolerance is 1e-7.
"""


@dataclass(frozen=True)
class ConformanceCase:
    """One test of the suite.

    name: the name of the test, with its kind.  op: the operator under test.  group: ``core``, or
    the unusual property that sets the test apart.  data_sets: pairs of inputs and expected outputs.
    rtol, atol: the tolerances of the suite; wider for an operator that is a function of other
    operators and computes in half precision, because each of these operators rounds.
    """

    name: str
    kind: str
    op: str
    opset: int
    group: str
    model: onnx.ModelProto
    data_sets: tuple[tuple[list[Data], list[Data]], ...]
    rtol: float
    atol: float


@cache
def load_suite(kinds: tuple[str, ...] = KINDS) -> dict[str, ConformanceCase]:
    """Return the cases of some kinds by name; they are the same in every process."""
    return {case.name: case for kind in kinds for case in _cases(kind)}


def _cases(kind: str) -> Iterator[ConformanceCase]:
    from onnx.backend.test import loader

    state = np.random.get_state()
    try:
        np.random.seed(SEED)
        with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
            tests: list[Any] = sorted(loader.load_model_tests(kind=kind), key=lambda t: t.name)
            parents = {t.name: t.model.graph.node[0].op_type for t in tests if kind == "node"}
            for test in tests:
                if kind == "node":
                    sets = [(_plain(i), _plain(o)) for i, o in test.data_sets]
                    model = test.model
                elif kind == "real":
                    model, sets = _light(Path(loader.DATA_DIR) / "light", test.model_name)
                else:
                    model, sets = _stored(Path(test.model_dir))
                yield _case(kind, test, model, sets, parents)
    finally:
        np.random.set_state(state)


def _case(kind: str, test: Any, model: onnx.ModelProto, sets: Any, parents: Any) -> ConformanceCase:
    nodes = list(_nodes(model.graph))
    base = re.split(r"_expanded(?:_ver\d+)?$", test.name)[0]
    op = parents.get(base) or "+".join(sorted({n.op_type for n in nodes}))[:40]
    opset = max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=0)
    rtol = test.rtol
    if base != test.name:
        types = {a.dtype.name for _, out in sets for a in out if isinstance(a, np.ndarray)}
        rtol = max(rtol, _F16_RTOL) if "float16" in types else rtol
    group = _group(test.name, model, nodes)
    name = f"{kind}/{test.name}"
    if name in DEFECTS:
        sets = [(inputs, DEFECTS[name](*inputs)) for inputs, _ in sets]
    return ConformanceCase(name, kind, op, opset, group, model, tuple(sets), rtol, test.atol)


def tolerance(case: ConformanceCase, dtype: np.dtype) -> float:
    """Return the relative tolerance for a result of a case that has this dtype."""
    return max(case.rtol, _BF16_RTOL) if dtype.name == "bfloat16" else case.rtol


def _nodes(graph: onnx.GraphProto) -> Iterator[onnx.NodeProto]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            graphs = [attribute.g] if attribute.HasField("g") else list(attribute.graphs)
            for inner in graphs:
                yield from _nodes(inner)


def _group(name: str, model: onnx.ModelProto, nodes: Sequence[onnx.NodeProto]) -> str:
    """Return the group of a case: its first unusual property, or ``core``."""
    ops = {node.op_type for node in nodes}
    domains = {node.domain for node in nodes}
    values = [*model.graph.input, *model.graph.output]
    types = {t for value in values for t in _element_types(value.type)}
    types |= {TensorProto.DataType.Name(i.data_type) for i in model.graph.initializer}
    tensors = all(value.type.HasField("tensor_type") for value in values)
    lists = any("Sequence" in op or op.startswith("Optional") for op in ops)
    rules = {
        "ml": any(d.startswith("ai.onnx.ml") for d in domains),
        "training": "training" in name or any("training" in d for d in domains) or _trains(nodes),
        "preview": "ai.onnx.preview" in domains,
        "string": "STRING" in types or any(o.startswith(("String", "Regex", "TfIdf")) for o in ops),
        "list": lists or not tensors,
        "control": bool(ops & _CONTROL),
        "random": bool(ops & _RANDOM),
        "complex": any("COMPLEX" in t for t in types),
        "codec": "ImageDecoder" in ops,
        "data-dependent": bool(ops & _DATA_DEPENDENT),
        "low-bit": bool(types - _CORE_TYPES),
    }
    return next((group for group, holds in rules.items() if holds), "core")


def _trains(nodes: Iterable[onnx.NodeProto]) -> bool:
    return any(
        a.name == "training_mode" and a.i
        for n in nodes
        if n.op_type == "BatchNormalization"
        for a in n.attribute
    )


def _element_types(type_: onnx.TypeProto) -> set[str]:
    match type_.WhichOneof("value"):
        case "tensor_type":
            return {TensorProto.DataType.Name(type_.tensor_type.elem_type)}
        case "sequence_type":
            return _element_types(type_.sequence_type.elem_type)
        case "optional_type":
            return _element_types(type_.optional_type.elem_type)
        case _:
            return {"UNDEFINED"}


def _plain(values: Any) -> Any:
    if isinstance(values, TensorProto):
        return numpy_helper.to_array(values)
    if isinstance(values, (list, tuple)):
        return [_plain(value) for value in values]
    return values if values is None or isinstance(values, np.ndarray) else np.asarray(values)


def _fed(model: onnx.ModelProto) -> list[onnx.ValueInfoProto]:
    known = {i.name for i in model.graph.initializer}
    return [value for value in model.graph.input if value.name not in known]


def _stored(folder: Path) -> tuple[onnx.ModelProto, list[tuple[list[Data], list[Data]]]]:
    model = onnx.load(folder / "model.onnx")
    sets: list[tuple[list[Data], list[Data]]] = []
    for data in sorted(folder.glob("test_data_set_*")):
        count = len(list(data.glob("input_*.pb")))
        fed = _fed(model)
        given = fed if len(fed) == count else list(model.graph.input)
        inputs = [_read(data / f"input_{i}.pb", given[i].type) for i in range(count)]
        outs = [_read(data / f"output_{i}.pb", v.type) for i, v in enumerate(model.graph.output)]
        sets.append((inputs, outs))
    return model, sets


def _light(folder: Path, name: str) -> tuple[onnx.ModelProto, list[tuple[list[Data], list[Data]]]]:
    """Return a full-size light_* network of onnx, and its data set.

    The weights are constants.  The input rises linearly from 0 to 1; onnx has the expected outputs.
    """
    model = onnx.load(folder / f"light_{name}.onnx")
    inputs: list[Data] = []
    for value in _fed(model):
        shape = [d.dim_value or 1 for d in value.type.tensor_type.shape.dim]
        count = int(np.prod(shape))
        inputs.append((np.arange(count) / count).reshape(shape).astype(np.float32))
    outs = [
        _read(folder / f"light_{name}_output_{i}.pb", value.type)
        for i, value in enumerate(model.graph.output)
    ]
    return model, [(inputs, outs)]


def _read(path: Path, type_: onnx.TypeProto) -> Data:
    data = path.read_bytes()
    match type_.WhichOneof("value"):
        case "sequence_type":
            return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
        case "optional_type":
            return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))
        case _:
            return numpy_helper.to_array(TensorProto.FromString(data))
