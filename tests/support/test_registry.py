"""The lazy tables: every entry loads, names agree, unknown names are explained."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect
from xdsl.parser import Parser
from xdsl.passes import ModulePass

from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import (
    DIALECTS,
    FRONTENDS,
    PASSES,
    UPSTREAM_DIALECTS,
    find_pass,
    load,
    new_context,
)


@pytest.mark.parametrize("name", [*DIALECTS, *UPSTREAM_DIALECTS])
def test_a_dialect_has_the_name_of_its_entry(name: str) -> None:
    dialect = load({**UPSTREAM_DIALECTS, **DIALECTS}[name])
    assert isinstance(dialect, Dialect)
    assert dialect.name == name


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_has_the_name_of_its_entry_and_its_file(name: str) -> None:
    found = find_pass(name)
    assert issubclass(found, ModulePass)
    assert found.name == name
    module, _, class_name = PASSES[name].partition(":")
    words = name.split("-")
    if ".passes." not in module:
        # Names of lowerings have two levels; names of target passes start with the target.
        assert class_name.lower() in ("".join(words), "".join(words[1:]))
        return
    folder, file = module.split(".")[-2:]
    # Schedules rewrite kernels of the te level, and functions are of the graph level.
    level = {"schedule": "te", "functions": "graph"}.get(folder, folder)
    assert words == [level, *file.split("_")]
    assert class_name.lower() == file.replace("_", "")


@pytest.mark.parametrize("name", FRONTENDS)
def test_a_frontend_is_callable(name: str) -> None:
    assert callable(load(FRONTENDS[name]))


def test_a_new_context_parses_upstream_ir() -> None:
    module = Parser(new_context(), "func.func @f() { func.return }").parse_module()
    assert isinstance(module, ModuleOp)


def test_an_unknown_pass_names_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"te-tile": "m:T", "te-fuse": "m:F"}
    monkeypatch.setattr("tilewright.support.registry.PASSES", table)
    with pytest.raises(
        TilewrightError, match=r"unknown pass\n\s+expected: .*te-tile.*\n.*te-tiles"
    ):
        find_pass("te-tiles")
