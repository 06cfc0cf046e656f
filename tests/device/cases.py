"""The operator cases of device bundles: ONNX graphs of one operator, in several element types.

In a graph, `T` is the element type of the case, `{x}` the shape of an input with the name x. The
large cases are measured, and the small ones run on the mock driver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import onnx

Shape = tuple[int, ...]
NORMAL = ("normal", 0.0, 1.0)
ONNX_TYPES = {"f32": "float", "tf32": "float", "f16": "float16", "bf16": "bfloat16", "i8": "int8"}
TOLERANCES = {"f32": 1e-4, "tf32": 2e-3, "f16": 4e-3, "bf16": 2e-2, "i8": 0.0}
"""The largest relative L2 error of a result, whose reference is computed in f32."""
NETWORK_TOLERANCES = {"f32": 1e-4, "f16": 2e-2}
FLOATS = ("f32", "f16", "bf16")
PRODUCTS = ("f32", "tf32", "f16", "bf16")


@dataclass(frozen=True)
class Operator:
    """A graph of one operator.

    body: the nodes, which compute y.  inputs: their shapes.  out: the shape of y.  peer: a name in
    peers.py.  flops: the operations of a call.  dtypes: the element types of its cases.  indices:
    exclusive limits of int64 inputs.  out_type: the ONNX type of y, if it differs from the inputs'.
    draw: how floats are drawn.  reference: the ONNX type of floats in which the result is computed
    that is compared.
    """

    name: str
    body: str
    inputs: Mapping[str, Shape]
    out: Shape
    peer: str
    flops: int = 0
    dtypes: Sequence[str] = FLOATS
    indices: Mapping[str, int] = field(default_factory=dict[str, int])
    out_type: str = ""
    draw: tuple[str, float, float] = NORMAL
    reference: str = "float"


@dataclass(frozen=True)
class OperatorCase:
    """An operator in an element type."""

    operator: Operator
    dtype: str
    is_timed: bool

    @property
    def name(self) -> str:
        """The name of the case."""
        return f"{self.operator.name}_{self.dtype}"

    @property
    def draws(self) -> list[tuple[str, float, float]]:
        """How each input is drawn; see `DeviceCase` of device_case.py."""
        usual = ("integers", -100, 100) if self.dtype == "i8" else self.operator.draw
        indices = self.operator.indices
        return [
            ("integers", 0, indices[name]) if name in indices else usual
            for name in self.operator.inputs
        ]

    def model(self) -> onnx.ModelProto:
        """Return the graph in the element type of the case."""
        return self._graph(ONNX_TYPES[self.dtype])

    def reference(self) -> onnx.ModelProto:
        """Return the graph that computes the results to compare."""
        return self._graph("int8" if self.dtype == "i8" else self.operator.reference)

    def _graph(self, type_: str) -> onnx.ModelProto:
        operator = self.operator
        types = {x: "int64" if x in operator.indices else type_ for x in operator.inputs}
        inputs = ", ".join(f"{types[x]}{list(s)} {x}" for x, s in operator.inputs.items())
        out = f"{operator.out_type or type_}{list(operator.out)} y"
        head = '<ir_version: 11, opset_import: ["": 23]>'
        return onnx.parser.parse_model(f"{head} g ({inputs}) => ({out}) {{ {operator.body} }}")


def _product(name: str, m: int, k: int, n: int, batch: Shape = (), **options: object) -> Operator:
    made = Operator(
        name,
        "y = MatMul(a, b)",
        {"a": (*batch, m, k), "b": (*batch, k, n)},
        (*batch, m, n),
        "matmul",
        2 * prod(batch) * m * k * n,
        PRODUCTS,
    )
    return replace(made, **options)


def _integer_product(name: str, m: int, k: int, n: int) -> Operator:
    body = "y = MatMulInteger(a, b)"
    options = {"peer": "integer_matmul", "dtypes": ("i8",), "out_type": "int32"}
    return _product(name, m, k, n, body=body, **options)


def _convolution(
    name: str,
    batch: int,
    channels: int,
    filters: int,
    kernel: int,
    size: int,
    *,
    groups: int = 1,
    stride: int = 1,
    dtypes: Sequence[str] = PRODUCTS,
) -> Operator:
    pad, end = kernel // 2, (size - 1) // stride + 1
    attributes = f"pads=[{pad},{pad},{pad},{pad}], group={groups}, strides=[{stride},{stride}]"
    weights = (filters, channels // groups, kernel, kernel)
    return Operator(
        name,
        f"y = Conv<{attributes}>(x, w)",
        {"x": (batch, channels, size, size), "w": weights},
        (batch, filters, end, end),
        f"conv {groups} {stride}",
        2 * batch * end * end * prod(weights),
        dtypes,
    )


def _attention(
    name: str,
    heads: int,
    queries: int,
    keys: int,
    width: int,
    *,
    shared: int = 0,
    causal: bool = False,
    dtypes: Sequence[str] = FLOATS,
) -> Operator:
    columns = (1, shared or heads, keys, width)
    return Operator(
        name,
        f"y = Attention<is_causal={int(causal)}>(q, k, v)",
        {"q": (1, heads, queries, width), "k": columns, "v": columns},
        (1, heads, queries, width),
        f"attention {int(causal)}",
        4 * heads * queries * keys * width // (1 + causal),
        dtypes,
    )


def _rows(name: str, call: str, rows: int, columns: int, peer: str, **scales: Shape) -> Operator:
    shape = (rows, columns)
    return Operator(name, f"y = {call}", {"x": shape, **scales}, shape, peer)


def _sum(name: str, axis: int, rows: int, columns: int) -> Operator:
    body = f"c = Constant<value = int64[1] {{{axis}}}>() y = ReduceSum<keepdims=0>(x, c)"
    return Operator(name, body, {"x": (rows, columns)}, ((columns, rows)[axis],), f"sum {axis}")


def _families(scale: int) -> list[Operator]:
    """Return the operators on rows and elements; scale: 1 for the small ones."""
    rows, width = 16 * scale, (1024 if scale > 1 else 96)
    return [
        _rows("softmax", "Softmax<axis=-1>(x)", rows, width, "softmax"),
        _rows(
            "layernorm",
            "LayerNormalization<axis=-1>(x, g, b)",
            rows,
            width,
            "layer_norm",
            g=(width,),
            b=(width,),
        ),
        _rows("rmsnorm", "RMSNormalization(x, g)", rows, width, "rms_norm", g=(width,)),
        _rows("gelu", "Gelu(x)", rows, 4 * width, "gelu"),
        _rows("add", "Add(x, z)", rows, 4 * width, "add", z=(rows, 4 * width)),
        _sum("sum_rows", 1, rows, 4 * width),
        _sum("sum_columns", 0, rows, 4 * width),
        Operator(
            "sum_all",
            "y = ReduceSum<keepdims=0>(x)",
            {"x": (rows, 4 * width)},
            (),
            "sum",
            draw=("uniform", -0.001, 0.002),  # the sum of all elements is not close to 0
            reference="double",  # onnxruntime sums a million numbers of f32 with an error of 2e-4
        ),
        Operator(
            "transpose",
            "y = Transpose<perm=[1, 0]>(x)",
            {"x": (rows, 4 * width)},
            (4 * width, rows),
            "transpose",
        ),
        Operator(
            "gather",
            "y = Gather(x, i)",
            {"x": (rows, width), "i": (2 * rows,)},
            (2 * rows, width),
            "gather",
            indices={"i": rows},
        ),
    ]


LARGE = [
    _product("matmul_4096", 4096, 4096, 4096),
    _product("matmul_1024", 1024, 1024, 1024),
    _product("matmul_ragged", 1000, 1023, 2001, dtypes=FLOATS),
    _product("matmul_batch", 384, 64, 384, (96,), dtypes=FLOATS),
    _product("gemm16", 16, 4096, 14336, dtypes=FLOATS),
    _product("gemv", 1, 4096, 14336, dtypes=FLOATS),
    _integer_product("matmul_4096", 4096, 4096, 4096),
    _integer_product("matmul_1024", 1024, 1024, 1024),
    _integer_product("matmul_ragged", 1000, 1023, 2001),
    _convolution("conv3x3_b1", 1, 64, 64, 3, 56, dtypes=FLOATS),
    _convolution("conv3x3_b32", 32, 64, 64, 3, 56),
    _convolution("conv1x1_b8", 8, 256, 64, 1, 56, dtypes=FLOATS),
    _convolution("conv7x7_b8", 8, 3, 64, 7, 224, stride=2, dtypes=FLOATS),
    _convolution("depthwise_b32", 32, 144, 144, 3, 56, groups=144, dtypes=FLOATS),
    _attention("attention_384x64", 12, 384, 384, 64),
    _attention("attention_2048x128_causal", 32, 2048, 2048, 128, causal=True),
    _attention("attention_grouped", 32, 1024, 1024, 128, shared=8, causal=True),
    _attention("attention_decode", 32, 1, 2048, 128),
    *_families(512),
]
SMALL = [
    _product("matmul", 64, 48, 64),
    _product("matmul_ragged", 33, 40, 50, dtypes=FLOATS),
    _integer_product("matmul", 64, 64, 64),
    _convolution("conv3x3", 1, 16, 16, 3, 8, dtypes=FLOATS),
    _convolution("depthwise", 1, 16, 16, 3, 8, groups=16, dtypes=FLOATS),
    _attention("attention", 2, 64, 64, 64, causal=True),
    *_families(1),
]


@dataclass(frozen=True)
class NetworkCase:
    """A network of benchmarks/zoo in an element type, with a batch of inputs."""

    network: str
    dtype: str
    batch: int = 1

    @property
    def name(self) -> str:
        """The name of the case."""
        return f"{self.network}_b{self.batch}_{self.dtype}"


NETWORKS = [
    NetworkCase(network, dtype, batch)
    for network, batch in (
        ("mobilenet_v2", 8),
        ("resnet50", 8),
        ("vit_b16", 8),
        ("bert_base", 8),
        ("gpt2_prefill", 1),
        ("llama_decode", 1),
    )
    for dtype, batch in (("f32", 1), ("f16", batch))
]


def cases(operators: Sequence[Operator], *, is_timed: bool) -> Iterator[OperatorCase]:
    """Yield a case for each operator and each of its element types."""
    for operator in operators:
        for dtype in operator.dtypes:
            yield OperatorCase(operator, dtype, is_timed)
