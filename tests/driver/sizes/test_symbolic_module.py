"""Modules of symbolic sizes: one compilation, called with arguments of many sizes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from xdsl.context import Context

import tilewright
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp import packed as interpreter
from tilewright.interp import te as values
from tilewright.passes.loop.split_phases import SplitPhases
from tilewright.runtime.errors import ArgumentError
from tilewright.support.diagnostics import ModelError

from ...lowering.native import HOST, parse

MLP = """
!a = memref<?x?xf32, #te.dims<m, k>>
!w = memref<?x24xf32, #te.dims<k, 24>>
!c = memref<?x24xf32, #te.dims<m, 24>>
!n = memref<?x24xf32, #te.dims<n, 24>>
!x = memref<?x?x5xf32, #te.dims<b, s, 5>>
!y = memref<?x?x24xf32, #te.dims<b, s, 24>>
!rows = memref<?x5xf32, #te.dims<b * s, 5>>
!h = memref<?x24xf32, #te.dims<b * s, 24>>
te.kernel @dense(%a: !a, %b: !w,
                 %c: !c) attributes {sizes = ["m", "k"]} {
  te.compute @dense [i: m, j: 24, k: k red]
      ins(%a[i, k] : !a, %b[k, j] : !w)
      outs(%c[i, j] add 0.0 : f32 : !c)
      tile(vec = j, lanes = 8)
      body(%x: f32, %y: f32) {
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  }
  te.return
}
te.kernel @twice(%x: !n, %y: !n)
    attributes {sizes = ["n"]} {
  te.compute @twice [i: n, j: 24]
      ins(%x[i, j] : !n)
      outs(%y[i, j] : !n)
      body(%a: f32) {
    %d = arith.addf %a, %a : f32
    te.yield %d : f32
  }
  te.return
}
func.func @main(%x: !x, %w: memref<5x24xf32>,
                %y: !y)
    attributes {sizes = ["b", "s"], tw.arg_dtypes = ["float32", "float32"],
                tw.arg_names = ["x", "w"], tw.result_dtypes = ["float32"],
                tw.result_names = ["y"]} {
  %rows = packed.view %x : !x -> !rows
  %h = packed.alloc : !h
  %y2 = packed.view %y : !y -> !h
  packed.call @dense(%rows, %w, %h) sizes [b * s, 5] : (!rows, memref<5x24xf32>, !h) -> ()
  packed.call @twice(%h, %y2) sizes [b * s] : (!h, !h) -> ()
  func.return
}"""

SIZES = [(1, 1), (2, 1), (1, 13), (3, 7), (8, 8)]


@pytest.fixture(scope="module")
def mlp() -> CompiledModule:
    return tilewright.compile_module(MLP, cache=False, strict_plan=True)


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(("b", "s"), SIZES)
def test_one_module_runs_at_all_sizes(mlp: CompiledModule, b: int, s: int) -> None:
    x, w = random(b, s, 5), random(5, 24)
    expected = 2 * (x.astype(np.float64) @ w)
    (interpreted,) = interpreter.run(parse(MLP), x, w)
    np.testing.assert_allclose(interpreted, expected, atol=1e-5)
    y = mlp(x, w)
    assert y.shape == (b, s, 24)
    np.testing.assert_allclose(y, expected, atol=1e-5)
    (shared,) = mlp.run([x, w], threads=2)
    np.testing.assert_array_equal(shared, y)
    filled = np.empty((b, s, 24), np.float32)
    assert mlp(x, w, filled) is None
    np.testing.assert_array_equal(filled, y)


def test_the_interpreter_is_a_target_of_symbolic_sizes() -> None:
    module = tilewright.compile_module(MLP, target="interpreter", cache=False)
    for b, s in SIZES:
        x, w = random(b, s, 5), random(5, 24)
        np.testing.assert_allclose(module(x, w), 2 * (x.astype(np.float64) @ w), atol=1e-5)
    with pytest.raises(ArgumentError, match="dimension 1 of w has the wrong size"):
        module(x, random(5, 25))


def test_compilation_resumes_from_the_planned_program(mlp: CompiledModule) -> None:
    again = tilewright.compile_module(mlp.get_source("packed"), cache=False)
    x, w = random(3, 7, 5), random(5, 24)
    np.testing.assert_array_equal(again(x, w), mlp(x, w))


def test_the_manifest_names_symbolic_sizes(mlp: CompiledModule) -> None:
    (x, w), (y,) = mlp.inputs, mlp.outputs
    assert (x.shape, w.shape, y.shape) == (("b", "s", 5), (5, 24), ("b", "s", 24))
    assert mlp.manifest.signature == (
        "main(x: float32[b, s, 5], w: float32[5, 24]) -> (y: float32[b, s, 24])"
    )


def test_a_wrong_size_is_refused_by_name(mlp: CompiledModule) -> None:
    with pytest.raises(ArgumentError) as refused:
        mlp(random(2, 3, 5), random(5, 24), np.empty((2, 4, 24), np.float32))
    assert str(refused.value).splitlines()[:3] == [
        "main: argument 2 (y) has the wrong shape",
        "    expected: float32[b, s, 24], dimension 1: s, where s = 3 (dimension 1 of x)",
        "    got: size 4 in dimension 1",
    ]
    with pytest.raises(ArgumentError) as refused:
        mlp(random(2, 0, 5), random(5, 24))
    assert str(refused.value).splitlines()[:3] == [
        "main: argument 0 (x) has a size that is not valid",
        "    expected: float32[b, s, 5], dimension 1: s, where s is in 1..1099511627776",
        "    got: size 0 in dimension 1",
    ]
    for wrong, rule in (
        (random(2, 3, 6), "has the wrong shape"),
        (random(2, 3), "has the wrong number of dimensions"),
        (random(2, 3, 5).astype(np.float64), "has the wrong dtype"),
    ):
        with pytest.raises(ArgumentError, match=rule):
            mlp(wrong, random(5, 24))
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        mlp(random(2, 3, 5))
    whole = np.zeros(2 * 24 + 10, np.float32)
    with pytest.raises(ArgumentError, match="shares memory"):
        mlp(whole[:10].reshape(1, 2, 5), random(5, 24), whole[4:52].reshape(1, 2, 24))


SHRUNK = """
!x = memref<?xf32, #te.dims<s>>
!y = memref<?xf32, #te.dims<s - 8>>
te.kernel @inner(%x: !x, %y: !y) attributes {sizes = ["s"]} {
  te.compute @inner [i: s - 8] ins(%x[i + 4] : !x) outs(%y[i] : !y) body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}
te.kernel @ones(%y: !x) attributes {sizes = ["s"]} {
  te.compute @ones [i: s] outs(%y[i] : !x) body() {
    %one = arith.constant 1.0 : f32
    te.yield %one : f32
  }
  te.return
}
func.func @main(%x: !x, %y: RESULT) attributes {sizes = ["s"], tw.arg_dtypes = ["float32"],
    tw.result_names = ["y"], tw.result_dtypes = ["float32"]} {
BODY
  func.return
}"""


def test_shapes_of_wrong_rank_and_number_are_refused(mlp: CompiledModule) -> None:
    w = random(5, 24)
    for call in (
        lambda: mlp.output_shapes([(2, 3), w.shape]),
        lambda: mlp.time_evaluator("main", number=1)(random(2, 3), w),
    ):
        with pytest.raises(ArgumentError, match=r"\(x\) has the wrong number of dimensions"):
            call()
    with pytest.raises(ArgumentError, match="wrong number of arguments"):
        mlp.output_shapes([(2, 3, 5)])


def test_inputs_that_give_results_negative_sizes_are_refused() -> None:
    call = "packed.call @inner(%x, %y) sizes [s] : (!x, !y) -> ()"
    text = SHRUNK.replace("RESULT", "!y").replace("BODY", call)
    module = tilewright.compile_module(text, cache=False, strict_plan=True)
    for s in (8, 9, 20):
        np.testing.assert_array_equal(module(random(s)), random(s)[4:-4])
    with pytest.raises(ArgumentError) as refused:
        module(random(7))
    assert str(refused.value).splitlines() == [
        "main: the inputs are too small: y would have a negative size",
        "    expected: float32[s - 8], with sizes of 0 or more",
        "    got: [-1]",
        "    hint: pass larger inputs",
    ]


def test_inputs_that_give_buffers_negative_sizes_are_refused() -> None:
    body = """
  %t = packed.alloc : !y
  packed.call @inner(%x, %t) sizes [s] : (!x, !y) -> ()
  packed.call @ones(%y) sizes [s] : (!x) -> ()"""
    text = SHRUNK.replace("RESULT", "!x").replace("BODY", body)
    module = tilewright.compile_module(text, cache=False, strict_plan=True)
    np.testing.assert_array_equal(module(random(9)), np.ones(9))
    with pytest.raises(ValueError, match="the inputs are too small") as refused:
        module(random(7))
    assert "got: s = 7 (dimension 0 of x0)" in str(refused.value)


def test_threads_call_one_module_with_different_sizes(mlp: CompiledModule) -> None:
    w = random(5, 24)
    given = {(b, s): random(b, s, 5) for b, s in ((1, 2), (40, 3), (7, 7), (300, 1), (2, 90))}
    expected = {sizes: np.asarray(mlp(x, w)) for sizes, x in given.items()}

    def work(seed: int) -> None:
        order = np.random.default_rng(seed).integers(0, len(given), 60)
        for number in order:
            sizes = list(given)[number]
            np.testing.assert_array_equal(mlp(given[sizes], w), expected[sizes])

    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(work, seed) for seed in range(8)]:
            done.result()


def test_many_shapes_evict_layouts(mlp: CompiledModule) -> None:
    w = random(5, 24)
    for s in range(1, 140):
        assert mlp(random(1, s, 5), w).shape == (1, s, 24)


CACHE = """
!past = memref<?x?x8xf32, #te.dims<b, p, 8>>
!x = memref<?x?x8xf32, #te.dims<b, s, 8>>
!pairs = memref<?xf32, #te.dims<2 * q + 1>>
!ids = memref<?x?xi64, #te.dims<b, s>>
!y = memref<?x?x8xf32, #te.dims<b, p + s, 8>>
!z = memref<?x?x?x8xf32, #te.dims<s, b, s, 8>>
!r = memref<?x?xf32, #te.dims<q, 2 * q + 1>>
func.func @main(%past: !past, %x: !x,
                %pairs: !pairs, %ids: !ids,
                %y: !y,
                %z: !z,
                %r: !r)
    attributes {sizes = ["b", "p", "s", "q"],
                tw.arg_dtypes = ["float32", "float32", "float32", "int64"],
                tw.arg_names = ["past", "x", "pairs", "ids"],
                tw.result_dtypes = ["float32", "float32", "float32"],
                tw.result_names = ["y", "z", "r"]} {
  packed.check_indices %ids below [p + s] wraps of "Gather 'rows'" : !ids
  %t = packed.alloc : !y
  packed.concat %past, %x along 1 to %t : !y of !past, !x
  packed.copy %t to %y : !y, !y
  packed.loop %n to s {
    %part = packed.slice %z[%n] : !z
    packed.copy %x to %part : !x, !x
    packed.yield
  }
  %last = loop.size q - 1
  packed.loop %n to q {
    %part = packed.slice %r[%last - %n] : !r
    packed.copy %pairs to %part : !pairs, !pairs
    packed.yield
  }
  func.return
}"""


@pytest.fixture(scope="module")
def cache() -> CompiledModule:
    return tilewright.compile_module(CACHE, cache=False, strict_plan=True)


@pytest.mark.parametrize(("b", "p", "s", "q"), [(1, 1, 1, 1), (2, 3, 1, 4), (3, 1, 7, 2)])
def test_the_host_program_moves_symbolic_buffers(
    cache: CompiledModule, b: int, p: int, s: int, q: int
) -> None:
    past, x, pairs = random(b, p, 8), random(b, s, 8), random(2 * q + 1)
    ids = np.random.default_rng(1).integers(-p - s, p + s, (b, s))
    expected = np.concatenate([past, x], 1), np.stack([x] * s), np.stack([pairs] * q)
    text = str(parse(CACHE))
    assert str(parse(text)) == text
    interpreted = interpreter.run(parse(CACHE), past, x, pairs, ids)
    for got in (
        interpreted,
        cache(past, x, pairs, ids),
        cache.run([past, x, pairs, ids], threads=2),
    ):
        for one, other in zip(got, expected, strict=True):
            np.testing.assert_array_equal(one, other)
    ids[-1, -1] = p + s
    message = rf"out of range\n.*expected: {-p - s}..{p + s - 1}\n.*at \[{b - 1}, {s - 1}\]"
    with pytest.raises(IndexError, match=message):
        cache(past, x, pairs, ids)


def test_a_sum_of_sizes_is_checked_and_explained(cache: CompiledModule) -> None:
    given = [random(2, 3, 8), random(2, 4, 8), random(5), np.zeros((2, 4), np.int64)]
    made = [np.empty(shape, np.float32) for shape in ((2, 8, 8), (4, 2, 4, 8), (2, 5))]
    with pytest.raises(ArgumentError) as refused:
        cache(*given, *made)
    assert str(refused.value).splitlines()[:3] == [
        "main: argument 4 (y) has the wrong shape",
        "    expected: float32[b, p + s, 8], dimension 1: p + s = 7, where "
        "p = 3 (dimension 1 of past), s = 4 (dimension 1 of x)",
        "    got: size 8 in dimension 1",
    ]
    given[2] = random(6)
    with pytest.raises(ArgumentError, match=r"dimension 0: 2 \* q \+ 1, where q is in 1\.\."):
        cache(*given)


SECTIONS = """
!x = memref<?x8xf32, #te.dims<s, 8>>
!n = memref<?x8xf32, #te.dims<n, 8>>
func.func @sum(%x: !n, %y: !n) attributes {sizes = ["n"]} {
  %rows = loop.size n
  loop.for parallel %i = 0 to %rows {
    %t = loop.alloc "local" : memref<2000xf32>
    loop.for %j = 0 to 8 {
      %v = loop.load %x[%i, %j] : !n, f32
      loop.store %v, %t[%j * 200] : memref<2000xf32>, f32
    }
    %zero = arith.constant 0.0 : f32
    %all = loop.for %j = 0 to 8 iter_args(%sum = %zero : f32) {
      %v = loop.load %t[%j * 200] : memref<2000xf32>, f32
      %next = arith.addf %sum, %v : f32
      loop.yield %next : f32
    }
    loop.for %j = 0 to 8 {
      loop.store %all, %y[%i, %j] : !n, f32
    }
  }
  func.return
}
func.func @main(%x: !x, %y: !x, %z: !x) attributes {sizes = ["s"],
    tw.arg_dtypes = ["float32"], tw.result_dtypes = ["float32", "float32"]} {
  %a = packed.alloc : !x
  %b = packed.alloc : !x
  packed.sections {
    packed.call @sum(%x, %a) sizes [s] : (!x, !x) -> ()
    packed.call @sum(%x, %b) sizes [s] : (!x, !x) -> ()
  }
  packed.call serial @sum(%a, %y) sizes [s] : (!x, !x) -> ()
  packed.call @sum(%b, %z) sizes [s] : (!x, !x) -> ()
  func.return
}"""


def test_sections_and_workspace_of_symbolic_sizes() -> None:
    module = tilewright.compile_module(SECTIONS, cache=False, strict_plan=True)
    assert [kernel.tasks for kernel in module.kernels] == ["n"]
    for s in (1, 2, 33):
        x = random(s, 8)
        expected = np.repeat(8 * x.sum(1, keepdims=True), 8, 1)
        for threads in (1, 2):
            for got in module.run([x], threads=threads):
                np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


VALUES = """
!x = tensor<?x?x8xf32, #te.dims<b, s, 8>>
!rows = tensor<?x8xf32, #te.dims<b * s, 8>>
!n = tensor<?x8xf32, #te.dims<n, 8>>
te.kernel @twice(%x: !n) -> !n attributes {sizes = ["n"]} {
  %y = te.compute @twice [i: n, j: 8] ins(%x[i, j] : !n) outs([i, j] : !n) body(%a: f32) {
    %d = arith.addf %a, %a : f32
    te.yield %d : f32
  }
  te.return %y : !n
}
func.func @main(%x: !x) -> !x attributes {sizes = ["b", "s"]} {
  %r = packed.view %x : !x -> !rows
  %d = packed.call @twice(%r) sizes [b * s] : (!rows) -> !rows
  %y = packed.view %d : !rows -> !x
  func.return %y : !x
}"""


def test_main_on_tensors_runs_at_all_sizes() -> None:
    for shape in ((1, 1, 8), (3, 5, 8)):
        (y,) = values.run(parse(VALUES), random(*shape))
        np.testing.assert_array_equal(y, 2 * random(*shape))


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("sizes [b * s, 5]", "sizes [b * s]", "wrong number of sizes"),
        ("sizes [b * s, 5]", "sizes [b, 5]", "called with wrong types"),
        ('sizes = ["b", "s"]', 'sizes = ["b"]', "is not a size of main"),
        ('sizes = ["b", "s"]', 'sizes = ["b", "s", "q"]', "no argument of main determines"),
    ],
)
def test_wrong_sizes_in_the_program_are_refused(old: str, new: str, rule: str) -> None:
    with pytest.raises(ModelError, match=rule):
        tilewright.compile_module(MLP.replace(old, new), cache=False)


PHASES = """
!x = memref<?x8xf32, #te.dims<b * s, 8>>
!n = memref<?x8xf32, #te.dims<n, 8>>
func.func @f(%x: !n, %y: !n) attributes {sizes = ["n"]} {
  %rows = loop.size n
  %last = loop.size n - 1
  %t = loop.alloc "local" : !n
  loop.for parallel %i = 0 to %rows {
    loop.for %j = 0 to 8 {
      %v = loop.load %x[%i, %j] : !n, f32
      %d = arith.addf %v, %v : f32
      loop.store %d, %t[%i, %j] : !n, f32
    }
  }
  loop.for parallel %i = 0 to %rows {
    loop.for %j = 0 to 8 {
      %v = loop.load %t[%last - %i, %j] : !n, f32
      loop.store %v, %y[%i, %j] : !n, f32
    }
  }
  func.return
}
func.func @main(%x: memref<?x?x8xf32, #te.dims<b, s, 8>>, %y: !x) attributes {sizes = ["b", "s"],
    tw.arg_dtypes = ["float32"], tw.result_dtypes = ["float32"]} {
  %r = packed.view %x : memref<?x?x8xf32, #te.dims<b, s, 8>> -> !x
  packed.call @f(%r, %y) sizes [b * s] : (!x, !x) -> ()
  func.return
}"""


def test_phases_of_a_kernel_take_its_sizes() -> None:
    split = parse(PHASES)
    SplitPhases(HOST).apply(Context(), split)
    split.verify()
    module = tilewright.compile_module(split, cache=False, strict_plan=True)
    assert [kernel.name for kernel in module.kernels] == ["f_phase0", "f_phase1"]
    assert "packed.alloc at 0 : memref<?x8xf32, #te.dims<b * s, 8>>" in module.get_source("packed")
    for shape in ((1, 1, 8), (3, 7, 8)):
        x = random(*shape)
        np.testing.assert_array_equal(module(x), 2 * x.reshape(-1, 8)[::-1])


EXTERN = """
!x = memref<?x?xf32, #te.dims<b, s>>
!y = memref<?x?xf32, #te.dims<b, 2 * s>>
func.func @main(%x: !x, %y: !y) attributes {sizes = ["b", "s"],
    tw.arg_dtypes = ["float32"], tw.result_dtypes = ["float32"]} {
  packed.extern "tests.symbolic_pairs"(%x, %y) with [#builtin.int<0>, #builtin.int<1>]
      of ["float32", "float32"] from #builtin.int<1> : (!x, !y) -> ()
  func.return
}"""


def test_functions_of_the_process_take_symbolic_tensors() -> None:
    def pairs(x: object, y: object) -> None:
        np.asarray(y)[...] = np.repeat(np.asarray(x), 2, 1)

    tilewright.register_func("tests.symbolic_pairs", pairs, override=True)
    try:
        module = tilewright.compile_module(EXTERN, cache=False)
        for shape in ((1, 1), (3, 7)):
            np.testing.assert_array_equal(module(random(*shape)), np.repeat(random(*shape), 2, 1))
    finally:
        tilewright.remove_global_func("tests.symbolic_pairs")
