"""examples/control: a policy with an LSTM in C, on a timer, compared with onnxruntime."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import numpy_helper, parser

import tilewright

from ..export.test_export import c_compiler
from ..host_programs.hosts import HOSTS

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "control" / "control.c"
STRICT = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic")
MODEL = """<ir_version: 9, opset_import: ["": 20]>
policy (float[1, 48] observation, float[1, 1, 32] hidden, float[1, 1, 32] cell)
    => (float[1, 12] action, float[1, 1, 32] next_hidden, float[1, 1, 32] next_cell)
  <int64[1] first = {0}> {
  wide = MatMul (observation, w_in)
  step = Unsqueeze (wide, first)
  rows, next_hidden, next_cell = LSTM <hidden_size = 32> (step, w, r, b, , hidden, cell)
  row = Squeeze (next_hidden, first)
  flat = MatMul (row, w_out)
  action = Tanh (flat)
}"""
SHAPES = {"w_in": (48, 32), "w": (1, 128, 32), "r": (1, 128, 32), "b": (1, 256), "w_out": (32, 12)}
STATES = {"hidden": "next_hidden", "cell": "next_cell"}
STEPS = 40


def policy() -> onnx.ModelProto:
    model, rng = parser.parse_model(MODEL), np.random.default_rng(0)
    for name, shape in SHAPES.items():
        weight = 0.3 * rng.standard_normal(shape, np.float32)
        model.graph.initializer.append(numpy_helper.from_array(weight, name))
    return model


def reference(model: onnx.ModelProto, observations: np.ndarray) -> np.ndarray:
    """Return the actions of onnxruntime, which gets its state back at each step."""
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    actions = []
    states = dict.fromkeys(STATES, np.zeros((1, 1, 32), np.float32))
    for row in observations:
        action, *after = session.run(None, {"observation": row[None], **states})
        states = dict(zip(STATES, after, strict=True))
        actions.append(np.asarray(action)[0])
    return np.array(actions)


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program, linked with the policy."""
    folder = tmp_path_factory.mktemp("control")
    module = tilewright.compile(policy(), state=STATES)
    module.export_library(folder / "policy.o", embed=True)
    return linked(folder, "control")


def linked(folder: Path, name: str, *options: str) -> Path:
    """Compile the example, and link it with the policy in a folder."""
    command = [*c_compiler(), *STRICT, "-I.", "-o", name, str(EXAMPLE), *options, "policy.o"]
    subprocess.run(command, check=True, cwd=folder)
    return folder / name


def run(control: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(control), *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=control.parent, timeout=120
    )


def test_the_program_takes_the_actions_of_onnxruntime(control: Path) -> None:
    observations = np.random.default_rng(1).standard_normal((STEPS, 48), np.float32)
    observations[STEPS // 2 :] = observations[0]
    observations.tofile(control.parent / "in.bin")
    done = run(control, "in.bin", "out.bin")
    assert done.returncode == 0, done.stderr
    actions = np.fromfile(control.parent / "out.bin", np.float32).reshape(-1, 12)
    expected = reference(policy(), observations)
    np.testing.assert_allclose(actions, expected, rtol=1e-4, atol=1e-5)
    # Only the state makes the actions for equal observations differ.
    assert np.ptp(expected[STEPS // 2 :], axis=0).max() > 0.01
    first, heading, *rows = done.stdout.splitlines()
    assert first.startswith(f"{STEPS} steps, ")
    assert heading.split() == ["µs", "p50", "p90", "p99", "p99.9", "max"]
    assert [row.split()[0] for row in rows] == ["wake-up", "policy"]
    for row in rows:
        times_us = [float(word) for word in row.split()[1:]]
        assert times_us == sorted(times_us)


def test_a_step_allocates_nothing(control: Path) -> None:
    wraps = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "aligned_alloc")]
    counted = linked(control.parent, "counted", str(HOSTS / "allocations.c"), *wraps)
    last = []
    for steps in (3, STEPS):
        np.zeros((steps, 48), np.float32).tofile(control.parent / "zeros.bin")
        last.append(run(counted, "zeros.bin", "out.bin").stdout.splitlines()[-1])
    assert last[0] == last[1]
    assert int(last[0].split()[0]) > 0


def test_the_program_refuses_what_it_cannot_read(control: Path) -> None:
    (control.parent / "empty.bin").write_bytes(b"")
    assert run(control).stderr == "usage: control INPUT OUTPUT\n"
    assert run(control, "absent.bin", "out.bin").returncode == 2
    done = run(control, "empty.bin", "out.bin")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "nothing read or written")


def test_the_guide_shows_the_program() -> None:
    page = (ROOT / "docs" / "guide-robotics.md").read_text()
    assert f"```c control.c\n{EXAMPLE.read_text()}```" in page
