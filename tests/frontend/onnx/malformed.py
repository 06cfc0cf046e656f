"""Models that must be rejected: a table of files, each with one fault.

    python tests/frontend/onnx/malformed.py    writes all their messages to malformed.txt

A case makes the bytes of ``bad.onnx`` in a folder; it may put other files there too. `message` runs
in a worker with limited memory and returns the error message of the import.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

from tilewright.frontend.onnx.importer import import_model
from tilewright.support.diagnostics import TilewrightError

SNAPSHOT = Path(__file__).with_suffix(".txt")
MEMORY_BYTES = 2**31
FLOAT, INT64, STRING = TensorProto.FLOAT, TensorProto.INT64, TensorProto.STRING
INT64_MAX, INT64_MIN = 2**63 - 1, -(2**63)
Case = Callable[[Path], bytes]

CASES: dict[str, Case] = {}


def message(path: str) -> str:
    """Import a file within the memory limit; return the error message, without the folder."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, resource.RLIM_INFINITY))
    try:
        import_model(path)
    except TilewrightError as err:
        return str(err).replace(f"{Path(path).parent}{os.sep}", "")
    return "accepted"


def timed_message(path: str) -> tuple[str, float]:
    """Return the message, and the processor time that it took."""
    start_s = time.process_time()
    return message(path), time.process_time() - start_s


def snapshot() -> dict[str, str]:
    """Return the recorded messages by case."""
    sections = SNAPSHOT.read_text().split("\n## ")[1:]
    return {name: text.strip() for name, _, text in (s.partition("\n") for s in sections)}


# ---- building blocks


def info(name, shape=(2, 3), dtype=FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def node(op, inputs=("x",), outputs=("y",), **attributes):
    return helper.make_node(op, inputs, outputs, **{"name": "n", **attributes})


RELU, INPUT, OUTPUT = node("Relu"), info("x"), onnx.ValueInfoProto(name="y")


def model(
    nodes=(RELU,),
    inputs=(INPUT,),
    outputs=(OUTPUT,),
    weights=(),
    *,
    opset=20,
    functions=(),
):
    graph = helper.make_graph(nodes, "g", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.acme", 1)]
    return helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=10)


def weight(array, name="w"):
    return numpy_helper.from_array(np.asarray(array), name)


def add(name: str, make: Case | onnx.ModelProto | bytes) -> None:
    assert name not in CASES, name
    if isinstance(make, onnx.ModelProto):
        make = make.SerializeToString()
    CASES[name] = (lambda folder, data=make: data) if isinstance(make, bytes) else make


def changed(change: Callable[[onnx.ModelProto], object], proto=None) -> onnx.ModelProto:
    """Return a valid model after one change."""
    copy = onnx.ModelProto()
    copy.CopyFrom(proto or model())
    change(copy)
    return copy


# Bytes that are not a model


def field(number: int, payload: bytes) -> bytes:
    """Return a length-delimited protobuf field."""
    size, out = len(payload), bytearray([number << 3 | 2])
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    return bytes([*out, size]) + payload


def nested_subgraphs(depth: int) -> bytes:
    """Return a model whose only node holds a graph whose only node holds a graph …"""
    graph = b""
    for _ in range(depth):
        attribute = field(1, b"then_branch") + field(6, graph) + bytes([20 << 3 & 127 | 128, 1, 5])
        graph = field(1, field(4, b"If") + field(1, b"x") + field(2, b"y") + field(5, attribute))
    return b"\x08\x0a" + field(7, graph) + field(8, b"\x10\x14")


def add_bytes() -> None:
    good = model(weights=[weight(np.zeros(64, np.float32))]).SerializeToString()
    add("bytes: empty file", b"")
    add("bytes: garbage", b"garbage" * 100)
    add("bytes: zeros", bytes(64))
    add("bytes: text", b"<!DOCTYPE html><html><body>404</body></html>")
    add("bytes: zip archive", b"PK\x03\x04" + bytes(60))
    for percent in (10, 50, 90, 99):
        add(f"bytes: cut at {percent} %", good[: len(good) * percent // 100])
    add("bytes: length beyond the end", b"\x3a\xff\xff\xff\xff\x7f" + good)
    add("bytes: endless varint", b"\x08" + b"\xff" * 100)
    add("bytes: a tensor, not a model", weight(np.zeros(3)).SerializeToString())
    add("bytes: model without graph", onnx.ModelProto(ir_version=8).SerializeToString())
    add("bytes: model without opset", changed(lambda m: m.ClearField("opset_import")))
    add("bytes: subgraphs nested 1000 deep", nested_subgraphs(1000))
    add("bytes: groups nested 100000 deep", b"\x0b" * 100000)


# ---- names and edges


def add_names() -> None:
    relu = node("Relu")
    add("names: undefined input", model([node("Relu", ["z"])]))
    add("names: undefined output", model([node("Relu", ["x"], ["a"])]))
    add("names: node reads itself", model([node("Relu", ["y"])]))
    loop = [node("Relu", ["b"], ["a"], name="one"), node("Relu", ["a"], ["b"], name="two")]
    add("names: cycle of two", model([*loop, relu]))
    ring = [node("Relu", [f"v{i}"], [f"v{(i + 1) % 3000}"], name=f"n{i}") for i in range(3000)]
    add("names: cycle of 3000", model([*ring, relu]))
    add("names: value defined twice", model([relu, node("Exp", name="m")]))
    add("names: node redefines an input", model([node("Relu", ["x"], ["x"])]))
    add("names: node defines one value twice", model([node("Dropout", ["x"], ["y", "y"])]))
    add("names: node redefines an initializer", model([relu], weights=[weight(1.0, "y")]))
    add("names: input listed twice", model(inputs=[info("x"), info("x")]))
    twice = [weight(1.0), weight(2.0)]
    add("names: initializer defined twice", model(weights=twice))
    outputs = [onnx.ValueInfoProto(name="y")] * 2
    add("names: output listed twice", model(outputs=outputs))
    add("names: no outputs", model(outputs=[]))
    add("names: empty graph", model([], [], []))
    add("names: input without name", model(inputs=[info("x"), info("")]))
    add("names: output without name", model(outputs=[onnx.ValueInfoProto()]))
    add("names: initializer without name", model(weights=[weight(1.0, "")]))
    add("names: node without operator", model([node("")]))
    add("names: two attributes of one name", changed(
        lambda m: [m.graph.node[0].attribute.add(name="a", type=2) for _ in range(2)]
    ))  # fmt: skip
    add("names: attribute without name", changed(lambda m: m.graph.node[0].attribute.add(type=2)))


def add_versions() -> None:
    add("versions: unknown domain", model([node("Relu", domain="org.unknown")]))
    add("versions: unknown operator", model([node("Frobnicate")]))
    add("versions: operator of another domain", model([node("Relu", domain="com.acme")]))
    for opset in (0, 29, 2**31, 2**62, -1):
        add(f"versions: opset {opset}", model(opset=opset))
    add("versions: operator newer than the opset", model([node("Gelu")], opset=13))
    add("versions: future format", changed(lambda m: setattr(m, "ir_version", 999)))
    add("versions: opset given twice", changed(lambda m: m.opset_import.add(domain="", version=9)))


# ---- initializers


def initializer(dims=(2, 3), dtype=FLOAT, **fields):
    tensor = TensorProto(name="w", dims=dims, data_type=dtype)
    for name, value in fields.items():
        if isinstance(value, list):
            getattr(tensor, name).extend(value)
        else:
            setattr(tensor, name, value)
    return model([node("Add", ["x", "w"])], weights=[tensor])


def add_initializers() -> None:
    name = "initializer:"
    add(f"{name} raw data too short", initializer(raw_data=bytes(20)))
    add(f"{name} raw data too long", initializer(raw_data=bytes(28)))
    add(f"{name} raw data empty", initializer(raw_data=b""))
    add(f"{name} too few numbers", initializer(float_data=[1.0] * 5))
    add(f"{name} too many numbers", initializer(float_data=[1.0] * 7))
    add(f"{name} no data", initializer())
    add(f"{name} numbers in the field of another type", initializer(int64_data=[1] * 6))
    add(f"{name} negative size", initializer(dims=(2, -3), raw_data=bytes(24)))
    add(f"{name} size 2^40 without data", initializer(dims=(2**40,)))
    add(f"{name} sizes whose product overflows", initializer(dims=(2**62, 4), raw_data=b""))
    add(f"{name} sizes at the limit and zero", initializer(dims=(INT64_MAX, 0, INT64_MAX)))
    add(f"{name} 100 dimensions", initializer(dims=(1,) * 100, raw_data=bytes(4)))
    add(f"{name} 40 dimensions", initializer(dims=(1,) * 40, raw_data=bytes(4)))
    for code in (0, 999, -1):
        add(f"{name} element type {code}", initializer(dtype=code, raw_data=bytes(24)))
    add(f"{name} strings", initializer(dtype=STRING, string_data=[b"a"] * 6))
    add(f"{name} int4 with a byte missing", initializer(
        (5,), TensorProto.INT4, raw_data=bytes(2)))  # fmt: skip
    add(f"{name} complex with half a number", initializer(
        (2,), TensorProto.COMPLEX64, float_data=[1.0] * 3))  # fmt: skip
    segment = initializer(raw_data=bytes(24))
    segment.graph.initializer[0].segment.begin = 4
    add(f"{name} stored in segments", segment)
    sparse = model()
    sparse.graph.sparse_initializer.add().values.CopyFrom(weight(np.zeros(2)))
    add(f"{name} sparse", sparse)
    constant = node("Constant", [], value=weight(np.zeros(3, np.float32)))
    constant.attribute[0].t.dims[0] = 2**50
    add(f"{name} constant whose shape lies", model([constant]))


# ---- external data


def external(data: bytes | None = bytes(24), **entries: str) -> Case:
    def make(folder: Path) -> bytes:
        if data is not None:
            (folder / "w.bin").write_bytes(data)
        proto = initializer(data_location=TensorProto.EXTERNAL)
        for key, value in {"location": "w.bin", **entries}.items():
            proto.graph.initializer[0].external_data.add(key=key, value=value)
        return proto.SerializeToString()

    return make


def with_files(prepare: Callable[[Path], object], location: str) -> Case:
    """Return a case with external data at a location that ``prepare`` makes in the folder."""

    def make(folder: Path) -> bytes:
        prepare(folder)
        return external(None, location=location)(folder)

    return make


def link_outside(folder: Path) -> None:
    outside = folder.parent / f"{folder.name}-outside.bin"
    outside.write_bytes(bytes(24))
    (folder / "link.bin").symlink_to(outside)


def add_external() -> None:
    name = "external:"
    for location in ("../w.bin", "a/../../w.bin", "/etc/passwd", "..", "", ".", "a\\..\\..\\w.bin"):
        add(f"{name} location {location!r}", external(location=location))
    add(f"{name} drive letter", external(location="C:\\w.bin"))
    add(f"{name} network path", external(location="\\\\host\\share\\w.bin"))
    add(f"{name} device", external(location="/dev/zero"))
    add(f"{name} missing file", external(None))
    add(f"{name} folder", with_files(lambda f: (f / "d").mkdir(), "d"))
    add(f"{name} pipe", with_files(lambda f: os.mkfifo(f / "pipe"), "pipe"))
    add(f"{name} link that leads outside", with_files(link_outside, "link.bin"))
    add(f"{name} folder link that leads outside", with_files(
        lambda f: (f / "up").symlink_to(f.parent), "up/w.bin"))  # fmt: skip
    add(f"{name} link to itself", with_files(
        lambda f: (f / "round").symlink_to("round"), "round"))  # fmt: skip
    add(f"{name} name with a zero byte", external(location="w\0.bin"))
    add(f"{name} name of 5000 characters", external(location="w" * 5000))
    add(f"{name} file too short", external(bytes(23)))
    add(f"{name} empty file", external(b""))
    add(f"{name} offset beyond the end", external(offset="1000"))
    add(f"{name} negative offset", external(offset="-4"))
    add(f"{name} offset 2^70", external(offset=str(2**70)))
    add(f"{name} offset is no number", external(offset="0x10"))
    add(f"{name} offset of 5000 digits", external(offset="9" * 5000))
    add(f"{name} length disagrees with the shape", external(length="20"))
    add(f"{name} negative length", external(length="-24"))
    add(f"{name} length 2^63", external(length=str(2**63)))


# ---- attributes


X = info("x", (2, 3, 8, 8))
W = weight(np.zeros((4, 3, 3, 3), np.float32))


def conv(**attributes):
    return model([node("Conv", ["x", "w"], **attributes)], [X], weights=[W])


def pool(**attributes):
    return model([node("MaxPool", **{"kernel_shape": [2, 2], **attributes})], [X])


def unary(op, shape=(2, 3), *, opset=20, **attributes):
    return model([node(op, **attributes)], [info("x", shape)], opset=opset)


def retyped(attribute: AttributeProto):
    proto = conv()
    proto.graph.node[0].attribute.append(attribute)
    return proto


def add_attributes() -> None:
    name = "attribute:"
    add(f"{name} strides as one number", conv(strides=1))
    add(f"{name} strides as floats", conv(strides=[1.0, 1.0]))
    add(f"{name} strides as text", conv(strides="1"))
    add(f"{name} strides as a tensor", conv(strides=weight([1, 1])))
    add(f"{name} strides of zero", conv(strides=[0, 0]))
    add(f"{name} strides negative", conv(strides=[-1, 1]))
    add(f"{name} too many strides", conv(strides=[1, 1, 1]))
    add(f"{name} no strides", retyped(AttributeProto(name="strides", type=AttributeProto.INT)))
    add(f"{name} dilations of zero", conv(dilations=[0, 1]))
    add(f"{name} dilations at the limit", conv(dilations=[INT64_MAX, INT64_MAX]))
    add(f"{name} group of zero", conv(group=0))
    add(f"{name} group negative", conv(group=-1))
    add(f"{name} group that does not divide", conv(group=2))
    add(f"{name} group at the limit", conv(group=INT64_MIN))
    add(f"{name} pads at the limit", conv(pads=[INT64_MAX] * 4))
    add(f"{name} pads negative at the limit", conv(pads=[INT64_MIN] * 4))
    add(f"{name} too few pads", conv(pads=[1, 1]))
    add(f"{name} kernel that is not the weight's", conv(kernel_shape=[5, 5]))
    add(f"{name} unknown padding mode", conv(auto_pad="DIAGONAL"))
    add(f"{name} text that is no UTF-8", conv(auto_pad=b"\xff\xfe"))
    add(f"{name} unknown name", conv(colour=3))
    lying = AttributeProto(name="group", type=AttributeProto.INT, ints=[1, 2])
    add(f"{name} type and value disagree", retyped(lying))
    add(f"{name} without type", retyped(AttributeProto(name="group", i=1)))
    add(f"{name} reference outside of a function", retyped(
        AttributeProto(name="group", type=AttributeProto.INT, ref_attr_name="g")))  # fmt: skip
    add(f"{name} missing", model([node("Cast")]))
    add(f"{name} pool without kernel", model([node("MaxPool")], [X]))
    add(f"{name} pool kernel of zero", pool(kernel_shape=[0, 2]))
    add(f"{name} pool kernel larger than the image", pool(kernel_shape=[20, 20]))
    add(f"{name} pool kernel at the limit", pool(kernel_shape=[INT64_MAX, INT64_MAX]))
    add(f"{name} pool strides of zero", pool(strides=[0, 0]))
    for axis in (2, -3, INT64_MAX, INT64_MIN):
        add(f"{name} softmax axis {axis}", unary("Softmax", axis=axis))
        add(f"{name} flatten axis {axis * 2 if abs(axis) < 9 else axis}", unary(
            "Flatten", axis=axis * 2 if abs(axis) < 9 else axis))  # fmt: skip
    add(f"{name} concat axis", model([node("Concat", ["x", "x"], axis=2)]))
    add(f"{name} permutation with a repetition", unary("Transpose", perm=[0, 0]))
    add(f"{name} permutation too short", unary("Transpose", perm=[0]))
    add(f"{name} permutation at the limit", unary("Transpose", perm=[INT64_MAX, 0]))
    add(f"{name} block size of zero", unary("DepthToSpace", (1, 4, 2, 2), blocksize=0))
    add(f"{name} block size that does not divide", unary("DepthToSpace", (1, 4, 2, 2), blocksize=3))
    add(f"{name} image of rank 5", unary("SpaceToDepth", (1, 4, 2, 2, 2), blocksize=2))
    add(f"{name} unknown element type", unary("Cast", to=999))
    add(f"{name} LRN window of zero", unary("LRN", (1, 4, 2, 2), size=0))
    add(f"{name} argmax axis", unary("ArgMax", axis=INT64_MIN))
    gemm = [node("Gemm", ["x", "w"], transB=1)]
    add(f"{name} product of other sizes", model(gemm, weights=[weight(np.zeros((4, 5), "f"))]))
    add(f"{name} einsum of another rank", model([node("Einsum", equation="ijk->i")]))
    add(f"{name} einsum without sense", model([node("Einsum", equation="->->(")]))


# ---- operands


def reading(op, *values, shape=(2, 3), opset=20, **attributes):
    """Return an operator on x and known values, each (array)."""
    names = [f"w{i}" for i in range(len(values))]
    weights = [weight(v, n) for v, n in zip(values, names, strict=True)]
    nodes = [node(op, ["x", *names], **attributes)]
    return model(nodes, [info("x", shape)], weights=weights, opset=opset)


def ints(*values):
    return np.array(values, np.int64)


def add_operands() -> None:
    name = "operand:"
    add(f"{name} too few", model([node("Add")]))
    add(f"{name} none", model([node("Relu", [])]))
    add(f"{name} too many", model([node("Relu", ["x", "x"])]))
    add(f"{name} empty name of a required one", model([node("Add", ["x", ""])]))
    add(f"{name} none of many", model([node("Concat", [], axis=0)]))
    add(f"{name} gap among many", model([node("Concat", ["x", "", "x"], axis=0)]))
    add(f"{name} too many results", model([node("Relu", ["x"], ["y", "z"])]))
    add(f"{name} shapes that do not broadcast", reading("Add", np.zeros((2, 4), "f")))
    add(f"{name} two element types", reading("Add", np.zeros((2, 3))))
    add(f"{name} type that the operator does not take", reading("And", np.zeros((2, 3), bool)))
    add(f"{name} product of other sizes", reading("MatMul", np.zeros((2, 4), "f")))
    add(f"{name} product with a scalar", reading("MatMul", np.float32(1)))
    add(f"{name} conv of another rank", model([node("Conv", ["x", "w"])], weights=[W]))
    channels = [info("x", (1, 5, 8, 8))]
    add(f"{name} conv of other channels", model([node("Conv", ["x", "w"])], channels, weights=[W]))
    add(f"{name} reshape to another count", reading("Reshape", ints(4, 2)))
    add(f"{name} reshape with two unknowns", reading("Reshape", ints(-1, -1)))
    add(f"{name} reshape to a negative size", reading("Reshape", ints(-2, 3)))
    add(f"{name} reshape to the limit", reading("Reshape", ints(INT64_MAX, 2)))
    add(f"{name} reshape keeping a size that is not there", reading("Reshape", ints(1, 1, 0)))
    add(f"{name} reshape by floats", reading("Reshape", np.float32([6])))
    add(f"{name} expand to the limit", reading("Expand", ints(INT64_MAX, 2, 3)))
    add(f"{name} expand to 2^40", reading("Expand", ints(2**40, 2, 3)))
    add(f"{name} expand to a negative size", reading("Expand", ints(-5, 2, 3)))
    add(f"{name} tile 2^40 times", reading("Tile", ints(2**40, 1)))
    add(f"{name} tile negative times", reading("Tile", ints(-1, 1)))
    add(f"{name} tile of another rank", reading("Tile", ints(1, 1, 1)))
    add(f"{name} pad by 2^40", reading("Pad", ints(0, 0, 2**40, 0)))
    add(f"{name} pad away more than there is", reading("Pad", ints(-9, 0, 0, 0)))
    add(f"{name} pad of another rank", reading("Pad", ints(1, 1)))
    add(f"{name} slice step of zero", reading(
        "Slice", ints(0), ints(2), ints(0), ints(0)))  # fmt: skip
    add(f"{name} slice axis", reading("Slice", ints(0), ints(2), ints(7)))
    add(f"{name} slice with ends missing", reading("Slice", ints(0, 0), ints(2)))
    add(f"{name} squeeze of a size above one", reading("Squeeze", ints(0)))
    add(f"{name} unsqueeze one axis twice", reading("Unsqueeze", ints(1, 1)))
    add(f"{name} unsqueeze at the limit", reading("Unsqueeze", ints(INT64_MAX)))
    add(f"{name} unsqueeze 40 axes", reading("Unsqueeze", ints(*range(40))))
    split = node("Split", ["x", "w"], ["y", "z"], axis=1)
    add(f"{name} split that does not add up", model([split], weights=[weight(ints(1, 1))]))
    add(f"{name} split into negative parts", model([split], weights=[weight(ints(-1, 4))]))
    add(f"{name} gather known index out of range", reading("Gather", ints(7)))
    add(f"{name} gather index at the limit", reading("Gather", ints(INT64_MIN)))
    add(f"{name} gather by floats", reading("Gather", np.float32([0])))
    add(f"{name} reduce over a missing axis", reading("ReduceSum", ints(5)))
    add(f"{name} reduce over one axis twice", reading("ReduceSum", ints(1, 1)))
    add(f"{name} cumulative sum over a missing axis", reading("CumSum", np.int64(9)))
    add(f"{name} constant of 2^60 elements", model(
        [node("ConstantOfShape", ["w"])], [], weights=[weight(ints(2**30, 2**30))]))  # fmt: skip
    add(f"{name} constant of negative shape", model(
        [node("ConstantOfShape", ["w"])], [], weights=[weight(ints(-4))]))  # fmt: skip
    bounds = [weight(np.float32(v), n) for v, n in ((0, "a"), (1e12, "b"), (1e-3, "c"))]
    add(f"{name} range of 10^15 numbers", model(
        [node("Range", ["a", "b", "c"])], [], weights=bounds))  # fmt: skip
    step = [weight(np.float32(v), n) for v, n in ((0, "a"), (9, "b"), (0, "c"))]
    add(f"{name} range with step zero", model(
        [node("Range", ["a", "b", "c"])], [], weights=step))  # fmt: skip
    add(f"{name} one-hot of depth 2^50", model(
        [node("OneHot", ["i", "d", "v"])], [info("i", (2,), INT64)],
        weights=[weight(np.int64(2**50), "d"), weight(np.float32([0, 1]), "v")]))  # fmt: skip
    add(f"{name} normalization of other sizes", reading(
        "LayerNormalization", np.zeros(4, "f")))  # fmt: skip
    stats = [np.zeros(5, "f")] * 4
    add(f"{name} batch normalization of other sizes", reading(
        "BatchNormalization", *stats, shape=(1, 3, 2, 2)))  # fmt: skip


def add_indices() -> None:
    name = "index:"
    for op, indices in (
        ("Gather", ints(0, -2, 2)),
        ("GatherElements", ints([0, 1, 1], [-2, 2, 0])),
        ("GatherND", ints([0, 2], [1, -4])),
    ):
        add(f"{name} {op}", reading(op, indices))
    writing = model(
        [node("ScatterElements", ["x", "w", "x"])], weights=[weight(np.full((2, 3), 2))]
    )
    add(f"{name} ScatterElements", writing)
    writing = model([node("ScatterND", ["x", "w", "x"])], weights=[weight(ints([0], [-3]))])
    add(f"{name} ScatterND", writing)
    image = [info("x", (1, 1, 2, 2))]
    places = weight(ints([[[0, 3], [8, 16]]]).reshape(1, 1, 2, 2))
    unpool = node("MaxUnpool", ["x", "w"], kernel_shape=[2, 2], strides=[2, 2])
    add(f"{name} MaxUnpool", model([unpool], image, weights=[places]))
    regions = [weight(np.zeros((2, 4), "f"), "r"), weight(ints(0, 1))]
    add(f"{name} RoiAlign of an image that is not there", model(
        [node("RoiAlign", ["x", "r", "w"])], image, weights=regions))  # fmt: skip
    add(f"{name} ReverseSequence longer than the sequence", reading(
        "ReverseSequence", ints(2, 3, 1)))  # fmt: skip
    cache = node("TensorScatter", ["x", "u", "w"], axis=1)
    add(f"{name} TensorScatter beyond the cache", model(
        [cache], [info("x", (1, 4, 2)), info("u", (1, 2, 2))], weights=[weight(ints(3))],
        opset=24))  # fmt: skip


# ---- declarations


def add_declarations() -> None:
    name = "declared:"
    add(f"{name} input of 2^40 elements", model(inputs=[info("x", (2**40, 2))]))
    add(f"{name} input at the limit", model(inputs=[info("x", (INT64_MAX, INT64_MAX))]))
    add(f"{name} input of rank 100", model(inputs=[info("x", (1,) * 100)]))
    add(f"{name} input without rank", model(inputs=[info("x", None)]))
    add(f"{name} input without type", model(inputs=[onnx.ValueInfoProto(name="x")]))
    add(f"{name} input of unknown element type", changed(
        lambda m: setattr(m.graph.input[0].type.tensor_type, "elem_type", 77)))  # fmt: skip
    add(f"{name} input of strings", model(inputs=[info("x", (2,), STRING)]))
    add(f"{name} output of another type", model(outputs=[info("y", (2, 3), INT64)]))
    add(f"{name} output of another rank", model(outputs=[info("y", (2, 3, 1))]))
    add(f"{name} output of another shape", model(outputs=[info("y", (2, 4))]))
    add(f"{name} initializer of another shape", model(
        [node("Add", ["x", "w"])], [info("x"), info("w", (9, 9))],
        weights=[weight(np.zeros((2, 3), "f"))]))  # fmt: skip
    add(f"{name} initializer of another type", model(
        [node("Add", ["x", "w"])], [info("x"), info("w", (2, 3), INT64)],
        weights=[weight(np.zeros((2, 3), "f"))]))  # fmt: skip


# ---- functions


def function(name, nodes, *, inputs=("a",), outputs=("b",), **options):
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.acme", 1)]
    return helper.make_function("com.acme", name, inputs, outputs, nodes, opsets, **options)


def call(name, inputs=("a",), outputs=("b",), **attributes):
    return node(name, inputs, outputs, domain="com.acme", **attributes)


def doubling(levels: int):
    functions = [function("f0", [node("Neg", ["a"], ["b"])])]
    for level in range(1, levels):
        body = [call(f"f{level - 1}", ["a"], ["t"]), call(f"f{level - 1}", ["t"], ["b"])]
        functions.append(function(f"f{level}", body))
    return model([call(f"f{levels - 1}", ["x"], ["y"])], functions=functions)


def chained(levels: int):
    functions = [function("f0", [node("Neg", ["a"], ["b"])])]
    for level in range(1, levels):
        functions.append(function(f"f{level}", [call(f"f{level - 1}")]))
    return model([call(f"f{levels - 1}", ["x"], ["y"])], functions=functions)


def add_functions() -> None:
    name = "function:"
    neg = function("f", [node("Neg", ["a"], ["b"])])
    use = [call("f", ["x"], ["y"])]
    add(f"{name} that calls itself", model(use, functions=[function("f", [call("f")])]))
    pair = [function("f", [call("g")]), function("g", [call("f")])]
    add(f"{name} pair that calls itself", model(use, functions=pair))
    add(f"{name} expands to 2^60 nodes", doubling(61))
    add(f"{name} expands to 2^2000 nodes", doubling(2001))
    add(f"{name} calls nested 2000 deep", chained(2000))
    add(f"{name} defined twice", model(use, functions=[neg, neg]))
    add(f"{name} with too many inputs", model([call("f", ["x", "x"], ["y"])], functions=[neg]))
    add(f"{name} with too many results", model([call("f", ["x"], ["y", "z"])], functions=[neg]))
    add(f"{name} with an unknown attribute", model(
        [call("f", ["x"], ["y"], k=1)], functions=[neg]))  # fmt: skip
    undefined = function("f", [node("Neg", ["c"], ["b"])])
    add(f"{name} reads an undefined value", model(use, functions=[undefined]))
    add(f"{name} without its result", model(
        use, functions=[function("f", [node("Neg", ["a"], ["c"])])]))  # fmt: skip
    add(f"{name} leaves out what it needs", model(
        [call("f", [""], ["y"])], functions=[neg]))  # fmt: skip
    add(f"{name} fault inside", model(
        use, functions=[function("f", [node("Softmax", ["a"], ["b"], axis=9)])]))  # fmt: skip
    add(f"{name} returns an input that is left out", model(
        [call("f", [""], ["y"])], functions=[function("f", [], outputs=["a"])]))  # fmt: skip
    add(f"{name} of the standard that does not apply", model(
        [node("CenterCropPad", ["x", "w"], axes=[9])], weights=[weight(ints(1))]))  # fmt: skip


for _group in (
    add_bytes, add_names, add_versions, add_initializers, add_external, add_attributes,
    add_operands, add_indices, add_declarations, add_functions,
):  # fmt: skip
    _group()


def messages() -> Iterator[tuple[str, str]]:
    """Yield every case with its message, made in this process."""
    for name, make in CASES.items():
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root) / "model"
            folder.mkdir()
            path = folder / "bad.onnx"
            path.write_bytes(make(folder))
            yield name, message(str(path))


if __name__ == "__main__":
    text = "".join(f"\n## {name}\n{said}\n" for name, said in messages())
    SNAPSHOT.write_text("Messages for the files of malformed.py, which writes this file.\n" + text)
    sys.stdout.write(f"{len(CASES)} messages\n")
