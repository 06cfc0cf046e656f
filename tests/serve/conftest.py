"""A repository of small models, and a server of it in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import onnx.parser
import pytest

import tilewright

pytest.importorskip("starlette", reason="needs the extra serve")
pytest.importorskip("prometheus_client", reason="needs the extra serve")

MODELS = {
    "scale": "m (float[n, 3] x) => (float[n, 3] y) <float two = {2}> { y = Mul (x, two) }",
    "triple": "m (float[n, 3] x) => (float[n, 3] y) <float k = {3}> { y = Mul (x, k) }",
    "pick": "m (int64[n] i) => (float[n] y) <float[3] t = {1, 2, 4}> { y = Gather (t, i) }",
    "softmax": "m (float[n, 3] x) => (float[n, 3] y) { y = Softmax <axis = 0> (x) }",
    "log": "m (float[2] x) => (float[2] y) { y = Log (x) }",
    "sum": "m (int64[1, s] ids, float[1, p, 8] past) => (float[1, 8] logits, float[1, t, 8] now)"
    " <float[8, 8] table, int64[1] one = {1}> { rows = Gather (table, ids)"
    " now = Concat <axis = 1> (past, rows) logits = ReduceSum <keepdims = 0> (now, one) }",
}


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that exports a model of the table once; all are embedded."""
    folder, made = tmp_path_factory.mktemp("exported"), dict[str, Path]()

    def export(name: str) -> Path:
        if name not in made:
            text = '<ir_version: 9, opset_import: ["": 20]>\n' + MODELS[name]
            options = {}
            if name == "sum":
                # Tokens follow each other: the row of a token votes for the next one.
                rows = [
                    f"{float(9 * (i + 1) * ((i + 1) % 8 == j))}" for i in range(8) for j in range(8)
                ]
                text = text.replace("table", f"table = {{{', '.join(rows)}}}", 1)
                options = {"state": {"past": "now"}, "capacity": {"p": 32}}
            module = tilewright.compile(onnx.parser.parse_model(text), threads=1, **options)
            made[name] = folder / f"{name}.so"
            module.export_library(made[name], embed=True)
        return made[name]

    return export


@pytest.fixture
def repository(tmp_path: Path, exported: Callable[[str], Path]) -> Callable[..., Path]:
    """Return a function that puts a model into the repository, and returns the repository."""

    def put(name: str, file: str = "", version: int = 1, **settings: object) -> Path:
        folder = tmp_path / "models" / name / str(version)
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / "model.so"
        scratch = folder / "part"
        scratch.write_bytes(exported(file or name).read_bytes())
        scratch.replace(target)
        if settings:
            (folder.parent / "config.json").write_text(json.dumps(settings))
        return tmp_path / "models"

    return put


@pytest.fixture
def client(repository: Callable[..., Path]) -> Iterator[Callable[..., object]]:
    """Return a function that starts a server of a repository in this process."""
    testclient = pytest.importorskip("starlette.testclient", reason="needs httpx")
    from tilewright.serve import Settings, create_app

    started: list[object] = []

    def start(folder: Path, load_file: object = None, **settings: object) -> object:
        app = create_app(folder, Settings(threads=2, **settings), load_file)
        made = testclient.TestClient(app)
        started.append(made)
        return made.__enter__()

    yield start
    for each in started:
        each.__exit__(None, None, None)
