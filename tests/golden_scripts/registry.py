"""The registry of functions, from Python: register, find, call, replace, list and remove."""

import numpy as np
import pytest

import tilewright as tvm
from tilewright import te


@tvm.register_func("my_custom_op")
def my_custom_op(x, y):
    return x + y


add = tvm.get_global_func("my_custom_op")
assert add(3, 4) == 7
assert type(add(3, 4)) is int
assert add(0.5, 1.0) == 1.5
assert add("a", "b") == "ab"
assert "my_custom_op" in tvm.runtime.registry.list_global_func_names()

# A name belongs to one function, until somebody replaces it knowingly.
with pytest.raises(ValueError, match="my_custom_op"):
    tvm.register_func("my_custom_op", lambda x, y: x - y)
tvm.register_func("my_custom_op", lambda x, y: x - y, override=True)
assert tvm.get_global_func("my_custom_op")(3, 4) == -1

# An unknown name is an error that has the nearest name, or None for callers that ask for that.
with pytest.raises(LookupError, match="my_custom_op"):
    tvm.get_global_func("my_custom_opp")
assert tvm.get_global_func("my_custom_opp", allow_missing=True) is None

# Functions are arguments, and results keep their types.
seen = []
tvm.register_func("call_twice", lambda f, x: (f(x), f(x)))
assert tvm.get_global_func("call_twice")(lambda x: seen.append(x) or x + 1, 6) == (7, 7)
assert seen == [6, 6]
echo = tvm.get_global_func("testing.echo")
for value in (1, 2.5, True, None, "text", (1, "two")):
    assert echo(value) == value
    assert type(echo(value)) is type(value)
array = tvm.nd.array(np.arange(3.0))
assert np.shares_memory(echo(array).numpy(), array.numpy())
assert echo(add)(1, 2) == 3

# Compiled code calls the function for each element; its exception arrives as it was raised.
elements = []
tvm.register_func("observe", lambda x: elements.append(x) or x)
A = te.placeholder((4,), name="A")
B = te.compute((4,), lambda i: te.call_packed("observe", A[i], dtype="float32"), name="B")
mod = tvm.build([A, B], target="llvm", name="observed")
x, y = tvm.nd.array(np.arange(4, dtype="float32")), tvm.nd.empty((4,), "float32")
mod(x, y)
assert sorted(elements) == [0.0, 1.0, 2.0, 3.0]
assert (y.numpy() == x.numpy()).all()


def fail(x):
    raise ValueError("no such element")


tvm.register_func("observe", fail, override=True)
with pytest.raises(ValueError, match="no such element"):
    mod(x, y)

tvm.remove_global_func("observe")
assert tvm.get_global_func("observe", allow_missing=True) is None
