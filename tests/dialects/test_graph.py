"""Every graph op prints, parses back equal, and raises the errors of its docstring."""

from __future__ import annotations

import io
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import (
    Builtin,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.dialects.func import Func, FuncOp
from xdsl.dialects.test import Test
from xdsl.dialects.test import TestOp as OpaqueOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.dialects.graph import (
    ELEMENTWISE,
    GRAPH,
    AddOp,
    AppendOp,
    ArgReduceOp,
    BindOp,
    BitcastOp,
    BroadcastOp,
    CastOp,
    ConcatOp,
    ConstantOp,
    ConvOp,
    ConvTransposeOp,
    DeformColumnsOp,
    FoldOp,
    GatherElementsOp,
    GatherNdOp,
    GatherOp,
    GridSampleOp,
    IotaOp,
    LrnOp,
    MatmulOp,
    NmsOp,
    NonZeroOp,
    NormalizeOp,
    PadOp,
    PoolOp,
    ReduceOp,
    ResampleOp,
    ReshapeOp,
    RoiPoolOp,
    SelectOp,
    SizeOp,
    SliceOp,
    SoftmaxOp,
    TransposeOp,
    UniqueOp,
)
from tilewright.dialects.graph.base import GraphOp
from tilewright.dialects.shape import Dim, dims_of, tensor_type, type_of
from tilewright.dialects.te import TE
from tilewright.dialects.te.layout import identity_layout
from tilewright.dialects.weights import WeightAttr, load_weights, save_weights
from tilewright.support.diagnostics import ModelError, TypeMismatch
from tilewright.testing.op_case import check_text

from ..ops.case import OpCase
from ..ops.cases import CASES


def context() -> Context:
    ctx = Context()
    for dialect in (Builtin, Func, GRAPH, TE):
        ctx.load_dialect(dialect)
    return ctx


def printed(module: ModuleOp) -> str:
    stream = io.StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue()


def values(*types: TensorType) -> tuple[SSAValue, ...]:
    return tuple(OpaqueOp(result_types=types).results)


def f32s(*dims: int | str) -> TensorType:
    return tensor_type(f32, dims)


def test_constants_are_as_short_as_their_type_allows() -> None:
    values = np.array([0.1, 1 / 3, 1e-8, 1e30, 3.4e38, 1.0], np.float32)
    text = str(WeightAttr.of(values))
    assert "0.1, 0.33333334, 1e-08, 1e+30" in text.replace(".0e", "e")


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_op_verifies_prints_and_parses_back_equal(case: OpCase) -> None:
    check_text(case)


def test_a_layout_is_printed_and_parsed_back() -> None:
    module, func = CASES[0].function()
    op = next(iter(func.body.block.ops))
    assert isinstance(op, GraphOp)
    op.layout = identity_layout(len(dims_of(type_of(op.results[0]))))
    op.verify()
    parsed = Parser(context(), printed(module)).parse_module()
    assert parsed.is_structurally_equivalent(module)


def test_a_layout_of_other_dimensions_is_refused() -> None:
    op = AddOp(*values(f32s(2, 3), f32s(2, 3)))
    op.layout = identity_layout(3)
    with pytest.raises(TypeMismatch, match="not a map from the dimensions") as e:
        op.verify()
    assert (e.value.expected, e.value.got) == ("a map from 2 dimensions", op.layout)
    assert e.value.hint
    op.attributes["layout"] = StringAttr("blocked")
    with pytest.raises(VerifyException, match="layout"):
        op.verify()


def test_every_op_has_a_case() -> None:
    covered = {type(op) for case in CASES for op in case.function()[1].walk()}
    missing = {op.name for op in GRAPH.operations if op not in covered}
    # These ops have no result, need other functions and data of the module, or a reference.
    functions = {"apply", "call", "closure", "data", "table", "construct", "match"}
    references = {"ref", "read", "write"}
    names = functions | references | {"bind", "check_indices", "node_at", "node_number"}
    assert missing == {f"graph.{name}" for name in names}


def test_the_table_has_the_rows_of_the_design() -> None:
    names = {op.name for op in GRAPH.operations}
    assert len(ELEMENTWISE) == 44
    assert {f"graph.{name}" for name in ELEMENTWISE} < names


SYMBOLIC: dict[str, Callable[[], Operation]] = {
    "add": lambda: AddOp(*values(f32s("b", "s + 1"), f32s("b", "s + 1"))),
    "matmul": lambda: MatmulOp(*values(f32s("b", "s", 4), f32s("b", 4, "t"))),
    "conv": lambda: ConvOp(
        *values(f32s("b", 3, "h", "w"), f32s(8, 3, 3, 3)),
        strides=[2, 2],
        dilations=[1, 1],
        pads=[1, 1, 1, 1],
    ),
    "conv_transpose": lambda: ConvTransposeOp(
        *values(f32s("b", 3, "h", "w"), f32s(3, 8, 4, 4)),
        strides=[2, 2],
        dilations=[1, 1],
        pads=[1, 1, 1, 1],
    ),
    "pool": lambda: PoolOp(
        *values(f32s("b", 3, "h")),
        kind="max",
        kernel=[3],
        strides=[2],
        dilations=[1],
        pads=[0, 0],
        ceil=True,
    ),
    "reshape": lambda: ReshapeOp(*values(f32s("b", "s", 64)), ["s", "b", 8, 8]),
    "slice": lambda: SliceOp(*values(f32s("s", 4)), ["s - 1", 0], [1, 4], [1, 1]),
    "concat": lambda: ConcatOp(values(f32s("b", "s"), f32s("b", 1)), 1),
    "append": lambda: AppendOp(*values(f32s("past", 4), f32s("s", 4))),
    "broadcast": lambda: BroadcastOp(*values(f32s(1, 4)), ["b", "s", 4], [1, 2]),
    "reduce": lambda: ReduceOp(*values(f32s("b", "s")), kind="max", axes=[1], keep=True),
    "normalize": lambda: NormalizeOp(*values(f32s("b", "s")), axes=[1], eps=1e-12),
    "gather": lambda: GatherOp(*values(f32s(100, "d"), tensor_type(i64, ("b", "s"))), 0),
    "gather_elements": lambda: GatherElementsOp(
        *values(f32s("b", 7), tensor_type(i64, ("b", "s"))), 1
    ),
    "gather_nd": lambda: GatherNdOp(*values(f32s("b", 7, "d"), tensor_type(i64, ("b", "s", 1))), 1),
    "iota": lambda: IotaOp(["s"], 0, i64),
    "resample": lambda: ResampleOp(
        *values(f32s("b", 9, "w"), tensor_type(i64, [4, 2]), f32s(4, 2)), axis=1
    ),
    "resample periods": lambda: ResampleOp(
        *values(f32s("b", "h", "w"), tensor_type(i64, [4, 2]), f32s(4, 2)), axis=1, step=3
    ),
    "size": lambda: SizeOp(["b * s", "floordiv(s, 2)", 3]),
    "bind": lambda: BindOp(*values(tensor_type(i64, [2])), ["u0", "u1"]),
    "non_zero": lambda: NonZeroOp(*values(f32s("b", "s")), "u0"),
    "unique": lambda: UniqueOp(*values(f32s("b", 3)), "u0", axis=0, unsorted=True),
    "nms": lambda: NmsOp(*values(f32s("b", "n", 4), f32s("b", 2, "n")), "u0", limit=3, above=0.5),
}


def dimmed(op: Operation) -> ModuleOp:
    producers = [v.owner for v in op.operands]
    ops = [
        p for i, p in enumerate(producers) if isinstance(p, Operation) and p not in producers[:i]
    ]
    return ModuleOp([*ops, op])


@pytest.mark.parametrize("name", SYMBOLIC)
def test_symbolic_sizes_round_trip(name: str) -> None:
    module = dimmed(SYMBOLIC[name]())
    module.verify()
    ctx = context()
    ctx.load_op(OpaqueOp)
    parsed = Parser(ctx, printed(module)).parse_module()
    parsed.verify()
    assert parsed.is_structurally_equivalent(module)


def test_symbolic_result_types() -> None:
    conv = SYMBOLIC["conv"]()
    assert str(conv.results[0].type) == (
        "tensor<?x8x?x?xf32, #te.dims<b, 8, floordiv(h + 1, 2), floordiv(w + 1, 2)>>"
    )
    concat = SYMBOLIC["concat"]()
    assert concat.results[0].type == f32s("b", "s + 1")


ONE_BY_ONE = {"strides": [1], "dilations": [1], "pads": [0, 0]}


def conv_of(x: TensorType, w: TensorType, **options: object) -> ConvOp:
    numbers = {"strides": [1], "dilations": [1], "pads": [0, 0]} | options
    return ConvOp(*values(x, w), **numbers)


WRONG: dict[str, tuple[str, Callable[[], Operation]]] = {
    "operand types": ("operand types differ", lambda: AddOp(*values(f32s(2), f32s(3)))),
    "element type": (
        "exp is not defined on this element type",
        lambda: ELEMENTWISE["exp"](*values(tensor_type(i32, [2]))),
    ),
    "bool arithmetic": (
        "add is not defined",
        lambda: AddOp(*values(tensor_type(i1, [2]), tensor_type(i1, [2]))),
    ),
    "condition": (
        "wrong type of condition",
        lambda: SelectOp(*values(tensor_type(i1, [3]), f32s(2), f32s(2))),
    ),
    "branches": (
        "lhs and rhs differ",
        lambda: SelectOp(*values(tensor_type(i1, [2]), f32s(2), f32s(3))),
    ),
    "bitcast": ("last axis does not divide", lambda: BitcastOp(*values(f32s(3)), i64)),
    "cast": ("cast to this type", lambda: CastOp(*values(f32s(3)), StringAttr("x"))),
    "matmul rank": ("neither rank 2 nor the rank", lambda: MatmulOp(*values(f32s(3), f32s(3)))),
    "matmul batch": (
        "batch dimensions differ",
        lambda: MatmulOp(*values(f32s("b", 2, 3), f32s("c", 3, 2))),
    ),
    "matmul size": ("contraction sizes differ", lambda: MatmulOp(*values(f32s(2, 3), f32s(4, 3)))),
    "matmul types": (
        "element types differ",
        lambda: MatmulOp(*values(f32s(2, 3), tensor_type(i32, [3, 2]))),
    ),
    "conv rank": ("rank of at least 3", lambda: conv_of(f32s(1, 3), f32s(3, 3))),
    "conv channels": ("channels differ", lambda: conv_of(f32s(1, 3, 9), f32s(2, 2, 3))),
    "conv groups": (
        "groups do not divide",
        lambda: conv_of(f32s(1, 4, 9), f32s(3, 2, 3), groups=2),
    ),
    "conv_transpose channels": (
        "channels differ",
        lambda: ConvTransposeOp(*values(f32s(1, 3, 9), f32s(2, 3, 3)), **ONE_BY_ONE),
    ),
    "conv_transpose groups": (
        "groups do not divide the input",
        lambda: ConvTransposeOp(*values(f32s(1, 3, 9), f32s(3, 2, 3)), groups=2, **ONE_BY_ONE),
    ),
    "conv_transpose bias": (
        "wrong bias",
        lambda: ConvTransposeOp(*values(f32s(1, 3, 9), f32s(3, 2, 3), f32s(3)), **ONE_BY_ONE),
    ),
    "grid": (
        "the grid does not fit",
        lambda: GridSampleOp(*values(f32s(1, 2, 3, 4), f32s(1, 5, 6, 3)), mode="linear"),
    ),
    "grid mode": (
        "unknown mode",
        lambda: GridSampleOp(*values(f32s(1, 2, 3), f32s(1, 5, 1)), mode="bilinear"),
    ),
    "regions": (
        "wrong regions",
        lambda: RoiPoolOp(*values(f32s(1, 2, 3, 4), f32s(5, 4)), size=(1, 1), scale=1.0),
    ),
    "fold windows": (
        "number of windows does not match",
        lambda: FoldOp(*values(f32s(1, 2, 3, 4)), image=[7], **ONE_BY_ONE),
    ),
    "deformed offset": (
        "wrong offset",
        lambda: DeformColumnsOp(
            *values(f32s(1, 2, 3, 3), f32s(1, 1, 3, 3)),
            kernel=(1, 1),
            strides=(1, 1),
            dilations=(1, 1),
            pads=(0,) * 4,
        ),
    ),
    "resample indices": (
        "wrong indices",
        lambda: ResampleOp(*values(f32s(4), tensor_type(i64, [4])), axis=0),
    ),
    "resample weights": (
        "wrong weights",
        lambda: ResampleOp(*values(f32s(4), tensor_type(i64, [4, 2]), f32s(4, 1)), axis=0),
    ),
    "resample step": (
        "wrong step",
        lambda: ResampleOp(*values(f32s(4), tensor_type(i64, [4, 1])), axis=0, step=0),
    ),
    "resample period": (
        "wrong period",
        lambda: ResampleOp(*values(f32s(4), tensor_type(i64, ["j", 1])), axis=0, step=1),
    ),
    "resample taps": (
        "several taps need weights",
        lambda: ResampleOp(*values(f32s(4), tensor_type(i64, [4, 2])), axis=0),
    ),
    "conv strides": (
        "wrong number of strides",
        lambda: conv_of(f32s(1, 3, 9), f32s(3, 3, 3), strides=[1, 1]),
    ),
    "conv empty": ("size is negative", lambda: conv_of(f32s(1, 3, 1), f32s(3, 3, 9))),
    "pool kind": (
        "unknown kind",
        lambda: PoolOp(
            *values(f32s(1, 1, 4)), kind="mean", kernel=[2], strides=[1], dilations=[1], pads=[0, 0]
        ),
    ),
    "reduce axes": (
        "axes are not distinct",
        lambda: ReduceOp(*values(f32s(2, 3)), kind="sum", axes=[1, 1]),
    ),
    "reduce and": (
        "an integer type",
        lambda: ReduceOp(*values(f32s(2, 3)), kind="and", axes=[1]),
    ),
    "arg axis": (
        "axes are not distinct",
        lambda: ArgReduceOp(*values(f32s(2, 3)), kind="max", axis=-1),
    ),
    "softmax": ("a float type", lambda: SoftmaxOp(*values(tensor_type(i32, [2])), 0)),
    "reshape": ("number of elements differs", lambda: ReshapeOp(*values(f32s("b", 3)), ["b", 4])),
    "transpose": ("not a permutation", lambda: TransposeOp(*values(f32s(2, 3)), [0, 0])),
    "broadcast": ("does not broadcast", lambda: BroadcastOp(*values(f32s(2)), [3], [0])),
    "broadcast order": (
        "do not increase",
        lambda: BroadcastOp(*values(f32s(2, 3)), [3, 2], [1, 0]),
    ),
    "slice step": ("step is zero", lambda: SliceOp(*values(f32s(4)), [0], [4], [0])),
    "slice end": ("slice leaves", lambda: SliceOp(*values(f32s(4)), [1], [4], [1])),
    "slice start": ("slice leaves", lambda: SliceOp(*values(f32s(4)), [1], [3], [-1])),
    "append size": ("outside axis 0", lambda: AppendOp(*values(f32s(2, 3), f32s(2, 4)))),
    "concat none": ("nothing to concatenate", lambda: ConcatOp((), 0)),
    "concat size": ("differ outside axis", lambda: ConcatOp(values(f32s(2, 3), f32s(2, 4)), 0)),
    "pad negative": ("too small", lambda: PadOp(*values(f32s(4)), [-1], [0])),
    "pad reflect": ("exceeds the operand", lambda: PadOp(*values(f32s(2)), [2], [0], "reflect")),
    "gather elements rank": (
        "differ in rank",
        lambda: GatherElementsOp(*values(f32s(4), tensor_type(i64, [2, 1])), 0),
    ),
    "gather elements size": (
        "larger than x on axis 1",
        lambda: GatherElementsOp(*values(f32s(4, 2), tensor_type(i64, [9, 3])), 0),
    ),
    "gather nd batch": (
        "batch dimensions differ",
        lambda: GatherNdOp(*values(f32s(4, 2), tensor_type(i64, [3, 1])), 1),
    ),
    "gather nd count": (
        "last axis of indices is too long",
        lambda: GatherNdOp(*values(f32s(4, 2), tensor_type(i64, [3, 3])), 0),
    ),
    "gather type": ("an index is not defined", lambda: GatherOp(*values(f32s(4), f32s(2)), 0)),
    "bind count": (
        "not the number of symbols",
        lambda: BindOp(*values(tensor_type(i64, [2])), ["u0"]),
    ),
    "nms boxes": (
        "boxes are not",
        lambda: NmsOp(*values(f32s(1, 5, 3), f32s(1, 2, 5)), "u0", limit=1),
    ),
    "nms type": (
        "nms",
        lambda: NmsOp(
            *values(tensor_type(f64, [1, 5, 4]), tensor_type(f64, [1, 2, 5])), "u0", limit=1
        ),
    ),
    "nms scores": (
        "scores are not",
        lambda: NmsOp(*values(f32s(1, 5, 4), f32s(1, 5, 2)), "u0", limit=1),
    ),
    "nms limit": (
        "limit is negative",
        lambda: NmsOp(*values(f32s(1, 5, 4), f32s(1, 2, 5)), "u0", limit=-1),
    ),
    "unique axis": (
        "axes are not distinct",
        lambda: UniqueOp(*values(f32s(2, 3)), "u0", axis=2),
    ),
    "size name": ("not an identifier", lambda: BindOp(*values(tensor_type(i64, [1])), ["1x"])),
}


@pytest.mark.parametrize("name", WRONG)
def test_builders_refuse(name: str) -> None:
    rule, build = WRONG[name]
    with pytest.raises(TypeMismatch, match=rule):
        build()


def test_a_response_is_normalized_over_at_least_one_channel() -> None:
    (x,) = values(f32s(1, 4, 2, 2))
    LrnOp(x, size=1, alpha=0.2, beta=0.5, bias=1.5).verify()
    with pytest.raises(TypeMismatch, match="size"):
        LrnOp(x, size=0, alpha=0.2, beta=0.5, bias=1.5)


def test_the_verifier_names_op_and_location() -> None:
    text = """
        func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
          %c = graph.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x5xf32>
          func.return
        }"""
    module = Parser(context(), text).parse_module()
    with pytest.raises(VerifyException, match=r"graph\.matmul.*wrong result type") as caught:
        module.verify()
    assert "expected: tensor<2x4xf32>" in str(caught.value)
    assert "got: tensor<2x5xf32>" in str(caught.value)


def test_properties_read_as_plain_python() -> None:
    (x,) = values(f32s(1, 2, 8))
    pool = PoolOp(
        x, kind="avg", kernel=[2], strides=[2], dilations=[1], pads=[0, 0], count_pad=True
    )
    assert (pool.kind, pool.kernel, pool.count_pad, pool.ceil, pool.p) == (
        "avg",
        (2,),
        True,
        False,
        2,
    )
    assert SliceOp(x, [0, 0, 1], [1, 2, 3], [1, 1, 2]).starts == tuple(map(Dim.const, (0, 0, 1)))
    assert TransposeOp(x, [2, 1, 0]).perm == (2, 1, 0)
    assert PadOp(x, [0] * 3, [1] * 3, value=-1.5).value == -1.5
    assert MatmulOp(*values(f32s(2, 3), f32s(2, 3)), transpose_rhs=True).transpose_rhs


CONSTANTS = {
    "special floats": np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.4e38], np.float32),
    "tiny doubles": np.array([5e-324, 1e300, -1e-7]),
    "scalar": np.array(3, np.int8),
    "bools": np.array([[True, False]]),
    "empty": np.zeros((0, 3), np.uint16),
    "bf16": np.arange(4).astype(ml_dtypes.bfloat16),
    "f8": np.array([1.5, np.nan, -448], ml_dtypes.float8_e4m3fn),
    "int4": np.arange(-8, 8).astype(ml_dtypes.int4),
    "u64": np.array([2**64 - 1], np.uint64),
    "splat": np.full((9, 40), 0.1, np.float32),
    "splat nan": np.full((9, 40), np.nan, np.float32),
    "splat bools": np.full((9, 40), True),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_keep_every_bit(name: str) -> None:
    array = CONSTANTS[name]
    module = ModuleOp([ConstantOp(array)])
    parsed = Parser(context(), printed(module)).parse_module()
    (op,) = parsed.body.block.ops
    assert isinstance(op, ConstantOp)
    assert op.array.dtype == array.dtype
    assert op.array.shape == array.shape
    assert op.array.tobytes() == array.tobytes()


def test_long_constants_are_equal_by_content_and_print_their_key() -> None:
    array = np.arange(65, dtype=np.float32)
    first, second = ConstantOp(array), ConstantOp(array.copy())
    assert first.value == second.value
    assert hash(first.value) == hash(second.value)
    assert printed(ModuleOp([first])).count(first.value.key) == 1
    assert WeightAttr.of(array.reshape(5, 13)) != first.value


def test_one_value_in_all_elements_is_in_the_text() -> None:
    array = np.full((9, 40), -0.0, np.float32)
    assert "splat -0.0 :" in printed(ModuleOp([ConstantOp(array)]))
    mixed = array.copy()
    mixed[5, 5] = 0
    assert "splat" not in printed(ModuleOp([ConstantOp(mixed)]))


def test_weights_travel_in_a_file(tmp_path) -> None:
    op = ConstantOp(np.random.default_rng(0).normal(size=(10, 10)))
    module = ModuleOp([op])
    path = tmp_path / "w.safetensors"
    save_weights(module, path)
    arrays = load_weights(path)
    np.testing.assert_array_equal(arrays[op.value.key], op.array)


def test_a_text_parses_while_one_of_equal_weights_is_alive() -> None:
    array = np.arange(400, dtype=np.float32) * 1.25
    first, second = ConstantOp(array), ConstantOp(array.copy())
    text = printed(ModuleOp([first]))
    assert printed(ModuleOp([second])) == text
    first.detach()
    del first, array
    (parsed,) = Parser(context(), text).parse_module().body.block.ops
    assert isinstance(parsed, ConstantOp)
    assert parsed.value == second.value


def test_an_unknown_weight_says_what_to_do() -> None:
    text = f'"test.op"() {{w = #graph.weight<"{"0" * 24}">}} : () -> ()'
    ctx = context()
    ctx.load_op(OpaqueOp)
    with pytest.raises(ModelError, match="load the weights file"):
        Parser(ctx, text).parse_module()


def test_a_damaged_weights_file_is_refused(tmp_path) -> None:
    path = tmp_path / "w.safetensors"
    save_weights(ModuleOp([ConstantOp(np.arange(100))]), path)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(ModelError, match="damaged"):
        load_weights(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(ModelError, match="not in the safetensors format"):
        load_weights(path)


def test_functions_hold_graph_ops() -> None:
    case = CASES[0]
    _, func = case.function()
    assert isinstance(func, FuncOp)
    assert [str(t) for t in func.function_type.outputs] == ["tensor<3x5xf32>"]


def test_weights_that_differ_in_one_byte_are_not_equal() -> None:
    rng = np.random.default_rng(0)
    array = rng.integers(0, 256, 3 << 20).astype(np.uint8)
    weight = WeightAttr.of(array)
    assert weight == WeightAttr.of(array.copy())
    for at in (*rng.integers(0, array.size, 5), 0, array.size - 1):
        other = array.copy()
        other[at] ^= 1
        assert WeightAttr.of(other) != weight
    assert WeightAttr.of(array.view(np.int8)) != weight
    assert WeightAttr.of(array.reshape(3, -1)) != weight


@pytest.mark.parametrize("shape", [(4, 4), (64, 96)])
def test_a_weight_in_the_layout_of_a_kernel_equals_its_contiguous_copy(shape: tuple[int, int]):
    array = np.arange(shape[0] * shape[1], dtype=np.float32).reshape(shape)
    columns = ("floordiv", ("dim", 1), 4), ("dim", 0), ("mod", ("dim", 1), 4)
    packed = WeightAttr.derived("store", [WeightAttr.of(array)], None, columns)
    wanted = WeightAttr.of(array.reshape(shape[0], -1, 4).transpose(1, 0, 2))
    assert np.shares_memory(packed.stored, array)
    assert packed == wanted
    assert hash(packed.data) == hash(wanted.data)
    assert packed.key == wanted.key
    with pytest.raises(ValueError, match="read-only"):
        packed.stored[...] = 0


@pytest.mark.parametrize(
    ("axis", "values_type", "rule"),
    [
        (2, "tensor<3x4xf32>", "axes are not distinct axes of the operand"),
        (1, "tensor<3x10xf32>", "k exceeds the axis"),
        (1, "tensor<3x?xf32, #te.dims<3, 9 + n>>", "k exceeds the axis"),
    ],
)
def test_the_results_of_a_sort_fit_its_axis(axis: int, values_type: str, rule: str) -> None:
    text = (
        f'%x = "test.op"() : () -> tensor<3x9xf32>\n%v, %p = graph.top_k %x axis {axis} : '
        f"tensor<3x9xf32> -> {values_type}, {values_type.replace('f32', 'i64')}"
    )
    ctx = context()
    ctx.load_dialect(Test)
    with pytest.raises(VerifyException, match=rule):
        Parser(ctx, text).parse_module().verify()
