"""Sequences and optionals as arguments and results, and through control flow and functions."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import parser
from onnx.reference import ReferenceEvaluator

import tilewright
from tilewright.frontend.onnx.importer import import_model
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import ModelError, NeedsBinding, UnsupportedOp

HEAD = '<ir_version: 8, opset_import: ["" : 17, "own" : 1]>'


def model(signature, body, constants="", functions=""):
    return parser.parse_model(f"{HEAD} g {signature} <{constants}> {{ {body} }} {functions}")


def numbers(*shape, start=0):
    return np.arange(start, start + np.prod(shape), dtype=np.float32).reshape(shape)


def assert_same(got, wanted):
    """Compare results: arrays, lists of them, or None."""
    assert (got is None) == (wanted is None)
    if isinstance(wanted, list):
        assert isinstance(got, list)
        assert len(got) == len(wanted)
        for a, b in zip(got, wanted, strict=True):
            assert_same(a, b)
    elif wanted is not None:
        array = np.asarray(got)
        assert array.shape == np.shape(wanted)
        np.testing.assert_allclose(array, wanted, rtol=1e-6)


def kinds(proto, **options):
    names = {op.name for op in import_model(proto, **options).walk()}
    return names & {"graph.if", "graph.loop", "graph.scan"}


REVERSED = model(
    "(seq(float[N]) s, float[K] x) => (seq(float[N]) t, float[M] z)",
    """last = SequenceAt(s, end) most = SequenceErase(s, end) y = Add(last, x)
    t = SequenceInsert(most, y, first) z = ConcatFromSequence<axis = 0>(t)""",
    "int64 end = {-1}, int64 first = {0}",
)


def test_a_size_of_1_broadcasts():
    compiled = tilewright.compile(REVERSED)
    assert compiled.reason
    lists = [[numbers(3), numbers(2, start=9)], [numbers(2)] * 3, [numbers(3, start=5), numbers(2)]]
    for s in lists:
        got = compiled(s, numbers(1, start=4))
        wanted = ReferenceEvaluator(REVERSED).run(None, {"s": s, "x": numbers(1, start=4)})
        for a, b in zip(got, wanted, strict=True):
            assert_same(a, b)


def test_each_length_of_a_list_has_one_program():
    compiled = tilewright.compile(REVERSED)
    for sizes in ([3, 2], [2, 2, 2], [4, 5], [1, 7, 3]):
        s, x = [numbers(size) for size in sizes], numbers(sizes[-1], start=4)
        got = compiled(s, x)
        for a, b in zip(got, ReferenceEvaluator(REVERSED).run(None, {"s": s, "x": x}), strict=True):
            assert_same(a, b)
    assert [len(program.inputs) for program in compiled.programs] == [3, 4]


def test_bound_lists_are_arguments_one_by_one():
    compiled = tilewright.compile(REVERSED, shapes={"s": [(3,), (2,)], "x": (2,)})
    assert [spec.name for spec in compiled.inputs] == ["s.0", "s.1", "x"]
    assert [spec.name for spec in compiled.outputs] == ["t.0", "t.1", "z"]
    arrays = numbers(3), numbers(2, start=9), numbers(2)
    t, z = compiled.run(arrays)
    assert_same(t, [arrays[1] + arrays[2], arrays[0]])
    filled = np.empty(2, np.float32), np.empty(3, np.float32), np.empty(5, np.float32)
    assert compiled(*arrays, *filled) is None
    assert_same(list(filled), [*t, z])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((numbers(2, 3), numbers(1)), r"argument 0 \(s\) is not a list of arrays"),
        ((None, numbers(1)), r"argument 0 \(s\) is not given"),
        (([numbers(2), numbers(2, 2)], numbers(1)), r"\(s.1\) has the wrong shape"),
        (([numbers(2), np.zeros(2)], numbers(1)), r"\(s.1\) has the wrong dtype"),
    ],
)
def test_arguments_that_are_no_such_lists_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        tilewright.compile(REVERSED)(*arguments)


def test_a_list_of_another_form_than_the_bound_one_is_refused():
    proto = model(
        "(seq(float[N]) s, float[K] x, int64[1] k) => (seq(float[N]) t)",
        "y, place = TopK(x, k) t = SequenceInsert(s, y)",
    )
    one = np.ones(1, np.int64)
    compiled = tilewright.compile(proto, shapes={"s": [(3,)]})
    with pytest.raises(ArgumentError, match=r"argument 0 \(s\) has a wrong length"):
        compiled([numbers(3), numbers(3)], numbers(1), one)
    with pytest.raises(ArgumentError, match=r"\(s.0\) has the wrong shape"):
        compiled([numbers(2)], numbers(1), one)


def test_what_is_open_is_told():
    with pytest.raises(NeedsBinding, match=r'shapes=\{"s": \[\(2, 3\), \(4, 3\)\]\}'):
        import_model(REVERSED)
    compiled = tilewright.compile(REVERSED)
    assert "'s' has no known number of tensors" in str(compiled.unbound())
    assert "s: sequence(float32[N])" in compiled.manifest.signature


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"s": None, "x": (1,)}, "no list of shapes"),
        ({"s": [(2, 2)], "x": (1,)}, "input 's.0' a wrong rank"),
        ({"s": (2, 2), "x": (1,)}, "input 's.0' no shape"),
        ({"y": [(2,)]}, "names no input"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(shapes, message):
    with pytest.raises(ModelError, match=message):
        import_model(REVERSED, shapes=shapes)


OPTIONAL = model(
    "(optional(seq(float[N])) o, float[2] x) => (optional(seq(float[N])) p, bool has, int64 n)",
    """p = Identity(o) has = OptionalHasElement(o)
    n = If(has) <then_branch = t () => (int64 a) {
      s = OptionalGetElement(o) a = SequenceLength(s) },
      else_branch = e () => (int64 b) { b = Constant<value_int = -1>() }>""",
)


def test_an_optional_is_there_or_not():
    compiled = tilewright.compile(OPTIONAL)
    for given, length in ((None, -1), ([], 0), ([numbers(3)], 1), (None, -1)):
        p, has, n = compiled(given, numbers(2))
        assert_same(p, given)
        assert bool(has) is (given is not None)
        assert int(np.asarray(n)) == length
    assert len(compiled.programs) == 3


def test_an_optional_tensor_is_given_as_it_is():
    proto = model(
        "(optional(float[N]) o) => (optional(float[N]) p, bool has)",
        "p = Identity(o) has = OptionalHasElement(o)",
    )
    compiled = tilewright.compile(proto)
    assert_same(compiled(numbers(3))[0], numbers(3))
    assert compiled(None)[0] is None
    assert len(compiled.programs) == 2


def test_a_tensor_of_a_list_may_decide_shapes():
    proto = model(
        "(float[2,3] x, seq(int64[N]) s) => (float[A,B] y)",
        "shape = SequenceAt(s, zero) y = Reshape(x, shape)",
        "int64 zero = {0}",
    )
    compiled = tilewright.compile(proto)
    for shape in ((3, 2), (1, 6)):
        y = compiled(numbers(2, 3), [np.int64(shape), np.int64([7])])
        assert_same(y, numbers(*shape))
    assert compiled.value_inputs == {"s.0"}


BRANCHES = """s = If(c) <
    then_branch = t () => (seq(float[2]) a) {{ u = Neg(x) a = SequenceConstruct(u, x) }},
    else_branch = e () => (seq(float[2]) b) {{ b = SequenceConstruct({0}) }}>"""


@pytest.mark.parametrize(("otherwise", "modules"), [("x, x", 1), ("x", 2)])
def test_branches_give_lists(otherwise, modules):
    proto = model("(float[2] x, bool c) => (seq(float[2]) s)", BRANCHES.format(otherwise))
    compiled = tilewright.compile(proto)
    x = numbers(2)
    for c in (True, False):
        wanted = [-x, x] if c else [x] * len(otherwise.split(","))
        assert_same(compiled(x, np.array(c)), wanted)
    if modules == 1:
        assert kinds(proto) == {"graph.if"}
    else:
        assert len(compiled.programs) == 2


def loop(body, *, trip="n", condition="yes"):
    return model(
        "(float[2] x, int64 n) => (seq(float[2]) s)",
        f"""e = SequenceConstruct(x, x)
        s = Loop({trip}, {condition}, e) <body = b (int64 i, bool ci, seq(float[2]) h)
            => (bool co, seq(float[2]) g) {{ {body} }}>""",
        "bool yes = {1}, int64 zero = {0}, int64 four = {4}",
    )


def test_a_list_that_keeps_its_form_is_carried():
    proto = loop(
        """co = Identity(ci) a = SequenceAt(h, zero) d = SequenceErase(h, zero)
        m = Add(a, x) g = SequenceInsert(d, m)"""
    )
    assert kinds(proto) == {"graph.loop"}
    compiled = tilewright.compile(proto)
    x = numbers(2, start=1)
    for n in (0, 1, 4):
        wanted = [x, x]
        for _ in range(n):
            wanted = [wanted[1], wanted[0] + x]
        assert_same(compiled(x, np.array(n)), wanted)


GROWS = "k = Cast<to = 1>(i) a = Add(x, k) g = SequenceInsert(h, a, zero)"


def test_a_list_that_grows_is_unrolled():
    compiled = tilewright.compile(loop(f"co = Identity(ci) {GROWS}"))
    x = numbers(2)
    for n in (0, 3):
        assert_same(compiled(x, np.array(n)), [*[x + i for i in range(n)][::-1], x, x])
    assert compiled.value_inputs == {"n"}
    with pytest.raises(UnsupportedOp, match="in more than 64 iterations"):
        compiled(x, np.array(65))


def test_a_loop_without_a_count_is_unrolled_until_its_condition_fails():
    proto = loop(f"co = Less(i, four) {GROWS}", trip='""')
    assert_same(tilewright.compile(proto)(numbers(2), np.array(0)), [
        *(numbers(2) + i for i in range(4, -1, -1)), numbers(2), numbers(2)])  # fmt: skip
    endless = loop(f"co = Identity(ci) {GROWS}", trip='""')
    with pytest.raises(UnsupportedOp, match="does not end"):
        import_model(endless)


def test_a_loop_that_grows_until_data_says_stop_is_refused():
    proto = loop(f"r = ReduceSum<keepdims = 0>(x) t = Cast<to = 1>(i) co = Less(r, t) {GROWS}")
    large = model(
        "(float[99] x) => (seq(float[99]) s)",
        """e = SequenceEmpty<dtype = 1>()
        s = Loop(ten, "", e) <body = b (int64 i, bool ci, seq(float[99]) h)
            => (bool co, seq(float[99]) g) {
          r = ReduceSum<keepdims = 0>(x) t = Cast<to = 1>(i) co = Less(t, r)
          g = SequenceInsert(h, x) }>""",
        "int64 ten = {10}",
    )
    with pytest.raises(UnsupportedOp, match="run-time data"):
        tilewright.compile(large)
    # Two elements are few enough to become a constant.
    x = -numbers(2, start=1)
    assert_same(tilewright.compile(proto)(x, np.array(2)), [x + 1, x, x, x])


MAPPED = model(
    "(seq(float[A,B]) s, seq(float[B]) r, float[1] x) => (seq(float[B]) t, seq(int64[2]) n)",
    """t, n = SequenceMap(s, r, x) <body = b (float[A,B] p, float[B] q, float[1] z)
        => (float[B] c, int64[2] d) {
      m = MatMul(p, q) k = Add(m, z) c = Tanh(k) d = Shape(p) }>""",
)


@pytest.mark.parametrize("sizes", [[(2, 3), (4, 5), (1, 1)], []])
def test_a_graph_is_mapped_over_lists(sizes):
    s = [numbers(*size) / 9 for size in sizes]
    r = [numbers(size[1], start=3) / 9 for size in sizes]
    t, n = tilewright.compile(MAPPED)(s, r, numbers(1, start=1))
    assert_same(t, [np.tanh(p @ q + 1) for p, q in zip(s, r, strict=True)])
    assert_same(n, [np.int64(p.shape) for p in s])


def test_lists_of_different_lengths_are_not_mapped():
    with pytest.raises(ModelError, match="inputs 0 and 1 are sequences of different lengths"):
        import_model(MAPPED, shapes={"s": [(2, 2)], "r": [], "x": (1,)})


def test_functions_take_and_give_lists():
    proto = model(
        "(seq(float[N]) s, float[2] x) => (seq(float[N]) t)",
        "t = own.twice(s, x)",
        functions="""<opset_import: ["" : 17], domain: "own"> twice (a, b) => (d) {
          c = SequenceInsert(a, b) d = SequenceInsert(c, b) }""",
    )
    x = numbers(2)
    assert_same(tilewright.compile(proto)([numbers(3)], x), [numbers(3), x, x])


@pytest.mark.parametrize(
    ("signature", "body", "error", "message"),
    [
        ("(float[2] x) => (float[2] s)", "s = SequenceConstruct(x)", ModelError,
         "does not have the declared kind"),
        ("(float[2] x) => (seq(float[2]) s)", "s = Neg(x)", ModelError, "the declared kind"),
        ("(float[2] x) => (seq(int64[2]) s)", "s = SequenceConstruct(x)", ModelError,
         "the declared type"),
        ("(seq(seq(float[2])) x) => (bool b)", "b = OptionalHasElement(x)", UnsupportedOp,
         "does not consist of tensors"),
        ("(seq(string[2]) x) => (int64 n)", "n = SequenceLength(x)", UnsupportedOp,
         "has strings"),
        ("(float[2] x, int64[2] n) => (int64 l)",
         "s = SequenceConstruct(x) t = SequenceInsert(s, n) l = SequenceLength(t)", ModelError,
         "of another type than those of the sequence"),
    ],
)  # fmt: skip
def test_lists_of_wrong_kinds_are_refused(signature, body, error, message):
    with pytest.raises(error, match=message):
        tilewright.compile(model(signature, body))
