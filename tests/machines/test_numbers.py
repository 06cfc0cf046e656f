"""Numbers of processors: they are in machines/, and the row of this machine is LLVM's.

The counts of other numbers in the rules of plans may only fall.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import llvmlite.binding
import pytest

import tilewright
from tilewright.machines.cpu import PROCESSORS, processor_of
from tilewright.machines.target import Target
from tilewright.targets.cpu.plan.tiles import step_cycles

ROOT = Path(tilewright.__file__).parent
LEFT = {"targets/cpu/plan": 156, "targets/cpu/choices": 16, "targets/gpu/plan": 183}
"""The numbers that rules still have, by folder: constants, fractions, and integers from 16 on."""
SLACK = 4
"""By how much a folder may have fewer numbers than `LEFT` says."""


def numbers_of_rules(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the numbers of a file that may be thresholds of a machine."""
    constants = (
        o.value for o in tree.body if isinstance(o, ast.Assign | ast.AnnAssign) and o.value
    )
    named = {id(n) for value in constants for n in ast.walk(value)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
            continue
        value = node.value
        if isinstance(value, int | float) and (
            id(node) in named
            or (isinstance(value, float) and value not in (0.0, 1.0))
            or value >= 16
        ):
            yield node


@pytest.mark.parametrize("folder", LEFT)
def test_numbers_of_machines_are_in_their_table(folder: str) -> None:
    files = (ROOT / folder).rglob("*.py")
    count = sum(len([*numbers_of_rules(ast.parse(file.read_text()))]) for file in files)
    most = LEFT[folder]
    assert count <= most, "put numbers of processors into machines/"
    assert count >= most - SLACK, f"{folder} has {count} numbers now: lower its limit"


def test_this_machine_has_the_row_of_its_name_in_llvm() -> None:
    found, name = Target.native().cpu, llvmlite.binding.get_host_cpu_name()
    assert found == name or found.startswith("x86-64") or name not in PROCESSORS


@pytest.mark.parametrize(
    ("vendor", "family", "model", "missing", "name"),
    [
        ("AuthenticAMD", 25, 17, (), "znver4"),
        ("AuthenticAMD", 25, 33, (), "znver3"),
        ("AuthenticAMD", 25, 17, ("avx512bf16",), "x86-64-v4"),
        ("AuthenticAMD", 25, 17, ("avx512f",), "x86-64-v3"),
        ("GenuineIntel", 6, 85, (), "cascadelake"),
        ("GenuineIntel", 6, 85, ("avx512vnni",), "skylake-avx512"),
        ("GenuineIntel", 6, 143, (), "sapphirerapids"),
        ("GenuineIntel", 25, 17, (), "x86-64-v4"),
        ("", 0, 0, ("ssse3",), "x86-64"),
    ],
)
def test_a_processor_is_found_by_its_model_and_features(
    vendor: str, family: int, model: int, missing: tuple[str, ...], name: str
) -> None:
    rows = [row for row in PROCESSORS.values() if row.architecture == "x86_64"]
    features = {f for row in rows for f in row.all_features.union(row.implied)}
    assert processor_of(vendor, family, model, features.difference(missing)) == name


def test_broadcasts_have_ports_of_their_own() -> None:
    zen4, generic = Target("znver4"), Target("x86-64-v4")
    assert step_cycles(14, 1, zen4) == 14
    assert step_cycles(14, 1, generic) == 7.5


def test_a_divided_vector_takes_two_units_and_a_narrower_one_takes_one() -> None:
    zen4, generic = Target("znver4"), Target("x86-64-v4")
    ports = zen4.fma_ports, zen4.load_ports, zen4.broadcast_ports
    assert (ports, step_cycles(14, 1, zen4.for_vectors(256))) == ((1, 1, 2), 7.5)
    assert zen4.for_vectors(128).fma_ports == Target("znver4 -mattr=-avx512f").fma_ports == 2
    assert generic.for_vectors(256) is generic
