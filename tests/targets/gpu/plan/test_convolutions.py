"""The plan of convolutions as implicit products: results, barriers, choices and languages."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import tilewright
from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.dialects import simt
from tilewright.dialects.loop import AllocOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.interp.simt import Race
from tilewright.machines.target import Target
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import product, tensor_product

from ....gpu_tools import needs_lld
from ....lowering.shims import BARRIERS, ShimModule
from ....opencl_device import opencl_device
from ....peer import peer_results
from ....sweeps import in_turn, sampled
from .test_amd_matrices import emulated_and_interpreted

RNG = np.random.default_rng(0)
CUDA = "cuda -arch=sm_80"
NARROW = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
BOUNDS = {"float16": 2e-3, "bfloat16": 2e-2}

Sizes = dict[str, int]
CASES: dict[str, tuple[str, str, Sizes]] = {
    "3x3": ("T[1, 16, 9, 9] x, T[20, 16, 3, 3] w", "pads = [1, 1, 1, 1]", {}),
    "rows of 5": ("T[1, 8, 16, 5] x, T[16, 8, 3, 3] w", "pads = [1, 1, 1, 1]", {}),
    "1x1": ("T[2, 24, 8, 8] x, T[16, 24, 1, 1] w", "", {}),
    "every second pixel": ("T[2, 40, 9, 7] x, T[20, 40, 1, 1] w", "strides = [2, 2]", {}),
    "5x5 stride": ("T[1, 5, 13, 12] x, T[17, 5, 5, 5] w",
                   "pads = [2, 2, 2, 2], strides = [2, 2]", {}),
    "7x7 three channels": ("T[1, 3, 17, 17] x, T[16, 3, 7, 7] w",
                           "pads = [3, 3, 3, 3], strides = [2, 1]", {}),
    "dilation": ("T[1, 8, 11, 12] x, T[16, 8, 3, 3] w",
                 "dilations = [2, 3], pads = [2, 0, 1, 3]", {}),
    "groups": ("T[1, 32, 6, 6] x, T[32, 16, 3, 3] w", "pads = [1, 1, 1, 1], group = 2", {}),
    "batch": ("T[7, 16, 3, 3] x, T[16, 16, 3, 3] w", "pads = [1, 1, 1, 1]", {}),
    "one dimension": ("T[2, 12, 30] x, T[16, 12, 5] w", "pads = [4, 0]", {}),
    "open image": ("T[2, 16, h, w] x, T[16, 16, 3, 3] w", "pads = [1, 1, 1, 1], strides = [2, 1]",
                   {"h": 19, "w": 11}),
    "open groups": ("T[n, 32, h, w] x, T[32, 16, 3, 3] w", "group = 2", {"n": 2, "h": 12, "w": 5}),
    "open batch": ("T[n, 16, 5, 5] x, T[16, 16, 3, 3] w", "pads = [1, 1, 1, 1]", {"n": 3}),
    "open length": ("T[1, 16, l] x, T[16, 16, 3] w", "dilations = [2]", {"l": 41}),
}  # fmt: skip
"""Signatures, attributes, and numbers for their open sizes."""


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let small convolutions have tiles, too."""
    for module in (product, tensor_product):
        monkeypatch.setattr(module, "direct_clocks", lambda _view, _points: float("inf"))


def model_of(name: str, dtype: str = "float", *, epilogue: bool = True) -> onnx.ModelProto:
    """Return a convolution with a bias, a residual and relu behind it."""
    signature, attributes, _ = CASES[name]
    filters = signature.split("w, ")[0].split("T[")[-1].split(",")[0]
    result = ", ".join("abcd"[: signature.split("]")[0].count(",") + 1])
    body = f"y = Conv <{attributes}> (x, w)"
    if epilogue:
        signature += f", T[{filters}] b"
        body = f"c = Conv <{attributes}> (x, w, b) y = Relu (c)"
    body = body.replace(" <>", "")
    text = f"{signature}) => (T[{result}] y) {{ {body} }}".replace("T[", f"{dtype}[")
    head = '<ir_version: 10, opset_import: ["": 22]> convolution ('
    return onnx.parser.parse_model(head + text)


def arrays_of(name: str, dtype: str = "float", sizes: Sizes | None = None) -> list[np.ndarray]:
    """Return random inputs."""
    numbers = sizes or CASES[name][2]
    shapes = [text.split("]")[0].split(", ") for text in CASES[name][0].split("T[")[1:]]
    shapes.append([shapes[1][0]])
    given = [[numbers.get(n) or int(n) for n in shape] for shape in shapes]
    return [RNG.standard_normal(shape).astype(NARROW.get(dtype, np.float32)) for shape in given]


def expected(name: str, arrays: list[np.ndarray]) -> np.ndarray:
    """Return what onnxruntime computes in f32."""
    return peer_results(model_of(name), [a.astype(np.float32) for a in arrays])[0]


def lowered(model: onnx.ModelProto, target: str = "opencl") -> ModuleOp:
    module = import_model(model)
    run_pipeline(module, new_context(), Target(target), to="simt")
    verify_module(module)
    verify_positions(module)
    return module


def count(module: ModuleOp, kind: type[simt.MmaOp | simt.BarrierOp]) -> int:
    return sum(isinstance(op, kind) for op in module.walk())


def scopes(module: ModuleOp) -> list[str]:
    """Return the scopes of the buffers of the last kernel; another one may pack filters."""
    *_, kernel = kernel_functions(module)
    return sorted(op.scope.data for op in kernel.walk() if isinstance(op, AllocOp))


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", sampled(CASES, str, one_in=3, each_family=False))
def test_convolutions_have_tiles_in_shared_memory(name: str) -> None:
    """The interpreter reports races, and accesses outside of buffers."""
    module = lowered(model_of(name))
    assert scopes(module) == ["local", "shared", "shared"]
    assert count(module, simt.BarrierOp) == 2
    arrays = arrays_of(name)
    (got,) = packed.run(module, *arrays)
    np.testing.assert_allclose(got, expected(name, arrays), rtol=1e-5, atol=1e-4)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", sampled(CASES, str, one_in=3, each_family=False))
def test_convolutions_copy_tiles_ahead(name: str) -> None:
    """Asynchronous copies of single elements write zeros for the border."""
    module = lowered(model_of(name), CUDA)
    assert any(isinstance(op, simt.AsyncCopyOp) for op in module.walk())
    arrays = arrays_of(name)
    (got,) = packed.run(module, *arrays)
    np.testing.assert_allclose(got, expected(name, arrays), rtol=1e-5, atol=1e-4)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("name", sampled(CASES, str, one_in=2, each_family=False))
def test_convolutions_of_16_bit_floats_use_matrix_instructions(name: str) -> None:
    dtype = "float16" if len(name) % 2 else "bfloat16"
    module = lowered(model_of(name, dtype), CUDA)
    assert count(module, simt.MmaOp) > 0
    arrays = arrays_of(name, dtype)
    (got,) = packed.run(module, *arrays)
    want = expected(name, arrays)
    bound = BOUNDS[dtype] * float(np.abs(want).max())
    np.testing.assert_allclose(got.astype(np.float32), want, rtol=0, atol=bound)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize(
    ("name", "dtype", "processor"),
    [
        # Products run on both processors by day, in test_amd_matrices.py.
        pytest.param(*case, processor, marks=[pytest.mark.nightly] * (case[0] != "3x3" or n > 0))
        for case in [("3x3", "float16"), ("groups", "bfloat16"), ("open image", "float")]
        for n, processor in enumerate(["gfx942", "gfx1100"])
    ],
)
@needs_lld
def test_convolutions_run_in_the_emulator_of_amd(name: str, dtype: str, processor: str) -> None:
    pytest.importorskip("tinygrad", reason="no tinygrad: pip install tilewright[test]")
    target = f"rocm -mcpu={processor}"
    module = tilewright.compile(model_of(name, dtype), target=target, strict_plan=True, cache=False)
    assert bool(re.search("v_mfma|v_wmma", module.get_source("amdgcn"))) == (dtype in NARROW)
    arrays = arrays_of(name, dtype)
    got, _ = emulated_and_interpreted(module, processor, *arrays)
    want = expected(name, arrays)
    bound = BOUNDS.get(dtype, 1e-5) * float(np.abs(want).max())
    np.testing.assert_allclose(got.astype(np.float32), want, rtol=0, atol=bound)


@pytest.mark.usefixtures("any_size")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_convolutions_run_on_a_device(name: str) -> None:
    opencl_device()
    module = tilewright.compile(model_of(name), target="opencl", strict_plan=True, cache=False)
    other = {"open image": [{"h": 5, "w": 40}, {"h": 1, "w": 1}], "open batch": [{"n": 11}]}
    for sizes in (CASES[name][2], *other.get(name, [])):
        arrays = arrays_of(name, sizes=sizes)
        got = np.asarray(module(*arrays))
        np.testing.assert_allclose(got, expected(name, arrays), rtol=1e-5, atol=1e-4)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize(
    ("name", "dtype"), [("3x3", "float"), ("open image", "float"), ("groups", "float16")]
)
def test_each_barrier_of_a_convolution_is_needed(name: str, dtype: str) -> None:
    """The interpreter reports a race without it."""
    planned = lowered(model_of(name, dtype), CUDA)
    arrays = arrays_of(name, dtype)
    for number in range(count(planned, simt.BarrierOp)):
        module = planned.clone()
        [op for op in module.walk() if isinstance(op, simt.BarrierOp)][number].detach()
        with pytest.raises(Race):
            packed.run(module, *arrays)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize(
    ("name", "language"), in_turn(["5x5 stride", "open groups"], [(name,) for name in BARRIERS])
)
def test_threads_of_convolutions_exchange_data(name: str, language: str, tmp_path: Path) -> None:
    """Source and LLVM IR run with fibers as threads; without barriers they compute other sums."""
    target = "cuda" if language == "ll" else language
    compiled = tilewright.compile(model_of(name), target=target, strict_plan=True, cache=False)
    module = Parser(new_context(), compiled.get_source("packed")).parse_module()
    arrays, source = arrays_of(name), compiled.get_source(language)
    want = expected(name, arrays)
    (tmp_path / "whole").mkdir()
    (got,) = ShimModule(module, language, source, tmp_path / "whole")(*arrays)
    np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-4)
    without = source.replace(BARRIERS[language], "")
    assert without != source
    (wrong,) = ShimModule(module, language, without, tmp_path)(*arrays)
    assert not np.allclose(wrong, want, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize(
    ("signature", "attributes", "reason"),
    [
        ("float[1, 64, 28, 28] x, float[8, 64, 3, 3] w", "", "fewer than 12 filters of a group"),
        ("float[1, 64, 28, 28] x, float[64, 8, 3, 3] w", "group = 8", "fewer than 12 filters"),
        ("float[1, 44, 28, 28] x, float[64, 11, 3, 3] w", "group = 4", "no tile divides the sums"),
        ("float[1, 64, 28, 28] x, float[58, 32, 3, 3] w", "group = 2", "no tile divides the sums"),
        ("float[1, 4, 8, 8] x, float[16, 4, 3, 3] w", "", "clocks of the model"),
    ],
    ids=["filters", "groups", "steps", "ragged groups", "clocks"],
)
def test_other_convolutions_have_a_thread_per_element(
    signature: str, attributes: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    head = '<ir_version: 10, opset_import: ["": 22]> convolution ('
    options = f" <{attributes}>" if attributes else ""
    text = f"{signature}) => (float[a, b, c, d] y) {{ y = Conv{options} (x, w) }}"
    with caplog.at_level(logging.INFO, "tilewright.targets"):
        module = lowered(onnx.parser.parse_model(head + text))
    assert scopes(module) == []
    assert reason in caplog.text


def test_a_depthwise_convolution_is_no_product(caplog: pytest.LogCaptureFixture) -> None:
    head = '<ir_version: 10, opset_import: ["": 22]> convolution ('
    text = "float[1, 64, 28, 28] x, float[64, 1, 3, 3] w) => (float[a, b, c, d] y) "
    with caplog.at_level(logging.INFO, "tilewright.targets"):
        module = lowered(onnx.parser.parse_model(f"{head}{text}{{ y = Conv <group = 64> (x, w) }}"))
    copy_of_a_plane = ["shared"]
    assert (scopes(module), caplog.text) == (copy_of_a_plane, "")


BYTES = {
    "zeros": "T[2, 16, 7, 6] x, S[20, 16, 3, 3] w",
    "open groups": "T[1, 32, h, w] x, S[32, 16, 3, 3] w",
}


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize(("name", "types"), in_turn(BYTES, [("uint8, int8",), ("int8, int8",)]))
def test_convolutions_of_bytes_use_matrix_instructions(name: str, types: str) -> None:
    """Filters come first: a matrix instruction has operands of both signs."""
    signature = BYTES[name]
    image, filters = types.split(", ")
    group = "group = 2" if "S[32" in signature else "group = 1"
    text = signature.replace("T[", f"{image}[").replace("S[", f"{filters}[")
    body = f"y = ConvInteger <{group}, pads = [1, 1, 1, 1]> (x, w)"
    head = '<ir_version: 10, opset_import: ["": 22]> convolution ('
    model = onnx.parser.parse_model(f"{head}{text}) => (int32[a, b, c, d] y) {{ {body} }}")
    module = lowered(model, CUDA)
    assert count(module, simt.MmaOp) > 0
    shapes = [[int(n) if n.isdigit() else 5 for n in part.split("]")[0].split(", ")]
              for part in re.split(r"[TS]\[", signature)[1:]]  # fmt: skip
    x, w = (
        RNG.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, endpoint=True).astype(kind)
        for kind, shape in zip((image, filters), shapes, strict=True)
    )
    (got,) = packed.run(module, x, w)
    wide = onnx.parser.parse_model(
        f"{head}{re.sub('u?int8', 'float', text)}) => (float[a, b, c, d] y) "
        f"{{ {body.replace('ConvInteger', 'Conv')} }}"
    )
    want = peer_results(wide, {"x": x.astype(np.float32), "w": w.astype(np.float32)})[0]
    np.testing.assert_array_equal(got, np.asarray(want).astype(np.int32))
