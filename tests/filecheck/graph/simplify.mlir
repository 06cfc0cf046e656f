// RUN: tw-opt -p graph-simplify,graph-dce %s | filecheck %s

// CHECK-LABEL: @neutral
// CHECK-NEXT: func.return %{{.*}} : tensor<2x3xf32>
func.func @neutral(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
  %zeros = graph.broadcast %zero axes [] : tensor<f32> -> tensor<2x3xf32>
  %one = graph.constant <[1.0] : tensor<f32>> : tensor<f32>
  %ones = graph.broadcast %one axes [] : tensor<f32> -> tensor<2x3xf32>
  %a = graph.add %zeros, %x : tensor<2x3xf32>
  %b = graph.div %a, %ones : tensor<2x3xf32>
  func.return %b : tensor<2x3xf32>
}

// CHECK-LABEL: @not_neutral
// CHECK: graph.sub
// CHECK: graph.div
func.func @not_neutral(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
  %zeros = graph.broadcast %zero axes [] : tensor<f32> -> tensor<2x3xf32>
  %a = graph.sub %zeros, %x : tensor<2x3xf32>
  %b = graph.div %zeros, %a : tensor<2x3xf32>
  func.return %b : tensor<2x3xf32>
}

// CHECK-LABEL: @movement
// CHECK: [[A:%.*]] = graph.transpose %x perm [1, 2, 0]
// CHECK: [[B:%.*]] = graph.reshape [[A]]
// CHECK-SAME: tensor<3x4x2xf32> -> tensor<24xf32>
// CHECK-NEXT: func.return [[B]]
func.func @movement(%x: tensor<2x3x4xf32>) -> tensor<24xf32> {
  %a = graph.transpose %x perm [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %b = graph.transpose %a perm [2, 0, 1] : tensor<4x2x3xf32> -> tensor<3x4x2xf32>
  %c = graph.reshape %b : tensor<3x4x2xf32> -> tensor<12x2xf32>
  %d = graph.reshape %c : tensor<12x2xf32> -> tensor<24xf32>
  func.return %d : tensor<24xf32>
}

// CHECK-LABEL: @mixed_condition
// CHECK: graph.select
func.func @mixed_condition(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = graph.constant <[true, false] : tensor<2xi1>> : tensor<2xi1>
  %a = graph.select %c, %x, %y : tensor<2xi1>, tensor<2xf32>
  func.return %a : tensor<2xf32>
}
