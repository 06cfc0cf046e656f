"""Buffer primitives of stages: every method is one step, checked by the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.dialects.loop import AllocOp
from tilewright.schedule.schedule import Schedule, create_schedule
from tilewright.support.diagnostics import ScheduleError

M, N, K = 10, 6, 8


def product() -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    a, b = te.placeholder((M, K), name="A"), te.placeholder((K, N), name="B")
    k = te.reduce_axis((0, K), name="k")
    c = te.compute((M, N), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    return a, b, c


def run(s: Schedule, tensors: tuple[te.Tensor, ...]) -> None:
    """Compile and compare with numpy."""
    rng = np.random.default_rng(0)
    a = rng.integers(-4, 5, (M, K)).astype(np.float32)
    b = rng.integers(-4, 5, (K, N)).astype(np.float32)
    np.testing.assert_array_equal(tilewright.build(s, list(tensors))(a, b), a @ b)


def test_the_classic_blocking_with_a_write_cache() -> None:
    a, b, c = product()
    s = create_schedule(c.op, validate=True)
    cached = s.cache_write(c)
    i, j = c.op.axis
    outer, _ = s[c].split(i, factor=4)
    cached.compute_at(s[c], outer)
    (k,) = cached.op.reduce_axis
    cached.decompose_reduction(k)
    copied = s.cache_read(b, "shared", [cached])
    copied.storage_align("c0", 8, 4)
    cached.prefetch(a, "k", 2)
    s[c].annotate("note", 3)
    s[c].pragma("other", "word")
    s[c].vectorize(j)
    run(s, (a, b, c))


def test_strides_are_multiples_unless_an_offset_is_given() -> None:
    def text(*offset: int) -> str:
        _, b, c = product()
        s = create_schedule(c.op)
        s.cache_read(b, "shared", [c]).storage_align("c0", 8, *offset)
        return str(s)

    assert text() == text(0) != text(1)


def test_a_loop_that_split_made_is_factored() -> None:
    for which in (0, 1):
        a, b, c = product()
        s = create_schedule(c.op, validate=True)
        (k,) = c.op.reduce_axis
        partial = s.rfactor(c, s[c].split(k, factor=3)[which])
        assert partial.name == "C_rf"
        assert s[c].op.axis == c.op.axis
        run(s, (a, b, c))


def test_a_whole_axis_and_a_part_are_factored() -> None:
    for factor in (None, 3):
        a, b, c = product()
        s = create_schedule(c.op, validate=True)
        s.rfactor(c, c.op.reduce_axis[0], factor)
        run(s, (a, b, c))


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("place", ["rows", "parts"])
def test_partial_results_of_a_ragged_part_are_placed(which: int, place: str) -> None:
    a, b, c = product()
    s = create_schedule(c.op, validate=True)
    partial = s.rfactor(c, s[c].split("k", factor=3)[which])
    assert s[c].op.axis == c.op.axis
    rows, _ = s[c].split(c.op.axis[0], factor=4)
    (parts,) = s[c].op.reduce_axis
    partial.compute_at(s[c], rows if place == "rows" else parts)
    if place == "rows":
        s[c].parallel(rows)
        assert f"memref<3x4x{N}xf32>" in str(s)
    run(s, (a, b, c))


def test_layouts_and_extents() -> None:
    a, b, c = product()
    s = create_schedule(c.op, validate=True)
    s[c].pad_einsum({c.op.axis[0]: 4, "j": 8})
    s[c].transform_layout(lambda i, j: (j // 4, i, j % 4), operand=1)
    s[c].transform_layout(lambda i, j: (j, i))
    s[c].set_scope("shared")
    s[c].set_store_predicate({"i": (0, M)})
    run(s, (a, b, c))


def test_tiles_reach_beyond_a_product() -> None:
    """Extents are rounded up, and what lies outside is not stored."""
    a, b, c = product()
    s = create_schedule(c.op, validate=True)
    i, j = c.op.axis
    s[c].pad_einsum({i: 4, j: 4}, clip=True)
    sums = s[c].cache_write(sums=True)
    outer, _ = s[c].split(i, factor=4)
    sums.compute_at(s[c], outer)
    run(s, (a, b, c))


@pytest.mark.parametrize("factor", [3, 5])
def test_a_guarded_split_has_one_loop(factor: int) -> None:
    a, b, c = product()
    s = create_schedule(c.op, validate=True)
    outer, inner = s[c].split(c.op.axis[0], factor=factor, guard=True)
    assert s[c].loops[:2] == [outer, inner]
    run(s, (a, b, c))


def test_initial_values_before_a_loop() -> None:
    for axis in (None, "i", "j", "ko"):
        a, b, c = product()
        s = create_schedule(c.op, validate=True)
        s[c].split("k", factor=3)
        s[c].reorder("ko", "j")
        with pytest.raises(ScheduleError, match="reduced\n    expected: one of i, ko"):
            s[c].decompose_reduction("ki")
        if axis != "j":
            assert s[c].decompose_reduction(axis).name == "C_init"
        run(s, (a, b, c))


def blur(rows: int = 12) -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    x = te.placeholder((rows + 2, 10), name="X")
    across = te.compute(
        (rows + 2, 8), lambda h, w: x[h, w] + x[h, w + 1] + x[h, w + 2], name="across"
    )
    down = te.compute(
        (rows, 8), lambda h, w: across[h, w] + across[h + 1, w] + across[h + 2, w], name="down"
    )
    return x, across, down


@pytest.mark.parametrize("method", ["rolling_buffer", "double_buffer"])
@pytest.mark.parametrize("factor", [1, 2, 5])
def test_buffers_of_a_loop(method: str, factor: int) -> None:
    x, across, down = blur()
    s = create_schedule(down.op, validate=True)
    outer, _ = s[down].split(down.op.axis[0], factor=factor)
    s[across].compute_at(s[down], outer)
    getattr(s[across], method)()
    s[across].vectorize("w")
    s[down].vectorize(down.op.axis[1])
    data = np.arange(14 * 10, dtype=np.float32).reshape(14, 10) % 7
    once = data[:, :-2] + data[:, 1:-1] + data[:, 2:]
    expected = once[:-2] + once[1:-1] + once[2:]
    np.testing.assert_array_equal(tilewright.build(s, [x, down])(data), expected)


def test_a_window_shrinks_the_work() -> None:
    _, across, down = blur()
    s = create_schedule(down.op)
    s[across].compute_at(s[down], down.op.axis[0])
    s[across].rolling_buffer()
    (kernel,) = s.kernels
    (alloc,) = [op for op in kernel.walk() if isinstance(op, AllocOp)]
    assert str(alloc.res.type) == "memref<3x8xf32>"


def test_all_reads_of_a_tensor_share_a_copy() -> None:
    x = te.placeholder((14, 14), name="X")
    y = te.compute((12, 12), lambda i, j: x[i, j] + x[i + 2, j] * x[j, i + 1], name="Y")
    z = te.compute((12, 12), lambda i, j: y[i, j] - x[i, j + 1], name="Z")
    s = create_schedule(z.op, validate=True)
    copy = s.cache_read(x, "shared")
    assert str(s.kernels[0]).count("%x0[") == 1
    assert "sched.cache_read %Y, %Z {operand = [[0, 1, 2], [1]], scope = shared}" in s.script
    own = s.cache_read(copy, "local", [y])
    own.compute_at(s[y], y.op.axis[0])
    data = np.random.default_rng(0).integers(-4, 5, (14, 14)).astype("f4")
    both = data[:12, :12] + data[2:, :12] * data[:12, 1:13].T
    np.testing.assert_array_equal(tilewright.build(s, [x, z])(data), both - data[:12, 1:13])


def test_blocks_in_main_memory() -> None:
    a, b, c = product()
    s = create_schedule(c.op, validate=True)
    block = s.cache_write(c, "global")
    _, columns, *_ = s[c].tile(*c.op.axis, 4, 4)
    s[block].compute_at(s[c], columns)
    s[block].reorder(s[block].op.reduce_axis[0], *s[block].op.axis)
    assert 'loop.alloc "global" : memref<4x4xf32>' in str(s)
    run(s, (a, b, c))


@pytest.mark.parametrize("dtype", ["float16", "int8"])
def test_a_block_of_accumulators_is_finished_by_its_copy(dtype: str) -> None:
    a, b = te.placeholder((M, K), dtype, name="A"), te.placeholder((K, N), dtype, name="B")
    bias = te.placeholder((N,), dtype, name="bias")
    k = te.reduce_axis((0, K), name="k")
    c = te.compute((M, N), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k) + bias[j], name="C")
    s = create_schedule(c.op, validate=True)
    block = s.cache_write(c)
    rows, _ = s[c].split(c.op.axis[0], factor=4)
    block.compute_at(s[c], rows)
    outer, inner = block.split(k, factor=3)
    block.reorder(outer, *block.op.axis, inner)
    rng = np.random.default_rng(0)
    x, y, z = (rng.integers(-3, 4, t.shape).astype(dtype) for t in (a, b, bias))
    if dtype == "float16":
        assert f'loop.alloc "local" : memref<4x{N}xf32>' in str(s)
    got = np.asarray(tilewright.build(s, [a, b, bias, c])(x, y, z))
    exact = x.astype("i8") @ y.astype("i8") + z.astype("i8")
    np.testing.assert_array_equal(got, exact.astype(dtype))


def test_tensors_that_a_stage_does_not_read() -> None:
    a, _, c = product()
    s = create_schedule(c.op)
    with pytest.raises(ScheduleError, match="@C does not read C\n    expected: a tensor that"):
        s[c].cache_read(c)
    s.cache_read(a)
    with pytest.raises(ScheduleError, match="@C does not read A\n    expected: a tensor that"):
        s.cache_read(a, readers=["C", "C_in0"])
    with pytest.raises(ScheduleError, match="no stage reads C\n    expected: a tensor that"):
        s.cache_read(c)


def test_an_illegal_step_changes_nothing() -> None:
    _, _, c = product()
    s = create_schedule(c.op)
    before = str(s)
    with pytest.raises(ScheduleError, match="not a local buffer"):
        s[c].rolling_buffer()
    assert str(s.kernels[0]) in before


def late_rows() -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    """Return X, twice X, and differences of the rows of twice X from the third on."""
    x = te.placeholder((12, 6), name="X")
    t = te.compute((12, 6), lambda i, j: x[i, j] * 2.0, name="T")
    o = te.compute((9, 6), lambda i, j: t[i + 2, j] - t[i + 3, j], name="O")
    return x, t, o


@pytest.mark.parametrize("axis", ["i", "j"])
@pytest.mark.parametrize("step", ["transposed", "blocked", "at", "rolling", "doubled", "read"])
def test_what_is_stored_moves_with_the_buffer(step: str, axis: str) -> None:
    x, t, o = late_rows()
    s = create_schedule(o.op, validate=True)
    s[t].set_store_predicate({axis: (2, 12) if axis == "i" else (0, 6)})
    if step == "transposed":
        s[t].transform_layout(lambda i, j: (j, i))
    elif step == "blocked":
        s[t].transform_layout(lambda i, j: (i // 4, j, i % 4))
    elif step == "read":
        s[o].transform_layout(lambda i, j: (j, i), operand=t)
    else:
        s[t].compute_at(s[o], o.op.axis[0])
    if step == "rolling":
        s[t].rolling_buffer()
    elif step == "doubled":
        s[t].double_buffer()
    rows = np.arange(72, dtype=np.float32).reshape(12, 6) ** 2
    expected = 2 * (rows[2:11] - rows[3:12])
    np.testing.assert_array_equal(tilewright.build(s, [x, o])(rows), expected)


@pytest.mark.parametrize("step", ["reorder", "decompose_reduction"])
def test_a_reduction_in_pieces_stores_only_where_it_is_said(step: str) -> None:
    a, b, c = product()
    late = te.compute((M - 3, N), lambda i, j: c[i + 3, j] + 1.0, name="O")
    s = create_schedule(late.op, validate=True)
    s[c].set_store_predicate({"i": (3, M)})
    if step == "reorder":
        s[c].reorder("k", "i", "j")
    else:
        s[c].decompose_reduction("i")
    x = np.arange(M * K, dtype=np.float32).reshape(M, K) % 7
    y = np.arange(K * N, dtype=np.float32).reshape(K, N) % 5
    got = tilewright.build(s, [a, b, late])(x, y)
    np.testing.assert_array_equal(got, (x @ y)[3:] + 1)


@pytest.mark.parametrize("multiple", [4, 8, 16])
def test_an_operand_that_is_read_backwards_is_padded_before_its_start(multiple: int) -> None:
    x, y = te.placeholder((M, N), name="X"), te.placeholder((M, N), name="Y")
    o = te.compute((M, N), lambda i, j: x[M - 1 - i, j] * y[i, N - 1 - j], name="O")
    s = create_schedule(o.op, validate=True)
    s[o].pad_einsum({"i": multiple, "j": multiple})
    a = np.arange(M * N, dtype=np.float32).reshape(M, N)
    got = tilewright.build(s, [x, y, o])(a, a + 1)
    np.testing.assert_array_equal(got, a[::-1] * (a + 1)[:, ::-1])


def test_a_sum_that_continues_is_not_repeated_in_a_loop() -> None:
    x, k = te.placeholder((M, K), name="X"), te.reduce_axis((0, K), name="k")
    t = te.compute((M,), lambda i: te.sum(x[i, k], axis=k), name="T")
    o = te.compute((M, N), lambda i, j: t[i] + 1.0, name="O")
    s = create_schedule(o.op, validate=True)
    s[t].decompose_reduction("i")
    with pytest.raises(ScheduleError, match="adds to values that are stored outside"):
        s[t].compute_at(s[o], o.op.axis[1])
    a = np.arange(M * K, dtype=np.float32).reshape(M, K)
    expected = np.repeat(a.sum(1, keepdims=True) + 1, N, 1)
    np.testing.assert_array_equal(tilewright.build(s, [x, o])(a), expected)


def test_what_reads_a_sum_does_not_go_to_its_initial_values() -> None:
    a, b, c = product()
    o = te.compute((M, N), lambda i, j: c[i, j] + 1.0, name="O")
    s = create_schedule(o.op, validate=True)
    initial = s[c].decompose_reduction("i")
    with pytest.raises(ScheduleError, match="@O also reads @C, which is not complete"):
        s[o].reverse_compute_at(initial, "j")
    x = np.arange(M * K, dtype=np.float32).reshape(M, K) % 7
    y = np.arange(K * N, dtype=np.float32).reshape(K, N) % 5
    np.testing.assert_array_equal(tilewright.build(s, [a, b, o])(x, y), x @ y + 1)


def test_a_store_predicate_is_not_a_function() -> None:
    *_, c = product()
    s = create_schedule(c.op)
    with pytest.raises(ScheduleError, match="takes ranges of axes") as caught:
        s[c].set_store_predicate(lambda i, j: i < 3)  # type: ignore[arg-type]
    assert "got: function" in str(caught.value)
