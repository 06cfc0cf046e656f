"""Whole models from the cache: nothing is parsed, stale or damaged entries are not used."""

from __future__ import annotations

import dataclasses
import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tilewright
from tilewright.driver import source, store
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.driver.settings import CompilationSettings, settings_for
from tilewright.support.cache import DiskCache
from tilewright.support.diagnostics import ModelError
from tilewright.testing import models

from ..onnx_models import onnx_model

HIT = ["look-up", "load"]


def scale_model(factor: float = 2.0, size: int | str = 4) -> onnx.ModelProto:
    """Return a model of x times 32 numbers, the first of which is the factor."""
    weights = np.arange(32, dtype=np.float32)
    weights[0] = factor
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "w"], ["y"])],
        "scale",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [size, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [size, 32])],
        [numpy_helper.from_array(weights, "w")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def reshape_model() -> onnx.ModelProto:
    """Return a reshape to the shape given by an input."""
    return onnx_model(
        [helper.make_node("Reshape", ["x", "shape"], ["y"])],
        {"x": [4, 6], "shape": (TensorProto.INT64, [2])},
    )


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return DiskCache(tmp_path / "cache")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "model.onnx"
    onnx.save(scale_model(), file)
    return file


def compiled(model: object, **options) -> CompiledModule:
    made = tilewright.compile(model, **options)
    assert not made.reason
    return made


def is_hit(model: object, **options) -> bool:
    return list(compiled(model, **options).times) == HIT


def stored(cache: DiskCache) -> list[Path]:
    return sorted(cache.folder.rglob("*.model"))


# -- hits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["path", "text", "bytes", "proto"])
def test_the_second_compilation_is_looked_up(form: str, path: Path) -> None:
    model = {
        "path": path,
        "text": str(path),
        "bytes": path.read_bytes(),
        "proto": onnx.load(path),
    }[form]
    first, second = compiled(model), compiled(model)
    assert "import" in first.times
    assert list(second.times) == HIT
    assert (second.code, second.kernels) == (first.code, first.kernels)
    x = np.random.default_rng(0).standard_normal((4, 32)).astype(np.float32)
    assert np.asarray(second(x)).tobytes() == np.asarray(first(x)).tobytes()
    assert second.get_source("graph") == first.get_source("graph")


_WARM = """
import sys
import time
import numpy as np
import tilewright
mod = tilewright.compile(sys.argv[1])
assert list(mod.times) == ["look-up", "load"], mod.times
y = mod(np.ones((4, 32), np.float32)).numpy()
assert y[0, 0] == 2 and y[3, 31] == 31
loaded = {"onnx", "xdsl.ir", "llvmlite", "google.protobuf"} & set(sys.modules)
assert not loaded, loaded
assert "fmul" in mod.get_source("ll")
"""


def test_a_hit_in_another_process_needs_nothing_of_the_compiler(path: Path) -> None:
    compiled(path)
    subprocess.run([sys.executable, "-c", _WARM, str(path)], check=True, timeout=120)


def test_weights_are_mapped_and_stay_when_the_entry_goes(path: Path, cache: DiskCache) -> None:
    compiled(path)
    module = compiled(path)
    cache.clear()
    assert not stored(cache)
    assert np.asarray(module(np.ones((4, 32), np.float32)))[0, 5] == 5


def test_a_module_for_all_sizes_is_looked_up(tmp_path: Path) -> None:
    onnx.save(scale_model(size="n"), tmp_path / "open.onnx")
    for expected in (False, True):
        module = tilewright.compile(tmp_path / "open.onnx")
        assert not module.reason
        assert (list(module.times) == HIT) is expected
        assert [spec.shape for spec in (*module.inputs, *module.outputs)] == [("n", 32)] * 2
        for size in (1, 2, 300):
            y = np.asarray(module(np.ones((size, 32), np.float32)))
            np.testing.assert_array_equal(y[-1, 1:], np.arange(1, 32))


def test_what_needs_sizes_is_looked_up_and_so_is_each_kind_of_call(tmp_path: Path) -> None:
    model = scale_model(size="n")
    model.graph.input[0].type.tensor_type.ClearField("shape")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    onnx.save(model, tmp_path / "open.onnx")
    for expected in (False, True):
        module = tilewright.compile(tmp_path / "open.onnx")
        assert module.reason
        for sizes in ((2, 32), (5, 2, 32)):
            shape = (*(f"x_{axis}" for axis in range(len(sizes) - 1)), 32)
            special = module.specialize([np.ones(sizes, np.float32)])
            assert (list(special.times) == HIT) is expected
            assert special.outputs[0].shape == shape


def test_what_needs_values_is_looked_up_by_them() -> None:
    model, x = reshape_model(), np.arange(24, dtype=np.float32).reshape(4, 6)
    for _ in range(2):
        module = tilewright.compile(model)
        assert module.reason
        assert module.value_inputs == {"shape"}
        for shape in ((3, 8), (2, 12)):
            assert np.asarray(module(x, np.array(shape))).shape == shape
    assert list(module.specialize([x, np.array((3, 8))]).times) == HIT


# -- never stale ---------------------------------------------------------------------------------


def test_every_setting_is_part_of_the_key() -> None:
    settings = settings_for(None)
    for field in dataclasses.fields(CompilationSettings):
        other = dataclasses.replace(settings, **{field.name: ("another",)})
        assert other.key_parts() != settings.key_parts(), field.name


def test_another_model_target_shape_or_value_is_no_hit(path: Path) -> None:
    dynamic_model = scale_model(size="n")
    assert not is_hit(path)
    assert not is_hit(path, target="llvm -mcpu=x86-64")
    assert not is_hit(path, target="llvm -mcpu=x86-64 -l1-kib=16")
    assert not is_hit(path, values={"x": np.ones((4, 32), np.float32)})
    assert not is_hit(path, values={"x": np.zeros((4, 32), np.float32)})
    assert not is_hit(dynamic_model, shapes={"x": (2, 32)})
    assert not is_hit(dynamic_model, shapes={"x": (3, 32)})
    assert is_hit(path)
    assert is_hit(dynamic_model, shapes={"x": [np.int64(2), 32]})
    onnx.save(scale_model(3.0), path)
    assert not is_hit(path)
    assert np.asarray(compiled(path)(np.ones((4, 32), np.float32)))[0, 0] == 3


def test_more_threads_are_no_hit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(path)
    monkeypatch.setattr("tilewright.driver.settings.available_threads", lambda: 7)
    assert not is_hit(path)
    assert compiled(path).manifest.max_threads == 7


def test_another_compiler_is_no_hit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(path)
    monkeypatch.setattr(store, "compiler_key", lambda: "another")
    assert not is_hit(path)


def test_models_with_extensions_are_not_looked_up(path: Path, cache: DiskCache) -> None:
    for _ in range(2):
        assert not is_hit(path, extensions=[tilewright.Extension()])
    assert not stored(cache)


def save_external(factor: float, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "model.onnx"
    (folder / "weights").unlink(missing_ok=True)
    onnx.save(scale_model(factor), file, save_as_external_data=True, location="weights",
              size_threshold=0)  # fmt: skip
    time.sleep(0.02)  # files that changed just now are not trusted
    return file


def first_factor(module: CompiledModule) -> float:
    return float(np.asarray(module(np.ones((4, 32), np.float32)))[0, 0])


def test_external_data_counts_by_its_content(tmp_path: Path) -> None:
    two, three = save_external(2, tmp_path / "two"), save_external(3, tmp_path / "three")
    assert two.read_bytes() == three.read_bytes()
    assert [first_factor(compiled(file)) for file in (two, three)] == [2, 3]
    assert is_hit(two)
    assert is_hit(three)
    assert [first_factor(compiled(file)) for file in (two, three)] == [2, 3]
    save_external(3, tmp_path / "two")
    assert is_hit(two)
    assert first_factor(compiled(two)) == 3
    with (tmp_path / "two" / "weights").open("r+b") as file:
        file.write(np.float32(5).tobytes())
    time.sleep(0.02)
    assert not is_hit(two)
    assert first_factor(compiled(two)) == 5
    (tmp_path / "two" / "weights").unlink()
    with pytest.raises(ModelError, match="external data file is missing"):
        compiled(two)


def test_data_that_changes_while_it_is_read_is_not_kept(tmp_path: Path) -> None:
    file = save_external(2, tmp_path / "model")
    made = source.ModelSource(file)
    os.utime(tmp_path / "model" / "weights")
    assert made.data_digests(["weights"]) is None
    time.sleep(0.02)
    assert source.ModelSource(file).data_digests(["weights"]) is not None


def test_a_model_that_changed_gives_no_text(path: Path) -> None:
    module = compiled(path)
    onnx.save(scale_model(3.0), path)
    with pytest.raises(ModelError, match="has changed since it was compiled"):
        module.get_source("graph")
    proto = scale_model()
    module = compiled(proto)
    proto.graph.node[0].op_type = "Add"
    with pytest.raises(ModelError, match="has changed since it was compiled"):
        module.get_source("graph")
    assert not is_hit(proto)


def test_a_model_may_be_deleted(path: Path) -> None:
    module, text = compiled(path), compiled(path).get_source("te")
    path.unlink()
    assert module.get_source("te") == text


def test_large_models_in_memory_are_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "KEPT_BYTES", 64)
    for model in (scale_model(), scale_model().SerializeToString()):
        held = sys.getrefcount(model)
        module = compiled(model)
        assert sys.getrefcount(model) == held
        for read_again in (
            lambda module=module: module.get_source("graph"),
            lambda module=module: module.profile(np.ones((2, 32), np.float32)),
        ):
            with pytest.raises(ModelError, match=r"not in memory any more(.|\n)*onnx\.save"):
                read_again()
    # Programs compiled for the sizes of calls are needed as long as calls may come.
    special = tilewright.compile(scale_model(size="n"))
    assert np.asarray(special(np.ones((2, 32), np.float32)))[1, 7] == 7


# -- damage, and no room -------------------------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize("part", ["head", "code", "weights", "end", "half", "empty"])
def test_a_damaged_entry_is_made_again(part: str, path: Path, cache: DiskCache) -> None:
    first = compiled(path)
    (entry,) = stored(cache)
    data = bytearray(entry.read_bytes())
    at = {"head": 20, "code": 5000, "weights": len(data) - 100, "end": len(data) - 1}.get(part)
    if at is not None:
        data[at] ^= 4
    kept = {"half": len(data) // 2, "empty": 0}.get(part, len(data))
    entry.write_bytes(data[:kept])
    again = compiled(path)
    assert "import" in again.times
    assert again.code == first.code
    assert is_hit(path)


def test_a_full_disk_is_no_failure(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        assert first_factor(compiled(path)) == 2
        assert not is_hit(path)
    assert not list(path.parent.rglob(".writing-*"))
    assert not is_hit(path)
    assert is_hit(path)


def test_a_cache_that_is_too_small_keeps_no_model(
    path: Path, cache: DiskCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_BYTES", "1000")
    assert first_factor(compiled(path)) == 2
    assert not is_hit(path)
    assert not stored(cache)


def test_models_are_the_same_with_and_without_the_cache() -> None:
    model = models.ffn_model(m=4, k=8, n=8)
    assert compiled(model, cache=False).code == compiled(model).code == compiled(model).code
