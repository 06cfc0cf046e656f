"""Measured numbers of a processor: the target option, its file, and who reads the numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright.driver.settings import settings_for
from tilewright.machines.cpu_numbers import measurable_numbers, numbers_of
from tilewright.machines.measured_numbers import MEASURED, rounded, write_numbers
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TargetError
from tilewright.targets.cpu.cost.cycles import cycle_model

MEASURED_HERE = {"clock_hz": 2.51234e9, "fma_ports": 1.96, "load_ports": 0.87, "l2_rate": 40.04}


def written(path: Path, cpu: str = "znver4", **numbers: float) -> str:
    write_numbers(path, rounded(numbers or MEASURED_HERE), cpu=cpu, processor="a processor")
    return f"{cpu} -numbers={path}"


def test_a_target_contains_the_numbers_of_a_file_in_full(tmp_path: Path) -> None:
    target = Target(written(tmp_path / "row.json"))
    assert target.numbers == rounded(MEASURED_HERE)
    (tmp_path / "row.json").unlink()
    assert Target(str(target)) == Target(dict(target.export())) == target != Target("znver4")
    assert dict(target.numbers) == {
        "clock_hz": 2.51e9, "fma_ports": 2, "load_ports": 1, "l2_rate": 40.0
    }  # fmt: skip


def test_measured_numbers_replace_those_of_the_row_wherever_plans_read_them() -> None:
    plain, own = Target("znver4"), Target("znver4 -numbers=fma_ports:2,unit_bits:512,l2_rate:9")
    assert (plain.fma_ports, plain.for_vectors(256).fma_ports) == (1, 2)
    assert (own.fma_ports, own.for_vectors(256).fma_ports, own.load_ports) == (2, 2, 1)
    assert numbers_of(own).l2_rate == cycle_model(own).numbers.l2_rate == 9
    assert numbers_of(own).l3_rate == numbers_of(plain).l3_rate
    assert list(measurable_numbers(own)) == list(MEASURED)
    assert measurable_numbers(own)["unit_bits"] == 512


def test_measured_numbers_are_a_part_of_the_key_of_compiled_code() -> None:
    keys = [settings_for(f"znver4{more}").key_parts() for more in ("", " -numbers=l2_rate:9")]
    assert keys[0] != keys[1]


def test_a_program_for_measured_numbers_computes_the_same() -> None:
    a = tilewright.te.placeholder((9, 33), name="a")
    b = tilewright.te.compute((9, 33), lambda i, j: a[i, j] * 2.0, name="b")
    given = np.ones((9, 33), np.float32)
    for target in ("native", "native -numbers=fma_ports:2,load_ports:3,l2_rate:64"):
        module = tilewright.build(b, target=target, cache=False)
        assert (module(given).numpy() == 2).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no measured numbers"),
        ("{", "has no measured numbers"),
        ("[1]", "has no measured numbers"),
        ('{"format": "other 1", "cpu": "znver4", "numbers": {}}', "got: format 'other 1'"),
        (None, "cannot read the measured numbers"),
    ],
)
def test_a_damaged_or_missing_file_is_one_error(
    tmp_path: Path, text: str | None, message: str
) -> None:
    path = tmp_path / "row.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(TargetError, match=message) as error:
        Target(f"znver4 -numbers={path}")
    assert str(path) in str(error.value)


@pytest.mark.parametrize("number", ["0", "-1", "nan", "inf", "x", "1.5"])
def test_a_file_with_a_wrong_number_is_refused(tmp_path: Path, number: str) -> None:
    written(path := tmp_path / "row.json")
    fields = json.loads(path.read_text())
    path.write_text(json.dumps({**fields, "numbers": {"fma_ports": number}}))
    for value in (path, f"fma_ports:{number}", "speed:1", "l2_rate"):
        with pytest.raises(TargetError, match="no measured number of a processor"):
            Target(f"znver4 -numbers={value}")


def test_numbers_of_another_processor_are_refused(tmp_path: Path) -> None:
    written(path := tmp_path / "row.json", cpu="skylake")
    with pytest.raises(TargetError, match="of another processor") as error:
        Target(f"znver4 -numbers={path}")
    assert "got: numbers of skylake (a processor)" in str(error.value)
    with pytest.raises(TargetError, match="rows of the table"):
        Target("llvm -mcpu=x86-64,x86-64-v3 -numbers=l2_rate:9")


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    written(path := tmp_path / "row.json")
    before = path.read_text()
    with pytest.raises(TargetError, match="cannot write"):
        written(tmp_path / "missing" / "row.json")
    with pytest.raises(TargetError, match=r"suffix \.json"):
        written(tmp_path / "row.txt")
    assert [file.name for file in tmp_path.iterdir()] == ["row.json"]
    assert path.read_text() == before
