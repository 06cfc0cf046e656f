"""Vector addition of any length: schedule, build, read the code, run, time."""

import numpy as np

import tilewright as tvm
from tilewright import te

n = te.var("n")
A = te.placeholder((n,), name="A")
B = te.placeholder((n,), name="B")
C = te.compute(A.shape, lambda i: A[i] + B[i], name="C")
s = te.create_schedule(C.op)
outer, inner = s[C].split(C.op.axis[0], factor=64)
s[C].parallel(outer)
s[C].vectorize(inner)
mod = tvm.build(s, [A, B, C], "llvm", name="vecadd")

source = mod.get_source()
assert "define" in source
assert " x float>" in source, "the code has vectors"

dev = tvm.cpu(0)
for length in (1, 63, 64, 1024, 1000):
    a = tvm.nd.array(np.random.uniform(size=length).astype(A.dtype), dev)
    b = tvm.nd.array(np.random.uniform(size=length).astype(B.dtype), dev)
    for function in (mod, mod.vecadd, mod["vecadd"], mod.get_function("vecadd")):
        c = tvm.nd.array(np.zeros(length, dtype=C.dtype), dev)
        function(a, b, c)
        np.testing.assert_array_equal(c.numpy(), a.numpy() + b.numpy())
evaluator = mod.time_evaluator(mod.entry_name, dev, number=10)
assert evaluator(a, b, c).mean > 0
