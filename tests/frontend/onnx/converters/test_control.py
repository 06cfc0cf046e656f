"""If, Loop and Scan as machine code, against the same loops in numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, parser

from tilewright.frontend.onnx.importer import import_model
from tilewright.support.diagnostics import ModelError, UnsupportedOp

NATIVE = str(Path(__file__).parents[1] / "native.py")


def model_of(signature: str, initializers: str, body: str):
    head = '<ir_version: 8, opset_import: ["" : 16]>'
    return parser.parse_model(f"{head} g {signature} <{initializers}> {{ {body} }}")


def kinds(model) -> set[str]:
    names = {op.name for op in import_model(model).walk()}
    return names & {"graph.if", "graph.loop", "graph.scan"}


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def check(worker, model, arrays, expected) -> None:
    results = worker.call(f"{NATIVE}:run", model.SerializeToString(), arrays)
    for got, want in zip(results, expected, strict=True):
        assert got.shape == np.shape(want)
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


NESTED = model_of(
    "(float[3,4] x, bool c, float[4,4] w) => (float[3,4] y, float[K,3,4] ys)",
    "int64 five = {5}, bool yes = {1}",
    """y, ys = Loop(five, yes, x) <body = b (int64 i, bool ci, float[3,4] h)
        => (bool co, float[3,4] after, float[3,4] s) {
      co = Identity(ci)
      m = MatMul(h, w)
      z = If(c) <then_branch = t () => (float[3,4] a) { a = Tanh(m) },
                 else_branch = e () => (float[3,4] q) { n = Cast<to = 1>(i) q = Add(m, n) }>
      after = Tanh(z)
      s = Add(after, h)
    }>""",
)


def test_weights_that_bodies_share_are_constants_around_them() -> None:
    shared = model_of(
        "(float[3] x, bool c) => (float[3] y)",
        "float[3] w = {1, 2, 3}",
        """y = If(c) <then_branch = t () => (float[3] a) { a = Add(x, w) },
                      else_branch = e () => (float[3] b) { b = Mul(x, w) }>""",
    )
    (entry,) = import_model(shared).body.block.ops
    assert [op.name for op in entry.body.block.ops if "constant" in op.name] == ["graph.constant"]
    assert sum(op.name == "graph.constant" for op in entry.walk()) == 1


@pytest.mark.parametrize("c", [False, True])
def test_an_if_in_a_loop_reads_what_is_around_it(c, worker) -> None:
    x, w = normal(3, 4), normal(4, 4, seed=1)
    h, stack = x, []
    for i in range(5):
        m = h @ w
        after = np.tanh(np.tanh(m) if c else m + i)
        stack.append(after + h)
        h = after
    assert kinds(NESTED) == {"graph.scan", "graph.if"}
    check(worker, NESTED, (x, np.array(c), w), (h, np.stack(stack)))


RUN_TIME = model_of(
    "(float[3] x, int64 n, bool c) => (float[3] y, int64 k)",
    "int64 zero = {0}",
    """y, k = Loop(n, c, x, zero) <body = b (int64 i, bool ci, float[3] h, int64 kk)
        => (bool co, float[3] after, int64 more) {
      after = Add(h, x)
      more = Add(kk, i)
      limit = Constant<value_float = 9.0>()
      s = ReduceSum<keepdims = 0>(after)
      co = Less(s, limit)
    }>""",
)


@pytest.mark.parametrize(("n", "c"), [(0, True), (2, True), (9, True), (9, False)])
def test_a_loop_ends_by_its_count_or_its_condition(n, c, worker) -> None:
    x = np.ones(3, np.float32)
    steps = min(n, 2) if c else 0
    assert kinds(RUN_TIME) == {"graph.loop"}
    check(
        worker,
        RUN_TIME,
        (x, np.array(n), np.array(c)),
        (x * (1 + steps), np.array(steps * (steps - 1) // 2)),
    )


def counted(condition: str, carried: str = "float[4]", after: str = "Add(h, n)"):
    return model_of(
        f"(float[4] x) => ({carried} y, float[K,4] ys)",
        "int64 ten = {10}, int64 six = {6}, int64 none = {0}, bool yes = {1}",
        f"""y, ys = Loop(ten, yes, x) <body = b (int64 i, bool ci, {carried} h)
            => (bool co, {carried} after, float[4] s) {{
          n = Cast<to = 1>(i)
          s = Mul(x, n)
          after = {after}
          co = {condition}
        }}>""",
    )


def test_a_condition_on_the_number_of_the_iteration_is_evaluated_at_import(worker) -> None:
    model, x = counted("Less(i, six)"), normal(4)
    assert kinds(model) == {"graph.scan"}
    check(worker, model, (x,), (x + sum(range(7)), np.stack([x * i for i in range(7)])))


def test_carried_values_that_grow_are_unrolled(worker) -> None:
    model, x = counted("Identity(ci)", "float[M]", "Concat<axis = 0>(h, x)"), normal(4)
    assert kinds(model) == set()
    check(worker, model, (x,), (np.tile(x, 11), np.stack([x * i for i in range(10)])))


def test_a_constant_condition_takes_its_branch() -> None:
    model = model_of(
        "(float[4] x) => (float[4] y)",
        "bool no = {0}",
        """y = If(no) <then_branch = t () => (float[9] a) { a = Unknown(x) },
                       else_branch = e () => (float[4] b) { b = Tanh(x) }>""",
    )
    assert kinds(model) == set()


SCAN = model_of(
    "(float[2] h, float[2,5] xs, float[5,2] zs) => (float[2] y, float[2,5] ys)",
    "",
    """y, ys = Scan<num_scan_inputs = 2, scan_input_axes = [1, 0], scan_output_axes = [1],
                    scan_input_directions = [1, 0], scan_output_directions = [1],
                    body = b (float[2] before, float[2] a, float[2] z)
          => (float[2] after, float[2] s) {
      p = Mul(before, a)
      after = Add(p, z)
      s = Tanh(after)
    }>(h, xs, zs)""",
)


def test_a_scan_goes_along_axes_in_both_directions(worker) -> None:
    h, xs, zs = normal(2), normal(2, 5, seed=1), normal(5, 2, seed=2)
    state, stack = h, []
    for step in range(5):
        state = state * xs[:, 4 - step] + zs[step]
        stack.insert(0, np.tanh(state))
    check(worker, SCAN, (h, xs, zs), (state, np.stack(stack, 1)))


def test_stacks_of_unknown_length_are_refused_in_a_branch() -> None:
    model = model_of(
        "(float[4] x, bool c) => (float[k, 4] y)",
        "int64[1] zero = {0}, float limit = {2.0}, bool go = {1}",
        """y = If(c) <
             then_branch = t () => (float[j, 4] a) {
               last, a = Loop(, go, x) <body = b (int64 i, bool ci, float[4] h)
                   => (bool co, float[4] next, float[4] part) {
                 next = Add(h, h)
                 part = Neg(h)
                 m = ReduceMax<keepdims = 0>(h)
                 co = Less(m, limit)
               }>
             },
             else_branch = e () => (float[1, 4] d) { d = Unsqueeze(x, zero) }>""",
    )
    with pytest.raises(UnsupportedOp, match="the loop ends by a condition that it computes"):
        import_model(model)


def test_unsupported_nodes_of_a_body_are_listed() -> None:
    with pytest.raises(UnsupportedOp, match=r"Loop_0/Unknown_\d': Unknown .*no converter"):
        import_model(counted("Identity(ci)", after="Unknown(h)"))


def test_branches_that_give_lists_of_different_lengths_need_the_condition() -> None:
    model = model_of(
        "(float[4] x, bool c) => (float[4] y)",
        "int64 zero = {0}",
        """s = If(c) <then_branch = t () => (seq(float[4]) a) { a = SequenceConstruct(x, x) },
                      else_branch = e () => (seq(float[4]) b) { b = SequenceConstruct(x) }>
           y = SequenceAt(s, zero)""",
    )
    with pytest.raises(UnsupportedOp, match="length of a sequence depends on run-time data"):
        import_model(model)


NAMES = """
y = Loop(two, yes, x) <body = b (int64 i, bool ci, float[4] {h}) => (bool co, float[4] {out}) {{
  {sum} = Add({h}, w)
  {out} = Mul({sum}, {sum})
  co = Identity(ci)
}}>
late = If(yes) <then_branch = t () => (float[4] {then}) {{ {then} = Abs(y) }},
                else_branch = e () => (float[4] {other}) {{ {other} = Neg(y) }}>
last = Sqrt(late)
spare = Neg(last)
"""


@pytest.mark.parametrize(
    "names",
    [
        {"out": "y", "then": "late", "other": "late"},
        {"out": "late", "sum": "last", "then": "last", "other": "spare"},
        {"sum": "y", "out": "spare", "h": "late"},
        {"h": "x", "then": "x", "other": "w"},
        {"h": "y", "sum": "x"},
    ],
    ids=lambda names: " ".join(f"{inner}={outer}" for inner, outer in names.items()),
)
def test_names_of_a_body_hide_those_around_it(worker, names: dict[str, str]) -> None:
    own = {name: name for name in ("h", "sum", "out", "then", "other")}
    model = model_of(
        "(float[4] x, float[4] w) => (float[4] last)",
        "int64 two = {2}, bool yes = {1}",
        NAMES.format(**own | names),
    )
    x, w = normal(4), normal(4, seed=1)
    check(worker, model, (x, w), [np.abs((x + w) ** 2 + w)])


def test_a_body_reads_known_names_only() -> None:
    with pytest.raises(ModelError, match="undefined value 'nowhere'"):
        import_model(counted("Identity(ci)", after="Add(h, nowhere)"))


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    model = onnx.ModelProto(ir_version=8)
    model.opset_import.add(domain="", version=16)
    model.graph.input.append(helper.make_tensor_value_info("c", TensorProto.BOOL, []))
    graph = model.graph
    for depth in range(1000):
        graph.output.add(name=f"y{depth}")
        node = graph.node.add(op_type="If", input=["c"], output=[f"y{depth}"])
        graph = node.attribute.add(name="then_branch", type=onnx.AttributeProto.GRAPH).g
    with pytest.raises(ModelError, match="graphs are nested too deeply"):
        import_model(model)
