"""Error messages of illegal steps.  ``python -m tests.passes.schedule.illegal_steps`` writes
illegal_steps.txt, which a test compares with the current messages."""

from __future__ import annotations

from pathlib import Path

from tilewright.support.diagnostics import ScheduleError

from . import illegal_loops
from .kernels import SCAN, argmax, blurs, conv_chain, matmul, schedule, softmax, window

SNAPSHOT = Path(__file__).with_suffix(".txt")

LOOK_UP = """
te.kernel @k(%X: memref<6x8xf32>, %P: memref<4xi64>, %Y: memref<4x8xf32>) {
  %t = loop.alloc "local" : memref<6x8xf32>
  te.compute @copy [i: 6, j: 8]
    ins(%X[i, j] : memref<6x8xf32>) outs(%t[i, j] : memref<6x8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.compute @rows [i: 4, j: 8]
    ins(%t : memref<6x8xf32>, %P[i] : memref<4xi64>, index[j])
    outs(%Y[i, j] : memref<4x8xf32>)
    body(%x: memref<6x8xf32>, %p: i64, %j: index) {
      %r = arith.index_cast %p : i64 to index
      %v = te.at %x[%r, %j] : memref<6x8xf32> -> f32
      te.yield %v : f32
    }
  te.return
}
"""
MM, CONV, BLURS = matmul(10, 6, 8), conv_chain(6, 6, 1, 1), blurs(8, 6)
ROWS = window(12, 5)
C = "%c = sched.match {name = mm}\n"
AT = "%c = sched.match {name = conv}\n"
FUSED = (
    "%d = sched.match {name = down}\n%a = sched.match {name = across}\n"
    "%t, %i = sched.tile %d {h = 2}\n%f = sched.fuse_into %a, %i\n"
)
SOFTMAX = softmax(4, 6)

CASES: dict[str, tuple[str, str]] = {
    "cache_write: no such output": (MM, C + "%w, %o = sched.cache_write %c {out = 2}"),
    "cache_write: continues from memory": (
        MM,
        C + "%s, %k = sched.split_reduction %c {k = 4}\n%w, %o = sched.cache_write %s",
    ),
    "cache_write: unknown scope": (MM, C + "%w, %o = sched.cache_write %c {scope = vram}"),
    "cache_read: no such operand": (MM, C + "%w, %o = sched.cache_read %c {operand = 3}"),
    "cache_read: an index input": (
        argmax(4, 6),
        "%c = sched.match {name = am}\n%w, %o = sched.cache_read %c {operand = 1}",
    ),
    "cache_read: the window of a whole operand": (
        LOOK_UP,
        "%c = sched.match {name = rows}\n%w, %o = sched.cache_read %c {operand = 0, window = 1}",
    ),
    "set_scope: an argument": (MM, C + "%s = sched.set_scope %c {scope = shared}"),
    "set_scope: unknown": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n%s = sched.set_scope %e {scope = fast}",
    ),
    "relayout: an argument": (
        MM,
        C + "%s = sched.relayout %c {map = affine_map<(m, n) -> (n, m)>}",
    ),
    "storage_align: an argument": (MM, C + "%s = sched.storage_align %c {axis = m, factor = 8}"),
    "storage_align: the last axis": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n%s = sched.storage_align %e {axis = j, factor = 8}",
    ),
    "storage_align: no such axis": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n%s = sched.storage_align %e {axis = q, factor = 8}",
    ),
    "storage_align: an offset that no stride has": (
        CONV,
        "%c = sched.match {name = conv}\n"
        "%s = sched.storage_align %c {axis = o, factor = 8, offset = 3}",
    ),
    "storage_align: an offset beyond the factor": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n"
        "%s = sched.storage_align %e {axis = i, factor = 8, offset = 8}",
    ),
    "storage_align: a reader that pads": (
        BLURS,
        "%d = sched.match {name = double}\n%s = sched.storage_align %d {axis = h, factor = 8}",
    ),
    "storage_align: a reader at computed positions": (
        LOOK_UP,
        "%d = sched.match {name = copy}\n%s = sched.storage_align %d {axis = i, factor = 32}",
    ),
    "transform_layout: both": (
        MM,
        C + "%s = sched.transform_layout %c {operand = 0, out = 0, "
        "map = affine_map<(m, n) -> (n, m)>}",
    ),
    "transform_layout: none": (
        MM,
        C + "%s = sched.transform_layout %c {map = affine_map<(m, n) -> (n, m)>}",
    ),
    "transform_layout: another rank": (
        MM,
        C + "%s = sched.transform_layout %c {out = 0, map = affine_map<(m) -> (m)>}",
    ),
    "transform_layout: packed twice": (
        MM,
        C + "%s = sched.transform_layout %c {operand = 1, map = affine_map<(m, n) -> (n, m)>}\n"
        "%t = sched.transform_layout %s {operand = 1, map = affine_map<(m, n) -> (n, m)>}",
    ),
    "rfactor: a parallel axis": (MM, C + "%p, %f = sched.rfactor %c {axis = m}"),
    "rfactor: no such axis": (MM, C + "%p, %f = sched.rfactor %c {axis = z}"),
    "rfactor: factor 0": (MM, C + "%p, %f = sched.rfactor %c {axis = k, factor = 0}"),
    "rfactor: another part": (
        MM,
        C + "%p, %f = sched.rfactor %c {axis = k, factor = 2, part = middle}",
    ),
    "rfactor: names that are taken": (
        MM,
        C + "%p, %f = sched.rfactor %c {axis = k, factor = 2, into = [m, ki]}",
    ),
    "rfactor: other loops": (
        MM,
        C + "%s = sched.split %c {axis = m, factor = 4, into = [mo, mi]}\n"
        "%p, %f = sched.rfactor %s {axis = k}",
    ),
    "rfactor: after vectorize": (
        MM,
        C + "%v = sched.vectorize %c {axis = n, lanes = 4}\n%p, %f = sched.rfactor %v {axis = k}",
    ),
    "decompose_reduction: nothing is reduced": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n%i, %u = sched.decompose_reduction %e",
    ),
    "decompose_reduction: no such loop": (
        MM,
        C + "%i, %u = sched.decompose_reduction %c {axis = z}",
    ),
    "decompose_reduction: inside of a reduced loop": (
        MM,
        C + "%s = sched.split %c {axis = k, factor = 4, into = [ko, ki]}\n"
        "%r = sched.reorder %s {axes = [ko, n]}\n"
        "%i, %u = sched.decompose_reduction %r {axis = n}",
    ),
    "decompose_reduction: twice": (
        MM,
        C + "%i, %u = sched.decompose_reduction %c\n%j, %v = sched.decompose_reduction %u",
    ),
    "decompose_reduction: another loop": (
        SOFTMAX,
        "%d = sched.match {name = dv}\n%t, %l = sched.tile %d {i = 2}\n"
        "%s = sched.match {name = sm}\n%i, %u = sched.decompose_reduction %s, %l",
    ),
    "decompose_reduction: a buffer of the loop": (
        SOFTMAX,
        "%d = sched.match {name = dv}\n%t, %l = sched.tile %d {j = 2}\n"
        "%e = sched.match {name = ex}\n%s = sched.match {name = sm}\n"
        "%f = sched.fuse_into %s, %l\n%i, %u = sched.decompose_reduction %f, %l",
    ),
    "decompose_reduction: too many handles": (
        MM,
        C + "%t, %i, %j = sched.tile %c {m = 2, n = 2}\n"
        "%a, %b = sched.decompose_reduction %t, %i, %j",
    ),
    "decompose_reduction: scanned": (
        SCAN,
        "%s = sched.match {name = sums}\n%i, %u = sched.decompose_reduction %s",
    ),
    "double_buffer: no loop": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n%d = sched.double_buffer %e",
    ),
    "double_buffer: an argument": (MM, C + "%d = sched.double_buffer %c"),
    "double_buffer: a parallel loop": (
        ROWS,
        FUSED + "%p = sched.parallel %i\n%b = sched.double_buffer %f",
    ),
    "double_buffer: depends on the loop": (
        BLURS,
        "%s = sched.match {name = second}\n%t, %i = sched.tile %s {h = 2}\n"
        "%f = sched.match {name = first}\n%g, %g_border = sched.fuse_into %f, %i {halo = 1}\n"
        "%d = sched.match {name = double}\n%e, %e_border = sched.fuse_into %d, %i {halo = 1}\n"
        "%b = sched.double_buffer %g",
    ),
    "double_buffer: one iteration": (
        ROWS,
        FUSED.replace("h = 2", "h = 12") + "%b = sched.double_buffer %f",
    ),
    "double_buffer: one stage": (ROWS, FUSED + "%b = sched.double_buffer %f {stages = 1}"),
    "double_buffer: late sums": (ROWS, FUSED + "%b = sched.double_buffer %f {late = 1}"),
    "rolling_buffer: no loop": (
        ROWS,
        "%a = sched.match {name = across}\n%r = sched.rolling_buffer %a",
    ),
    "rolling_buffer: a parallel loop": (
        ROWS,
        FUSED + "%p = sched.parallel %i\n%r = sched.rolling_buffer %f",
    ),
    "rolling_buffer: nothing is shared": (
        window(12, 5, stride=3),
        FUSED + "%r = sched.rolling_buffer %f",
    ),
    "rolling_buffer: the last producer first": (
        BLURS,
        "%s = sched.match {name = second}\n%t, %i = sched.tile %s {h = 2}\n"
        "%f = sched.match {name = first}\n%g, %g_border = sched.fuse_into %f, %i {halo = 1}\n"
        "%d = sched.match {name = double}\n%e, %e_border = sched.fuse_into %d, %i {halo = 1}\n"
        "%b = sched.rolling_buffer %g",
    ),
    "rolling_buffer: does not move": (
        SOFTMAX,
        "%d = sched.match {name = dv}\n%t, %l = sched.tile %d {j = 2}\n"
        "%s = sched.match {name = sm}\n%f = sched.fuse_into %s, %l\n"
        "%r = sched.rolling_buffer %f",
    ),
    "rolling_buffer: tiled": (
        window(12, 5, taps=4),
        FUSED + "%u, %h = sched.tile %f {h = 2}\n%r = sched.rolling_buffer %u",
    ),
    "pad_einsum: a pending nest": (
        MM,
        C + "%s = sched.split %c {axis = m, factor = 4, into = [mo, mi]}\n"
        "%p = sched.pad_einsum %s {m = 4}",
    ),
    "pad_einsum: nothing to pad": (MM, C + "%p = sched.pad_einsum %c"),
    "pad_einsum: no such axis": (MM, C + "%p = sched.pad_einsum %c {z = 4}"),
    "pad_einsum: after tile": (
        MM,
        C + "%t, %i = sched.tile %c {m = 2}\n%p = sched.pad_einsum %t {m = 4}",
    ),
    "pad_einsum: a maximum": (
        SOFTMAX,
        "%m = sched.match {name = mx}\n%p = sched.pad_einsum %m {j = 4}",
    ),
    "pad_einsum: a scanned axis": (
        SCAN,
        "%s = sched.match {name = sums}\n%p = sched.pad_einsum %s {j = 16}",
    ),
    "pad_einsum: computed positions": (
        LOOK_UP,
        "%s = sched.match {name = rows}\n%p = sched.pad_einsum %s {i = 8}",
    ),
    "pad_einsum: continues from memory": (
        MM,
        C + "%i, %u = sched.decompose_reduction %c\n%p = sched.pad_einsum %u {m = 8}",
    ),
    "im2col: no convolution": (SOFTMAX, "%m = sched.match {name = sm}\n%p = sched.im2col %m"),
    "im2col: no such axis": (CONV, AT + "%p = sched.im2col %c {z = 4}"),
    "im2col: no block sizes": (CONV, AT + "%p = sched.im2col %c {pixels = [h]}"),
    "im2col: merged pixels": (CONV, AT + "%p = sched.im2col %c {merged = [h]}"),
    "im2col: another order": (CONV, AT + "%p = sched.im2col %c {lhs = [o, p]}"),
    "set_store_predicate: no condition": (MM, C + "%p = sched.set_store_predicate %c"),
    "set_store_predicate: no range": (MM, C + "%p = sched.set_store_predicate %c {m = 3}"),
    "set_store_predicate: beyond the extent": (
        MM,
        C + "%p = sched.set_store_predicate %c {m = [2, 11]}",
    ),
    "set_store_predicate: no such axis": (
        MM,
        C + "%p = sched.set_store_predicate %c {q = [0, 1]}",
    ),
    "set_store_predicate: an inner part": (
        MM,
        C + "%s = sched.split %c {axis = m, factor = 4, into = [mo, mi]}\n"
        "%p = sched.set_store_predicate %s {mi = [0, 2]}",
    ),
    "set_store_predicate: fused loops": (
        MM,
        C + "%f = sched.fuse %c {axes = [m, n], into = mn}\n"
        "%p = sched.set_store_predicate %f {mn = [0, 2]}",
    ),
    "set_store_predicate: no index": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n"
        "%r = sched.relayout %e {map = affine_map<(i, j) -> (i floordiv 2, i mod 2, j)>}\n"
        "%p = sched.set_store_predicate %r {i = [1, 4]}",
    ),
    "set_store_predicate: nobody stores the rest": (
        MM,
        C + "%p = sched.set_store_predicate %c {m = [0, 5]}",
    ),
    "set_store_predicate: somebody reads the rest": (
        SOFTMAX,
        "%e = sched.match {name = ex}\n%p = sched.set_store_predicate %e {i = [1, 4]}",
    ),
    "set_store_predicate: continues from memory": (
        MM,
        C + "%i, %u = sched.decompose_reduction %c\n%p = sched.set_store_predicate %u {m = [0, 5]}",
    ),
    "annotate: another value": (
        MM,
        C + "%a = sched.annotate %c {key = note, value = 1}\n"
        "%b = sched.annotate %a {key = note, value = 2}",
    ),
    "annotate: a list": (MM, C + "%a = sched.annotate %c {key = note, value = [1, 2]}"),
    "annotate: no key": (MM, C + "%a = sched.annotate %c {value = 1}"),
    "prefetch: an operand after the reduction": (
        MM,
        C + "%p = sched.prefetch %c {operand = 2, distance = 64}",
    ),
    "prefetch: no distance": (MM, C + "%p = sched.prefetch %c {operand = 1}"),
    "prefetch: an axis that does not move": (
        MM,
        C + "%p = sched.prefetch %c {operand = 1, axis = m, offset = 1}",
    ),
    "prefetch: no such level": (
        MM,
        C + "%p = sched.prefetch %c {operand = 1, distance = 64, level = 4}",
    ),
}

CASES |= illegal_loops.CASES


def message(kernel: str, script: str) -> str:
    """Return the error message of an illegal step."""
    try:
        schedule(kernel, script)
    except ScheduleError as err:
        return str(err)
    raise AssertionError(f"this script is legal:\n{script}")


def messages() -> str:
    """Return all messages under their titles."""
    return "\n".join(f"# {title}\n{message(*case)}\n" for title, case in CASES.items())


if __name__ == "__main__":
    SNAPSHOT.write_text(messages())
