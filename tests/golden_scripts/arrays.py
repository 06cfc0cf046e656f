"""Arrays on a device: create, copy, assign, and share memory by DLPack."""

import ml_dtypes
import numpy as np

import tilewright as tvm

x = tvm.nd.array(np.arange(12, dtype="float32").reshape(3, 4))
y = tvm.nd.empty((3, 4), "float32", tvm.cpu(0)).copyfrom(x)
y[0] = 7
assert y.shape == (3, 4)
assert y.dtype == "float32"
assert y.device == tvm.cpu(0)
assert (y.numpy()[1:] == x.numpy()[1:]).all()
assert (y.numpy()[0] == 7).all()
z = tvm.nd.empty((3, 4), "float32", tvm.cpu(0))
y.copyto(z)
assert (z.numpy() == y.numpy()).all()
assert "float32" in repr(x)

# Every type makes the round trip.
DTYPES = (
    *("float64", "float32", "float16", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *(ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4),
)
for dtype in DTYPES:
    values = np.arange(6).reshape(2, 3).astype(dtype)
    assert (tvm.nd.array(values).numpy() == values).all()

# numpy() copies nothing on a processor.
assert np.shares_memory(x.numpy(), x.numpy())

# DLPack, both ways: one memory for both sides.
w = np.from_dlpack(x)
assert w.ctypes.data == x.numpy().ctypes.data
source = np.arange(4.0)
shared = tvm.nd.from_dlpack(source)
assert shared.numpy().ctypes.data == source.ctypes.data
source[2] = -1
assert shared.numpy()[2] == -1
address = source.ctypes.data
del source
assert shared.numpy().ctypes.data == address
assert (shared.numpy() == [0, 1, -1, 3]).all()
