"""Crash reproducers: one file repeats the internal error of a pass, by the command it names."""

import json
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import tilewright
from tilewright import te
from tilewright.dialects.te import kernels_of
from tilewright.driver import artifact
from tilewright.passes.te.merge_axes import MergeAxes
from tilewright.support.diagnostics import ScheduleError
from tilewright.tools.commands.report_bug import report_bug
from tilewright.tools.failures import run_tool
from tilewright.tools.opt.main import main as tw_opt


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def programs() -> list[te.Tensor]:
    """Return two results of a program with two kernels; the names say which one is which."""
    x = te.placeholder((8, 3), name="X")
    rows = te.compute((8,), lambda i: x[i, 0] * 2.0, name="secretRows")
    columns = te.compute((3,), lambda j: x[0, j] + 1.0, name="Columns")
    return [rows, columns]


def refuse(self: MergeAxes, ctx, op) -> None:
    if any(kernel.label == "secretRows" for kernel in kernels_of(op)):
        raise KeyError("secretRows")


def crashed(monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str]:
    """Return the reproducer of a pass that fails on one kernel, and the command for it."""
    monkeypatch.setattr(MergeAxes, "apply", refuse)
    with pytest.raises(KeyError, match="secretRows") as err:
        tilewright.build(programs(), cache=False)
    (note,) = err.value.__notes__
    found = re.fullmatch(r"reproducer: (.*)\nreplay: tw-opt \1 (.*)\nreport: .*", note)
    assert found is not None, note
    return Path(found[1]), found[2]


def test_a_reproducer_holds_the_failing_kernel_and_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        file, options = crashed(patched)
        text = file.read_text()
        assert text.startswith(f"// tw-opt THIS_FILE {options}\n// tilewright ")
        assert "secretRows" in text.partition("builtin.module")[2]
        assert "Columns" not in text.partition("builtin.module")[2]
        assert tw_opt([str(file), *options.split()]) == 1
        assert "KeyError: 'secretRows'" in capsys.readouterr().err
    assert tw_opt([str(file), *options.split()]) == 0


def test_tools_print_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(MergeAxes, "apply", refuse)
    assert run_tool(lambda: len(tilewright.build(programs()).outputs), debug=False) == 1
    assert re.search(r"\n    replay: tw-opt \S+ -p te-merge-axes\n", capsys.readouterr().err)


def test_errors_of_users_leave_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def illegal(self: MergeAxes, ctx, op) -> None:
        raise ScheduleError("a step is illegal")

    monkeypatch.setattr(MergeAxes, "apply", illegal)
    with pytest.raises(ScheduleError):
        tilewright.build(programs(), cache=False)
    assert not [*folder.glob("tilewright-*")]


def test_an_error_after_all_passes_leaves_the_last_level(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise KeyError("main")

    monkeypatch.setattr(artifact, "program_of", fails)
    with pytest.raises(KeyError, match="main") as err:
        tilewright.build(programs(), target="znver3", cache=False)
    (file,) = folder.glob("tilewright-emit-*.mlir")
    assert f"replay: tw compile {file} --target '" in err.value.__notes__[0]
    assert "packed.call" in file.read_text()


def test_a_report_has_no_names_of_the_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        file, options = crashed(patched)
    output = folder / "report.zip"
    done = CliRunner().invoke(report_bug, [str(file), "--rename", "-o", str(output)])
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(output) as archive:
        text = archive.read("program.mlir").decode()
        checks = json.loads(archive.read("doctor.json"))
    assert "secret" not in text
    assert re.search(r"te.kernel @n\d+\(%n\d+", text)
    assert any(check["name"] == "xdsl" for check in checks)
    (folder / "again.mlir").write_text(text)
    assert tw_opt([str(folder / "again.mlir"), *options.split()]) == 0
