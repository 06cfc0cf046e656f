"""The documents are true: their Python runs, their IR verifies, their commands print what is shown.

Per page, in a scratch folder: blocks with a file name after the language (``mlir dense.mlir``) are
written first; then Python blocks run in order in one namespace, and so do the lines of ``sh`` and
``console`` blocks that start with ``tw`` or ``tw-opt``. What a console block shows is compared;
a line ``...`` stands for any lines.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.dialects.sched import STEPS
from tilewright.driver.pipeline import STAGES
from tilewright.frontend.onnx.importer import converters
from tilewright.frontend.onnx.node import MAX_OPSET, MIN_OPSET
from tilewright.support.registry import DIALECTS, new_context
from tilewright.support.verify import verify_module
from tilewright.tools.cli import main as tw
from tilewright.tools.opt import main as tw_opt
from tilewright.tools.plugin import load_plugin

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = ROOT / "tests" / "tools" / "plugins"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
SLOW = ("README.md",)
COMMANDS: dict[str, Callable[[list[str]], int]] = {"tw": tw, "tw-opt": tw_opt}
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; name: the file it is to be written to, or empty."""

    page: Path
    line: int
    language: str
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text()
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(page, line, match[1], match[2] or "", match[3])


BLOCKS = [block for page in PAGES for block in blocks(page)]


def named(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def run_python(block: Block, namespace: dict[str, object]) -> None:
    # Empty lines put the code where the page has it, so that tracebacks point there.
    source = "\n" * block.line + block.text
    exec(compile(source, str(block.page), "exec"), namespace)


def run_commands(block: Block) -> None:
    for command, shown in commands(block):
        words = shlex.split(command, comments=True)
        if words[0] not in COMMANDS:
            continue
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = COMMANDS[words[0]](words[1:])
        printed = out.getvalue() + err.getvalue()
        is_error = shown.startswith("error:")
        assert (code != 0) == is_error, f"{block}: {command} exits with {code}\n{printed}"
        if shown:
            pattern = re.escape(shown.strip()).replace(r"\.\.\.", ".*")
            assert re.fullmatch(pattern, printed.strip(), re.DOTALL), f"{block}\n{printed}"


def commands(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a block, each with the output that the page shows."""
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        return [(line, "") for line in text.splitlines() if line.strip()]
    found = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not found[0].strip(), f"{block}: a console block starts with '$ '"
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in found[1:]]


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, marks=pytest.mark.slow if p.name in SLOW else ()) for p in PAGES],
    ids=lambda page: page.name,
)
def test_the_blocks_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = [block for block in BLOCKS if block.page == page]
    for block in own:
        if block.name:
            Path(block.name).write_text(block.text)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in own:
        if block.language == "python" and not block.name:
            run_python(block, namespace)
        elif block.language in ("sh", "console"):
            run_commands(block)


@pytest.mark.parametrize("block", named("mlir"), ids=str)
def test_ir_parses_and_verifies(block: Block) -> None:
    ctx = new_context()
    for path in PLUGINS.glob("*.py"):
        for dialect in load_plugin(path).dialects:
            ctx.register_dialect(dialect.name, lambda dialect=dialect: dialect)
    module = Parser(ctx, block.text).parse_module()
    verify_module(module)
    again = Parser(ctx, str(module)).parse_module()
    assert module.is_structurally_equivalent(again)


def test_every_dialect_has_an_example() -> None:
    text = "".join(block.text for block in named("mlir") if block.page.name == "dialects.md")
    assert not [name for name in DIALECTS if f"{name}." not in text]


def test_every_schedule_step_is_named() -> None:
    text = (ROOT / "docs" / "dialects.md").read_text()
    (names,) = re.findall(r"^Steps: `([\w\s]+)`", text, re.MULTILINE)
    assert names.split() == [step.name.removeprefix("sched.") for step in STEPS]


def test_python_files_that_are_shown_are_those_that_are_tested() -> None:
    shown = {block.name: block.text for block in named("python") if block.name}
    assert shown == {path.name: path.read_text() for path in PLUGINS.glob("*.py")}


def test_the_stages_are_those_of_the_pipeline() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| `([\w-]+)` \| `(\w+)` \| (`[^|]*`) \|", text, re.MULTILINE)
    listed = [(name, level, tuple(re.findall("`(.*?)`", passes))) for name, level, passes in rows]
    assert listed == [(stage.name, stage.level, stage.passes) for stage in STAGES]


def test_the_operators_are_those_with_a_converter() -> None:
    text = (ROOT / "docs" / "limits.md").read_text()
    (listed,) = [b.text.split() for b in named("text") if b.page.name == "limits.md"]
    assert listed == sorted(operator for domain, operator in converters() if not domain)
    assert f"opsets {MIN_OPSET} to {MAX_OPSET}" in text


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_what_a_page_points_at_exists(page: Path) -> None:
    text = page.read_text()
    links = {link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link}
    paths = set(re.findall(r"`([\w.]+(?:/[\w.-]+)*/(?:[\w-]+\.\w+)?)`", text))
    assert not [link for link in links if not (page.parent / link).exists()]
    assert not [path for path in paths if not (ROOT / path).exists()]


@pytest.mark.parametrize("name", tilewright.__all__)
def test_every_public_name_exists(name: str) -> None:
    assert getattr(tilewright, name) is not None
