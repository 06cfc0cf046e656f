"""Make the image classifier of the page index.html: a model in ONNX, compiled to WebAssembly.

Run: python examples/web/build.py site && python -m http.server --directory site
Then open http://localhost:8000 in a browser.

The model distinguishes circles, squares and triangles. Its convolution has random filters, and its
last layer is the least-squares solution for 600 drawn shapes, so nothing is downloaded and no
framework for training is needed.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
import onnx.parser
from numpy.typing import NDArray
from onnx import ModelProto, numpy_helper

import tilewright

SIZE = 32
CLASSES = ("circle", "square", "triangle")
FILES = ("index.html", "page.mjs", *(f"{name}.svg" for name in CLASSES))
"""The files of the page; page.mjs also contains the names of the classes."""

FEATURES = """
<ir_version: 8, opset_import: ["": 18]>
shapes (float[n, 1, 32, 32] image) => (float[n, 256] features) {
  maps = Conv <pads = [2, 2, 2, 2]> (image, filters)
  positive = Relu (maps)
  pooled = MaxPool <kernel_shape = [8, 8], strides = [8, 8]> (positive)
  features = Flatten (pooled)
}"""
CLASSIFIER = FEATURES.replace("(float[n, 256] features)", "(float[n, 3] scores)").replace(
    "}", "  scores = Gemm (features, weights, biases)\n}"
)


def drawn(shape: str, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a synthetic image: a figure of random position, size and brightness."""
    x, y = rng.uniform(13, 19, 2)
    radius, value = rng.uniform(7, 11), rng.uniform(0.6, 1.0)
    rows, columns = np.mgrid[:SIZE, :SIZE]
    right, down = columns - x, rows - y
    inside = {
        "circle": right**2 + down**2 < radius**2,
        "square": np.maximum(np.abs(right), np.abs(down)) < 0.9 * radius,
        "triangle": (down < 0.8 * radius) & (2 * np.abs(right) < down + radius),
    }
    return (value * inside[shape]).astype(np.float32)


def with_weights(text: str, **weights: NDArray[np.float32]) -> ModelProto:
    """Parse the text of a model, and add initializers with these values; return the model."""
    model = onnx.parser.parse_model(text)
    model.graph.initializer.extend(numpy_helper.from_array(w, name) for name, w in weights.items())
    return model


def classifier() -> ModelProto:
    """Return the model, whose last layer is fitted to random images."""
    rng = np.random.default_rng(0)
    filters = rng.standard_normal((16, 1, 5, 5), np.float32) / 5
    labels = np.arange(600) % len(CLASSES)
    images = np.stack([drawn(CLASSES[label], rng)[None] for label in labels])
    features = tilewright.compile(with_weights(FEATURES, filters=filters))(images).numpy()
    rows = np.hstack([features, np.ones((len(labels), 1), np.float32)]).astype(np.float64)
    wanted = np.eye(len(CLASSES))[labels]
    fitted = np.linalg.solve(rows.T @ rows + np.eye(rows.shape[1]), rows.T @ wanted)
    weights, biases = fitted[:-1].astype(np.float32), fitted[-1].astype(np.float32)
    return with_weights(CLASSIFIER, filters=filters, weights=weights, biases=biases)


def build(folder: Path) -> None:
    """Write the page, the compiled model and the model in ONNX to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    model = classifier()
    onnx.save(model, folder / "shapes.onnx")
    module = tilewright.compile(model, target="wasm32")
    module.export_library(folder / "shapes.wasm")
    for name in FILES:
        shutil.copyfile(Path(__file__).with_name(name), folder / name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write the page")
    build(parser.parse_args().folder)
