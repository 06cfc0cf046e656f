"""Check the rules of STYLE that a machine can check. Each test lists all violations."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

from tilewright.support.registry import PASSES

from .driver.host_programs.hosts import link_numpy

ROOT = Path(__file__).resolve().parent.parent
TEST_FOLDERS = ("tests", "examples", "benchmarks")

LINE_LIMIT = 100
FUNCTION_LIMIT = 80
FILE_LIMIT = 800
IMPORT_LIMIT = 15
FOLDER_LIMIT = 30

# Tables of data with one row per line: exempt from the limit on file size.
DATA_TABLES: frozenset[str] = frozenset()
# Files that list the modules of a folder: exempt from the limit on imports.
TABLES = frozenset(
    {
        "__init__.py",
        "dialects/graph/__init__.py",
        "passes/schedule/primitives.py",
    }
)
# Boundary modules, which must catch every exception.
CATCH_ALL: frozenset[str] = frozenset(
    {
        "testing/argument_fuzz.py",
        "testing/bisect.py",
        "testing/conformance/check.py",
        "testing/fuzz/checks.py",
        "testing/fuzz/program.py",
        "testing/fuzz/references.py",
        "support/passes.py",
        "testing/worker.py",
        "runtime/abi/library.py",
        "runtime/abi/packed.py",
        "runtime/device/queued_devices.py",
        "runtime/abi/threads.py",
        "runtime/rpc/server.py",
        "serve/grpc_server.py",
        "serve/http.py",
        "serve/scheduling.py",
        "driver/report/crash.py",
        "driver/passes/planning.py",
        "frontend/torch/exported.py",
        "tools/commands/bench.py",
        "tools/failures.py",
        "tools/opt/main.py",
        "tuning/tuner.py",
        "tools/plugin.py",
    }
)
# The only reader of the environment in the compiler.
ENVIRONMENT = "support/config.py"
# The only importers of untyped libraries: typed wrappers, and modules that make models for tests.
WRAPPERS = {
    "llvmlite": {"codegen/llvm.py"},
    "onnx": {
        "driver/onnx_backend.py",
        "frontend/onnx/bodies.py",
        "frontend/onnx/file/proto.py",
        "frontend/onnx/qdq.py",
        "frontend/onnx/smoothing.py",
        "frontend/onnx/file/schema.py",
        "frontend/onnx/file/tensors.py",
        "testing/argument_fuzz.py",
        "testing/bisect.py",
        "testing/conformance/suite.py",
        "testing/fixtures.py",
        "testing/fuzz/graph_builder.py",
        "testing/hostile.py",
        "testing/mutate/probes.py",
        "testing/node_values.py",
        "testing/models.py",
        "testing/reduce/models.py",
        "testing/reference.py",
    },
}
VAGUE_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "misc", "contrib"})
CLASSIC = ROOT / "contrib"
"""A name that programs for TVM import; it holds no code of its own."""


def package_folders() -> list[str]:
    """Return the folders of the library, as paths."""
    found = (path.parent for path in ROOT.glob("*/**/__init__.py"))
    return sorted(
        folder.relative_to(ROOT).as_posix()
        for folder in found
        if not any(part.startswith(".") for part in folder.relative_to(ROOT).parts)
        and folder.relative_to(ROOT).parts[0] not in (*TEST_FOLDERS, "build")
    )


OWN_WHEELS = ("runtime", "serve")
"""Folders that are distributions of their own."""
BACKENDS = [ROOT / folder / "packaging" / "backend.py" for folder in OWN_WHEELS]
"""What builds these distributions; not a part of them."""

ROOT_FOLDERS = sorted(name for name in package_folders() if "/" not in name)


def library_files() -> Iterator[Path]:
    yield ROOT / "__init__.py"
    for folder in ROOT_FOLDERS:
        yield from sorted(path for path in (ROOT / folder).rglob("*.py") if path not in BACKENDS)


def python_files() -> Iterator[Path]:
    yield from library_files()
    for folder in TEST_FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file."""
    return tuple(ast.walk(parsed(path)))


def test_lines_are_short() -> None:
    assert not [
        f"{shown(path)}:{number}"
        for path in python_files()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LINE_LIMIT
    ]


def test_functions_are_short() -> None:
    """The docstring of a public function may explain each of its parameters; it does not count."""
    assert not [
        f"{shown(path)}:{node.lineno} {node.name}: {lines} lines"
        for path in python_files()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (lines := code_lines(node)) > FUNCTION_LIMIT
    ]


def code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function without its docstring."""
    first, docstring = node.body[0], 0
    if ast.get_docstring(node) is not None:
        docstring = (first.end_lineno or 0) - first.lineno + 1
    return (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_files_are_short() -> None:
    assert not [
        f"{shown(path)}: {lines} lines"
        for path in python_files()
        if shown(path) not in DATA_TABLES
        and (lines := len(path.read_text().splitlines())) > FILE_LIMIT
    ]


def test_folders_hold_few_files() -> None:
    held = Counter(path.parent for path in python_files() if path.name != "__init__.py")
    assert not [
        f"{shown(folder)}: {files} files" for folder, files in held.items() if files > FOLDER_LIMIT
    ]


def test_files_and_folders_are_named_for_what_they_do() -> None:
    assert not [
        shown(path)
        for path in python_files()
        if VAGUE_NAMES & {*path.relative_to(ROOT).with_suffix("").parts} and path.parent != CLASSIC
    ]


PARALLEL_CLASSES = frozenset({"Script", "Simplify", "Tensor"})
"""Names of classes with the same role in modules that are never used together."""


def test_each_class_has_a_name_of_its_own() -> None:
    """Ops of different dialects may share a name: the dialect qualifies them."""
    files: dict[str, set[str]] = {}
    for path in library_files():
        is_dialect = path.is_relative_to(ROOT / "dialects")
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and not (is_dialect and node.name.endswith("Op")):
                files.setdefault(node.name, set()).add(f"{shown(path)}:{node.lineno}")
    repeated = {name: sorted(places) for name, places in files.items() if len(places) > 1}
    assert repeated.keys() == PARALLEL_CLASSES, repeated


def test_every_module_with_code_says_what_it_is() -> None:
    assert not [
        shown(path)
        for path in python_files()
        if parsed(path).body and not ast.get_docstring(parsed(path))
    ]


def test_every_public_method_that_overrides_nothing_has_a_docstring() -> None:
    assert not [
        f"{shown(path)}:{method.lineno} {owner.name}.{method.name}"
        for path in library_files()
        for owner in nodes(path)
        if isinstance(owner, ast.ClassDef) and not owner.bases and not owner.name.startswith("_")
        for method in owner.body
        if isinstance(method, ast.FunctionDef)
        and not method.name.startswith("_")
        and not ast.get_docstring(method)
    ]


def test_only_boundaries_catch_every_exception() -> None:
    def broad(handler: ast.ExceptHandler) -> bool:
        caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names = {node.id for node in caught if isinstance(node, ast.Name)}
        reraises = isinstance(handler.body[-1], ast.Raise) and handler.body[-1].exc is None
        return (handler.type is None or bool(names & {"Exception", "BaseException"})) and (
            not reraises
        )

    found = {
        shown(path)
        for path in library_files()
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler) and broad(node)
    }
    assert found == CATCH_ALL


def test_the_environment_is_read_in_one_place() -> None:
    assert not [
        f"{shown(path)}:{node.lineno}"
        for path in library_files()
        if shown(path) != ENVIRONMENT
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "putenv")
    ]


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Return line and module of the absolute imports of a file, without those for type checking."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    typing_only = {
        inner
        for node in nodes(path)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in nodes(path):
        if node in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            yield node.lineno, node.module


def test_the_library_imports_itself_relatively() -> None:
    assert not [
        f"{shown(path)}:{line} {module}"
        for path in library_files()
        for line, module in imports(path)
        if module.split(".")[0] in ("tilewright", *ROOT_FOLDERS)
    ]


@cache
def own_modules() -> dict[str, Path]:
    """Return the files of the library by module name, such as ``passes.te.storage``."""
    names = ((path.relative_to(ROOT).with_suffix("").parts, path) for path in library_files())
    return {".".join(part for part in parts if part != "__init__"): path for parts, path in names}


def own_imports(path: Path) -> Iterator[str]:
    """Yield the modules of ours that a file imports, also in functions and for type checking."""
    package = path.parent.relative_to(ROOT).parts
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            module = ".".join((*base, node.module) if node.module else base)
            for alias in node.names:
                inner = f"{module}.{alias.name}".removeprefix(".")
                yield inner if inner in own_modules() else module


@cache
def import_graph() -> dict[str, set[str]]:
    """Return for each module of ours the modules of ours that it imports."""
    return {name: {*own_imports(path)} - {name} for name, path in own_modules().items()}


def test_no_module_imports_itself_through_others() -> None:
    TopologicalSorter(import_graph()).prepare()  # a CycleError shows the circle


def test_files_import_few_of_our_modules() -> None:
    assert not [
        f"{shown(path)}: {count} modules"
        for path in library_files()
        if shown(path) not in TABLES and (count := len({*own_imports(path)})) > IMPORT_LIMIT
    ]


@pytest.mark.parametrize("library", WRAPPERS)
def test_an_untyped_library_has_one_importer(library: str) -> None:
    assert not [
        f"{shown(path)}:{line}"
        for path in library_files()
        if shown(path) not in WRAPPERS[library]
        for line, module in imports(path)
        if module.split(".")[0] == library
    ]


def test_nothing_is_left_to_do_in_comments() -> None:
    words = tuple(f"# {word}" for word in ("TO" + "DO", "FIX" + "ME", "XX" + "X"))
    assert not [
        f"{shown(path)}:{number}"
        for path in python_files()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if any(word in line for word in words)
    ]


def test_every_pass_file_has_a_row_in_the_table() -> None:
    files = {
        f"tilewright.{shown(path.with_suffix('')).replace('/', '.').removesuffix('.__init__')}"
        for folder in ("passes", "lowering", "targets", "gradient")
        for path in (ROOT / folder).rglob("*.py")
        if any(
            isinstance(node, ast.ClassDef)
            and any(
                isinstance(base, ast.Name)
                and base.id
                in (
                    "Bufferize",
                    "CheckPass",
                    "ExactPass",
                    "GroupCalls",
                    "LimitedPass",
                    "ModulePass",
                    "PlanMemory",
                    "Quantize",
                    "TargetedPass",
                    "Workspace",
                )
                for base in node.bases
            )
            for node in parsed(path).body
        )
    }
    assert files == {entry.partition(":")[0] for entry in PASSES.values()}


def project(folder: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text())


def test_the_package_list_is_the_folders() -> None:
    left = [f"tilewright.{name.replace('/', '.')}" for name in package_folders()]
    for folder in OWN_WHEELS:
        own = [name for name in left if name.split(".")[1] == folder]
        assert project(folder)["tool"]["setuptools"]["packages"] == own
        left = [name for name in left if name not in own]
    assert project(".")["tool"]["setuptools"]["packages"] == ["tilewright", *left]


def test_the_distributions_have_one_version() -> None:
    compiler, runtime, serve = (project(name)["project"] for name in (".", *OWN_WHEELS))
    assert runtime["version"] == serve["version"] == compiler["version"]
    for each in (compiler, serve):
        assert f"{runtime['name']}=={runtime['version']}" in each["dependencies"]
    assert set(runtime["dependencies"]) < set(compiler["dependencies"])
    assert set(runtime["dependencies"]) < set(serve["dependencies"])
    extras = compiler["optional-dependencies"]
    assert extras["serve"] == [f"{serve['name']}[grpc]=={serve['version']}"]
    ours = {runtime["name"] + "==" + runtime["version"]}
    assert set(serve["dependencies"]) - ours - set(runtime["dependencies"]) <= set(extras["test"])


def test_the_distributions_are_built_in_one_way() -> None:
    runtime, serve = (path.read_text().replace("serve", "runtime") for path in BACKENDS)
    assert runtime == serve


def test_the_type_checker_looks_at_every_folder() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pyright"]
    assert settings["include"] == ["__init__.py", *ROOT_FOLDERS]


def test_the_only_modules_at_the_root_are_the_package_and_its_command() -> None:
    assert sorted(path.name for path in ROOT.glob("*.py")) == ["__init__.py", "__main__.py"]
    assert not [shown(path) for path in (ROOT / "tests").rglob("__init__.py")]


def test_no_folder_was_imported_as_a_package_of_its_own() -> None:
    """pytest imports the checkout under its own name, which may be that of a folder."""
    assert not [
        name
        for name, module in sys.modules.items()
        if name.split(".")[0] in {*ROOT_FOLDERS} - {ROOT.name}
        and ROOT in Path(getattr(module, "__file__", None) or "/").parents
    ]


def test_importing_the_package_imports_nothing_else() -> None:
    code = (
        "import sys\nimport tilewright\n"
        "heavy = {'xdsl', 'numpy', 'onnx', 'llvmlite', 'click', 'rich'} & set(sys.modules)\n"
        "ours = [name for name in sys.modules if name.startswith('tilewright.')]\n"
        "assert not heavy, heavy\nassert not ours, ours\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd="/")


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    import tilewright

    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = tilewright.nonsense
    assert "compile" in dir(tilewright)


def held(wheel: Path) -> set[str]:
    """Return the files of a wheel, without its metadata."""
    names = zipfile.ZipFile(wheel).namelist()
    return {name for name in names if ".dist-info/" not in name}


@pytest.mark.slow
def test_the_wheels_hold_the_library_and_its_data_only(wheels: list[Path]) -> None:
    compiler, runtime, serve = map(held, wheels)
    own = compiler | runtime | serve
    assert own >= {f"tilewright/{shown(path)}" for path in library_files()}
    data = (*ROOT.glob("codegen/prelude/*.*"), *ROOT.glob("runtime/native/*.[ch]"))
    assert own >= {f"tilewright/{shown(path)}" for path in data}
    assert {path.suffix for path in data} == {".py", ".ll", ".o", ".c", ".h"}
    assert "tilewright/py.typed" in compiler
    assert {name.split("/")[0] for name in own} == {"tilewright"}
    assert {name.split("/")[1] for name in runtime} == {"runtime"}
    assert {name.split("/")[1] for name in serve} == {"serve"}
    assert not {name.split("/")[1] for name in compiler} & {*TEST_FOLDERS, *OWN_WHEELS}
    assert not [name for name in runtime | serve if "packaging" in name]


@pytest.mark.slow
def test_the_wheels_work_outside_the_checkout(wheels: list[Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    for wheel in wheels:
        zipfile.ZipFile(wheel).extractall(site)
    (tmp_path / "f.mlir").write_text("func.func @f() {\n  func.return\n}\n")
    code = (
        "import sys, tilewright\nfrom tilewright.tools import cli\n"
        "from tilewright.tools.opt import main as opt\n"
        f"assert tilewright.__file__.startswith({str(site)!r}), tilewright.__file__\n"
        "assert opt.main(['f.mlir']) == 0\nassert cli.main(['doctor']) == 0\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert "func.func @f()" in done.stdout


def test_the_driver_names_no_pass() -> None:
    """Backends list the passes; the driver asks for roles, classes and attributes."""
    assert not [
        f"{shown(path)}:{node.lineno}: {node.value}"
        for path in sorted((ROOT / "driver").rglob("*.py"))
        for node in nodes(path)
        if isinstance(node, ast.Constant) and node.value in PASSES
    ]


PLANNING = "driver.passes.planning._stages"
"""The stages of the pipeline, which planning runs again on copies of a module."""


def driver_modules() -> dict[str, ast.Module]:
    """Return the syntax trees of the driver by module name."""
    return {n: parsed(p) for n, p in own_modules().items() if n.startswith("driver.")}


@pytest.mark.parametrize("parameter", ["shapes", "target", "model"])
def test_few_modules_of_the_driver_name_a_parameter_of_compile(parameter: str) -> None:
    """Parameters travel as fields of a request, which other modules pass on as a whole."""
    names = {ast.Name: "id", ast.arg: "arg", ast.keyword: "arg", ast.Attribute: "attr"}
    naming = {
        name
        for name, tree in driver_modules().items()
        for node in ast.walk(tree)
        if type(node) in names and getattr(node, names[type(node)]) in (parameter, f"_{parameter}")
    }
    assert len(naming) <= 15, sorted(naming)


def test_no_module_of_the_driver_calls_back_into_a_module_that_imports_it() -> None:
    """A call is one back if only modules that import its module define a function of its name."""
    below: dict[str, set[str]] = {}
    for name in TopologicalSorter(import_graph()).static_order():
        used = import_graph().get(name, set())
        below[name] = used.union(*(below[each] for each in used))
    definers: dict[str, set[str]] = {}
    for name, path in own_modules().items():
        tree = parsed(path)
        for owner in (tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))):
            bases = owner.bases if isinstance(owner, ast.ClassDef) else []
            if any("Protocol" in ast.unparse(base) for base in bases):
                continue
            for node in owner.body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    definers.setdefault(node.name, set()).add(name)
    back = {
        f"{name}.{called}"
        for name, tree in driver_modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        for called in [node.func.id if isinstance(node.func, ast.Name) else node.func.attr]
        if called in definers and definers[called] <= driver_modules().keys()
        if all(name in below[each] for each in definers[called])
    }
    assert not back


def test_the_driver_stores_only_functions_of_the_user_and_the_system() -> None:
    """An object that stores another function of the driver hides where control goes."""
    found: set[str] = set()
    for name, tree in driver_modules().items():
        for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            methods = {node.name for node in owner.body if isinstance(node, ast.FunctionDef)}
            own = [
                node
                for node in ast.walk(owner)
                if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"
            ]
            fields = {node.attr for node in own if isinstance(node.ctx, ast.Store)} - methods
            fields |= {
                node.target.id
                for node in owner.body
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
            }
            called = {node.func for node in ast.walk(owner) if isinstance(node, ast.Call)}
            found |= {f"{name}.{n.attr}" for n in own if n in called and n.attr in fields}
    users = {
        "driver.placement.placement",
        "driver.progress._watcher",
    }
    assert found == {*users, "driver.torch.page_writes._ioctl", PLANNING}


@pytest.mark.slow
def test_the_wheel_of_the_runtime_needs_numpy_only(wheels: list[Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheels[1]).extractall(site)
    code = (
        "import importlib, pkgutil, sys\n"
        "for name in ('xdsl', 'llvmlite', 'onnx', 'ml_dtypes', 'click', 'rich'):\n"
        "    sys.modules[name] = None\n"
        "import tilewright.runtime\n"
        "for part in pkgutil.iter_modules(tilewright.runtime.__path__):\n"
        "    importlib.import_module(f'tilewright.runtime.{part.name}')\n"
        f"assert [*tilewright.__path__] == [{str(site / 'tilewright')!r}]\n"
    )
    link_numpy(site)
    # Without site, so that the checkout's own installation is not found.
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
