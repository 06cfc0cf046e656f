"""Illegal uses of the primitives that arrange loops and place computes."""

from __future__ import annotations

from .kernels import SCAN, blurs, conv_chain, matmul, softmax

MM, BLURS = matmul(10, 6, 8), blurs(8, 6)
C = "%c = sched.match {name = mm}\n"
SPLIT = C + "%s = sched.split %c {axis = m, factor = 4}\n"
GUARDED = C + "%s = sched.split %c {axis = m, factor = 4, guard = 1}\n"
CHAIN, SOFTMAX = conv_chain(6, 6, 1, 1), softmax(4, 6)
CONV = (
    "%c = sched.match {name = conv}\n%d = sched.match {name = double}\n"
    "%r = sched.match {name = relu}\n"
)
ROWS = "".join(f"%{n} = sched.match {{name = {n}}}\n" for n in ("mx", "ex", "sm", "dv"))
S = "%c = sched.match {name = sums}\n"

HALF = """
te.kernel @k(%X: memref<4x9xf16>, %Y: memref<4xf16>) {
  te.compute @sums [i: 4, k: 9 red]
    ins(%X[i, k] : memref<4x9xf16>) outs(%Y[i] add 0.0 : f32 : memref<4xf16>)
    body(%x: f16) {
      %w = arith.extf %x : f16 to f32
      te.yield %w : f32
    }
  te.return
}
"""

SORT = """
te.kernel @k(%X: memref<4x9xf32>, %V: memref<4x3xf32>, %P: memref<4x3xi64>) {
  te.sort @order %X axis 1 outs(%V, %P) : memref<4x9xf32>, memref<4x3xf32>, memref<4x3xi64>
  te.return
}
"""

SCAN_OF_ANY_SIZE = (
    SCAN.replace("4x8xf32", "4x?xf32, #te.dims<4, n>")
    .replace(") {\n", ') attributes {sizes = ["n"]} {\n', 1)
    .replace("j: 8", "j: n")
)

CASES: dict[str, tuple[str, str]] = {
    "match: no such name": (MM, "%c = sched.match {name = nm}"),
    "split: no such loop": (MM, C + "%s = sched.split %c {axis = z, factor = 4}"),
    "split: split already": (MM, SPLIT + "%t = sched.split %s {axis = m, factor = 2}"),
    "split: factor and parts": (MM, C + "%s = sched.split %c {axis = m, factor = 4, nparts = 2}"),
    "split: neither": (MM, C + "%s = sched.split %c {axis = m}"),
    "split: factor 0": (MM, C + "%s = sched.split %c {axis = m, factor = 0}"),
    "split: three names": (MM, C + "%s = sched.split %c {axis = m, factor = 2, into = [a, b, c]}"),
    "split: a name in use": (MM, C + "%s = sched.split %c {axis = m, factor = 2, into = [n, mi]}"),
    "split: a scanned axis": (SCAN, S + "%s = sched.split %c {axis = j, factor = 2}"),
    "split: a vector": (
        MM,
        C + "%v = sched.vectorize_axis %c {axis = n, lanes = 4}\n"
        "%s = sched.split %v {axis = n, factor = 2}",
    ),
    "split: after vectorize": (
        MM,
        C + "%v = sched.vectorize %c {axis = n, lanes = 4}\n"
        "%s = sched.split %v {axis = n, factor = 2}",
    ),
    "split: fused": (
        MM,
        C + "%f = sched.fuse %c {axes = [m, n]}\n%s = sched.split %f {axis = n, factor = 2}",
    ),
    "split: made already": (
        CHAIN,
        CONV + "%p, %q = sched.compute_at %d, %c {axis = o}\n"
        "%s = sched.split %q {axis = o, factor = 2}",
    ),
    "split: a guarded sum": (MM, C + "%s = sched.split %c {axis = k, factor = 3, guard = 1}"),
    "split: a part of a guarded split": (
        MM,
        GUARDED + "%t = sched.split %s {axis = mi, factor = 2}",
    ),
    "reorder: a guarded loop outside": (MM, GUARDED + "%t = sched.reorder %s {axes = [mi, mo]}"),
    "unroll: a guarded loop": (MM, GUARDED + "%t = sched.unroll %s {axis = mi}"),
    "compute_at: between guarded loops": (
        CHAIN,
        CONV + "%g = sched.split %c {axis = h, factor = 4, guard = 1}\n"
        "%p, %q = sched.compute_at %d, %g {axis = ho}",
    ),
    "fuse: one loop": (MM, C + "%f = sched.fuse %c {axes = [m]}"),
    "fuse: not neighbours": (MM, C + "%f = sched.fuse %c {axes = [n, m]}"),
    "fuse: a reduced loop": (MM, C + "%f = sched.fuse %c {axes = [n, k]}"),
    "fuse: a name in use": (MM, C + "%f = sched.fuse %c {axes = [m, n], into = k}"),
    "reorder: one loop": (MM, C + "%o = sched.reorder %c {axes = [m]}"),
    "reorder: twice the same": (MM, C + "%o = sched.reorder %c {axes = [m, m]}"),
    "reorder: no such loop": (MM, SPLIT + "%o = sched.reorder %s {axes = [n, m]}"),
    "reorder: parallel inside of reduced": (
        MM,
        C + "%p = sched.parallel_axis %c {axis = n}\n%o = sched.reorder %p {axes = [k, n]}",
    ),
    "reorder: a wider accumulator": (HALF, S + "%o = sched.reorder %c {axes = [k, i]}"),
    "unroll: no such loop": (MM, C + "%u = sched.unroll %c {axis = z}"),
    "unroll: copies below 0": (MM, C + "%u = sched.unroll %c {axis = m, copies = -1}"),
    "unroll: a scanned axis": (SCAN, S + "%u = sched.unroll %c {axis = j}"),
    "unroll: a parallel loop": (
        MM,
        C + "%p = sched.parallel_axis %c {axis = m}\n%u = sched.unroll %p {axis = m}",
    ),
    "parallel_axis: a reduced loop": (MM, C + "%p = sched.parallel_axis %c {axis = k}"),
    "parallel_axis: a scanned axis": (SCAN, S + "%p = sched.parallel_axis %c {axis = j}"),
    "parallel_axis: inside of a reduced loop": (
        MM,
        C + "%o = sched.reorder %c {axes = [k, n]}\n%p = sched.parallel_axis %o {axis = n}",
    ),
    "vectorize_axis: no lanes": (MM, C + "%v = sched.vectorize_axis %c {axis = n, lanes = 0}"),
    "vectorize_axis: two vectors": (
        MM,
        C + "%v = sched.vectorize_axis %c {axis = n, lanes = 4}\n"
        "%w = sched.vectorize_axis %v {axis = m, lanes = 4}",
    ),
    "vectorize_axis: a scan that continues earlier results": (
        SCAN.replace("add 0.0 : f32", "add acc"),
        S + "%v = sched.vectorize_axis %c {axis = j, lanes = 4}",
    ),
    "vectorize_axis: a scanned axis of symbolic size": (
        SCAN_OF_ANY_SIZE,
        S + "%v = sched.vectorize_axis %c {axis = j, lanes = 4}",
    ),
    "bind: no such thread": (MM, C + "%b = sched.bind %c {axis = m, thread = warp.x}"),
    "bind: a reduced loop": (MM, C + "%b = sched.bind %c {axis = k, thread = threadIdx.x}"),
    "bind: one thread twice": (
        MM,
        C + "%a = sched.bind %c {axis = m, thread = blockIdx.x}\n"
        "%b = sched.bind %a {axis = n, thread = blockIdx.x}",
    ),
    "compute_at: no such loop": (CHAIN, CONV + "%p, %q = sched.compute_at %d, %c {axis = z}"),
    "compute_at: not a reader": (CHAIN, CONV + "%p, %q = sched.compute_at %d, %r {axis = h}"),
    "compute_at: itself": (CHAIN, CONV + "%p, %q = sched.compute_at %d, %d {axis = h}"),
    "compute_at: a vector": (
        CHAIN,
        CONV + "%v = sched.vectorize_axis %r {axis = w, lanes = 4}\n"
        "%p, %q = sched.compute_at %c, %v {axis = w}",
    ),
    "compute_at: a producer whose loops are made": (
        CHAIN,
        CONV + "%p, %q = sched.compute_at %d, %c {axis = h}\n"
        "%x, %y = sched.compute_at %q, %r {axis = h}",
    ),
    "compute_at: writes that overlap": (
        SOFTMAX,
        ROWS + "%p = sched.parallel_axis %dv {axis = j}\n"
        "%x, %y = sched.compute_at %ex, %p {axis = j}",
    ),
    "reverse_compute_at: not a reader": (
        CHAIN,
        CONV + "%p, %q = sched.reverse_compute_at %r, %d {axis = h}",
    ),
    "reverse_compute_at: not elementwise": (
        CHAIN,
        CONV + "%p, %q = sched.reverse_compute_at %c, %d {axis = h}",
    ),
    "reverse_compute_at: a reduced loop": (
        CHAIN,
        CONV + "%p, %q = sched.reverse_compute_at %r, %c {axis = c}",
    ),
    "reverse_compute_at: other operands come later": (
        SOFTMAX,
        ROWS + "%p, %q = sched.reverse_compute_at %dv, %ex {axis = i}",
    ),
    "compute_inline: not elementwise": (CHAIN, CONV + "sched.compute_inline %c"),
    "compute_inline: an argument": (CHAIN, CONV + "sched.compute_inline %r"),
    "compute_inline: a padded read": (CHAIN, CONV + "sched.compute_inline %d"),
    "compute_root: inside of a loop": (
        CHAIN,
        CONV + "%p, %q = sched.compute_at %d, %c {axis = h}\n%x = sched.compute_root %p",
    ),
    "tile: a pending nest": (MM, SPLIT + "%t, %i = sched.tile %s {n = 2}"),
    "tile: a reduced axis": (MM, C + "%t, %i = sched.tile %c {k = 2}"),
    "tile: no such axis": (MM, C + "%t, %i = sched.tile %c {z = 2}"),
    "split_handle: one op": (MM, C + "%a, %b = sched.split_handle %c {last = 1}"),
    "split_handle: all ops": (
        MM,
        C + "%t, %i = sched.tile %c {m = 3}\n%a, %b = sched.split_handle %t {last = 2}",
    ),
    "split_axis: does not divide": (MM, C + "%t = sched.split_axis %c {k = 3, into = [a, b]}"),
    "order: not all axes": (MM, C + "%t = sched.order %c {axes = [m, k]}"),
    "split_reduction: a parallel axis": (MM, C + "%t, %k = sched.split_reduction %c {m = 2}"),
    "parallel: a reduced loop": (
        matmul(10, 6, 30),
        C + "%s, %k = sched.split_reduction %c {k = 8}\n%p = sched.parallel %k",
    ),
    "peel: nothing": (MM, C + "%t, %i = sched.tile %c {m = 2}\n%p = sched.peel %i"),
    "pack: not a constant": (
        MM,
        C + "%p = sched.pack %c {operand = 0, map = affine_map<(m, k) -> (k, m)>}",
    ),
    "fuse_into: leaves its domain": (
        BLURS,
        "%b = sched.match {name = second}\n%a = sched.match {name = first}\n"
        "%t, %i = sched.tile %b {h = 2}\n%f = sched.fuse_into %a, %i",
    ),
    "inline: not elementwise": (CHAIN, CONV + "%i = sched.inline %c, %r"),
    "fuse_epilogue: not a reduction": (CHAIN, CONV + "%i = sched.fuse_epilogue %d, %r"),
    "tile_irregular: a compute": (MM, C + "%s = sched.tile_irregular %c {axis = m, chunk = 2}"),
    "tile_irregular: lanes of a sort": (
        SORT,
        "%c = sched.match {name = order}\n%s = sched.tile_irregular %c {lanes = 3}",
    ),
}
