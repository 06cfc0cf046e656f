"""The example examples/web: images are classified in a page of a browser, and in node."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from .web_module import browser_command, needs_browser, needs_web, script, served

EXAMPLE = Path(__file__).parents[4] / "examples" / "web"
SCRIPT = """
import { load, tensor } from "./shapes.mjs";
import { readFile } from "node:fs/promises";
const bytes = await readFile("images.bin");
const images = new Float32Array(Uint8Array.from(bytes).buffer);
const model = await load();
const { scores } = model.run({ image: tensor(images, [images.length / 1024, 1, 32, 32]) });
console.log(JSON.stringify([...scores]));
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the page, with the compiled model."""
    folder = tmp_path_factory.mktemp("site")
    runpy.run_path(str(EXAMPLE / "build.py"))["build"](folder)
    return folder


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Serve the page on this machine; yield its address."""
    with served(site) as origin:
        yield f"{origin}/index.html"


@needs_web
def test_images_in_node_have_the_scores_of_onnxruntime(site: Path) -> None:
    example = runpy.run_path(str(EXAMPLE / "build.py"))
    rng, classes = np.random.default_rng(9), example["CLASSES"]
    labels = np.arange(60) % len(classes)
    images = np.stack([example["drawn"](classes[label], rng)[None] for label in labels])
    (site / "images.bin").write_bytes(images.tobytes())
    made = np.array(json.loads(script(SCRIPT, site))).reshape(60, 3)
    session = onnxruntime.InferenceSession(site / "shapes.onnx")
    (wanted,) = session.run(None, {"image": images})
    np.testing.assert_allclose(made, wanted, atol=1e-4)
    assert (made.argmax(1) == labels).mean() > 0.9


@needs_web
@needs_browser
def test_the_page_classifies_its_images(address: str, tmp_path: Path) -> None:
    options = ["--virtual-time-budget=60000", "--dump-dom"]
    command = [*browser_command(tmp_path), *options, address]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert 'data-ready="yes"' in done.stdout, done.stdout
    figures = re.findall(r'src="(\w+)\.svg"><figcaption>(\w+)<', done.stdout)
    assert figures == [(name, name) for name in ("circle", "square", "triangle")]
