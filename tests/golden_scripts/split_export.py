"""A network as three files, library, graph and params; split_load.py runs them."""

import numpy as np
import onnx

import tilewright as tvm
from tilewright import relay

model = onnx.parser.parse_model(
    '<ir_version: 10, opset_import: ["": 20]> net (float[4, 8] x, float[8, 16] w, float[16] b)'
    " => (float[4, 16] y) { h = MatMul(x, w) s = Add(h, b) y = Relu(s) }"
)
rng = np.random.default_rng(0)
for name, shape in (("w", (8, 16)), ("b", (16,))):
    values = rng.standard_normal(shape, np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(values, name))
module = tvm.compile(model)
module.export_library("net.so")
with open("net.json", "w") as graph:
    graph.write(module.get_graph_json())
with open("net.params", "wb") as params:
    params.write(relay.save_param_dict(module.get_params()))
np.save("expected.npy", module(np.ones((4, 8), "float32")).numpy())
