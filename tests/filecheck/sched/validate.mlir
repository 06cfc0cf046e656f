// RUN: tw-opt %s --validate -p te-apply-schedule | filecheck %s

// Every step keeps the results of the kernel; the schedule is then applied as without --validate.

// CHECK: loop.for parallel %{{.*}} = 0 to 2 {
te.kernel @double(%x: memref<5xf32>, %y: memref<5xf32>) {
  te.compute @double [i: 5]
    ins(%x[i] : memref<5xf32>) outs(%y[i] : memref<5xf32>)
    body(%a: f32) {
      %r = arith.addf %a, %a : f32
      te.yield %r : f32
    }
  te.return
}
sched.script @double {
  %c = sched.match {name = double}
  %t, %i = sched.tile %c {i = 2}
  %p = sched.parallel %i
}
