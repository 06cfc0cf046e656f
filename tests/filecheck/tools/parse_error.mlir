// RUN: not tw-opt %s 2>&1 | filecheck %s

// CHECK: error: {{.*}}parse_error.mlir:9:
// CHECK: unknown.op is not registered
// CHECK-NOT: Traceback

func.func @f() {
  unknown.op
}
