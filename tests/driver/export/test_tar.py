"""Exported archives: their members, their graph, and archives that are refused."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.runtime import load_module
from tilewright.runtime.abi.library import LoadError
from tilewright.testing.models import ffn_model

from ...runtime.test_session import CAPACITY, DECODER, STATE
from ..sizes.test_data_sizes import detector_tail
from .exported import plain_names
from .test_load_module import X, assert_equal, compiled, results

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "graph.schema.json").read_text())


@pytest.fixture(scope="module")
def module() -> tilewright.CompiledModule:
    return compiled(ffn_model(m=4, k=8, n=8))


def contents(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as tar:
        return {info.name: tar.extractfile(info).read() for info in tar}


def write(path: Path, parts: dict[str, bytes], kind: bytes = tarfile.REGTYPE) -> None:
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        for name, data in parts.items():
            info = tarfile.TarInfo(name)
            info.size, info.type = len(data), kind if name == "m.so" else tarfile.REGTYPE
            tar.addfile(info, io.BytesIO(data))


@pytest.mark.parametrize("embed", [False, True])
def test_an_archive_has_four_members(module, tmp_path, embed):
    assert module.export_library(tmp_path / "m.tar", embed=embed) == [tmp_path / "m.tar"]
    parts = contents(tmp_path / "m.tar")
    assert plain_names(parts) == ["manifest.json", "m.so", "m.json", "m.so.*.safetensors"]
    manifest = json.loads(parts.pop("manifest.json"))
    for role, name in zip(("library", "graph", "params"), parts, strict=True):
        digest = hashlib.sha256(parts[name]).hexdigest()
        assert manifest[role] == {"name": name, "bytes": len(parts[name]), "sha256": digest}
    assert_same_graph(parts["m.json"].decode(), module.get_graph_json())


def assert_same_graph(exported: str, made: str) -> None:
    """Graphs are equal, but a file asks only for the features that its code uses."""
    ours, theirs = json.loads(exported), json.loads(made)
    assert {*ours.pop("cpu_flags")} <= {*theirs.pop("cpu_flags")}
    assert ours == theirs


@pytest.mark.parametrize("verify", [False, True])
def test_an_archive_is_loaded_without_its_folder(module, tmp_path, verify):
    module.export_library(tmp_path / "m.tar")
    assert_equal(results(load_module(tmp_path / "m.tar", verify=verify), [X]), results(module, [X]))


def test_extracted_members_are_a_library(module, tmp_path):
    module.export_library(tmp_path / "m.tar")
    shutil.unpack_archive(tmp_path / "m.tar", tmp_path / "out")
    assert_equal(results(load_module(tmp_path / "out" / "m.so"), [X]), results(module, [X]))


def test_an_archive_of_another_program_is_loaded(module, tmp_path):
    module.export_library(tmp_path / "m.tar")
    write(tmp_path / "n.tar", dict(sorted(contents(tmp_path / "m.tar").items())))
    assert_equal(results(load_module(tmp_path / "n.tar"), [X]), results(module, [X]))
    with pytest.raises(LoadError, match="headers that export_library does not write"):
        load_module(tmp_path / "n.tar", verify=True)


def test_a_program_without_weights_has_empty_params(tmp_path):
    a = te.placeholder((4, 8), "float32", "a")
    module = tilewright.build([a, te.compute((4, 8), lambda i, j: a[i, j] * 2.0, "b")])
    module.export_library(tmp_path / "m.tar")
    np.testing.assert_array_equal(load_module(tmp_path / "m.tar", verify=True)(X), 2 * X)


def damaged(parts: dict[str, bytes], name: str, at: int) -> dict[str, bytes]:
    data = bytearray(parts[name])
    data[at] ^= 1
    return {**parts, name: bytes(data)}


@pytest.mark.parametrize(
    ("change", "got"),
    [
        (lambda parts: damaged(parts, "m.so", 4000), "m.so differs from its digest"),
        (lambda parts: damaged(parts, "m.json", 9), "m.json differs from its digest"),
        (
            lambda parts: damaged(parts, [*parts][-1], -1),
            ".safetensors differs from its digest",
        ),
        (
            lambda parts: {**parts, "more": b""},
            ".safetensors, more",
        ),
        (lambda parts: {n: d for n, d in parts.items() if n != "m.json"}, "members manifest.json"),
        (lambda parts: {("../m.so" if n == "m.so" else n): d for n, d in parts.items()}, "members"),
        (lambda parts: {**parts, "m.so": parts["m.json"], "m.json": parts["m.so"]}, "m.so differs"),
        (lambda parts: {**parts, "manifest.json": b"{}"}, "'sha256'"),
        (lambda parts: {**parts, "manifest.json": b" " * (1 << 21)}, "manifest.json is too long"),
        (lambda parts: {**parts, "manifest.json": b"[1]"}, "manifest.json is no object"),
    ],
)
def test_changed_archives_are_refused(
    module, tmp_path, change: Callable[[dict[str, bytes]], dict[str, bytes]], got: str
):
    module.export_library(tmp_path / "m.tar")
    write(tmp_path / "m.tar", change(contents(tmp_path / "m.tar")))
    with pytest.raises(LoadError, match=r"is no archive of a module") as caught:
        load_module(tmp_path / "m.tar")
    assert got in str(caught.value)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE])
def test_links_and_folders_are_refused(module, tmp_path, kind):
    module.export_library(tmp_path / "m.tar")
    write(tmp_path / "m.tar", contents(tmp_path / "m.tar"), kind)
    with pytest.raises(LoadError, match="is no archive of a module"):
        load_module(tmp_path / "m.tar")


def test_a_graph_follows_its_schema(tmp_path):
    for number, made in enumerate(
        (
            compiled(DECODER, state=STATE, capacity=CAPACITY),
            compiled(detector_tail()),
            compiled(ffn_model(m="rows", k=8, n=8)),
        )
    ):
        graph = json.loads(made.get_graph_json())
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        jsonschema.validate(graph, SCHEMA)
        made.export_library(tmp_path / f"{number}.so")
        assert_same_graph(
            load_module(tmp_path / f"{number}.so").get_graph_json(), json.dumps(graph)
        )
        assert [spec["name"] for spec in graph["inputs"]] == [spec.name for spec in made.inputs]
        assert sum(kernel["calls"] for kernel in graph["kernels"]) > 0


def test_a_graph_lists_states_and_bounds():
    graph = json.loads(compiled(DECODER, state=STATE, capacity=CAPACITY).get_graph_json())
    assert graph["states"][0] == {"input": "past_k", "output": "k", "axis": 2, "capacity": 12}
    shapes = [
        spec["shape"] for spec in json.loads(compiled(detector_tail()).get_graph_json())["outputs"]
    ]
    assert shapes[0] == ["<=8", 4]
