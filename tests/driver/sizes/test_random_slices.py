"""Random slices of dynamic axes, against the definition of the standard and onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright

from ...peer import peer_results
from ...sweeps import sampled

Array = np.ndarray[Any, np.dtype[Any]]
Triple = tuple[int, int, int]
EXTREMES = (2**63 - 1, -(2**63), 2**31 - 1, -(2**31))
KINDS = ("constants", "constants", "inputs", "of the size")
"""Where the bounds are from; the last kind adds each to the size of axis 0."""


def random_bound(rng: np.random.Generator) -> int:
    few, extremes = rng.integers(-25, 25), rng.choice(EXTREMES)
    return int(rng.choice([few, few, few, rng.integers(-130, 130), rng.integers(-2, 2), extremes]))


def random_step(rng: np.random.Generator) -> int:
    few = int(rng.choice([-1, 1])) * int(rng.integers(1, 10))
    return int(rng.choice([few, few, few, 1, -1, 100, -100, rng.choice(EXTREMES)]))


def slice_model(
    rng: np.random.Generator, rank: int, triples: list[Triple], kind: str
) -> tuple[onnx.ModelProto, dict[str, Array]]:
    """Return a model that slices all axes of x, and its inputs but x."""
    starts, ends, steps = (np.array(column) for column in zip(*triples, strict=True))
    constants = {"axes": np.arange(rank) - rank * int(rng.integers(2)), "steps": steps}
    bounds, nodes, feeds = {"starts": starts, "ends": ends}, list[onnx.NodeProto](), {}
    infos = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [f"n{i}" for i in range(rank)])]
    for name, values in bounds.items():
        if kind == "inputs":
            infos.append(helper.make_tensor_value_info(name, TensorProto.INT64, [rank]))
            feeds[name] = values
        elif kind == "of the size":
            constants[f"more {name}"] = values
            nodes.append(helper.make_node("Add", ["rows", f"more {name}"], [name]))
        else:
            constants[name] = values
    if nodes:
        nodes.insert(0, helper.make_node("Shape", ["x"], ["rows"], start=0, end=1))
    nodes.append(helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"]))
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    results = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "slice", infos, results, tensors)
    opsets = [helper.make_opsetid("", 18)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9), feeds


def positions(size: int, start: int, end: int, step: int) -> range:
    """Return the positions of a slice as the standard defines them, which numpy does not."""
    start, end = (bound + size if bound < 0 else bound for bound in (start, end))
    if step > 0:
        return range(min(max(start, 0), size), min(max(end, 0), size), step)
    return range(min(max(start, 0), size - 1), min(max(end, -1), size - 1), step)


def sliced(x: Array, triples: list[Triple], added: int) -> Array:
    for axis, (start, end, step) in enumerate(triples):
        x = np.take(x, positions(x.shape[axis], start + added, end + added, step), axis)
    return x


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", sampled(range(300), str, one_in=25, each_family=False))
def test_random_bounds_and_steps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rank, kind = int(rng.integers(1, 4)), KINDS[seed % len(KINDS)]
    triples = [(random_bound(rng), random_bound(rng), random_step(rng)) for _ in range(rank)]
    if kind == "of the size":  # a sum must not leave 64 bits
        triples = [(start % 261 - 130, end % 261 - 130, step) for start, end, step in triples]
    model, feeds = slice_model(rng, rank, triples, kind)
    module = tilewright.compile(model, cache=False)
    for shape in ([1] * rank, *(rng.integers(1, limit, rank).tolist() for limit in (12, 150))):
        x = rng.standard_normal(shape).astype(np.float32)
        expected = sliced(x, triples, shape[0] if kind == "of the size" else 0)
        np.testing.assert_array_equal(module.run({"x": x, **feeds})[0], expected)


@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_start_before_the_axis_is_its_first_element(size: int) -> None:
    """Also with a negative step, as in onnxruntime; numpy takes no element."""
    x = np.arange(size, dtype=np.float32)
    for start in (-20, -size, -(2**63)):
        model, _ = slice_model(np.random.default_rng(0), 1, [(start, -(2**63), -1)], "constants")
        (expected,) = peer_results(model, {"x": x})
        np.testing.assert_array_equal(expected, x[:1])
        np.testing.assert_array_equal(tilewright.compile(model, cache=False)(x), x[:1])
        fixed = tilewright.compile(model, shapes={"x": (size,)}, cache=False)
        np.testing.assert_array_equal(fixed(x), x[:1])
