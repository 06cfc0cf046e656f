"""Programs in the manner of the classic TVM tutorials run with only the imports renamed.

Each program is a text for TVM. The test replaces the modules in its import lines, and nothing else.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import onnx
import pytest

from tilewright.testing.models import ffn_model

IMPORTS = {
    "import tvm": "import tilewright as tvm",
    "from tvm import": "from tilewright import",
    "from tvm.contrib import": "from tilewright.runtime import",
    "from tvm.runtime import": "from tilewright.runtime import",
}

VECTOR_ADD = """
import numpy as np
import tvm
from tvm import te

n = te.var("n")
A = te.placeholder((n,), name="A")
B = te.placeholder((n,), name="B")
C = te.compute(A.shape, lambda i: A[i] + B[i], name="C")
s = te.create_schedule(C.op)
outer, inner = s[C].split(C.op.axis[0], factor=64)
s[C].parallel(outer)
s[C].vectorize(inner)
mod = tvm.build(s, [A, B, C], "llvm", name="vecadd")

dev = tvm.device("llvm", 0)
a = tvm.nd.array(np.random.uniform(size=1024).astype(A.dtype), dev)
b = tvm.nd.array(np.random.uniform(size=1024).astype(B.dtype), dev)
for function in (mod, mod["vecadd"], mod.get_function("vecadd")):
    c = tvm.nd.array(np.zeros(1024, dtype=C.dtype), dev)
    function(a, b, c)
    np.testing.assert_allclose(c.numpy(), a.numpy() + b.numpy(), rtol=1e-5)
assert "define" in mod.get_source()
evaluator = mod.time_evaluator(mod.entry_name, dev, number=10)
assert evaluator(a, b, c).mean > 0
"""

FUNCTIONS = """
import tvm

@tvm.register_func("my_custom_op")
def my_custom_op(x, y):
    return x + y

add = tvm.get_global_func("my_custom_op")
assert add(3, 4) == 7
seen = []
tvm.register_func("call_twice", lambda f, x: (f(x), f(x)))
assert tvm.get_global_func("call_twice")(lambda x: seen.append(x) or x + 1, 6) == (7, 7)
assert seen == [6, 6]
assert "my_custom_op" in tvm.runtime.registry.list_global_func_names()
"""

ARRAYS = """
import numpy as np
import tvm

x = tvm.nd.array(np.arange(12, dtype="float32").reshape(3, 4))
y = tvm.nd.empty((3, 4), "float32", tvm.cpu(0)).copyfrom(x)
y[0] = 7
assert y.shape == (3, 4) and y.dtype == "float32" and y.device == tvm.cpu(0)
assert (y.numpy()[1:] == x.numpy()[1:]).all() and (y.numpy()[0] == 7).all()
z = np.from_dlpack(x)
assert z.ctypes.data == x.numpy().ctypes.data
"""

FROM_TORCH = """
import numpy as np
import torch
import tvm
from tvm import te

@tvm.register_func("addresses")
def addresses(a, b, c, out):
    out.copyfrom(np.array([each.numpy().ctypes.data for each in (a, b, c)]))

A, B = te.placeholder((16,), name="A"), te.placeholder((16,), name="B")
C = te.compute((16,), lambda i: A[i] + B[i], name="C")
D = te.extern(
    (3,), [A, B, C], lambda ins, outs: te.call_packed("addresses", *ins, *outs), dtype="int64"
)
mod = tvm.build([A, B, C, D], target="llvm", name="add")
a, b, c = torch.arange(16.0), torch.ones(16), torch.empty(16)
seen = torch.empty(3, dtype=torch.int64)
expected = [a.data_ptr(), b.data_ptr(), c.data_ptr()]
mod(*map(tvm.nd.from_dlpack, (a, b, c, seen)))
assert seen.tolist() == expected and torch.equal(c, a + b)
c.zero_(), seen.zero_()
mod(a, b, c, seen)
assert seen.tolist() == expected and torch.equal(c, a + b)
given = tvm.nd.from_dlpack(c)
assert torch.from_dlpack(given).data_ptr() == c.data_ptr() == given.numpy().ctypes.data
"""

EXPORT = """
import numpy as np
import tvm
from tvm import te

A = te.placeholder((8, 8), name="A")
B = te.compute((8, 8), lambda i, j: A[j, i], name="B")
tvm.build([A, B], target="llvm", name="transpose").export_library("transpose.so")
"""

LOAD = """
import numpy as np
import tvm

mod = tvm.runtime.load_module("transpose.so")
x, y = np.random.rand(8, 8).astype("float32"), np.empty((8, 8), "float32")
mod["transpose"](tvm.nd.array(x), filled := tvm.nd.array(y))
assert (filled.numpy() == x.T).all()
"""

EXECUTOR = """
import numpy as np
import tvm
from tvm.contrib import graph_executor
from tvm.runtime import load_module

graph, params = open("net.json").read(), open("net.params", "rb").read()
lib = load_module("net.so")
dev = tvm.cpu(0)
module = graph_executor.create(graph, lib, dev)
module.load_params(params)
x = np.ones((4, 8), "float32")
module.set_input("x", x)
module.run()
out = module.get_output(0).numpy()
again = graph_executor.GraphModule(lib["default"](dev))
again.set_input(0, x)
again.run()
assert again.get_num_outputs() == 1 and (again.get_output(0).numpy() == out).all()
np.save("out.npy", out)
"""


def renamed(program: str) -> str:
    lines = program.splitlines()
    for number, line in enumerate(lines):
        for old, new in IMPORTS.items():
            lines[number] = re.sub(rf"^{old}\b", new, lines[number])
            if lines[number] != line:
                break
    return "\n".join(lines)


def run(program: str, folder: Path) -> None:
    """Run a program in a fresh process."""
    (folder / "program.py").write_text(renamed(program))
    command = [sys.executable, "-W", "error", "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-2000:]


@pytest.mark.parametrize(
    "program", [VECTOR_ADD, FUNCTIONS, ARRAYS], ids=["vector-add", "functions", "arrays"]
)
def test_a_program_runs_with_its_imports_renamed(program: str, tmp_path: Path) -> None:
    run(program, tmp_path)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_tensors_of_torch_keep_their_memory(tmp_path: Path) -> None:
    run(FROM_TORCH, tmp_path)


def test_a_module_is_built_exported_and_loaded_in_a_fresh_process(tmp_path: Path) -> None:
    run(EXPORT, tmp_path)
    run(LOAD, tmp_path)


def test_a_graph_executor_runs_with_separate_graph_and_params(tmp_path: Path) -> None:
    import numpy as np

    import tilewright
    from tilewright.runtime import save_param_dict

    model: onnx.ModelProto = ffn_model(m=4, k=8, n=16)
    module = tilewright.compile(model)
    module.export_library(tmp_path / "net.so")
    (tmp_path / "net.json").write_text(module.get_graph_json())
    (tmp_path / "net.params").write_bytes(save_param_dict(module.get_params()))
    run(EXECUTOR, tmp_path)
    expected = module(np.ones((4, 8), np.float32))
    assert np.array_equal(np.load(tmp_path / "out.npy"), expected)
