"""Sessions: decoding with states in a session equals decoding with explicit states."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import onnx
import onnx.numpy_helper
import onnx.parser
import onnxruntime
import pytest

import tilewright
from tilewright import ArgumentError, CompiledModule, LoweringError
from tilewright.runtime.abi.ndarray import numpy_dtype
from tilewright.runtime.module import python_program

from ..peer import peer_results

ATTENTION = """
<ir_version: 8, opset_import: ["": 17]>
decoder (float[b, s, 32] x, float[b, 4, past, 8] past_k, float[b, 4, past, 8] past_v)
    => (float[b, 4, all, 8] k, float[b, s, 32] y, float[b, 4, all, 8] v)
  <int64[3] parts = {32, 32, 32}, int64[4] heads = {0, 0, 4, 8}, int64[3] merged = {0, 0, 32}> {
  qkv = MatMul (x, w_in)
  q0, k0, v0 = Split <axis = 2> (qkv, parts)
  q1 = Reshape (q0, heads)
  k1 = Reshape (k0, heads)
  v1 = Reshape (v0, heads)
  q = Transpose <perm = [0, 2, 1, 3]> (q1)
  k2 = Transpose <perm = [0, 2, 1, 3]> (k1)
  v2 = Transpose <perm = [0, 2, 1, 3]> (v1)
  k = Concat <axis = 2> (past_k, k2)
  v = Concat <axis = 2> (past_v, v2)
  turned = Transpose <perm = [0, 1, 3, 2]> (k)
  scores = MatMul (q, turned)
  weights = Softmax (scores)
  mixed = MatMul (weights, v)
  back = Transpose <perm = [0, 2, 1, 3]> (mixed)
  flat = Reshape (back, merged)
  y = Add (flat, x)
}"""
RECURRENT = """
<ir_version: 8, opset_import: ["": 17]>
recurrent (float[s, b, 6] x, float[1, b, 5] h) => (float[s, 1, b, 5] y, float[1, b, 5] last) {
  y, last = GRU <hidden_size = 5> (x, w, r, , , h)
}"""
STATE, CAPACITY = {"past_k": "k", "past_v": "v"}, {"past": 12}


def model_of(text: str, **shapes: tuple[int, ...]) -> onnx.ModelProto:
    """Return the model of a text with random weights."""
    model, rng = onnx.parser.parse_model(text), np.random.default_rng(0)
    for name, shape in shapes.items():
        array = (rng.standard_normal(shape) * 0.3).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    return model


DECODER = model_of(ATTENTION, w_in=(32, 96))
RECURRENCE = model_of(RECURRENT, w=(1, 15, 6), r=(1, 15, 5))


def compiled(model: onnx.ModelProto, **options: Any) -> CompiledModule:
    module = tilewright.compile(model, cache=False, **options)
    assert not module.reason
    return module


@pytest.fixture(scope="module")
def decoder() -> CompiledModule:
    return compiled(DECODER, state=STATE, capacity=CAPACITY)


def rows(count: int, seed: int, batch: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((batch, count, 32)).astype(np.float32)


def expected_of(parts: list[np.ndarray]) -> np.ndarray:
    """Return onnxruntime's output of the last part, with explicit caches."""
    peer = onnxruntime.InferenceSession(DECODER.SerializeToString())
    past = np.zeros((len(parts[0]), 4, 0, 8), np.float32)
    k, v, y = past, past, past
    for x in parts:
        k, y, v = (np.asarray(a) for a in peer.run(None, {"x": x, "past_k": k, "past_v": v}))
    return y


@pytest.mark.parametrize("batch", [1, 2])
def test_caches_grow_from_call_to_call(decoder: CompiledModule, batch: int) -> None:
    session, shared, parts = decoder.session(), decoder.session(), []
    assert [spec.name for spec in session.inputs] == ["x"]
    assert [spec.name for spec in session.outputs] == ["y"]
    for seed, count in enumerate((3, 1, 1, 5)):
        parts.append(rows(count, seed, batch))
        y = session(parts[-1])
        np.testing.assert_allclose(y, expected_of(parts), atol=1e-5)
        np.testing.assert_array_equal(shared.run({"x": parts[-1]}, threads=2)[0], y)
    assert session.sizes == {"past": 10}
    assert session.state("past_k").shape == (batch, 4, 10, 8)


def test_new_rows_are_appended_in_place(decoder: CompiledModule) -> None:
    assert decoder.manifest.appends == ((1, 0, 2), (2, 2, 2))
    assert decoder.get_source("packed").count("packed.concat append") == 2
    rng, x = np.random.default_rng(0), rows(2, 0)
    memory = [rng.standard_normal((9, 1, 4, 8)).astype(np.float32) for _ in "kv"]
    past, before = [m[:5] for m in memory], [m.copy() for m in memory]
    y = np.empty((1, 2, 32), np.float32)
    apart = decoder.run([x, *(p.copy() for p in past)])
    decoder.fill([x, *past, memory[0][:7], y, memory[1][:7]])
    np.testing.assert_array_equal(y, apart[1])
    for cache, old, new in zip(memory, before, (apart[0], apart[2]), strict=True):
        np.testing.assert_array_equal(cache[:7], new)
        np.testing.assert_array_equal(cache[:5], old[:5])
        np.testing.assert_array_equal(cache[7:], old[7:])
    with pytest.raises(ValueError, match="shares memory with another argument"):
        decoder.fill([x, *past, memory[1][:7], y, memory[0][:7]])


def test_a_state_that_grows_at_its_start_is_copied() -> None:
    text = """
    <ir_version: 8, opset_import: ["": 17]>
    history (float[s, 3] x, float[p, 3] old) => (float[n, 3] new, float[n, 3] y) {
      new = Concat <axis = 0> (x, old)
      y = Relu (new)
    }"""
    module = compiled(onnx.parser.parse_model(text), state={"old": "new"}, capacity={"p": 9})
    session, expected = module.session(), np.zeros((0, 3), np.float32)
    for count in (2, 1, 3):
        x = np.random.default_rng(count).standard_normal((count, 3)).astype(np.float32)
        expected = np.concatenate([x, expected])
        np.testing.assert_array_equal(session(x), expected.clip(0))
    session.rewind(2)
    fork, x = session.fork(), np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(fork(x), np.concatenate([x, expected[:-2]]).clip(0))
    np.testing.assert_array_equal(session.state("old"), expected[:-2])
    assert module.manifest.appends == ()


def test_a_rewound_session_continues_from_there(decoder: CompiledModule) -> None:
    session = decoder.session()
    for count in (4, 1, 2):
        session(rows(count, count))
    session.rewind(3)
    assert session.sizes == {"past": 4}
    np.testing.assert_allclose(
        session(rows(2, 9)), expected_of([rows(4, 4), rows(2, 9)]), atol=1e-5
    )
    with pytest.raises(ArgumentError, match="rewind by more positions"):
        session.rewind(7)
    session.rewind(0)
    session.rewind(6)
    np.testing.assert_array_equal(session(rows(4, 4)), decoder.session()(rows(4, 4)))


def test_a_fork_and_its_origin_are_independent(decoder: CompiledModule) -> None:
    session = decoder.session()
    session(rows(4, 4))
    fork = session.fork()
    y = session(rows(1, 1))
    np.testing.assert_allclose(fork(rows(2, 2)), expected_of([rows(4, 4), rows(2, 2)]), atol=1e-5)
    fork.reset()
    assert (fork.sizes, session.sizes) == ({"past": 0}, {"past": 5})
    fork(rows(4, 4))
    np.testing.assert_array_equal(fork(rows(1, 1)), y)
    fork.reset()
    assert fork(rows(3, 0, batch=2)).shape == (2, 3, 32)


def test_a_session_starts_from_given_caches(decoder: CompiledModule) -> None:
    first = decoder.session()
    first(rows(5, 5))
    caches = {name: first.state(name) for name in STATE}
    second = decoder.session(caches)
    assert second.sizes == {"past": 5}
    np.testing.assert_array_equal(second(rows(1, 1)), first(rows(1, 1)))


def test_a_full_cache_is_an_error_that_changes_nothing(decoder: CompiledModule) -> None:
    session = decoder.session()
    session(rows(11, 0))
    with pytest.raises(ArgumentError) as caught:
        session(rows(2, 1))
    text = str(caught.value)
    assert "exceeds the capacity of past" in text
    assert "past of at most 12" in text
    assert "11 + 2 = 13" in text
    assert 'capacity={"past": 24}' in text
    y = session(rows(1, 1))
    np.testing.assert_allclose(y, expected_of([rows(11, 0), rows(1, 1)]), atol=1e-5)


def test_a_failed_first_call_binds_no_sizes(decoder: CompiledModule) -> None:
    session = decoder.session()
    with pytest.raises(ArgumentError, match="exceeds the capacity"):
        session(rows(13, 0, batch=3))
    assert session(rows(2, 0, batch=2)).shape == (2, 2, 32)


def test_a_state_of_constant_size_is_replaced() -> None:
    module = compiled(RECURRENCE, state={"h": "last"})
    x = np.random.default_rng(0).standard_normal((9, 2, 6)).astype(np.float32)
    expected = peer_results(RECURRENCE, {"x": x, "h": np.zeros((1, 2, 5), np.float32)})[0]
    session = module.session()
    parts = [session(x[:4]), session(x[4:5]), session(x[5:])]
    np.testing.assert_allclose(np.concatenate(parts), expected, atol=1e-6)
    started = module.session({"h": parts[0][3]})
    np.testing.assert_array_equal(started(x[4:5]), parts[1])
    with pytest.raises(ArgumentError, match="cannot rewind a state that is replaced"):
        session.rewind(1)


def test_the_interpreter_has_sessions() -> None:
    module = compiled(DECODER, state=STATE, capacity=CAPACITY, target="interpreter")
    session, parts = module.session(), [rows(3, 0), rows(1, 1)]
    session(parts[0])
    np.testing.assert_allclose(session(parts[1]), expected_of(parts), atol=1e-5)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"state": {"past": "k"}}, "'past': 'k' is no input and output"),
        ({"state": STATE}, r'hint: pass capacity=\{"past": 2048\}'),
        ({"state": {"x": "k"}, "capacity": CAPACITY}, "cannot become state 'x'"),
        ({"capacity": CAPACITY}, "capacity= without state="),
        ({"state": {"past_k": "k", "past_v": "k"}}, "two states have one output"),
        ({"state": STATE, "capacity": {"past": 0}}, "capacity of past is not a count"),
        ({"state": STATE, "capacity": {"last": 9}}, "names no input, and no size of one"),
        ({"state": STATE, "capacity": CAPACITY, "shapes": {"past": 3}}, "both a capacity and"),
    ],
)
def test_states_that_do_not_fit_are_errors(options: dict[str, Any], match: str) -> None:
    with pytest.raises(tilewright.Error, match=match):
        tilewright.compile(DECODER, cache=False, **options)


def test_arguments_of_a_session_are_checked(decoder: CompiledModule) -> None:
    with pytest.raises(ArgumentError, match="has no states"):
        compiled(DECODER, shapes={"b": 1, "past": 2, "s": 1}).session()
    with pytest.raises(ArgumentError, match="y is not a state"):
        decoder.session({"y": rows(1, 1)})
    with pytest.raises(ArgumentError, match="state past_k does not fit") as caught:
        decoder.session({"past_k": np.zeros((1, 4, 13, 8), np.float32)})
    assert "expected: float32[b, 4, past, 8], past of at most 12" in str(caught.value)
    assert "got: float32[1, 4, 13, 8]" in str(caught.value)
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        decoder.session()(rows(1, 1), rows(1, 1), rows(1, 1))
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        decoder.session()()
    with pytest.raises(ArgumentError, match="state past_k has no value"):
        decoder.session().state("past_k")
    with pytest.raises(ArgumentError, match="x is not a state"):
        decoder.session().state("x")


def test_main_must_append_to_the_states_that_it_records(decoder: CompiledModule) -> None:
    text = decoder.get_source("packed")
    assert tilewright.compile_module(text, cache=False).manifest.appends == ((1, 0, 2), (2, 2, 2))
    wrong = text.replace("array<i64: 1, 0, 2>", "array<i64: 1, 2, 2>")
    with pytest.raises(LoweringError, match="main does not append to its argument 1"):
        tilewright.compile_module(wrong, cache=False)


def test_the_memory_of_a_call_is_known_before_it(decoder: CompiledModule) -> None:
    session, cache = decoder.session(), 2 * 12 * 4 * 8 * 4
    use = session.memory({"x": (2, 3, 32)})
    assert (use.weights, use.outputs) == (32 * 96 * 4, 2 * 3 * 32 * 4)
    assert use.states == 2 * cache
    full = decoder.memory([(2, 3, 32), (9, 2, 4, 8), (9, 2, 4, 8)])
    assert full.arena == use.arena > decoder.memory([(1, 1, 32), (1, 1, 4, 8), (1, 1, 4, 8)]).arena
    assert full.outputs == use.outputs + 2 * cache
    assert use.total == use.weights + use.arena + use.outputs + use.states


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({}, "inputs are missing"),
        ({"y": (2, 3, 32)}, "y is not an input"),
        ({"x": (2, 32)}, "shape of x contradicts"),
        ({"x": (2, 3, 31)}, "shape of x contradicts"),
        ([(2, 3, 32)] * 2, "wrong number of shapes"),
        ({"x": (2, 13, 32)}, "exceeds the capacity of past"),
    ],
)
def test_wrong_shapes_are_refused(decoder: CompiledModule, shapes: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        decoder.session().memory(shapes)


def test_initial_values_are_not_rewound_before_a_call(decoder):
    value = np.ones((1, 4, 3, 8), np.float32)
    session = decoder.session({"past_k": value, "past_v": value})
    with pytest.raises(ArgumentError, match="expected: a count of 0 to 0"):
        session.rewind(1)
    session(rows(1, 0))
    session.rewind(2)
    assert session.sizes == {"past": 2}


@pytest.mark.parametrize("target", ["native", "interpreter", "opencl"])
def test_a_session_refuses_other_dtypes_on_each_target(target: str) -> None:
    module, out = compiled(DECODER, state=STATE, capacity=CAPACITY, target=target), rows(3, 1)
    session, x = module.session(), rows(3, 0)
    for dtype in ("float64", "float16", "int32"):
        with pytest.raises(
            ArgumentError, match=rf"x\) has the wrong dtype(?s:.*){dtype}\[1, 3, 32"
        ):
            session.run([x.astype(dtype)])
        with pytest.raises(
            ArgumentError, match=rf"y\) has the wrong dtype(?s:.*){dtype}\[1, 3, 32"
        ):
            session(x, out.astype(dtype))
    assert session.sizes == {"past": 0}
    np.testing.assert_array_equal(session(x).numpy(), module.session()(x.astype(">f4")).numpy())


def test_initial_values_may_be_empty_or_of_another_byte_order(decoder: CompiledModule) -> None:
    x, empty = rows(3, 0), np.zeros((1, 4, 0, 8), np.float32)
    begun = decoder.session({"past_k": empty, "past_v": empty})
    np.testing.assert_array_equal(begun(x).numpy(), decoder.session()(x).numpy())
    values = {name: begun.state(name).numpy() for name in STATE}
    swapped = decoder.session({name: array.astype(">f4") for name, array in values.items()})
    np.testing.assert_array_equal(swapped(x).numpy(), decoder.session(values)(x).numpy())


def test_a_session_is_used_once_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    session = compiled(DECODER, state=STATE, capacity=CAPACITY, target="interpreter").session()
    x, refused = rows(1, 0), 0
    session(x)

    def during_the_call(dtype: str) -> np.dtype[Any]:
        nonlocal refused
        uses = [lambda: session(x), session.reset, lambda: session.rewind(1), session.fork]
        for use in (*uses, lambda: session.sizes, lambda: session.state("past_k")):
            with pytest.raises(ArgumentError, match="running in another thread"):
                use()
            refused += 1
        return numpy_dtype(dtype)

    with monkeypatch.context() as patch:
        patch.setattr(python_program, "numpy_dtype", during_the_call)
        session(x)
    assert refused
    assert session.sizes == {"past": 2}
    session.fork().rewind(2)


COPIES = [copy.copy, copy.deepcopy, lambda session: pickle.loads(pickle.dumps(session))]


@pytest.mark.parametrize("copied", COPIES)
def test_copies_of_a_session_continue_it(decoder: CompiledModule, copied: Any) -> None:
    initial = {name: np.ones((1, 4, 2, 8), np.float32) for name in STATE}
    for session in (decoder.session(), decoder.session(initial)):
        new = copied(session)
        assert new.sizes == session.sizes
        session(rows(3, 0))
        twin = copied(session)
        np.testing.assert_array_equal(twin(rows(1, 1)).numpy(), session(rows(1, 1)).numpy())
        twin.reset()
        np.testing.assert_array_equal(new(rows(2, 2)).numpy(), twin(rows(2, 2)).numpy())


def test_a_session_has_the_threads_of_its_module() -> None:
    module = compiled(DECODER, state=STATE, capacity=CAPACITY, threads=2)
    session, x = module.session(), rows(3, 0)
    before = session(x).numpy().copy()
    module.threads = 1
    session.reset()
    np.testing.assert_array_equal(session(x).numpy(), before)
    assert session._callee.threads == session._model._model.threads[0] == 1
