// RUN: tw-opt -p graph-to-te %s | filecheck %s

// CHECK-LABEL: @kept
// CHECK: te.compute @reduce_sum [i: 4, j1: 1, j: 6 red]
// CHECK: outs([i, j1] add 0 : i32 : tensor<4x1xi32>)
func.func @kept(%x: tensor<4x6xi32>) -> tensor<4x1xi32> {
  %y = graph.reduce %x "sum" axes [1] keep : tensor<4x6xi32> -> tensor<4x1xi32>
  func.return %y : tensor<4x1xi32>
}

// CHECK-LABEL: @first_largest
// CHECK: te.compute @argmax [i: 4, j: 6 red]
// CHECK-NEXT: ins(%x[i, j] : tensor<4x6xf32>, index[j])
// CHECK-NEXT: outs([i] by -inf : f32 : tensor<4xf32>, [i] by 6 : i64 : tensor<4xi64>)
// CHECK: combine(
func.func @first_largest(%x: tensor<4x6xf32>) -> tensor<4xi64> {
  %y = graph.arg_reduce %x "max" axis 1 : tensor<4x6xf32> -> tensor<4xi64>
  func.return %y : tensor<4xi64>
}

// CHECK-LABEL: @running_product_from_the_end
// CHECK: te.compute @cumulative_prod [i: 4, j: 6 scan]
// CHECK-NEXT: ins(%x[i, j * -1 + 6] pad 1.0 : tensor<4x6xf32>)
// CHECK: te.compute @flip
func.func @running_product_from_the_end(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = graph.cumulative %x "prod" axis 1 exclusive reverse : tensor<4x6xf32> -> tensor<4x6xf32>
  func.return %y : tensor<4x6xf32>
}

// CHECK-LABEL: @common_bits
// CHECK: outs([i] and -1 : i32 : tensor<4xi32>)
func.func @common_bits(%x: tensor<4x6xi32>) -> tensor<4xi32> {
  %y = graph.reduce %x "and" axes [1] : tensor<4x6xi32> -> tensor<4xi32>
  func.return %y : tensor<4xi32>
}
