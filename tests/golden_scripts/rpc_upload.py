"""The tutorial of RPC: compile here, upload, run and time in another process."""

import subprocess
import sys

import numpy as np

import tilewright as tvm
from tilewright import rpc, te

n = 1024
A = te.placeholder((n,), name="A")
B = te.compute((n,), lambda i: A[i] + 1.0, name="B")
func = tvm.build([A, B], target="llvm", name="add_one")
func.export_library("lib.tar")

command = [sys.executable, "-m", "tilewright.rpc_server", "--host", "127.0.0.1", "--port", "0"]
with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
    port = int(server.stdout.readline().rsplit(":", 1)[1])
    for remote in (rpc.LocalSession(), rpc.connect("127.0.0.1", port)):
        remote.upload("lib.tar")
        func = remote.load_module("lib.tar")
        dev = remote.cpu()
        a = tvm.nd.array(np.random.uniform(size=1024).astype(A.dtype), dev)
        b = tvm.nd.array(np.zeros(1024, dtype=A.dtype), dev)
        func(a, b)
        np.testing.assert_equal(b.numpy(), a.numpy() + 1)
        time_f = func.time_evaluator(func.entry_name, dev, number=10)
        assert time_f(a, b).mean > 0
        remote.close()
    server.kill()
