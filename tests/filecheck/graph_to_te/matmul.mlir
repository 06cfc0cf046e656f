// RUN: tw-opt -p graph-to-te %s | filecheck %s

// CHECK-LABEL: @product
// CHECK: te.compute @matmul [m: 4, n: 8, k: 16 red]
// CHECK-NEXT: ins(%a[m, k] : tensor<4x16xf32>, %b[k, n] : tensor<16x8xf32>)
// CHECK-NEXT: outs([m, n] add 0.0 : f32 : tensor<4x8xf32>)
// CHECK: arith.mulf
func.func @product(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) -> tensor<4x8xf32> {
  %y = graph.matmul %a, %b : tensor<4x16xf32>, tensor<16x8xf32> -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}

// CHECK-LABEL: @transposed_batch
// CHECK: te.compute @matmul [b: 2, m: 4, n: 8, k: 16 red]
// CHECK-NEXT: ins(%a[b, k, m] : tensor<2x16x4xf32>, %b[b, n, k] : tensor<2x8x16xf32>)
func.func @transposed_batch(%a: tensor<2x16x4xf32>, %b: tensor<2x8x16xf32>) -> tensor<2x4x8xf32> {
  %y = graph.matmul %a, %b transpose_lhs transpose_rhs
    : tensor<2x16x4xf32>, tensor<2x8x16xf32> -> tensor<2x4x8xf32>
  func.return %y : tensor<2x4x8xf32>
}

// Narrow floats accumulate in f32 and are rounded once.
// CHECK-LABEL: @halves
// CHECK: outs([m, n] add 0.0 : f32 : tensor<4x8xf16>)
// CHECK: arith.extf
// CHECK: } then(
// CHECK-NEXT: arith.truncf
func.func @halves(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>) -> tensor<4x8xf16> {
  %y = graph.matmul %a, %b : tensor<4x16xf16>, tensor<16x8xf16> -> tensor<4x8xf16>
  func.return %y : tensor<4x8xf16>
}

// The ops carry signedness; the function type is signless, and an attribute records the dtypes.
// CHECK-LABEL: @mixed
// CHECK-SAME: tensor<4x16xi8>, %b: tensor<16x8xi8>) -> tensor<4x8xi32>
// CHECK-SAME: tw.arg_dtypes = ["uint8", "int8"], tw.result_dtypes = ["int32"]
// CHECK: arith.extui
// CHECK: arith.extsi
// CHECK: arith.muli
func.func @mixed(%a: tensor<4x16xui8>, %b: tensor<16x8xi8>) -> tensor<4x8xi32> {
  %y = graph.matmul %a, %b : tensor<4x16xui8>, tensor<16x8xi8> -> tensor<4x8xi32>
  func.return %y : tensor<4x8xi32>
}
