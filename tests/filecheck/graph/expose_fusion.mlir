// RUN: tw-opt -p graph-expose-fusion %s | filecheck %s

// CHECK-LABEL: @number_before_transpose
// CHECK: [[E:%.*]] = graph.exp
// CHECK: [[M:%.*]] = graph.mul [[E]]
// CHECK: graph.transpose [[M]]
func.func @number_before_transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %e = graph.exp %x : tensor<2x3xf32>
  %t = graph.transpose %e perm [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %c = graph.constant <[5.000000e-01] : tensor<f32>> : tensor<f32>
  %b = graph.broadcast %c axes [] : tensor<f32> -> tensor<3x2xf32>
  %m = graph.mul %t, %b : tensor<3x2xf32>
  func.return %m : tensor<3x2xf32>
}

// CHECK-LABEL: @halves
// CHECK-NOT: graph.concat
// CHECK: graph.slice {{.*}} steps [1, -1, 1]
// CHECK-NOT: graph.concat
func.func @halves(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %a = graph.slice %x starts <0, 3> steps [1, 1] : tensor<2x6xf32> -> tensor<2x3xf32>
  %b = graph.slice %x starts <0, 0> steps [1, 1] : tensor<2x6xf32> -> tensor<2x3xf32>
  %n = graph.neg %a : tensor<2x3xf32>
  %c = graph.concat %n, %b axis 1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x6xf32>
  func.return %c : tensor<2x6xf32>
}

// CHECK-LABEL: @thirds
// CHECK: graph.concat
func.func @thirds(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %a = graph.slice %x starts <0, 2> steps [1, 1] : tensor<2x6xf32> -> tensor<2x4xf32>
  %b = graph.slice %x starts <0, 0> steps [1, 1] : tensor<2x6xf32> -> tensor<2x2xf32>
  %c = graph.concat %a, %b axis 1 : tensor<2x4xf32>, tensor<2x2xf32> -> tensor<2x6xf32>
  func.return %c : tensor<2x6xf32>
}
