// RUN: not tw-opt %s 2>&1 | filecheck %s
// RUN: tw-opt %s --no-verify-strict | filecheck %s --check-prefix=LOOSE

// CHECK: error: {{.*}}:7:3: arith.addi{{.*}}: an operand is used where its definition is not visible
// LOOSE: func.func @early
func.func @early(%a: i32) {
  %c = arith.addi %b, %a : i32
  %b = arith.addi %a, %a : i32
  func.return
}
