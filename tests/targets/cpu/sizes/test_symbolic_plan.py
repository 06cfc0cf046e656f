"""Plans of kernels with symbolic sizes: right at every size, and of bounded code size."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import onnx.numpy_helper
import onnx.parser
import onnxruntime
import pytest
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright.dialects.sizes import record_sizes
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.lowering.loop_to_llvm.kernel import emit_kernel
from tilewright.machines.target import Target
from tilewright.support.entry import entry_of
from tilewright.support.registry import new_context
from tilewright.testing.code import code_reports
from tilewright.testing.models import ffn_model

TARGETS = ["native", "llvm -mcpu=x86-64-v3"]
SHAPES = [(96, 64), (768, 48), (1100, 100), (33, 40), (768, 300)]
"""(k, n): one pass, long sums in groups of panels, masked columns, an odd number of steps; small
weights, whose last tiles have few rows, and larger ones, whose tiles are even, with lower ones in a
narrower last panel."""


@cache
def product(k: int, n: int, target: str) -> CompiledModule:
    module = import_model(ffn_model(m="m", k=k, n=n))
    record_sizes(entry_of(module))
    return tilewright.compile_module(module, target=target, cache=False, strict_plan=True)


@cache
def session(k: int, n: int) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(ffn_model(m="m", k=k, n=n).SerializeToString())


def peer(k: int, n: int, x: np.ndarray) -> np.ndarray:
    return np.asarray(session(k, n).run(None, {"x": x})[0])


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("k", "n"), SHAPES)
def test_products_are_right_for_every_number_of_rows(k: int, n: int, target: str) -> None:
    module = product(k, n, target)
    for m in (*range(1, 20), 63, 64, 65, 197, 400):
        x = np.random.default_rng(m).standard_normal((m, k)).astype(np.float32)
        (got,) = module.run([x], threads=1)
        np.testing.assert_allclose(got, peer(k, n, x), atol=1e-4)
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)


@pytest.mark.parametrize("cpu", ["x86-64-v3", "skylake-avx512"])
@pytest.mark.parametrize("activation", ["Gelu", "Tanh"])
def test_code_of_symbolic_rows_is_at_most_three_times_the_static_code(
    activation: str, cpu: str
) -> None:
    """Static tiles of 128 rows have one height or two."""
    opened, static = (lines_of(activation, m, Target(f"llvm -mcpu={cpu}")) for m in ("m", 128))
    assert opened <= 3 * static


def lines_of(activation: str, m: int | str, target: Target) -> int:
    """Return the lines of LLVM IR of a product with bias and activation."""
    model = ffn_model(m=m, k=768, n=384)
    model.graph.node[-1].op_type = activation
    module = import_model(model)
    record_sizes(entry_of(module))
    return sum(report.lines for report in code_reports(module, target))


@pytest.mark.parametrize(("k", "n", "is_small"), [(768, 64, True), (768, 384, False)])
def test_few_heights_of_tiles_follow_whole_ones_in_small_products(
    k: int, n: int, is_small: bool
) -> None:
    """The time of the last tiles matters little, but each height has code."""
    script = schedule_of(ffn_model(m="m", k=k, n=n))
    (tile,) = (line for line in script if "even = [m]" in line)
    assert ("rest" in tile) == is_small


@pytest.mark.parametrize("cpu", ["x86-64-v3", "skylake-avx512"])
def test_code_of_a_narrower_last_panel_is_small(cpu: str) -> None:
    """The code of 1000 columns is less than 1.5 times that of 768, which are whole panels."""
    whole, more = (lines(ffn_model(m="m", k=768, n=n), cpu) for n in (768, 1000))
    assert whole < more <= 1.5 * whole


def schedule_of(model: onnx.ModelProto) -> list[str]:
    """Return the steps of the schedules of a model."""
    module = import_model(model)
    record_sizes(entry_of(module))
    run_pipeline(module, new_context(), Target("llvm -mcpu=skylake-avx512"), to="sched")
    return str(module).splitlines()


ELEMENTS = """<ir_version: 9, opset_import: ["" : 17]>
elements (float[{h}, {w}, 8] x) => (float[{h}, {w}] y)
<int64 c = {{1}}> {{
  s = Gather <axis = 2> (x, c)
  {nodes}
}}"""


@pytest.mark.parametrize("cpu", ["x86-64-v3", "skylake-avx512"])
@pytest.mark.parametrize("nodes", ["y = Add (s, s)", "e = Sigmoid (s)  y = Mul (e, s)"])
def test_tiles_of_packed_elements_have_one_vector(cpu: str, nodes: str) -> None:
    """Packing takes many instructions, which several vectors and their remainders would repeat."""
    opened, static = (
        lines(onnx.parser.parse_model(ELEMENTS.format(h=h, w=w, nodes=nodes)), cpu)
        for h, w in (("h", "w"), (40, 40))
    )
    assert opened <= 1.5 * static


def lines(model: onnx.ModelProto, cpu: str) -> int:
    """Return the lines of LLVM IR of the functions of all kernels of a model."""
    return sum(text.count("\n") for text in texts(model, cpu))


def texts(model: onnx.ModelProto, cpu: str) -> list[str]:
    """Return the LLVM IR of each function of the kernels of a model."""
    module, target = import_model(model), Target(f"llvm -mcpu={cpu}")
    record_sizes(entry_of(module))
    run_pipeline(module, new_context(), target, to="loop")
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    return [emit_kernel(f, target) for f in functions if f.sym_name.data != "main"]


def test_minima_and_quotients_of_sizes_are_computed_once() -> None:
    """The numbers of tiles of each height have common parts."""
    (text, *_) = texts(ffn_model(m="m", k=768, n=384), "skylake-avx512")
    entry = text[: text.index(" br ")].splitlines()
    made = [line.split(" = ")[1] for line in entry if re.search("@llvm.s(min|max)|[su]div", line)]
    assert len(made) == len(set(made)) > 8


ROWS = """<ir_version: 9, opset_import: ["" : 17]>
rows (float[n, 8] x) => (float[{k}, n] y)
<int64[1] first = {{4}}, int64[1] end = {{{end}}}, int64[1] axis = {{1}}> {{
  s = Slice (x, first, end, axis)
  t = Transpose <perm = [1, 0]> (s)
  y = {op} (t)
}}"""


@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("target", TARGETS)
def test_single_elements_end_few_rows_of_short_chains(k: int, target: str) -> None:
    """Overlapping vectors would be a statement behind the others, which writes elements again."""
    model, longer = (
        onnx.parser.parse_model(ROWS.format(k=k, end=4 + k, op=op)) for op in ("Neg", "Exp")
    )
    assert not any("rest" in line for line in schedule_of(model))
    assert any("rest" in line for line in schedule_of(longer))
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    for n in (*range(1, 36), 8191, 8192, 20007):
        x = random(n, 8)
        np.testing.assert_array_equal(module.run([x], threads=2)[0], -x.T[4 : 4 + k])


IMAGES = """<ir_version: 9, opset_import: ["" : 17]>
image (float[1, 128, {h}, {w}] x) => (float[1, 64, oh, ow] y) {{
  c = Conv <kernel_shape = [1, 1]> (x, w0)
  p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (c)
  y = Conv <kernel_shape = [3, 3], strides = [2, 2]> (p, w1)
}}"""


@pytest.mark.parametrize("cpu", ["x86-64-v3", "skylake-avx512"])
def test_code_of_open_images_is_at_most_three_times_the_static_code(cpu: str) -> None:
    """Convolutions and a pool over symbolic height and width."""
    opened, static = (
        lines_of_images(*size, Target(f"llvm -mcpu={cpu}")) for size in (("h", "w"), (40, 40))
    )
    assert opened <= 3 * static


def lines_of_images(h: int | str, w: int | str, target: Target) -> int:
    """Return the lines of LLVM IR of two convolutions and a pool."""
    model = onnx.parser.parse_model(IMAGES.format(h=h, w=w))
    shapes = {"w0": (128, 128, 1, 1), "w1": (64, 128, 3, 3)}
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(np.ones(shape, np.float32), name)
        for name, shape in shapes.items()
    )
    module = import_model(model)
    record_sizes(entry_of(module))
    return sum(report.lines for report in code_reports(module, target))


@pytest.mark.parametrize(("channels", "features", "steps"), [(512, 1024, 0), (4, 256, 1)])
def test_passes_over_open_images_have_no_blocks_of_rows(
    channels: int, features: int, steps: int
) -> None:
    """Blocks of rows would repeat the code of each pass.

    The 1024 features are divided into 16 tasks, enough for the cores; 256 features are too few.
    """
    script = schedule_of_open_image(channels, features)
    blocks = [line for line in script if re.search(r"sched.tile .*(h = 8|chunk)", line)]
    passes = [line for line in script if "sched.split_reduction" in line]
    assert (len(blocks), len(passes)) == (steps, 1 - steps)


def schedule_of_open_image(channels: int, features: int) -> list[str]:
    """Return the steps of a convolution with stride 2, whose windows are 3x3."""
    return schedule_of(dynamic_image(channels, features))


@pytest.mark.parametrize("features", [64, 512])
def test_tiles_of_open_images_prefetch_no_weights(features: int) -> None:
    assert not any("prefetch" in line for line in schedule_of_open_image(32, features))


def dynamic_image(channels: int, features: int) -> onnx.ModelProto:
    """Return a convolution of stride 2 over an image of dynamic height and width."""
    model = onnx.parser.parse_model(f"""<ir_version: 9, opset_import: ["" : 17]>
    image (float[1, {channels}, h, w] x) => (float[1, {features}, oh, ow] y) {{
      c = Conv <kernel_shape = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]> (x, w)
      y = Relu (c)
    }}""")
    draws = np.random.default_rng(0).standard_normal((features, channels, 3, 3))
    weights = (draws / 3 / channels**0.5).astype(np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    return model


@pytest.mark.parametrize("threads", [1, 2])
def test_passes_over_open_images_are_right(threads: int) -> None:
    model = dynamic_image(512, 512)
    module = tilewright.compile(model, threads=threads)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for h, w in ((1, 1), (2, 3), (5, 4), (17, 9), (20, 33)):
        x = np.random.default_rng(h).standard_normal((1, 512, h, w)).astype(np.float32)
        np.testing.assert_allclose(module(x), session.run(None, {"x": x})[0], atol=1e-4)


@pytest.mark.parametrize(
    ("channels", "features", "rows"), [(128, 1024, 2), (32, 64, 1), (128, 64, 1)]
)
def test_tiles_of_images_one_pixel_wide_have_several_rows(
    channels: int, features: int, rows: int
) -> None:
    """Weights that L1 holds are read fast enough; and groups of channels are tasks only if even."""
    script = schedule_of_open_image(channels, features)
    narrow = [line for line in script if re.search(r"sched.tile .*{h = 2, even = \[h\]}", line)]
    assert len(narrow) == rows - 1


@pytest.mark.parametrize("channels", [128, 512])
@pytest.mark.parametrize("target", TARGETS)
def test_images_one_pixel_wide_are_right(channels: int, target: str) -> None:
    """One pass over the channels, and several."""
    model = dynamic_image(channels, 256)
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    for h, w in (*((h, 1) for h in range(1, 12)), (28, 2), (3, 3), (9, 10)):
        x = random(1, channels, h, w)
        (got,) = module.run([x], threads=1)
        np.testing.assert_allclose(got, session.run(None, {"x": x})[0], atol=1e-4)
        np.testing.assert_array_equal(module.run([x], threads=2)[0], got)


@pytest.mark.parametrize(("channels", "features", "taps"), [(64, 16, 1), (64, 8, 3)])
def test_code_of_few_features_is_at_most_three_times_the_static_code(
    channels: int, features: int, taps: int
) -> None:
    """Tiles of one vector could have 28 heights; without a cost of code they would have 16."""
    opened, static = (lines_of_few(channels, features, taps, number) for number in ("h", 40))
    assert opened <= 3 * static


def lines_of_few(channels: int, features: int, taps: int, size: int | str) -> int:
    """Return the lines of LLVM IR of a convolution behind another one."""
    shapes = {"w0": (channels, 8, 1, 1), "w1": (features, channels, taps, taps)}
    width = size if isinstance(size, int) else "w"
    model = onnx.parser.parse_model(
        f"""<ir_version: 9, opset_import: ["" : 17]>
        image (float[1, 8, {size}, {width}] x) => (float[1, {features}, oh, ow] y) {{
          c = Conv (x, w0)
          y = Conv <auto_pad = "SAME_UPPER"> (c, w1)
        }}"""
    )
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(np.ones(shape, np.float32), name)
        for name, shape in shapes.items()
    )
    module = import_model(model)
    record_sizes(entry_of(module))
    return sum(report.lines for report in code_reports(module, Target("llvm -mcpu=skylake-avx512")))


HEADS = """<ir_version: 9, opset_import: ["" : 17]>
heads (float[batch, 3, {m}, 8] x, float[batch, {m}, 40] r) => (float[batch, {m}, 40] y)
<int64[3] shape = {{0, {m}, 24}}> {{
  t = Transpose <perm = [0, 2, 1, 3]> (x)
  rows = Reshape (t, shape)
  product = MatMul (rows, w)
  y = Add (product, r)
}}"""


@pytest.mark.parametrize("m", [1, 5, 49, 197])
@pytest.mark.parametrize("target", TARGETS)
def test_a_product_reads_heads_of_an_open_batch_in_place(m: int, target: str) -> None:
    """The sum has two parts, so that images and their rows stay apart; a tile has several rows."""
    w = random(24, 40)
    model = onnx.parser.parse_model(HEADS.format(m=m))
    model.graph.initializer.append(onnx.numpy_helper.from_array(w, "w"))
    module = tilewright.compile(model, target=target, cache=False, strict_plan=True)
    (kernel,) = module.kernels
    leaf = module.get_source("scheduled", kernel=kernel.name)
    assert f"{'b' if m < 8 else 'm'}: 1," not in leaf[: leaf.index("red]")]
    for batch in (1, 2, 7, 33):
        x, r = random(batch, 3, m, 8), random(batch, m, 40)
        (got,) = module.run([x, r], threads=1)
        wanted = x.transpose(0, 2, 1, 3).reshape(batch, m, 24) @ w + r
        np.testing.assert_allclose(got, wanted, atol=1e-5)
        np.testing.assert_array_equal(module.run([x, r], threads=2)[0], got)


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)
