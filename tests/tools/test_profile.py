"""tw profile: rows of kernels, their sums and their limits."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
import pytest

import tilewright
from tilewright.targets.backend import KernelRecord
from tilewright.testing.models import encoder_model
from tilewright.testing.peak import Roofline
from tilewright.testing.profile import KernelProfile
from tilewright.tools.cli import main
from tilewright.tools.profile import rows_of


def test_rows_are_shares_of_the_sum_and_of_the_nearer_limit() -> None:
    record = KernelRecord("compute", ("matmul",), flops=1_000_000, tasks=1, calls=2)
    moving = KernelRecord("move", ("copy",), flops=0, tasks=1, calls=1)
    profile = [
        KernelProfile(moving, (1e-3,), 5_000_000, ((5_000_000,),), ("b",)),
        KernelProfile(record, (1e-3, 2e-3), 1000, ((250,),), ("a", "c")),
    ]
    slow, fast = rows_of(profile, Roofline(flops=1e9, bandwidth=1e10))
    assert (slow.kernel, slow.nodes, slow.calls) == ("compute", ("a", "c"), 2)
    assert slow.us == pytest.approx(3000)
    assert (slow.share, fast.share) == pytest.approx((0.75, 0.25))
    assert slow.gflops == pytest.approx(2 / 3)
    assert fast.gbytes == pytest.approx(5)
    assert (slow.of_roofline, fast.of_roofline) == pytest.approx((2 / 3, 0.5))


@pytest.mark.slow
def test_a_profile_lists_each_kernel_of_the_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = encoder_model(layers=1, hidden=64, heads=2)
    path = tmp_path / "encoder.onnx"
    onnx.save(model, path)
    command = ["profile", str(path), "--threads", "1", "--rounds", "2"]
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    kernels = {row["kernel"]: row["calls"] for row in report["kernels"]}
    assert kernels == {k.name: k.calls for k in tilewright.compile(model).kernels}
    assert sum(row["share"] for row in report["kernels"]) == pytest.approx(1)
    assert report["run_us"] > 0
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "sum of the kernels" in shown
    assert "1 thread:" in shown


def test_a_target_without_machine_code_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(b"")
    assert main(["profile", str(path), "--target", "interpreter"]) == 2
    assert "no kernels in machine code" in capsys.readouterr().err
