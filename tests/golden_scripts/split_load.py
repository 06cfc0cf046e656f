"""The three files of split_export.py, in the graph executor."""

import json

import numpy as np

import tilewright as tvm
from tilewright.contrib import graph_executor

with open("net.json") as file:
    graph = file.read()
with open("net.params", "rb") as file:
    params = file.read()
assert json.loads(graph)
lib = tvm.runtime.load_module("net.so")
dev = tvm.cpu(0)
module = graph_executor.create(graph, lib, dev)
module.load_params(params)
x = np.ones((4, 8), "float32")
module.set_input("x", x)
module.run()
out = module.get_output(0).numpy()
assert (out == np.load("expected.npy")).all()
again = graph_executor.GraphModule(lib["default"](dev))
again.set_input(0, x)
again.run()
assert again.get_num_outputs() == 1
assert (again.get_output(0).numpy() == out).all()
