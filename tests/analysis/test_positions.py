"""Positions of loop programs: proofs, rejections with their messages, and mutated programs."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser

import tilewright
from tilewright.analysis.bounds.positions import OutsideBuffer, verify_positions
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.loop import ForOp, LoadOp, StoreOp
from tilewright.dialects.shape import dims_of, size_parameters
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.interp.loop import run_function
from tilewright.machines.target import Target
from tilewright.support.diagnostics import TilewrightError
from tilewright.support.registry import new_context

from ..ops.case import OpCase
from ..ops.cases import conv_cases, matmul_cases, move_cases, norm_cases, pool_cases, reduce_cases
from ..ops.index_cases import index_cases
from ..ops.scatter_cases import scatter_cases
from ..ops.selection_cases import selection_cases

BUFFERS = "%X: memref<100xf32>, %B: memref<4x8xf32>, %ids: memref<4xi64>"


def program(body: str) -> str:
    """Return a function with a scalar %v and a vector %w to store, and constants."""
    lines = "\n".join(f"  {line}" for line in body.strip().split("\n"))
    return f"""
func.func @f({BUFFERS}) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.constant 99 : index
  %size = arith.constant 100 : index
  %v = loop.load %B[0, 0] : memref<4x8xf32>, f32
  %w = loop.load %B[0, 0] : memref<4x8xf32>, vector<8xf32>
  %id = loop.load %ids[0] : memref<4xi64>, i64
  %row = arith.index_cast %id : i64 to index
{lines}
  func.return
}}"""


INSIDE = {
    "a tail by its bound": """
loop.for %t = 0 to 13 {
  loop.for %i = 0 to min(8, %t * -8 + 100) {
    loop.store %v, %X[%t * 8 + %i] : memref<100xf32>, f32
  }
}""",
    "steps of two from a quotient of a fused axis": """
loop.for %t = 0 to 84 {
  loop.for %i = max(0, ((%t floordiv 3) floordiv 2) mod 7 * -1 + 1) to 44 {
    loop.store %v, %X[(%t floordiv 3) mod 14 + %i * 2 - 2] : memref<100xf32>, f32
  }
}""",
    "a tail by lanes": """
loop.store %w, %X[96] lanes 4 : memref<100xf32>, vector<8xf32>""",
    "a padded load": """
%a = loop.load %X[98] pad 0.0 : memref<100xf32>, vector<8xf32>""",
    "a clip": """
loop.for %i = 0 to 200 {
  loop.store %v, %X[%i - 50] clip [0 to 100] : memref<100xf32>, f32
}""",
    "a vector that runs on into the next row": """
%a = loop.load %B[1, 4] : memref<4x8xf32>, vector<8xf32>""",
    "a column": """
%a = loop.load %B[0, 7] stride 8 : memref<4x8xf32>, vector<4xf32>""",
    "a test": """
%inside = loop.cmp "ult" %row, %size : index, index, i1
loop.if %inside {
  loop.store %v, %X[%row] : memref<100xf32>, f32
}""",
    "two tests of a sum": """
%next = arith.addi %row, %one : index
%below = loop.cmp "sle" %row, %last : index, index, i1
%above = loop.cmp "sgt" %row, %zero : index, index, i1
%both = arith.andi %below, %above : i1
loop.if %both {
  loop.store %v, %X[%row - 1] : memref<100xf32>, f32
}""",
    "a clamp": """
%low = arith.maxsi %row, %zero : index
%at = arith.minsi %low, %last : index
loop.store %v, %X[%at] : memref<100xf32>, f32""",
    "a wrapped position": """
%r = arith.remsi %row, %size : index
%up = arith.addi %r, %size : index
%negative = loop.cmp "slt" %r, %zero : index, index, i1
%at = loop.select %negative, %up, %r : i1, index, index, index
loop.store %v, %X[%at] : memref<100xf32>, f32""",
    "parts of a divided axis": """
loop.for %i = 0 to 32 {
  loop.store %v, %B[%i floordiv 8, %i mod 8] : memref<4x8xf32>, f32
}""",
    "bounds of a strided window": """
loop.for %o = 0 to 40 {
  loop.for %k = max(0, -((%o * 3 - 9) floordiv 2)) to min(7, (%o * -3 + 108) floordiv 2 + 1) {
    loop.store %v, %X[%o * 3 + %k * 2 - 9] : memref<100xf32>, f32
  }
}""",
    "a count": """
%n = loop.for %i = 0 to 100 iter_args(%c = %zero : index) {
  loop.store %v, %X[%c] : memref<100xf32>, f32
  %positive = loop.cmp "sgt" %row, %i : index, index, i1
  %step = loop.select %positive, %one, %zero : i1, index, index, index
  %next = arith.addi %c, %step : index
  loop.yield %next : index
}""",
    "planes that change places": """
%n = loop.for %i = 0 to 1000 iter_args(%plane = %zero : index) {
  loop.store %v, %B[%plane, 0] : memref<4x8xf32>, f32
  %other = arith.subi %one, %plane : index
  loop.yield %other : index
}""",
    "a loop that never runs": """
loop.for %i = 5 to 5 {
  loop.store %v, %X[100] : memref<100xf32>, f32
}""",
    "a prefetch": """
loop.prefetch %X[500] locality 3 : memref<100xf32>""",
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_is_inside_is_proved(name: str) -> None:
    module = Parser(new_context(), program(INSIDE[name])).parse_module()
    module.verify()
    verify_positions(module)


OUTSIDE = {
    "a constant": (
        "%a = loop.load %B[3, 8] : memref<4x8xf32>, f32  // here",
        "0..7 in dimension 1 of %B, memref<4x8xf32>",
        "8 in 8..8",
    ),
    "a loop that runs too far": (
        """
loop.for %i = 0 to 101 {
  loop.store %v, %X[%i] : memref<100xf32>, f32  // here
}""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%i in 0..100",
    ),
    "a negative position": (
        """
loop.for %i = 0 to 100 {
  loop.store %v, %X[%i - 1] : memref<100xf32>, f32  // here
}""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%i - 1 in -1..98",
    ),
    "a tail without a guard": (
        """
loop.for parallel %t = 0 to 13 {
  loop.for %i = 0 to 8 {
    loop.store %v, %X[%t * 8 + %i] : memref<100xf32>, f32  // here
  }
}""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%t * 8 + %i in 0..103",
    ),
    "a vector wider than what is left": (
        """
loop.for %t = 0 to 13 {
  loop.store %w, %X[%t * 8] : memref<100xf32>, vector<8xf32>  // here
}""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%t * 8 in 0..103, with its 8 lanes",
    ),
    "a vector that runs on behind the last row": (
        "%a = loop.load %B[3, 4] : memref<4x8xf32>, vector<8xf32>  // here",
        "0..7 in dimension 1 of %B, memref<4x8xf32>",
        "4 in 4..11, with its 8 lanes",
    ),
    "lanes too far apart": (
        "%a = loop.load %B[1, 0] stride 8 : memref<4x8xf32>, vector<4xf32>  // here",
        "0..7 in dimension 1 of %B, memref<4x8xf32>",
        "0 in 0..24, with its 4 lanes",
    ),
    "a position from data": (
        "loop.store %v, %X[%row] : memref<100xf32>, f32  // here",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%row is not bounded below and above",
    ),
    "a clamp on one side": (
        """
%at = arith.minsi %row, %last : index
loop.store %v, %X[%at] : memref<100xf32>, f32  // here""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%at is not bounded below",
    ),
    "a test of another bound": (
        """
%inside = loop.cmp "ule" %row, %size : index, index, i1
loop.if %inside {
  loop.store %v, %X[%row] : memref<100xf32>, f32  // here
}""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%row in 0..100",
    ),
    "a use behind its test": (
        """
%inside = loop.cmp "ult" %row, %size : index, index, i1
loop.if %inside {
  loop.store %v, %X[%row] : memref<100xf32>, f32
}
loop.store %v, %X[%row] : memref<100xf32>, f32  // here""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%row is not bounded below and above",
    ),
    "a clip larger than the buffer": (
        """
loop.for %i = 0 to 200 {
  loop.store %v, %X[%i - 50] clip [0 to 101] : memref<100xf32>, f32  // here
}""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%i - 50 in 0..100",
    ),
    "a count by two": (
        """
%two = arith.constant 2 : index
%n = loop.for %i = 0 to 100 iter_args(%c = %zero : index) {
  loop.store %v, %X[%c] : memref<100xf32>, f32  // here
  %next = arith.addi %c, %two : index
  loop.yield %next : index
}""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%c in 0..198",
    ),
    "a count behind its loop": (
        """
%n = loop.for %i = 0 to 100 iter_args(%c = %zero : index) {
  %next = arith.addi %c, %one : index
  loop.yield %next : index
}
loop.store %v, %X[%n] : memref<100xf32>, f32  // here""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%n in 0..100",
    ),
    "a sum that may wrap": (
        """
%low = arith.maxsi %row, %zero : index
%next = arith.addi %low, %one : index
%at = arith.minsi %next, %last : index
loop.store %v, %X[%at] : memref<100xf32>, f32  // here""",
        "0..99 in dimension 0 of %X, memref<100xf32>",
        "%at is not bounded below",
    ),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_may_lie_outside_is_refused_at_its_place(name: str) -> None:
    body, expected, got = OUTSIDE[name]
    text = program(body)
    lines = text.split("\n")
    line = next(n for n, content in enumerate(lines) if "// here" in content)
    column = len(lines[line]) - len(lines[line].lstrip())
    with pytest.raises(OutsideBuffer) as caught:
        tilewright.compile_module(text)
    error = caught.value
    assert (error.expected, error.got) == (expected, got)
    assert str(error).startswith(f"<text>:{line + 1}:{column + 1}: loop.")
    assert "clamp" in error.hint if "not bounded" in got else "guard" in error.hint


CHECKED = """
func.func @rows(%T: memref<9xf32>, %ids: memref<4xi64>, %Y: memref<4xf32>) {{
  %zero = arith.constant 0 : index
  %size = arith.constant 9 : index
  loop.for %i = 0 to 4 {{
    %id = loop.load %ids[%i] : memref<4xi64>, i64
    %row = arith.index_cast %id : i64 to index
    %up = arith.addi %row, %size : index
    %negative = loop.cmp "slt" %row, %zero : index, index, i1
    %at = loop.select %negative, %up, %row : i1, index, index, index
    %v = loop.load %T[%at] : memref<9xf32>, f32
    loop.store %v, %Y[%i] : memref<4xf32>, f32
  }}
  func.return
}}
func.func @fill(%ids: memref<4xi64>) {{
  %n = arith.constant 9 : i64
  loop.store %n, %ids[0] : memref<4xi64>, i64
  func.return
}}
func.func @main(%T: memref<9xf32>, %ids: memref<4xi64>, %Y: memref<4xf32>, %Z: memref<4xf32>) {{
  {before}
  packed.check_indices %ids below [{size}] wraps of "Gather" : memref<4xi64>
  {behind}
  packed.call @rows(%T, %ids, %Y) : (memref<9xf32>, memref<4xi64>, memref<4xf32>) -> ()
  func.return
}}"""
CALL = "packed.call @rows(%T, %ids, %Z) : (memref<9xf32>, memref<4xi64>, memref<4xf32>) -> ()"
FILL = "packed.call @fill(%ids) : (memref<4xi64>) -> ()"


@pytest.mark.parametrize(
    ("before", "size", "behind", "proved"),
    [
        ("", 9, "", True),
        ("", 9, CALL, True),
        (FILL, 9, "", True),
        ("", 10, "", False),
        (CALL, 9, "", False),
        ("", 9, FILL, False),
    ],
)
def test_an_index_has_the_range_that_a_check_gave_it(
    before: str, size: int, behind: str, proved: bool
) -> None:
    text = CHECKED.format(before=before, size=size, behind=behind)
    module = Parser(new_context(), text).parse_module()
    module.verify()
    assert is_refused(module) is not proved


def test_the_first_lanes_of_memory_of_another_type_are_no_vector() -> None:
    text = program("%a = loop.load %B[3, 4] : memref<4x8xf32>, vector<4xf64>")
    with pytest.raises(TilewrightError, match="element type"):
        tilewright.compile_module(text)


def test_no_more_lanes_are_accessed_than_there_are() -> None:
    text = program("loop.store %w, %B[0, 0] lanes 9 : memref<4x8xf32>, vector<8xf32>")
    with pytest.raises(TilewrightError, match="lanes"):
        tilewright.compile_module(text)


SYMBOLIC = """
func.func @f(%A: memref<?x?xf32, #te.dims<n, n>>, %v: f32) {{
  %n = loop.size n
  loop.for %i = 0 to %n {{
    %below = loop.cmp "slt" %i, %{bound} : index, index, i1
    loop.for %j = 0 to min(%n, %i) {{
      loop.store %v, %A[%i, %j] : memref<?x?xf32, #te.dims<n, n>>, f32
      {body}
    }}
  }}
  func.return
}}"""


@pytest.mark.parametrize(
    ("body", "inside"),
    [
        ("loop.store %v, %A[%j + 1, %i] : {type}, f32", True),
        ("loop.store %v, %A[%i + 1, %j] : {type}, f32", False),
        ("loop.store %v, %A[%i, %j - 1] : {type}, f32", False),
        # Proofs are kept by the map of an access: its values count, in their order.
        (
            "loop.store %v, %A[%i - %j, %j] : {type}, f32\n"
            "loop.store %v, %A[%j - %i, %j] : {type}, f32",
            False,
        ),
        ("loop.if %below {{\nloop.store %v, %A[%i + 1, %j] : {type}, f32\n}}", True),
        (
            "loop.if %below {{\nloop.store %v, %A[%i + 1, %j] : {type}, f32\n}}\n"
            "loop.store %v, %A[%i + 1, %j] : {type}, f32",
            False,
        ),
    ],
)
def test_proofs_for_symbolic_buffers_are_kept_where_they_hold(body: str, inside: bool) -> None:
    text = SYMBOLIC.format(bound="last", body=body.format(type="memref<?x?xf32, #te.dims<n, n>>"))
    text = text.replace("%n = loop.size n\n", "%n = loop.size n\n  %last = loop.size n - 1\n")
    assert is_refused(Parser(new_context(), text).parse_module()) is not inside


# ---- mutated programs of plans

CASES = {
    case.name: case
    for cases in (matmul_cases, conv_cases, pool_cases, norm_cases, reduce_cases, move_cases,
                  index_cases, scatter_cases, selection_cases)
    for case in cases()
}  # fmt: skip
PROGRAMS = sorted(random.Random(0).sample(sorted(CASES), 24))
MUTATIONS = 24


def lowered(case: OpCase, target: Target) -> list[FuncOp]:
    """Return the kernels of an op."""
    module, _ = case.function()
    run_pipeline(module, case.context(), target, to="loop")
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    return [f for f in functions if "tw.arg_dtypes" not in f.attributes]


def moved(map_: AffineMapAttr, number: int, by: int) -> AffineMapAttr:
    """Return a map with a number added to one of its results."""
    results = tuple(r + by if n == number else r for n, r in enumerate(map_.data.results))
    return AffineMapAttr(AffineMap(map_.data.num_dims, map_.data.num_symbols, results))


def mutations(function: FuncOp) -> Iterator[tuple[str, int, int]]:
    """Yield possible changes: an op by its number, a result of one of its maps, the change."""
    for number, op in enumerate(function.walk()):
        if isinstance(op, ForOp):
            yield "upper", number, 1
        elif isinstance(op, LoadOp | StoreOp) and op.syms:
            for dimension in range(len(op.map.data.results)):
                yield "map", number, dimension


def mutated(function: FuncOp, kind: str, number: int, dimension: int, by: int) -> FuncOp:
    """Return a copy with a loop one iteration longer, or an access shifted by one element."""
    copy = function.clone()
    op = list(copy.walk())[number]
    if isinstance(op, ForOp):
        for result in range(len(op.upper.data.results)):
            op.properties["upper"] = moved(op.upper, result, 1)
    else:
        assert isinstance(op, LoadOp | StoreOp)
        op.properties["map"] = moved(op.map, dimension, by)
    return copy


def leaves_a_buffer(function: FuncOp, rng: np.random.Generator) -> bool:
    """Return whether the interpreter detects an access outside its buffer, for some sizes."""
    sizes = {name: int(rng.integers(1, 4)) for name in size_parameters(function)}
    arrays = []
    for argument in function.body.block.args:
        assert isinstance(argument.type, MemRefType)
        dtype = numpy_dtype(argument.type.element_type)
        numbers = rng.integers(0, 4, [dim.evaluate(sizes) for dim in dims_of(argument.type)])
        arrays.append(np.ascontiguousarray(numbers.astype(dtype)))
    try:
        run_function(function, *arrays, sizes=sizes)
    except TilewrightError as err:
        return "access outside of" in str(err)
    return False


def is_refused(program: Operation) -> bool:
    try:
        verify_positions(program)
    except OutsideBuffer:
        return True
    return False


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_leaves_a_buffer_is_refused(name: str) -> None:
    rng = random.Random(name)
    for function in lowered(CASES[name], Target("llvm -mcpu=x86-64-v3")):
        assert not is_refused(function)
        changes = list(mutations(function))
        for kind, number, dimension in rng.sample(changes, min(MUTATIONS, len(changes))):
            changed = mutated(function, kind, number, dimension, rng.choice((-1, 1)))
            if leaves_a_buffer(changed, np.random.default_rng(0)):
                assert is_refused(changed), f"{kind} of op {number} in {function.sym_name.data}"


def test_long_chains_of_choices_take_little_time() -> None:
    """A binary search in scalars: each step chooses between two positions of the step before."""
    steps = "\n".join(
        f"%t{n} = arith.addi %s{n}, %one : index\n"
        f'%b{n} = loop.cmp "slt" %t{n}, %row : index, index, i1\n'
        f"%s{n + 1} = loop.select %b{n}, %t{n}, %s{n} : i1, index, index, index"
        for n in range(31)
    )
    start = "%s0 = arith.constant 0 : index\n"
    store = "\nloop.store %v, %X[%s31] : memref<100xf32>, f32"
    module = Parser(new_context(), program(start + steps + store)).parse_module()
    verify_positions(module)


def test_what_follows_from_too_many_ops_may_be_anything() -> None:
    steps = "\n".join(f"%s{n + 1} = arith.minsi %s{n}, %last : index" for n in range(3000))
    store = "\nloop.store %v, %X[%s3000] : memref<100xf32>, f32"
    text = program("%s0 = arith.constant 0 : index\n" + steps + store)
    assert is_refused(Parser(new_context(), text).parse_module())


def test_a_long_chain_under_a_condition_takes_few_frames_of_python() -> None:
    steps = "\n".join(
        f"%t{n} = arith.minsi %s{n}, %last : index\n%s{n + 1} = arith.addi %t{n}, %one : index"
        for n in range(500)
    )
    test = '%b = loop.cmp "slt" %s500, %last : index, index, i1\n'
    store = "\n" + test + "loop.if %b {\nloop.store %v, %X[%s500] : memref<100xf32>, f32\n}"
    text = program("%s0 = arith.constant 0 : index\n" + steps + store)
    assert is_refused(Parser(new_context(), text).parse_module())
