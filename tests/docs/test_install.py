"""A wheel is enough: the how-to pages run with it and the extras that they name."""

from __future__ import annotations

import ast
import re
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from ..sweeps import sampled
from .blocks import ROOT
from .pages import run_alone
from .test_docs import HOW_TO

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


@pytest.fixture(scope="module")
def site(wheels: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the installed wheels."""
    folder = tmp_path_factory.mktemp("site")
    for wheel in wheels:
        zipfile.ZipFile(wheel).extractall(folder)
    return folder


def named_extras(page: Path) -> set[str]:
    """Return the extras in the install commands of a page."""
    groups = re.findall(r"tilewright\[([\w,]+)\]", page.read_text())
    return {extra for group in groups for extra in group.split(",")}


def closure(requirements: Iterable[str]) -> set[str]:
    """Return the distributions that requirements install."""
    found: set[str] = set()
    left = [Requirement(text) for text in requirements]
    while left:
        one = left.pop()
        extras = ("", *one.extras)
        if one.marker and not any(one.marker.evaluate({"extra": extra}) for extra in extras):
            continue
        name = normal(one.name)
        if name not in found:
            found.add(name)
            left += [Requirement(text) for text in needs(name)]
    return found


def needs(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def forbidden(extras: Iterable[str]) -> list[str]:
    """Return the installed modules that a plain install with some extras does not have."""
    asked = [*PROJECT["dependencies"], *(text for extra in extras for text in EXTRAS[extra])]
    allowed = {*closure(asked), "tilewright"}
    return [
        module
        for module, owners in packages_distributions().items()
        if not allowed & {normal(owner) for owner in owners}
    ]


def test_what_an_extra_brings_is_forbidden_without_it() -> None:
    plain = forbidden([])
    assert {"pytest", "onnxruntime", "unicorn"} <= set(plain)
    assert not {"numpy", "onnx", "xdsl", "click", "google"} & set(plain)
    assert "unicorn" not in forbidden(["test"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", sampled(HOW_TO, lambda page: page.name, one_in=3, each_family=False)
)
def test_a_how_to_page_runs_from_a_wheel(page: Path, site: Path, tmp_path: Path) -> None:
    run_alone([page], tmp_path, (str(site), str(ROOT)), forbidden(named_extras(page)))


def texts(path: Path) -> Iterator[str]:
    """Yield the texts of a file that are no docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and node not in docstrings:
            yield node.value


@pytest.mark.slow
def test_no_message_points_at_a_file_that_a_wheel_lacks(site: Path) -> None:
    own = sorted((site / "tilewright").rglob("*.py"))
    assert not [
        (path.name, text) for path in own for text in texts(path) if re.search(r"\bdocs/", text)
    ]


@pytest.mark.parametrize("page", HOW_TO, ids=lambda page: page.name)
def test_a_how_to_page_names_known_extras(page: Path) -> None:
    assert named_extras(page) <= EXTRAS.keys()
