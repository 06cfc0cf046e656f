// RUN: not tw-opt %s --split-input-file 2>&1 | filecheck %s

// CHECK: error: {{.*}}verify.mlir:10:3: te.compute: @sums: only an output in a buffer can accumulate without an initial value
// CHECK-NEXT: expected: an initial value after add
// CHECK-NEXT: got: acc
// CHECK-NEXT: hint: write the initial value after the combiner
// CHECK-NEXT: %y = te.compute @sums [i: 4, k: 3 red]
// CHECK-NEXT: ^^^
func.func @main(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %y = te.compute @sums [i: 4, k: 3 red]
      ins(%x[i, k] : tensor<4x3xf32>)
      outs([i] add acc : tensor<4xf32>)
      body(%a: f32) {
    te.yield %a : f32
  }
  func.return %y : tensor<4xf32>
}
