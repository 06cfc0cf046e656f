"""Runs the model argv[1] on the arrays of argv[2] with the runtime alone; writes argv[3].

Fails if the process can import a part of the compiler.
"""

import sys
from importlib.util import find_spec

import numpy as np

from tilewright.runtime import load_module

COMPILER = ("tilewright.driver", "xdsl", "llvmlite", "onnx", "ml_dtypes")


def main(path: str, given: str, written: str) -> None:
    """Load a model and run it."""
    found = [name for name in COMPILER if find_spec(name) is not None]
    assert not found, f"parts of the compiler are installed: {found}"
    with np.load(given) as inputs:
        outputs = load_module(path, verify=True).run(dict(inputs))
    np.savez(written, *map(np.array, outputs))


main(*sys.argv[1:])
