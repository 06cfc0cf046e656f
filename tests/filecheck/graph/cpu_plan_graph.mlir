// RUN: tw-opt -p 'cpu-plan-graph{target="llvm -mcpu=x86-64-v3"}' %s | filecheck %s

// CHECK-LABEL: @main
// CHECK: graph.conv
// CHECK-SAME: layout = affine_map<(d0, d1, d2, d3) -> (d0, (d1 floordiv 8), d2, d3, (d1 mod 8))>
// CHECK: graph.tanh
// CHECK-SAME: layout
// CHECK: graph.reshape
// CHECK-NOT: layout
func.func @main(%x: tensor<1x3x4x4xf32>, %w: tensor<16x3x1x1xf32>) -> tensor<16x16xf32> {
  %a = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x3x4x4xf32>, tensor<16x3x1x1xf32> -> tensor<1x16x4x4xf32>
  %b = graph.tanh %a : tensor<1x16x4x4xf32>
  %c = graph.reshape %b : tensor<1x16x4x4xf32> -> tensor<16x16xf32>
  func.return %c : tensor<16x16xf32>
}

// CHECK-LABEL: @other
// CHECK-NOT: layout
func.func @other(%x: tensor<1x3x4x4xf32>, %w: tensor<16x3x1x1xf32>) -> tensor<1x16x4x4xf32> {
  %a = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x3x4x4xf32>, tensor<16x3x1x1xf32> -> tensor<1x16x4x4xf32>
  %b = graph.exp %a : tensor<1x16x4x4xf32>
  func.return %b : tensor<1x16x4x4xf32>
}
