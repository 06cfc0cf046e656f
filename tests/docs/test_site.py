"""The site builds from the pages without warnings, and loads nothing from other servers."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tilewright
from tilewright import te

from .blocks import ROOT
from .test_docs import PAGES

CONFIG = ROOT / "docs" / "site"
API = ROOT / "docs" / "api"
EXPRESSIONS = ("expressions", "schedules")
"""Pages with the names of ``te``."""
ELSEWHERE = re.compile(r'<(?:script|link|img)\b[^>]*(?:src|href)="(?:https?:)?//')

needs_docs = pytest.mark.skipif(
    importlib.util.find_spec("sphinx") is None, reason="needs the extra `docs`: make docs"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    command = [
        sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going",
        "-c", str(CONFIG), "-d", str(out / "doctrees"), str(ROOT), str(out / "html"),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return out / "html"


@pytest.mark.slow
@needs_docs
def test_every_page_is_on_the_site(site: Path) -> None:
    pages = [page.relative_to(ROOT).with_suffix(".html") for page in PAGES]
    assert not [page for page in pages if not (site / page).exists()]
    assert (site / "index.html").read_bytes() == (site / "README.html").read_bytes()


@pytest.mark.slow
@needs_docs
def test_a_page_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert not [page.name for page in pages if ELSEWHERE.search(page.read_text())]


@pytest.mark.slow
@needs_docs
def test_labels_of_docstrings_are_lists(site: Path) -> None:
    text = (site / "docs" / "api" / "running.html").read_text()
    assert "<li><p><strong>Errors:</strong> " in text
    assert re.search(r"<li><p><code[^>]*><span[^>]*>threads</span></code>: ", text)


def test_a_docstring_becomes_restructured_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(CONFIG)
    to_rst = importlib.import_module("docstrings").to_rst
    text = """Run `it` on *args and axis_.

    mod(x)

a, b,
c: sizes,
one each.  d: a depth.
Errors: none."""
    assert to_rst(text.splitlines()) == [
        r"Run `it` on \*args and axis\_.", "",
        "::", "", "        mod(x)", "",
        "", "", "- ``a``, ``b``, ``c``: sizes, one each.", "- ``d``: a depth.",
        "- **Errors:** none.", "",
    ]  # fmt: skip


def test_every_page_is_in_the_table_of_contents() -> None:
    texts = re.findall(r'"([\w/-]+)"', (CONFIG / "conf.py").read_text())
    pages = [page.relative_to(ROOT / "docs").with_suffix("") for page in PAGES[1:]]
    assert not {str(page) for page in pages} - set(texts), "add it to CHAPTERS in conf.py"


def test_the_reference_has_every_public_name() -> None:
    listed: dict[bool, set[str]] = {True: set(), False: set()}
    for page in API.glob("*.md"):
        names = re.findall(
            r"^\.\. auto(?:function|class|data):: (\w+)$", page.read_text(), re.MULTILINE
        )
        listed[page.stem in EXPRESSIONS] |= {*names}
    errors = (ROOT / "docs" / "errors.md").read_text()
    others = {
        "ir",
        "nd",
        "ops",
        "optim",
        "runtime",
        "te",
        "tuning",
        "__version__",
        *re.findall(r"`(\w+)`", errors),
    }
    assert not set(tilewright.__all__) - others - listed[False]
    assert listed[False] <= set(tilewright.__all__)
    assert listed[True] == set(te.__all__)
