"""The LLVM IR of static models does not change unless somebody means it to.

Symbolic sizes, and other work on one kind of model, must leave the code of all others alone.
"""

from __future__ import annotations

import json

import pytest

from .golden_code import CALLS, COMMAND, KERNEL, MODELS, PATH, TABLES, hashes, parts

EXPECTED = json.loads(PATH.read_text())


@pytest.mark.parametrize("name", MODELS)
def test_code_is_as_recorded(name: str) -> None:
    got, expected = hashes(name), EXPECTED.get(name)
    assert got == expected, (
        f"the code of {name} changed (hashes of kernels and main, by target); if that is meant, "
        f"say so in the commit and run `{COMMAND}`"
    )


def test_every_hash_has_a_model() -> None:
    assert list(EXPECTED) == list(MODELS)


def test_hashes_leave_names_and_tables_out() -> None:
    text = f"{KERNEL}'a'\ndefine\n{CALLS}\ncall\n{TABLES}\nthreads 2"
    other = f"{KERNEL}'b'\ndefine\n{CALLS}\ncall\n{TABLES}\nthreads 3"
    assert parts(text) == parts(other)
    assert parts(text)[0] != parts(text.replace("define", "declare"))[0]
    assert parts(text)[1] != parts(text.replace("call\n", "calls\n"))[1]
