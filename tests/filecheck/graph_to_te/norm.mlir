// RUN: tw-opt -p graph-to-te %s | filecheck %s

// CHECK-LABEL: @softmax
// CHECK: te.compute @softmax_max [i: 4, j: 6 red]
// CHECK: te.compute @softmax_exp [i: 4, j: 6]
// CHECK: math.exp
// CHECK: te.compute @softmax_sum [i: 4, j: 6 red]
// CHECK: then(
// CHECK: arith.divf
// CHECK: te.compute @softmax [i: 4, j: 6]
// CHECK: arith.mulf
func.func @softmax(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = graph.softmax %x axis 1 : tensor<4x6xf32> -> tensor<4x6xf32>
  func.return %y : tensor<4x6xf32>
}

// CHECK-LABEL: @normalize
// CHECK: te.compute @normalize_mean [i: 4, j1: 1, j: 6 red]
// CHECK: outs([i, j1] add 0.0 : f32 : tensor<4x1xf32>)
// CHECK: te.compute @normalize_inv_std [i: 4, j1: 1, j: 6 red]
// CHECK: math.sqrt
// CHECK: te.compute @normalize [i: 4, j: 6]
func.func @normalize(%x: tensor<4x6xf16>) -> tensor<4x6xf16> {
  %y, %mean, %inv_std = graph.normalize %x axes [1] eps 1.0e-5
    : tensor<4x6xf16> -> tensor<4x6xf16>, tensor<4x1xf32>, tensor<4x1xf32>
  func.return %y : tensor<4x6xf16>
}
