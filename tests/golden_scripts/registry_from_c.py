"""The registry of functions, from C: Python calls registry.c, and registry.c calls Python."""

import pytest

import tilewright as tvm

assert tvm.load_functions("registry.so") == ["c.add", "c.call_python"]
assert {"c.add", "c.call_python"} <= {*tvm.list_global_func_names()}
assert tvm.get_global_func("c.add")(3, 4) == 7
with pytest.raises(TypeError, match="two integers"):
    tvm.get_global_func("c.add")(3)


@tvm.register_func("my_custom_op")
def my_custom_op(x, y):
    return x * y


assert tvm.get_global_func("c.call_python")(3, 4) == 12
assert tvm.get_global_func("c.call_python")(0.5, 4.0) == 2.0
