"""Networks from both exporters of torch, compiled, against double precision.

The graphs are in tests/fixtures, without weights, which are drawn when a file is read. For a
network with dynamic sizes, the file with symbolic sizes is run, bound by the first call; the file
with fixed sizes is imported. benchmarks/models.py runs all of them; docs/models.md has its table.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

import tilewright
from tilewright.frontend.onnx.importer import import_model
from tilewright.testing.fixtures import fixture_inputs, fixture_model
from tilewright.testing.reference import reference_results, relative_error, tolerance
from tilewright.testing.worker import WorkerProcess

from ..peer import peer_results
from ..sweeps import sampled

FOLDER = Path(__file__).parents[1] / "fixtures"
NATIVE = str(Path(__file__).with_name("native.py"))
NAMES = sorted(path.stem for path in FOLDER.glob("*.onnx"))
COMPILED = [name for name in NAMES if f"{name}_symbolic" not in NAMES]
LIMIT_BYTES = 200_000


def test_both_exporters_wrote_every_network() -> None:
    scripted, captured = (
        {name.replace(exporter, "") for name in NAMES if exporter in name}
        for exporter in ("_script", "_dynamo")
    )
    assert scripted == captured
    assert len(scripted) > 10


@pytest.mark.parametrize("name", NAMES)
def test_a_fixture_is_small_and_imports(name: str) -> None:
    path = FOLDER / f"{name}.onnx"
    assert path.stat().st_size < LIMIT_BYTES
    inputs = fixture_inputs(onnx.load(path))
    import_model(path, shapes={key: x.shape for key, x in inputs.items()}).verify()


@pytest.mark.slow
def test_sizes_bound_at_compile_give_what_open_sizes_give() -> None:
    model = fixture_model(FOLDER / "bert_dynamo_symbolic.onnx")
    inputs = fixture_inputs(model, sizes={"batch": 2, "sequence": 5})
    bound = tilewright.compile(model, shapes={name: x.shape for name, x in inputs.items()})
    opened = tilewright.compile(model)
    assert not opened.reason
    for x, y in zip(bound.run(inputs), opened.run(inputs), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", sampled(COMPILED, str, one_in=3, slow=True, each_family=False))
def test_a_network_is_as_exact_as_onnxruntime(
    name: str, worker: WorkerProcess, tmp_path: Path
) -> None:
    model = fixture_model(FOLDER / f"{name}.onnx")
    inputs = fixture_inputs(model)
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    serial, parallel = worker.call(f"{NATIVE}:run", str(path), inputs, (1, 2), timeout_s=600.0)
    assert [x.tobytes() for x in serial] == [x.tobytes() for x in parallel]
    exact = reference_results(model, inputs)
    rows = zip(model.graph.output, serial, peer_results(model, inputs), exact, strict=True)
    for value, ours, theirs, expected in rows:
        assert ours.shape == expected.shape, value.name
        error, bound = relative_error(ours, expected), tolerance(theirs, expected)
        assert error <= bound, f"{value.name}: relative error {error:.2e}, allowed {bound:.2e}"


def test_weights_are_seeded_and_spread_as_the_file_says() -> None:
    path = FOLDER / "bert_dynamo.onnx"
    first, second = fixture_model(path), fixture_model(path)
    assert first.SerializeToString() == second.SerializeToString()
    assert first.SerializeToString() != fixture_model(path, seed=1).SerializeToString()
    weights = {t.name: onnx.numpy_helper.to_array(t) for t in first.graph.initializer}
    words = weights["words.weight"]
    assert words.shape == (1000, 256)
    assert abs(words.std() - 1) < 0.01
    assert abs(weights["norm.weight"].mean() - 1) < 0.05
