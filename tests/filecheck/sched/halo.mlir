// RUN: tw-opt %s -p te-apply-schedule | filecheck %s

// A producer under a padded stencil: the slice includes the border, which is filled; the producer computes only the interior.

// CHECK-LABEL: te.kernel @k
// CHECK:       loop.for parallel %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:    %[[T:.*]] = loop.alloc "local" : memref<6x18xf32>
// CHECK-NEXT:    loop.for %[[A:.*]] = 0 to %[[I]] * -4 + 1 {
// CHECK-NEXT:      te.compute @double_fill [f0: 1, f1: 18]
// CHECK-NEXT:        outs(%[[T]][%[[A]] + f0, f1] : memref<6x18xf32>)
// CHECK:         loop.for %[[B:.*]] = %[[I]] * -4 + 17 to 6 {
// CHECK-NEXT:      te.compute @double_fill [f0: 1, f1: 18]
// CHECK-NEXT:        outs(%[[T]][%[[B]] + f0, f1] : memref<6x18xf32>)
// CHECK:         te.compute @double_fill [f0: 6, f1: 1]
// CHECK-NEXT:      outs(%[[T]][f0, f1] : memref<6x18xf32>)
// CHECK:         te.compute @double_fill [f0: 6, f1: 1]
// CHECK-NEXT:      outs(%[[T]][f0, f1 + 17] : memref<6x18xf32>)
// CHECK:         loop.for %[[R:.*]] = max(0, %[[I]] * 4 - 1) to min(16, %[[I]] * 4 + 5) {
// CHECK-NEXT:      te.compute @double [h: 1, w: 16]
// CHECK-NEXT:        ins(%X[%[[R]] + h, w] : memref<16x16xf32>)
// CHECK:         te.compute @blur [h: 4, w: 16, r: 3 red, s: 3 red]
// CHECK-NEXT:      ins(%[[T]][h + r, w + s] : memref<6x18xf32>)
// CHECK-NEXT:      outs(%Y[%[[I]] * 4 + h, w] add 0.0 : f32 : memref<16x16xf32>)
te.kernel @k(%X: memref<16x16xf32>, %Y: memref<16x16xf32>) {
  %t = loop.alloc "local" : memref<16x16xf32>
  te.compute @double [h: 16, w: 16]
    ins(%X[h, w] : memref<16x16xf32>) outs(%t[h, w] : memref<16x16xf32>)
    body(%x: f32) {
      %r = arith.addf %x, %x : f32
      te.yield %r : f32
    }
  te.compute @blur [h: 16, w: 16, r: 3 red, s: 3 red]
    ins(%t[h + r - 1, w + s - 1] pad 0.0 : memref<16x16xf32>)
    outs(%Y[h, w] add 0.0 : f32 : memref<16x16xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @k {
  %b = sched.match {name = blur}
  %t, %i = sched.tile %b {h = 4}
  %p = sched.parallel %i
  %d = sched.match {name = double}
  %f, %f_border = sched.fuse_into %d, %p {halo = 1}
}
