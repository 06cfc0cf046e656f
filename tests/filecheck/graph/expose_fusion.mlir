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

// CHECK-LABEL: @factors_of_a_product
// CHECK: [[P:%.*]] = graph.matmul %q, %k
// CHECK: [[N:%.*]] = graph.constant <[6.0]
// CHECK: graph.broadcast [[N]]
// CHECK: graph.mul [[P]]
func.func @factors_of_a_product(%q: tensor<2x3xf32>, %k: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %two = graph.constant <[2.0] : tensor<f32>> : tensor<f32>
  %three = graph.constant <[3.0] : tensor<f32>> : tensor<f32>
  %a = graph.broadcast %two axes [] : tensor<f32> -> tensor<2x3xf32>
  %b = graph.broadcast %three axes [] : tensor<f32> -> tensor<3x2xf32>
  %x = graph.mul %q, %a : tensor<2x3xf32>
  %y = graph.mul %b, %k : tensor<3x2xf32>
  %p = graph.matmul %x, %y : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  func.return %p : tensor<2x2xf32>
}

// A scaled operand with another reader is computed anyway, so it stays.
// CHECK-LABEL: @shared_multiple
// CHECK: [[M:%.*]] = graph.mul %q
// CHECK: graph.matmul [[M]], %k
func.func @shared_multiple(%q: tensor<2x3xf32>, %k: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  %two = graph.constant <[2.0] : tensor<f32>> : tensor<f32>
  %a = graph.broadcast %two axes [] : tensor<f32> -> tensor<2x3xf32>
  %x = graph.mul %q, %a : tensor<2x3xf32>
  %p = graph.matmul %x, %k : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  func.return %p, %x : tensor<2x2xf32>, tensor<2x3xf32>
}
