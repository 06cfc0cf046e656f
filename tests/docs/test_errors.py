"""docs/errors.md lists the errors that the library defines and exports."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import tilewright
from tilewright import Error

from .blocks import ROOT

PAGE = (ROOT / "docs" / "errors.md").read_text()
INTERNAL = {
    "codegen.relocations.RelocationOutOfRange": "the linker raises a LinkError with the symbol",
    "frontend.onnx.sizes.symbolic.UnknownSizeError": "the importer catches it",
    "dialects.recipes.NotReplayable": "load_params refuses the parameter, with the reason",
    "interp.wide_loops.NarrowLoop": "the loop runs iteration by iteration",
    "support.checked_file.DamagedError": "the file of the cache is made again",
    "support.inequalities._TooLong": "the system is not proven to have no solution",
    "tools.commands.debug._Stop": "the command shows the op and exits",
    "testing.fuzz.graph_builder.NotInStandard": "the fuzzer draws another graph",
    "testing.worker.WorkerDied": "a test's own process failed",
}
"""Exceptions of the library that no user sees, and why."""


def imported(name: str) -> ModuleType:
    """Return a module of the library; one without definitions if it needs torch, which is missing.

    `make test` may lack torch.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as err:
        if err.name != "torch":
            raise
        return ModuleType(name)


def defined() -> Iterator[type[BaseException]]:
    """Yield the exception classes that the library defines."""
    for info in pkgutil.walk_packages(tilewright.__path__, "tilewright."):
        if info.name.split(".")[1] in ("tests", "examples", "benchmarks"):
            continue
        for value in vars(imported(info.name)).values():
            if (
                isinstance(value, type)
                and issubclass(value, Exception)
                and value.__module__ == info.name
            ):
                yield value


def exported() -> dict[str, type[Error]]:
    values = {name: getattr(tilewright, name) for name in tilewright.__all__}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, type) and issubclass(value, Error)
    }


def test_every_exception_has_the_base_class() -> None:
    others = [one for one in defined() if not issubclass(one, (Error, Warning))]
    names = {f"{one.__module__}.{one.__name__}".removeprefix("tilewright.") for one in others}
    assert names == INTERNAL.keys()


def test_the_page_lists_the_exported_errors() -> None:
    listed = re.findall(
        r"^\| `(\w+)` \|([^|]*)\|", PAGE.partition("## Attributes")[0], re.MULTILINE
    )
    assert [name for name, _ in listed if name != "Error"]
    assert sorted(name for name, _ in listed) == sorted(exported())
    for name, bases in listed:
        others = {base.__name__ for base in exported()[name].__mro__[1:]}
        assert set(re.findall(r"`(\w+)`", bases)) <= others
