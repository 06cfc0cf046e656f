// RUN: tw-opt %s -p te-insert-boundary-copies | filecheck %s

// A returned reshape is an alias if it is the only reader of its operand.
// CHECK-LABEL: func.func @main
// CHECK: %[[SUM:.*]] = te.compute @sum
// CHECK-NOT: te.compute @split
// CHECK: %[[VIEW:.*]] = packed.view %[[SUM]] : tensor<6x5xf32> -> tensor<2x1x3x5xf32>
// A transpose is a copy, and so is a reshape of an argument, which the caller owns.
// CHECK: te.compute @turned
// CHECK: te.compute @same
// CHECK: func.return %[[VIEW]]
func.func @main(%x: tensor<6x5xf32>) -> (tensor<2x1x3x5xf32>, tensor<5x6xf32>, tensor<30xf32>) {
  %sum = te.compute @sum [i: 6, j: 5] ins(%x[i, j] : tensor<6x5xf32>) outs([i, j] : tensor<6x5xf32>) body(%a: f32) {
    %b = arith.addf %a, %a : f32
    te.yield %b : f32
  }
  %split = te.compute @split [n: 2, c: 1, h: 3, w: 5] ins(%sum[n * 3 + h, w] : tensor<6x5xf32>) outs([n, c, h, w] : tensor<2x1x3x5xf32>) body(%a: f32) {
    te.yield %a : f32
  }
  %product = te.compute @product [i: 6, j: 5] ins(%x[i, j] : tensor<6x5xf32>) outs([i, j] : tensor<6x5xf32>) body(%a: f32) {
    %b = arith.mulf %a, %a : f32
    te.yield %b : f32
  }
  %turned = te.compute @turned [i: 5, j: 6] ins(%product[j, i] : tensor<6x5xf32>) outs([i, j] : tensor<5x6xf32>) body(%a: f32) {
    te.yield %a : f32
  }
  %same = te.compute @same [i: 30] ins(%x[i floordiv 5, i mod 5] : tensor<6x5xf32>) outs([i] : tensor<30xf32>) body(%a: f32) {
    te.yield %a : f32
  }
  func.return %split, %turned, %same : tensor<2x1x3x5xf32>, tensor<5x6xf32>, tensor<30xf32>
}
