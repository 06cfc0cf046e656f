// RUN: tw-opt %s | filecheck %s

// A script on its own, as tw-opt --schedule reads it in schedule.mlir.

// CHECK: sched.script @double {
sched.script @double {
  %c = sched.match {name = double}
  %v = sched.vectorize %c {axis = i, lanes = 4}
}
