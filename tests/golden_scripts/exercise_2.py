"""Exercise 2: tensors of torch go through a kernel and back, and nothing is copied."""

import numpy as np
import torch

import tilewright as tvm
from tilewright import te


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
# The first call of a Python function lends it copies, to see what it keeps.
mod(a, b, c, seen)
mod(*map(tvm.nd.from_dlpack, (a, b, c, seen)))
assert seen.tolist() == expected
assert torch.equal(c, a + b)
c.zero_(), seen.zero_()
mod(a, b, c, seen)
assert seen.tolist() == expected
assert torch.equal(c, a + b)
given = tvm.nd.from_dlpack(c)
assert torch.from_dlpack(given).data_ptr() == c.data_ptr() == given.numpy().ctypes.data
