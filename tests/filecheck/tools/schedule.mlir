// RUN: tw-opt %s --schedule %p/schedule.sched.mlir --validate | filecheck %s
// RUN: not tw-opt %s --schedule %p/plugin.py 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not tw-opt %s --schedule %p/missing.mlir 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not tw-opt %s --schedule %p/validate.mlir 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: not tw-opt %s --to te --schedule %p/schedule.sched.mlir 2>&1 | filecheck %s --check-prefix=LEVEL
// RUN: tw-opt %s --schedule %p/schedule.sched.mlir -p te-to-loop | filecheck %s --check-prefix=LOOP

// CHECK: tile(vec = i, lanes = 4)
// CHECK-NOT: sched.script
// TEXT: error: {{.*}}plugin.py: the schedule does not parse
// MISSING: error: {{.*}}missing.mlir: cannot read the schedule
// OTHER: error: {{.*}}validate.mlir: the file holds an op that is not part of a schedule
// OTHER-NEXT: expected: sched.script, te.intrinsic
// OTHER-NEXT: got: func.func
// LEVEL: error: kernels have no schedules at this level
// LOOP: vector<4xf32>
te.kernel @double(%x: memref<4xf32>, %y: memref<4xf32>) {
  te.compute @double [i: 4]
    ins(%x[i] : memref<4xf32>) outs(%y[i] : memref<4xf32>)
    body(%a: f32) {
      %r = arith.addf %a, %a : f32
      te.yield %r : f32
    }
  te.return
}
