// RUN: tw-opt %s | filecheck %s

// A file with one script, which tw-opt --schedule reads in schedule.mlir.

// CHECK: sched.script @double {
sched.script @double {
  %c = sched.match {name = double}
  %v = sched.vectorize %c {axis = i, lanes = 4}
}
