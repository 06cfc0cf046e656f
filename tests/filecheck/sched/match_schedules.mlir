// RUN: tw-opt %s -p te-match-schedules | filecheck %s
// RUN: tw-opt %s -p te-match-schedules | tw-opt --validate -p te-apply-schedule | filecheck %s --check-prefix=APPLIED

// Two equal kernels and one other get a script each; a script without a digest stays as it is.

// CHECK-LABEL: te.kernel @double(
// CHECK:       sched.script @double {
// CHECK-NEXT:    sched.match {name = double}
// CHECK:       te.kernel @again(
// CHECK:       sched.script @again {
// CHECK-NEXT:    sched.match {name = double}
// CHECK:       te.kernel @longer(
// CHECK-NEXT:    te.compute
// CHECK-NOT:   of "
// CHECK:       sched.script @longer {
// CHECK-NEXT:  }

// APPLIED-COUNT-2: tile(vec = i, lanes = 4)
// APPLIED-NOT:     tile(vec
te.kernel @double(%x: memref<4xf32>, %y: memref<4xf32>) {
  te.compute @double [i: 4]
    ins(%x[i] : memref<4xf32>) outs(%y[i] : memref<4xf32>)
    body(%a: f32) {
      %r = arith.addf %a, %a : f32
      te.yield %r : f32
    }
  te.return
}
te.kernel @again(%in: memref<4xf32>, %out: memref<4xf32>) {
  te.compute @double [i: 4]
    ins(%in[i] : memref<4xf32>) outs(%out[i] : memref<4xf32>)
    body(%b: f32) {
      %s = arith.addf %b, %b : f32
      te.yield %s : f32
    }
  te.return
}
te.kernel @longer(%x: memref<5xf32>, %y: memref<5xf32>) {
  te.compute @double [i: 5]
    ins(%x[i] : memref<5xf32>) outs(%y[i] : memref<5xf32>)
    body(%a: f32) {
      %r = arith.addf %a, %a : f32
      te.yield %r : f32
    }
  te.return
}
sched.script @longer {
}
sched.script @from_elsewhere of "63e87174e037b8fa41255dcdd51ccb9d" {
  %c = sched.match {name = double}
  %v = sched.vectorize %c {axis = i, lanes = 4}
}
