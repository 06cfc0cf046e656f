// RUN: tw-opt %s --load %p/plugin.py -p demo-rename | filecheck %s
// RUN: tw-opt %s --load %p/plugin.py -p 'demo-rename{suffix="_other"}' | filecheck %s --check-prefix=OTHER
// RUN: tw-opt %s --load %p/plugin.py -p 'demo-rename{suffix="_x"},dce' --print-pipeline | filecheck %s --check-prefix=PIPELINE
// RUN: tw-opt %s --load %p/plugin.py -p demo-rename,cse --print-after demo-rename 2>&1 | filecheck %s --check-prefix=AFTER
// RUN: tw-opt %s --load %p/plugin.py -p demo-rename --time-passes 2>&1 | filecheck %s --check-prefix=TIME
// RUN: not tw-opt %s --load %p/plugin.py -p demo-refuse 2>&1 | filecheck %s --check-prefix=REFUSED

// CHECK-LABEL: func.func @f_renamed()
// CHECK: demo.nothing
// OTHER: func.func @f_other()
// PIPELINE: demo-rename{suffix="_x"},dce
// AFTER: // IR after demo-rename
// AFTER: @f_renamed
// AFTER-NOT: after cse
// TIME: time in passes
// TIME: demo-rename
// REFUSED: error: {{.*}}plugin.mlir:20:1: func.func: functions are refused
// REFUSED-NEXT: hint: delete it
// REFUSED-NOT: Traceback
func.func @f() {
  demo.nothing
  func.return
}
