"""Write the texts and values that the tests read.

Run ``python -m tests.frontend.stablehlo.make_texts`` where jax is installed. The texts
are those of jax.export, without the folders in locations. The values of written.mlir, which has ops
that jax does not write, are those that XLA computes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import jax
import numpy as np

from tilewright.frontend.stablehlo.model import load_text

from . import models, programs

HERE = Path(__file__).parent
FAMILIES = {
    "elementwise": (programs.elementwise, programs.bools_and_conversions),
    "tensors": (programs.moves, programs.products, programs.convolutions, programs.reductions),
    "complex": (programs.complex_numbers,),
    "data": (programs.indexing, programs.control),
    "models": (models.models,),
    "dynamic": (models.dynamic,),
}
SPLIT = "// -----\n"


def main() -> None:
    """Write all files."""
    values: dict[str, np.ndarray] = {}
    for family, sources in FAMILIES.items():
        cases = [case for source in sources for case in source()]
        texts = [f"// {case.name}\n{_without_folders(case.text())}" for case in cases]
        (HERE / f"{family}.mlir").write_text(SPLIT.join(texts))
        for case in cases:
            values.update(_named(case.name, "in", case.inputs))
            values.update(_named(case.name, "out", case.values()))
    for n, text in enumerate((HERE / "written.mlir").read_text().split(SPLIT)):
        inputs = list(_inputs(text, n))
        values.update(_named(f"written{n}", "in", inputs))
        values.update(_named(f"written{n}", "out", _by_xla(text, inputs)))
    np.savez_compressed(HERE / "values.npz", allow_pickle=False, **values)


def _named(name: str, kind: str, arrays: Iterable[np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield arrays with their names; types that numpy does not save become bytes."""
    for n, x in enumerate(arrays):
        yield f"{name}.{kind}{n:02}", x.view(np.uint16) if x.dtype.name == "bfloat16" else x


def _without_folders(text: str) -> str:
    return re.sub(r'"[^"\n]*/([\w.]+\.py)"', r'"\1"', text)


def _inputs(text: str, seed: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(seed)
    for value in load_text(text).inputs:
        shape = [size for size in value.shape or () if isinstance(size, int)]
        if value.dtype is not None and value.dtype.kind in "iub":
            yield rng.integers(0, 2, shape).astype(value.dtype)
        else:
            yield rng.standard_normal(shape).astype(value.dtype)


def _by_xla(text: str, inputs: Iterable[np.ndarray]) -> list[np.ndarray]:
    devices = jax.devices()[:1]
    module = text if re.search(r"^module", text, re.M) else f"module {{\n{text}\n}}"
    program = devices[0].client.compile_and_load(module, devices)
    return [np.asarray(x) for x in program.execute([jax.device_put(x) for x in inputs])]


if __name__ == "__main__":
    main()
