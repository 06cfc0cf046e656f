// RUN: not tw-opt %s -p te-apply-schedule 2>&1 | filecheck %s

// CHECK: sched.tile in @k: stale handle %c
// CHECK: got: consumed by sched.tile
te.kernel @k(%X: memref<8xf32>, %Y: memref<8xf32>) {
  te.compute @copy [i: 8]
    ins(%X[i] : memref<8xf32>) outs(%Y[i] : memref<8xf32>)
    body(%x: f32) {
      te.yield %x : f32
    }
  te.return
}
sched.script @k {
  %c = sched.match {name = copy}
  %t, %i = sched.tile %c {i = 4}
  %u, %j = sched.tile %c {i = 2}
}
