"""C++ for high-level synthesis, compiled and run as plain C++, and its pragmas."""

from __future__ import annotations

import re
from shutil import which

import numpy as np
import pytest

from tilewright.targets.backend import Artifact
from tilewright.targets.c import export, loading

from ..cpu.machine_models import NAMES, compiled

pytestmark = pytest.mark.skipif(which("g++") is None, reason="needs g++")
FLAGS = (*loading.FLAGS, "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas")
LOOP = re.compile(r"^ *for \(.*\n(#pragma HLS \w+)?", re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_gives_what_another_program_gives(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "FLAGS", FLAGS)
    module, given, wanted = compiled(name, "hls", cache=False)
    (got,) = (each.numpy() for each in module.run(given))
    np.testing.assert_allclose(got, wanted["y"], rtol=1e-5, atol=1e-5)


def test_a_wrong_kernel_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = export.texts_of

    def wrong(artifact: Artifact, name: str) -> tuple[str, str]:
        source, header = right(artifact, name)
        return source.replace("sum +=", "sum -=", 1), header

    monkeypatch.setattr(loading, "texts_of", wrong)
    module, given, wanted = compiled("product", "hls", cache=False)
    (got,) = (each.numpy() for each in module.run(given))
    assert np.abs(got - wanted["y"]).max() > 0.1


def test_taps_are_unrolled_in_a_pipeline_over_channels() -> None:
    text = compiled("CNN", "hls", cache=False)[0].get_source("c", kernel="conv_2")
    found = [each[1] for each in LOOP.finditer(text)]
    assert found == [None] * 3 + ["#pragma HLS PIPELINE", *["#pragma HLS UNROLL"] * 2]
    assert "#pragma HLS" not in compiled("CNN", "c", cache=False)[0].get_source("c")
