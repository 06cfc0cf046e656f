"""Functions in C in Python's registry, and functions of Python in C."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import UnknownFunction, get_global_func, te
from tilewright.runtime.abi.library import LoadError

from ..driver.host_programs.hosts import FLAGS, NATIVE, tool

NAMES = ["c.scale", "c.call_python", "c.expect_error", "c.fail", "c.fail_again", "c.register"]
SOURCE = Path(__file__).with_name("functions.c")


def shared(source: Path, folder: Path) -> Path:
    """Compile a library with the C runtime; return its file."""
    made = folder / f"{source.stem}.so"
    sources = [source, NATIVE / "tilewright.c"]
    subprocess.run([tool("gcc"), *FLAGS, "-shared", "-fPIC", "-o", made, *sources], check=True)
    return made


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Iterator[Path]:
    path = shared(SOURCE, tmp_path_factory.mktemp("functions"))
    assert tilewright.load_functions(path) == NAMES
    yield path
    for name in (*NAMES, "c.later"):
        if get_global_func(name, allow_missing=True):
            tilewright.remove_global_func(name)


@pytest.fixture
def python() -> Iterator[None]:
    yield
    tilewright.remove_global_func("test.python")


def test_python_calls_c(library):
    assert set(NAMES) <= {*tilewright.list_global_func_names()}
    assert tilewright.load_functions(library) == NAMES
    x, y = np.arange(4, dtype=np.float32), np.empty(4, np.float32)
    get_global_func("c.scale")(x, y, 3.0)
    np.testing.assert_array_equal(y, 3 * x + 1)
    get_global_func("c.scale")(x, y)
    np.testing.assert_array_equal(y, 2 * x + 1)


def test_compiled_code_calls_c(library):
    a = te.placeholder((4,), "float32", "a")
    b = te.extern((4,), [a], lambda ins, outs: te.call_packed("c.scale", ins[0], outs[0]), "b")
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(tilewright.build([a, b])(x), 2 * x + 1)


def test_c_calls_python(library, python):
    tilewright.register_func("test.python", lambda *values: sum(values))
    assert get_global_func("c.call_python")(3, 4) == 7
    assert get_global_func("c.call_python")(0.5, 1) == 1.5
    tilewright.register_func("test.python", lambda text: text.upper(), override=True)
    assert get_global_func("c.call_python")("a longer text") == "A LONGER TEXT"


def test_c_calls_compiled_code(library, python):
    a = te.placeholder((4,), "float32", "a")
    module = tilewright.build([a, te.compute((4,), lambda i: a[i] * 2.0, "b")])
    tilewright.register_func("test.python", module["main"])
    x, y = np.arange(4, dtype=np.float32), np.empty(4, np.float32)
    get_global_func("c.call_python")(x, y)
    np.testing.assert_array_equal(y, 2 * x)
    with pytest.raises(ValueError, match="argument 1"):
        get_global_func("c.call_python")(x, y[:3])


def test_errors_cross_in_both_directions(library, python):
    with pytest.raises(ValueError, match="the reason\n  expected: 1\n  got: 2"):
        get_global_func("c.fail")()
    with pytest.raises(
        UnknownFunction, match=r"no function is registered.*\n.*\n  got: test\.python"
    ):
        get_global_func("c.call_python")()
    tilewright.register_func("test.python", lambda x: 1 // x)
    with pytest.raises(ZeroDivisionError) as caught:
        get_global_func("c.call_python")(0)
    assert caught.traceback[-1].name == "<lambda>"
    assert get_global_func("c.expect_error")(0) == 1
    assert get_global_func("c.expect_error")(2) == 0
    with pytest.raises(IndexError, match="another reason"):
        get_global_func("c.fail_again")(0)


def test_later_registrations_follow_the_rules(library):
    register = get_global_func("c.register")
    register()
    with pytest.raises(ValueError, match="the reason"):
        get_global_func("c.later")()
    with pytest.raises(ValueError, match=r"the name is registered"):
        register()
    register(1)  # an override
    tilewright.register_func("c.later", lambda: 5, override=True)
    assert get_global_func("c.later")() == 5


def test_a_name_that_is_taken_is_an_error_of_the_load(library, tmp_path):
    other = tmp_path / "again.c"
    other.write_text(SOURCE.read_text())
    with pytest.raises(ValueError, match=r"global function c\.scale is registered already"):
        tilewright.load_functions(shared(other, tmp_path))


@pytest.mark.parametrize("text", ["no library", ""])
def test_another_file_is_refused(tmp_path, text):
    (tmp_path / "a.so").write_text(text)
    with pytest.raises(LoadError, match="has no functions to register"):
        tilewright.load_functions(tmp_path / "a.so")
