"""Programs as JSON and MLIR bytecode: round trips of every level, malformed input, real MLIR."""

from __future__ import annotations

import dataclasses
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from xdsl.dialects.builtin import IntAttr, ModuleOp
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def

import tilewright
from tests.ir.test_difference import parsed
from tests.lowering.mlir_opt import find_opt, irdl_errors, needs_opt
from tilewright import ir
from tilewright.runtime.errors import Error
from tilewright.support.ir_parser import IrParser
from tilewright.support.locations import name_location
from tilewright.support.registry import new_context
from tilewright.testing import models

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "ir.schema.json").read_text())
LEVELS = ("graph", "te", "sched", "scheduled", "loop", "packed")


@pytest.fixture(scope="module")
def stages() -> dict[str, ModuleOp]:
    mod = tilewright.compile(models.ffn_model(m=2, k=3, n=4))
    made = {
        level: IrParser(new_context(), mod.get_source(level)).parse_module() for level in LEVELS
    }
    made["blocks"] = parsed()
    return made


def _same(one: Operation, other: Operation) -> None:
    assert ir.diff(one, other) is None
    assert one.is_structurally_equivalent(other)


@pytest.mark.parametrize("level", [*LEVELS, "blocks"])
def test_programs_of_all_levels_come_back(level: str, stages: dict[str, ModuleOp]) -> None:
    program, ctx = stages[level], new_context()
    ctx.allow_unregistered = True
    program.body.block.ops.first.location = name_location("conv1")  # type: ignore[union-attr]
    text, data = ir.to_json(program), ir.to_bytecode(program)
    jsonschema.validate(json.loads(text), SCHEMA)
    assert b"#builtin.int<" not in data  # MLIR has no such attribute
    for found in (ir.from_json(text, ctx), ir.from_bytecode(data, ctx)):
        _same(program, found)
        assert isinstance(found, ModuleOp)
        first = found.body.block.ops.first
        assert first is not None
        assert first.location == name_location("conv1")
    if level != "blocks":  # the number of a block in a text depends on the order of its uses
        assert str(ir.from_json(text, ctx)) == str(program)
    assert (ir.to_json(ir.from_json(text, ctx)), ir.to_bytecode(program)) == (text, data)


@pytest.mark.parametrize("suffix", [".mlir", ".json", ".mlirbc", ".nested"])
def test_files_of_each_form_are_compiled(
    suffix: str, stages: dict[str, ModuleOp], tmp_path: Path
) -> None:
    path = tmp_path / f"ffn{suffix}"
    ir.write(stages["te"], path)
    _same(ir.read(path), stages["te"])
    mod, plain = (tilewright.compile_module(each) for each in (path, stages["te"].clone()))
    feeds = [np.ones(spec.shape, np.float32) for spec in plain.inputs]
    np.testing.assert_array_equal(mod(*feeds).numpy(), plain(*feeds).numpy())


@needs_opt
@pytest.mark.parametrize("level", [*LEVELS, "blocks"])
def test_mlir_reads_our_bytecode(level: str, stages: dict[str, ModuleOp], tmp_path: Path) -> None:
    path, program = tmp_path / "a.mlirbc", find_opt()
    assert program is not None
    ir.write(stages[level], path)
    options = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
    done = subprocess.run([program, path, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = [ir.difference.op_name(op) for op in stages[level].walk()]
    assert [done.stdout.count(f'"{name}"(') for name in {*names}] == [
        names.count(name) for name in {*names}
    ]


@needs_opt
def test_mlir_verifies_every_level_with_our_dialects(
    stages: dict[str, ModuleOp], tmp_path: Path
) -> None:
    for level in LEVELS:
        assert not irdl_errors(ir.for_mlir(stages[level]), tmp_path), level


@needs_opt
@pytest.mark.parametrize(
    ("level", "right", "wrong", "error"),
    [
        ("graph", '"graph.matmul"(', '"graph.matmult"(', "unregistered"),
        ("loop", "{lower = ", "{lover = ", "attribute"),
        ("sched", '{params = {name = "matmul"}, ', "{", "attribute"),
        ("packed", "callee = @", "called = @", "attribute"),
    ],
)
def test_mlir_refuses_programs_that_break_a_definition(
    level: str, right: str, wrong: str, error: str, stages: dict[str, ModuleOp], tmp_path: Path
) -> None:
    program = ir.for_mlir(stages[level])
    changed = dataclasses.replace(program, text=program.text.replace(right, wrong, 1))
    found = irdl_errors(changed, tmp_path)
    assert error in found


@irdl_op_definition
class NothingOp(IRDLOperation):
    name = "demo.nothing"
    level = prop_def(IntAttr)


def test_a_dialect_of_another_package_is_exported_too(tmp_path: Path) -> None:
    nothing = NothingOp(properties={"level": IntAttr(3)})
    program = ir.for_mlir(ModuleOp([nothing]), [Dialect("demo", [NothingOp])])
    assert 'irdl.operation @"nothing"' in program.irdl.partition("irdl.dialect @demo")[2]
    assert '"demo.nothing"() {level = 3 : i64}' in program.text
    if find_opt() is not None:
        assert not irdl_errors(program, tmp_path)


def test_the_form_for_mlir_leaves_the_program_alone(stages: dict[str, ModuleOp]) -> None:
    for level in LEVELS:
        before = stages[level].clone()
        program = ir.for_mlir(stages[level])
        _same(before, stages[level])
        assert "builtin.int<" not in program.text
        assert "irdl.dialect @loop" in program.irdl
        assert "tw.op" in program.text or level == "graph"


def test_a_value_may_be_used_before_its_definition() -> None:
    loop = """
    func.func @f(%c: i1) {
      cf.br ^bb2
    ^bb1:
      "test.use"(%v) : (i32) -> ()
      func.return
    ^bb2:
      %v = "test.def"() : () -> i32
      cf.br ^bb1
    }
    """
    program, ctx = parsed(loop), new_context()
    ctx.allow_unregistered = True
    # xDSL's comparison of structures does not know values that are used before their definition.
    for found in (
        ir.from_json(ir.to_json(program), ctx),
        ir.from_bytecode(ir.to_bytecode(program), ctx),
    ):
        assert ir.diff(program, found) is None
        found.verify()
        use, definition = (op for op in found.walk() if op.name == "builtin.unregistered")
        assert use.operands[0] is definition.results[0]


def _op(**members: Any) -> str:
    return json.dumps({"version": 1, "op": {"name": "builtin.module", **members}})


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "no JSON"),
        ("[]", "unknown version"),
        ('{"version": 2}', "unknown version"),
        (_op(name="graph.tanhh"), "unknown op"),
        (_op(operands=["%x"]), "used but not defined"),
        (_op(operands=[1]), "'operands' is malformed"),
        (_op(regions=[3]), "a region is malformed"),
        (_op(attributes={"a": "#"}), "malformed attribute"),
        (_op(attributes={"a": "1 : i32 2"}), "text after an attribute"),
        (_op(location="1 : i32"), "a location is malformed"),
        (_op(results=[{"name": "%a"}]), "'type' is malformed"),
        (_op(results=[{"name": "%a", "type": "i32"}] * 2), "defined twice"),
        ('{"version": 1, "op": ' + "[" * 100_000, "nested"),
    ],
)
def test_malformed_json_is_one_error(text: str, error: str) -> None:
    with pytest.raises(Error, match=error):
        ir.from_json(text)


def test_malformed_bytecode_is_one_error(stages: dict[str, ModuleOp]) -> None:
    data = ir.to_bytecode(stages["loop"])
    draw = random.Random(3)
    with pytest.raises(Error, match="no MLIR bytecode"):
        ir.from_bytecode(b"PK" + data)
    with pytest.raises(Error, match="another version"):
        ir.from_bytecode(data[:4] + b"\x0d" + data[5:])
    for end in draw.sample(range(4, len(data)), 20):
        with pytest.raises(Error):
            ir.from_bytecode(data[:end])
    for _ in range(40):
        changed = bytearray(data)
        changed[draw.randrange(5, len(data))] = draw.randrange(256)
        try:
            ir.from_bytecode(bytes(changed))
        except Error:
            continue


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.mlirbc"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(Error, match=r"a\.mlirbc.*neither text nor bytecode"):
        ir.read(path)
    with pytest.raises(Error, match="cannot be read"):
        ir.read(tmp_path / "none.mlir")
    with pytest.raises(Error, match="unknown form"):
        ir.write(parsed(), tmp_path / "a.txt")
