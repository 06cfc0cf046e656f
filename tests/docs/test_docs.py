"""The documents are true: their Python runs, their IR verifies, their commands print what is shown.

Per page, in a scratch folder: blocks with a file name after the language (``mlir dense.mlir``) are
written first; then Python blocks run in order in one namespace, and so do the lines of ``sh`` and
``console`` blocks that start with ``tw`` or ``tw-opt``. What a console block shows is compared;
a line ``...`` stands for any lines. A block ``text print(x)`` shows a part of what that prints
there; ``…`` stands for any text, and numbers may be others, as machines differ. What is wrong on
purpose is ``mlir-wrong``.
"""

from __future__ import annotations

import contextlib
import io
import logging
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.analysis.verify import verify_module
from tilewright.dialects.sched import STEPS
from tilewright.driver.pipeline import STAGES
from tilewright.frontend.onnx.importer import converters
from tilewright.frontend.onnx.node import MAX_OPSET, MIN_OPSET
from tilewright.support.registry import DIALECTS, new_context
from tilewright.tools.cli import main as tw
from tilewright.tools.opt import main as tw_opt
from tilewright.tools.plugin import load_plugin

from .blocks import ROOT, Block, blocks

PLUGINS = ROOT / "tests" / "tools" / "plugins"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
SLOW = ("README.md",)
COMMANDS: dict[str, Callable[[list[str]], int]] = {"tw": tw, "tw-opt": tw_opt}


BLOCKS = [block for page in PAGES for block in blocks(page)]


@pytest.fixture(autouse=True)
def log_levels() -> Iterator[None]:
    """Undo what a page says to the loggers."""
    loggers = [logging.getLogger(name) for name in ("tilewright", "tilewright.driver")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def named(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def write_files(own: list[Block], folder: Path) -> list[Path]:
    """Write the blocks that have a file name; return the paths."""
    files = [block for block in own if block.name and block.language != "text"]
    for block in files:
        (folder / block.name).write_text(block.text)
    return [folder / block.name for block in files]


def run_python(block: Block, namespace: dict[str, object]) -> None:
    # Empty lines put the code where the page has it, so that tracebacks point there.
    source = "\n" * block.line + block.text
    exec(compile(source, str(block.page), "exec"), namespace)


def check_print(block: Block, namespace: dict[str, object]) -> None:
    """Compare a block with what its ``print(…)`` shows, up to white space and numbers."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(block.name, namespace)
    wanted = re.escape(" ".join(block.text.split())).replace("…", ".*?")
    pattern = re.sub(r"\d+", lambda _: r"\d+", wanted)
    assert re.search(pattern, " ".join(shown.getvalue().split())), f"{block}\n{shown.getvalue()}"


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
    monkeypatch.syspath_prepend(tmp_path)  # Python blocks import the files of their page
    own = [block for block in BLOCKS if block.page == page]
    for path in write_files(own, tmp_path):
        # Forgotten at the end: another page may have a file of that name.
        monkeypatch.setitem(sys.modules, path.stem, sys)
        del sys.modules[path.stem]
    run_blocks(own)


def run_blocks(own: list[Block]) -> None:
    namespace: dict[str, object] = {"__name__": "page"}
    for block in own:
        if block.language == "python" and not block.name:
            run_python(block, namespace)
        elif block.language == "text" and block.name:
            check_print(block, namespace)
        elif block.language in ("sh", "console"):
            run_commands(block)


@pytest.mark.parametrize("block", named("mlir"), ids=str)
def test_ir_parses_and_verifies(block: Block, tmp_path: Path) -> None:
    ctx = new_context()
    files = write_files([b for b in named("python") if b.page == block.page], tmp_path)
    for path in files:
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
    page = ROOT / "docs" / "tw-opt.md"
    shown = {b.name: b.text for b in named("python") if b.name and b.page == page}
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
    others = {f"{domain}.{operator}" for domain, operator in converters() if domain}
    assert others == set(re.findall(r"`(ai\.onnx\.[\w.]+|com\.[\w.]+)`", text))
    assert f"opsets {MIN_OPSET} to {MAX_OPSET}" in text


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings, as links give them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_the_heading_that_a_link_names_exists(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", page.read_text())
    dead = [
        (target, name)
        for target, name in links
        if name not in anchors(page.parent / target if target else page)
    ]
    assert not dead


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
