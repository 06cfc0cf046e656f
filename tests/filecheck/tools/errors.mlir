// RUN: not tw-opt %s 2>&1 | filecheck %s
// RUN: tw-opt %s --disable-verify | filecheck %s --check-prefix=UNVERIFIED
// RUN: not tw-opt %s -p te-tilez 2>&1 | filecheck %s --check-prefix=PASS
// RUN: not tw-opt %s -p 'cse{fast=true}' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not tw-opt %s -p 'cse{' 2>&1 | filecheck %s --check-prefix=SPEC
// RUN: not tw-opt %p/missing.mlir 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not tw-opt %p/plugin.py 2>&1 | filecheck %s --check-prefix=KIND
// RUN: not tw-opt %s --load %p/missing.py 2>&1 | filecheck %s --check-prefix=LOAD
// RUN: not tw-opt %s --load %s 2>&1 | filecheck %s --check-prefix=LOAD

// The excerpt shows the line of the text, not the module.
// CHECK: error: {{.*}}errors.mlir:36:3: Expected arguments to have the same types as the function
// CHECK-NOT: "before"
// CHECK: func.return %b : i64
// CHECK-NEXT: ^^^
// CHECK-NOT: Traceback
// UNVERIFIED: func.func @wrong
// PASS: error: unknown pass
// PASS-NEXT: expected: one of
// PASS-NEXT: got: te-tilez
// OPTION: error: cse: malformed pass options
// SPEC: error: Error parsing pass pipeline specification
// MISSING: missing.mlir: cannot read the input
// MISSING-NEXT: got: No such file or directory
// KIND: error: Unrecognized file extension 'py'
// KIND-NEXT: expected: one of mlir, json, mlirbc, nested, onnx
// LOAD: error: cannot load the plugin
func.func @before() {
  func.return
}
func.func @more() {
  func.return
}
func.func @wrong(%a: i32, %b: i64) -> i32 {
  %c = arith.addi %a, %a : i32
  func.return %b : i64
}
