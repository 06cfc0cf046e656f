// RUN: tw-opt %s -p te-apply-schedule | filecheck %s

// A packed, split and tiled matrix product: three leaves per column block; only the last adds the bias.

// CHECK-LABEL: te.kernel @k
// CHECK-SAME:  %B: memref<4x40x16xf32>
// CHECK-SAME:  packs = {"1" = affine_map<(d0, d1) -> ((d1 floordiv 16), d0, (d1 mod 16))>}
// CHECK:       loop.for parallel %[[J:.*]] = 0 to 3 {
// CHECK:         te.compute @mm [m: 5, n: 16, k: 12 red]
// CHECK:           %B[%[[J]], k, n]
// CHECK:           outs(%C[{{.*}} * 5 + m, %[[J]] * 16 + n] add 0.0 : f32
// CHECK-NEXT:      tile(vec = n, lanes = 8, k = 4)
// CHECK:         loop.for %[[K:.*]] = 1 to 3 {
// CHECK:           te.compute @mm [m: 5, n: 16, k: 12 red]
// CHECK:             %B[%[[J]], %[[K]] * 12 + k, n]
// CHECK:             add acc
// CHECK:         te.compute @mm [m: 5, n: 16, k: 4 red]
// CHECK:           post(%bias[%[[J]] * 16 + n]
// CHECK:           add acc
// CHECK:           then(
// The remainder of the columns is packed block 3.
// CHECK:       loop.for parallel %{{.*}} = 0 to 1 {
// CHECK:         te.compute @mm [m: 5, n: 2, k: 12 red]
// CHECK:           %B[3, k, n]
// CHECK-NOT:   sched.
te.kernel @k(%A: memref<20x40xf32>, %B: memref<40x50xf32>, %bias: memref<50xf32>, %C: memref<20x50xf32>) attributes {constants = array<i64: 1>} {
  te.compute @mm [m: 20, n: 50, k: 40 red]
    ins(%A[m, k] : memref<20x40xf32>, %B[k, n] : memref<40x50xf32>)
    post(%bias[n] : memref<50xf32>)
    outs(%C[m, n] add 0.0 : f32 : memref<20x50xf32>)
    body(%a: f32, %b: f32) {
      %p = arith.mulf %a, %b : f32
      te.yield %p : f32
    } then(%v: f32, %c: f32) {
      %s = arith.addf %v, %c : f32
      te.yield %s : f32
    }
  te.return
}
sched.script @k {
  %c = sched.match {name = mm}
  %p = sched.pack %c {operand = 1, map = affine_map<(k, n) -> (n floordiv 16, k, n mod 16)>}
  %t, %j = sched.tile %p {n = 16}
  %jp = sched.parallel %j
  %s, %kb = sched.split_reduction %t {k = 12}
  %u, %i = sched.tile %s {m = 6, even = [m]}
  %v = sched.vectorize %u {axis = n, lanes = 8, k = 4}
}
