"""The documentation site: Sphinx reads the Markdown pages where they are. `make docs` builds it.

The source folder is the root of the repository, so that every link means the same on the site, in a
checkout and in a code browser. README.md is the first page; `CHAPTERS` is the table of contents.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

from docstrings import to_rst
from mlir_lexer import MlirLexer
from notebooks import NotebookParser

import tilewright

CHAPTERS = {
    "Guides": [
        "first-steps", "guide-ml-engineer", "guide-compiler-student", "guide-edge",
        "guide-devices", "guide-web", "guide-language-models", "guide-robotics",
        "from-onnxruntime", "from-torch-compile", "from-tvm",
    ],
    "Notebooks": ["notebooks/first-steps", "notebooks/schedule", "notebooks/look-inside"],
    "Using it": [
        "install", "cli", "formats", "torch", "stablehlo", "gradients", "deploy", "serving", "rpc",
        "c-runtime", "runtime", "models", "performance", "accuracy", "limits", "testing",
    ],
    "Tensor expressions": ["te", "tutorial-matmul", "schedules", "tuning", "tutorial-mobilenet"],
    "How it works": ["architecture", "glossary", "dialects", "tw-opt"],
    "Adding to it": [
        "how-to-add-an-op", "how-to-add-a-pass", "how-to-add-a-target",
        "how-to-add-an-intrinsic", "how-to-add-a-primitive",
    ],
    "Python API": [
        "api", "api/compiling", "api/running", "api/devices", "api/expressions", "api/schedules",
        "errors", "reference/operators",
    ],
    "IR and passes": [
        "reference/levels", "reference/ops", "reference/primitives", "reference/targets",
        "reference/passes",
        "reference/passes/graph", "reference/passes/te", "reference/passes/loop",
        "reference/passes/packed", "reference/passes/cpu", "reference/passes/c",
        "reference/passes/gpu", "reference/passes/simt",
    ],
}  # fmt: skip
PROJECT_PAGES = ["CHANGELOG", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT"]

project = "Tilewright"
author = "the Tilewright authors"
project_copyright = author
version = release = tilewright.__version__

root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "docs/notebooks/*.ipynb"]
exclude_patterns = [".venv", "build", "dist", "tests", "benchmarks", "examples", ".*"]
extensions = ["myst_parser", "sphinx.ext.autodoc"]

myst_heading_anchors = 4
myst_links_external_new_tab = False
default_role = "code"
nitpicky = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"Tilewright {release}"
html_copy_source = False
html_show_sphinx = False
# No fonts or scripts from elsewhere: the site works from a file system.
html_static_path = ["static"]
html_favicon = "static/favicon.svg"
html_css_files = ["levels.css", "site.css"]


def add_contents(_app: Sphinx, name: str, source: list[str]) -> None:
    """Append the table of contents to the first page."""
    if name != root_doc:
        return
    for caption, names in CHAPTERS.items():
        source[0] += toctree(caption, [f"docs/{page}" for page in names])
    source[0] += toctree("Project", PROJECT_PAGES)


def toctree(caption: str, names: list[str]) -> str:
    """Return a hidden table of contents."""
    lines = ["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```", ""]
    return "\n".join(lines)


def mark_up(
    _app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """Turn a docstring into reStructuredText."""
    lines[:] = to_rst(lines)


def sign(
    _app: Sphinx,
    _what: str,
    _name: str,
    _object: object,
    _options: object,
    signature: str | None,
    result: str | None,
) -> tuple[str | None, str | None]:
    """Write the default of a dataclass's field as Python, so that the types are linked."""
    return (signature.replace("<factory>", "...") if signature else signature), result


def add_index(app: Sphinx, error: Exception | None) -> None:
    """Make the first page the one that a server shows for the folder."""
    if error is None:
        shutil.copy(app.outdir / f"{root_doc}.html", app.outdir / "index.html")


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("mlir-wrong", MlirLexer)
    app.add_lexer("nested", MlirLexer)
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-docstring", mark_up)
    app.connect("autodoc-process-signature", sign)
    app.connect("build-finished", add_index)
