"""docs/reference/ agrees with the code; ``make reference`` writes it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.passes.schedule.primitives import PRIMITIVES
from tilewright.schedule.stage import Stage
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import PASSES, new_context
from tilewright.tools.reference.operators import operators_stub
from tilewright.tools.reference.pages import before_and_after, main, own_dialects
from tilewright.tools.reference.primitives import stage_methods, step_text

from .blocks import ROOT
from .reference import FOLDER, STUB, examples, pages

PLUGINS = ROOT / "tests" / "tools" / "plugins"


def test_the_pages_are_up_to_date() -> None:
    for name, text in pages().items():
        assert (FOLDER / name).read_text() == text, f"{name} is stale: make reference"


def test_the_types_of_the_operators_are_up_to_date() -> None:
    assert STUB.read_text() == operators_stub(), "__init__.pyi is stale: make reference"


def test_every_op_has_an_example() -> None:
    shown = examples()
    names = {op.name for dialect in own_dialects() for op in dialect.operations}
    assert not names - shown.keys()


def test_every_primitive_of_a_stage_is_listed() -> None:
    methods = {n for n, _ in inspect.getmembers(Stage, inspect.isfunction) if n[0] != "_"}
    assert stage_methods().keys() == methods
    assert [op.name for op in stage_methods()["tile"]] == ["sched.split"] * 2 + ["sched.reorder"]


def test_a_step_is_shown_as_it_is_written() -> None:
    shown = {op.name: step_text(op, primitive) for op, primitive in PRIMITIVES.items()}
    assert shown["sched.match"] == "%r0 = sched.match {name}"
    tile = "%r0, %<axis> = sched.tile %h0 {even, whole, rest, few, chunk, <axis> = ..}"
    assert shown["sched.tile"] == tile
    assert shown["sched.compute_inline"] == "sched.compute_inline %h0"
    assert shown["sched.decompose_reduction"].endswith(" %h0 [, %h1] {axis}")


def test_every_pass_has_an_example() -> None:
    assert sorted(PASSES) == sorted(path.stem for path in (FOLDER / "examples").glob("*.mlir"))


def test_every_pass_is_on_one_page_and_in_the_index() -> None:
    made = {name: text for name, text in pages().items() if name.startswith("passes")}
    index = made.pop("passes.md")
    headings = [re.findall(r"^## (\S+)$", text, re.MULTILINE) for text in made.values()]
    assert sorted(name for names in headings for name in names) == sorted(PASSES)
    assert sorted(re.findall(r"^\| \[`(\S+)`\]", index, re.MULTILINE)) == sorted(PASSES)


def test_an_example_that_a_pass_leaves_as_it_was_is_none() -> None:
    class Nothing(ModulePass):
        name = "nothing"

        def apply(self, ctx: object, op: ModuleOp) -> None:
            pass

    with pytest.raises(TilewrightError, match="leaves its example as it was"):
        before_and_after(Nothing, "func.func private @f() -> ()", new_context())


def test_a_plugin_gets_its_own_pages(capsys: pytest.CaptureFixture[str]) -> None:
    plugin = str(PLUGINS / "double_dialect.py")
    assert main(["ops", "--load", plugin]) == 0
    text = capsys.readouterr().out
    assert "#### double.double" in text
    assert "- Operands: `x`" in text
    assert "graph." not in text
    assert main(["passes", "--load", plugin]) == 0
    assert "## double-to-te" in capsys.readouterr().out


def test_a_missing_plugin_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--load", str(tmp_path / "none.py")]) == 1
    assert "cannot load the plugin" in capsys.readouterr().err


def test_the_commands_of_the_pages_print_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "how-to-add-an-op.md").read_text()
    commands = re.findall(r"python -m tilewright\.tools\.reference\.pages ?([^`]*)`", text)
    assert commands
    for arguments in commands:
        assert main(arguments.split()) == 0
        assert capsys.readouterr().out.startswith("# ")
