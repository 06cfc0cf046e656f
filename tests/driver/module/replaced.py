"""The worker process of test_params.py: replace parameters with the runtime alone."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import numpy as np

from tilewright.runtime import load_module
from tilewright.runtime.abi.device import cpu
from tilewright.runtime.module.graph_executor import create


def run(
    path: str, values: Mapping[str, np.ndarray] | str, arrays: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Load a library, replace parameters, and call it."""
    module = load_module(path)
    module.load_params(values)
    return [np.array(out) for out in module.run(list(arrays))]


def classic(
    library: str, graph: str, params: bytes, inputs: Mapping[str, np.ndarray]
) -> list[np.ndarray]:
    """Run the classic program of a graph executor, with graph and parameters apart."""
    module = create(graph, load_module(library), cpu(0))
    module.load_params(params)
    for name, array in inputs.items():
        module.set_input(name, array)
    module.run()
    return [module.get_output(i).numpy() for i in range(module.get_num_outputs())]


def imported() -> list[str]:
    return sorted(sys.modules)
