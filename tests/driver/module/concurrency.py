"""The experiments of test_concurrency.py: one function each, run in a fresh process."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.testing.models import encoder_model, inputs_for

CALLS = 40


def compiled(threads: int = 2):
    model = encoder_model(layers=1, hidden=64, heads=4, ffn=128, seq=32)
    return tilewright.compile(model, threads=threads), inputs_for(model)


def eight_threads() -> bool:
    """Call one module, and another one at the same time, from eight Python threads."""
    (first, inputs), (second, others) = compiled(), compiled(threads=1)
    expected = np.array(first(*inputs).numpy())

    def call(index: int) -> bool:
        module, given = (first, inputs) if index % 2 else (second, others)
        return np.array_equal(module(*given).numpy(), expected)

    with ThreadPoolExecutor(8) as pool:
        return all(pool.map(call, range(8 * CALLS)))


def forked() -> bool:
    """Fork after parallel calls, and run the module in the child and in the parent."""
    module, inputs = compiled()
    expected = np.array(module(*inputs).numpy())
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(module(*inputs).numpy(), expected) else 1)
    _, status = os.waitpid(child, 0)
    return status == 0 and np.array_equal(module(*inputs).numpy(), expected)


def idle_cpu_s() -> float:
    """Return the processor time that a process with an idle pool uses in a quarter of a second."""
    module, inputs = compiled()
    for _ in range(CALLS):
        module(*inputs)
    time.sleep(0.05)
    before = time.process_time()
    time.sleep(0.25)
    return time.process_time() - before


def interrupted() -> str:
    """Interrupt a run: the pending call ends, the exception is raised, the module still works."""
    module, inputs = compiled()
    expected = np.array(module(*inputs).numpy())
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        while True:
            module(*inputs)
    except KeyboardInterrupt:
        return "works" if np.array_equal(module(*inputs).numpy(), expected) else "wrong"


def peak() -> tuple[int, int]:
    """Return the bytes of intermediates: reported by the module, and used by the first call."""
    size = 4 << 20
    names = [f"v{i}" for i in range(4)]
    # Transposes of a reduction's result cannot be fused away: two buffers are live at a time.
    nodes = [
        helper.make_node("MatMul", ["x", "w0"], [names[0]]),
        helper.make_node("Softmax", [names[0]], [names[1]]),
        helper.make_node("MatMul", [names[1], "w1"], [names[2]]),
        helper.make_node("Softmax", [names[2]], [names[3]]),
        helper.make_node("ReduceSum", [names[3]], ["y"], keepdims=0),
    ]
    rows, columns = size // (4 * 256), 256
    weights = [
        numpy_helper.from_array(np.full((columns, columns), 0.01, np.float32), name)
        for name in ("w0", "w1")
    ]
    graph = helper.make_graph(
        nodes,
        "peak",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, columns])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [])],
        weights,
    )
    opset = [helper.make_opsetid("", 17)]
    module = tilewright.compile(helper.make_model(graph, opset_imports=opset, ir_version=9))
    x = np.ones((rows, columns), np.float32)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # The compiler's own peak would hide the run's: fill memory up to it first.
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    resident = pages * resource.getpagesize() // 1024
    ballast = np.ones(max(0, before - resident) * 1024, np.uint8)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    module(x)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    del ballast
    return module.manifest.arena_bytes, (after - before) * 1024


if __name__ == "__main__":
    print(globals()[sys.argv[1]]())
