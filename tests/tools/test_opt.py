"""tw-opt: what the RUN lines of tests/filecheck/tools cannot say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from tilewright.tools.opt import main

WRONG = "func.func @f(%a: i32) -> i64 {\n  func.return %a : i32\n}\n"


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.mlir"
    path.write_text(WRONG)
    return str(path)


def test_debug_shows_the_exception(wrong: str) -> None:
    with pytest.raises(VerifyException):
        main([wrong, "--debug"])


def test_disabling_verification_does_not_outlive_the_run(wrong: str) -> None:
    before = Attribute.__post_init__
    assert main([wrong, "--disable-verify"]) == 0
    assert Attribute.__post_init__ is before
    assert main([wrong]) == 1


def test_wrong_usage_exits_with_2() -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--no-such-option"])
    assert stop.value.code == 2


def test_a_plugin_may_not_redefine_a_pass_or_a_dialect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = tmp_path / "again.py"
    plugin.write_text(
        "from xdsl.transforms.dead_code_elimination import *\nPASSES = [DeadCodeElimination]"
    )
    assert main(["--load", str(plugin)]) == 1
    plugin.write_text("from xdsl.dialects.func import Func\nDIALECTS = [Func]")
    assert main(["--load", str(plugin)]) == 1
    plugin.write_text("x = 1")
    assert main(["--load", str(plugin)]) == 1
    errors = capsys.readouterr().err
    assert "pass defined twice\n    got: dce" in errors
    assert "dialect defined twice\n    got: func" in errors
    assert "the plugin adds nothing" in errors


def test_help_imports_neither_a_dialect_of_ours_nor_onnx_nor_llvmlite() -> None:
    code = (
        "import sys\nfrom tilewright.tools.opt import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'onnx', 'llvmlite', 'numpy', 'tilewright.dialects'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
