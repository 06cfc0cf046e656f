// RUN: tw-opt %s -p te-apply-schedule | filecheck %s

// A product accumulates in a local buffer per row of tiles, with a chosen memory, stride and layout.

// CHECK-LABEL: te.kernel @tiles
// CHECK:       loop.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:    %[[B:.*]] = loop.alloc "shared" : memref<2x12xf32>
// CHECK-NEXT:    te.compute @mm_local [m: 2, n: 6, k: 4 red]
// CHECK:           outs(%[[B]][m, n] add 0.0 : f32 : memref<2x12xf32>)
// CHECK:         te.compute @mm [m: 2, n: 6]
// CHECK-NEXT:      ins(%[[B]][m, n] : memref<2x12xf32>)
// CHECK-NEXT:      outs(%C[%[[I]] * 2 + m, n] : memref<8x6xf32>)
te.kernel @tiles(%A: memref<8x4xf32>, %B: memref<4x6xf32>, %C: memref<8x6xf32>) {
  te.compute @mm [m: 8, n: 6, k: 4 red]
    ins(%A[m, k] : memref<8x4xf32>, %B[k, n] : memref<4x6xf32>)
    outs(%C[m, n] add 0.0 : f32 : memref<8x6xf32>)
    body(%x: f32, %y: f32) {
      %p = arith.mulf %x, %y : f32
      te.yield %p : f32
    }
  te.return
}
sched.script @tiles {
  %c = sched.match {name = mm}
  %w, %o = sched.cache_write %c {out = 0}
  %t, %i = sched.tile %o {m = 2}
  %f = sched.fuse_into %w, %i
  %a = sched.storage_align %f {axis = m, factor = 8, offset = 4}
  %s = sched.set_scope %a {out = 0, scope = shared}
}

// An argument in another layout is first copied to the order in which the reader needs it.
// CHECK-LABEL: te.kernel @layouts
// CHECK:       %[[P:.*]] = loop.alloc "local" : memref<2x6x4xf32>
// CHECK-NEXT:  te.compute @sum_in0 [c0: 8, c1: 6]
// CHECK-NEXT:    ins(%X[c0, c1] : memref<8x6xf32>)
// CHECK-NEXT:    outs(%[[P]][c0 floordiv 4, c1, c0 mod 4] : memref<2x6x4xf32>)
// CHECK:       te.compute @sum [i: 8, j: 6 red]
// CHECK-NEXT:    ins(%[[P]][i floordiv 4, j, i mod 4] : memref<2x6x4xf32>)
te.kernel @layouts(%X: memref<8x6xf32>, %Y: memref<8xf32>) {
  te.compute @sum [i: 8, j: 6 red]
    ins(%X[i, j] : memref<8x6xf32>) outs(%Y[i] add 0.0 : f32 : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @layouts {
  %c = sched.match {name = sum}
  %t = sched.transform_layout %c {operand = 0, map = affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>}
}

// A loop gets a remark, and its leaf a prefetch.
// CHECK-LABEL: te.kernel @remarks
// CHECK:       loop.for %[[R:.*]] = 0 to 4 attributes {annotations = {pipeline = 2 : i64}} {
// CHECK:         tile(vec = j, lanes = 4, prefetch_operand = 0, prefetch = 12, prefetch_level = 3)
te.kernel @remarks(%X: memref<8x6xf32>, %Y: memref<8x6xf32>) {
  te.compute @copy [i: 8, j: 6]
    ins(%X[i, j] : memref<8x6xf32>) outs(%Y[i, j] : memref<8x6xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @remarks {
  %c = sched.match {name = copy}
  %t, %i = sched.tile %c {i = 2}
  %a = sched.annotate %i {key = pipeline, value = 2}
  %p = sched.prefetch %t {operand = 0, axis = i, offset = 2}
  %v = sched.vectorize %p {axis = j, lanes = 4}
}
