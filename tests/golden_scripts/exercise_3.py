"""Exercise 3: one kernel for three targets, and the code of each."""

import tilewright as tvm
from tilewright import te

sources = {}
for target in ("llvm -mtriple=aarch64-linux-gnu", "cuda -arch=sm_80", "opencl"):
    A = te.placeholder((1024,), name="A")
    B = te.placeholder((1024,), name="B")
    C = te.compute((1024,), lambda i, A=A, B=B: A[i] + B[i], name="C")
    s = te.create_schedule(C.op)
    outer, inner = s[C].split(C.op.axis[0], factor=64)
    if target.startswith("llvm"):
        s[C].parallel(outer)
        s[C].vectorize(inner)
    else:
        s[C].bind(outer, te.thread_axis("blockIdx.x"))
        s[C].bind(inner, te.thread_axis("threadIdx.x"))
    mod = tvm.build(s, [A, B, C], target, name="vecadd")
    sources[target.split()[0]] = mod.get_source()
    if target.startswith("cuda"):
        ptx = mod.imported_modules[0].get_source()

assert len({source[:500] for source in sources.values()}) == 3
assert " x float>" in sources["llvm"]
assert "aarch64-unknown-linux-gnu" in sources["llvm"]
assert "nvptx64" in sources["cuda"]
assert "%ctaid.x" in ptx
assert "add.rn.f32" in ptx
assert "__kernel" in sources["opencl"]
assert "get_group_id(0)" in sources["opencl"]
