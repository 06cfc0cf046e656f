"""tw profile: rows of kernels, their sums and their limits."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import onnx
import pytest

import tilewright
from tilewright.machines.target import Target
from tilewright.testing.models import encoder_model
from tilewright.tools.cli import main


@pytest.mark.slow
def test_a_profile_lists_each_kernel_of_the_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = encoder_model(layers=1, hidden=64, heads=2)
    path, trace = tmp_path / "encoder.onnx", tmp_path / "run.json"
    onnx.save(model, path)
    command = ["profile", str(path), "--threads", "1", "--rounds", "2"]
    assert main([*command, "--json", "--trace", str(trace)]) == 0
    report = json.loads(capsys.readouterr().out)
    kernels = {row["kernel"]: row["calls"] for row in report["kernels"]}
    assert kernels == {k.name: k.calls for k in tilewright.compile(model).kernels}
    assert report["run_us"] > 0
    assert json.loads(trace.read_text())["traceEvents"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "compiled module" in shown
    assert "1 thread:" in shown


def page_of(path: Path) -> tuple[list[list[str]], ElementTree.Element]:
    """Return the rows of the table on a page, and the page."""
    page = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    rows = [["".join(cell.itertext()) for cell in row] for row in page.iter("tr")]
    return rows, page


def test_a_page_has_the_numbers_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, html = tmp_path / "<b>&.onnx", tmp_path / "profile.html"
    onnx.save(encoder_model(layers=1, hidden=16, heads=2, seq=4, ffn=16), path)
    command = ["profile", str(path), "--threads", "1", "--rounds", "2", "--html", str(html)]
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (head, *rows), page = page_of(html)
    assert head[:4] == ["kernel", "calls", "µs", "run"]
    assert [row[:4] for row in rows] == [
        [k["kernel"], str(k["calls"]), f"{k['us']:.1f}", f"{k['share']:.1%}"]
        for k in report["kernels"]
    ]
    for row, kernel in zip(rows, report["kernels"], strict=True):
        assert all(node in row[-1] for node in kernel["nodes"])
    circles = list(page.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) == sum(1 for k in report["kernels"] if k["gflops"])
    plan = tilewright.compile(str(path)).memory_plan()
    rects = list(page.iter("{http://www.w3.org/2000/svg}rect"))
    assert len(rects) == len(plan.buffers) > 0
    assert "Profile of <b>&.onnx" in "".join(page.itertext())


def test_a_page_has_the_plan_of_the_program_of_the_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, html = tmp_path / "m.onnx", tmp_path / "profile.html"
    onnx.save(encoder_model(layers=1, hidden=8, heads=1, seq="length", ffn=8), path)
    command = ["profile", str(path), "--rounds", "1", "--shapes", "length=5", "--html", str(html)]
    assert main(command) == 0
    plan = tilewright.compile(str(path)).memory_plan([(1, 5, 8)])
    assert plan.summary in "".join(page_of(html)[1].itertext())
    shown = capsys.readouterr().out
    assert " more" in shown
    assert main([*command[:-1], str(tmp_path / "missing" / "profile.html")]) == 2
    assert "Folder" in capsys.readouterr().err


def test_a_target_without_machine_code_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(encoder_model(layers=1, hidden=8, heads=1, seq=2, ffn=8), path)
    assert main(["profile", str(path), "--target", "interpreter"]) == 1
    assert "kernels of the target cannot be timed" in capsys.readouterr().err


def test_a_library_is_profiled_if_it_records_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(encoder_model(layers=1, hidden=8, heads=1, seq=2, ffn=8), path)
    plain, recording = str(tmp_path / "plain.so"), str(tmp_path / "recording.so")
    assert main(["compile", str(path), "-o", plain]) == 0
    assert main(["compile", str(path), "-o", recording, "--profile"]) == 0
    capsys.readouterr()
    assert main(["profile", plain, "--rounds", "1"]) == 1
    assert "tw compile --profile" in capsys.readouterr().err
    assert main(["profile", recording, "--rounds", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["kernel"] for row in report["kernels"]}
    assert all(row["us"] > 0 and row["nodes"] for row in report["kernels"])
    assert (report["roofline"] is not None) == Target.native().has("fma")
    html = tmp_path / "profile.html"
    assert main(["profile", recording, "--rounds", "1", "--html", str(html)]) == 0
    assert "no memory plan" in "".join(page_of(html)[1].itertext())
    assert main(["compile", str(path), "--profile"]) == 2
