"""The documents are true: their blocks run (see pages.py), their IR verifies, links resolve.

IR that is invalid on purpose is in ``mlir-wrong`` blocks.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.analysis.verify import verify_module
from tilewright.codegen.webassembly import find_wasm_linker
from tilewright.dialects.sched import STEPS
from tilewright.frontend.onnx.importer import converters
from tilewright.frontend.onnx.node import MAX_OPSET, MIN_OPSET
from tilewright.support.registry import DIALECTS, new_context
from tilewright.targets.cpu.backend import CPU
from tilewright.tools.plugin import load_plugin

from .blocks import ROOT, Block, blocks
from .pages import needs_c_compiler, needs_node, run_alone, run_blocks, write_files

PLUGINS = ROOT / "tests" / "tools" / "plugins"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
HOW_TO = sorted((ROOT / "docs").glob("how-to-*.md"))
TEXTS = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
WITH_TORCH = (
    "README.md",
    "from-torch-compile.md",
    "guide-language-models.md",
    "guide-ml-engineer.md",
    "guide-robotics.md",
    "torch.md",
)
"""Pages whose blocks need the extra `torch`, which `make test` may lack; they share a process.

torch imports triton where it is installed. The LLVM in triton crashes in a process that has loaded
the LLVM of lavapipe, Mesa's Vulkan driver, as WebGPU pages do; wgpu and triton alone do that too.
"""
BLOCKS = [block for page in PAGES for block in blocks(page)]


@pytest.fixture(autouse=True)
def log_levels() -> Iterator[None]:
    """Undo a page's changes to the loggers."""
    loggers = [logging.getLogger(name) for name in ("tilewright", "tilewright.driver")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def own_blocks(page: Path) -> list[Block]:
    """Return the blocks of a page, or skip the test on a machine that lacks a tool of theirs."""
    own = [block for block in BLOCKS if block.page == page]
    if needs_c_compiler(own) and not (shutil.which("cc") and shutil.which("c++")):
        pytest.skip("needs a C compiler: cc and c++")
    if needs_node(own) and (shutil.which("node") is None or find_wasm_linker() is None):
        pytest.skip("needs node and wasm-ld (the extra cross)")
    return own


def named(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


@pytest.mark.parametrize(
    "page",
    [
        page
        for page in PAGES
        if page not in HOW_TO  # test_install.py runs them
        if page.name not in WITH_TORCH
    ],
    ids=lambda page: page.name,
)
def test_the_blocks_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # Python blocks import the files of their page
    own = own_blocks(page)
    for path in write_files(own, tmp_path):
        # Removed at the end, because another page may have a file of that name.
        monkeypatch.setitem(sys.modules, path.stem, sys)
        del sys.modules[path.stem]
    run_blocks(own)


@pytest.mark.slow
def test_the_blocks_of_pages_with_torch_run_in_a_process_of_their_own(tmp_path: Path) -> None:
    for package in ("torch", "onnx_ir", "onnxscript"):
        pytest.importorskip(package, reason="needs the extra `torch`")
    pages = [page for page in PAGES if page.name in WITH_TORCH]
    assert len(pages) == len(WITH_TORCH)
    for page in pages:
        own_blocks(page)
    run_alone(pages, tmp_path, (str(ROOT), os.environ.get("PYTHONPATH", "")))


# The text of a program names large weights, which are in a file of their own.
WHOLE = [block for block in named("mlir") if 'graph.constant <"' not in block.text]


@pytest.mark.parametrize("block", WHOLE, ids=str)
def test_ir_parses_and_verifies(block: Block, tmp_path: Path) -> None:
    ctx = new_context()
    own = [b for b in named("python") if b.page == block.page and "DIALECTS = " in b.text]
    files = write_files(own, tmp_path)
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
    assert listed == [(stage.name, stage.level, stage.passes) for stage in CPU.stages]


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
