// RUN: tw-opt -p graph-simplify,graph-dce %s | filecheck %s

// The updates of a table are scaled and subtracted; the table is not.
// CHECK-LABEL: @step
// CHECK: [[A:%.*]] = graph.broadcast %rate axes [] : tensor<f32> -> tensor<4x3xf32>
// CHECK: [[U:%.*]] = graph.mul %u, [[A]] : tensor<4x3xf32>
// CHECK: [[N:%.*]] = graph.neg [[U]]
// CHECK: [[Y:%.*]] = graph.scatter_nd %w, %i, [[N]] "add"
// CHECK-NEXT: func.return [[Y]]
func.func @step(%w: tensor<9x3xf32>, %i: tensor<4x1xi64>, %u: tensor<4x3xf32>, %rate: tensor<f32>) -> tensor<9x3xf32> {
  %zero = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
  %zeros = graph.broadcast %zero axes [] : tensor<f32> -> tensor<9x3xf32>
  %s = graph.scatter_nd %zeros, %i, %u "add" : tensor<9x3xf32>, tensor<4x1xi64>, tensor<4x3xf32> -> tensor<9x3xf32>
  %a = graph.broadcast %rate axes [] : tensor<f32> -> tensor<9x3xf32>
  %g = graph.mul %a, %s : tensor<9x3xf32>
  %y = graph.sub %w, %g : tensor<9x3xf32>
  func.return %y : tensor<9x3xf32>
}

// CHECK-LABEL: @sum
// CHECK: [[Y:%.*]] = graph.scatter_nd %w, %i, %u "add"
// CHECK-NEXT: func.return [[Y]]
func.func @sum(%w: tensor<9x3xf32>, %i: tensor<4x1xi64>, %u: tensor<4x3xf32>) -> tensor<9x3xf32> {
  %zero = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
  %zeros = graph.broadcast %zero axes [] : tensor<f32> -> tensor<9x3xf32>
  %s = graph.scatter_nd %zeros, %i, %u "add" : tensor<9x3xf32>, tensor<4x1xi64>, tensor<4x3xf32> -> tensor<9x3xf32>
  %y = graph.add %s, %w : tensor<9x3xf32>
  func.return %y : tensor<9x3xf32>
}

// Another kind, another base, or a second reader: nothing changes.
// CHECK-LABEL: @others
// CHECK: [[S:%.*]] = graph.scatter_nd {{.*}} "max"
// CHECK: graph.add %w, [[S]]
// CHECK: [[T:%.*]] = graph.scatter_nd %w
// CHECK: graph.add %w, [[T]]
// CHECK: [[R:%.*]] = graph.scatter_nd
// CHECK: graph.mul [[R]], [[R]]
// CHECK: graph.add %w, [[R]]
func.func @others(%w: tensor<9x3xf32>, %i: tensor<4x1xi64>, %u: tensor<4x3xf32>) -> (tensor<9x3xf32>, tensor<9x3xf32>, tensor<9x3xf32>, tensor<9x3xf32>) {
  %zero = graph.constant <[0.0] : tensor<f32>> : tensor<f32>
  %zeros = graph.broadcast %zero axes [] : tensor<f32> -> tensor<9x3xf32>
  %s = graph.scatter_nd %zeros, %i, %u "max" : tensor<9x3xf32>, tensor<4x1xi64>, tensor<4x3xf32> -> tensor<9x3xf32>
  %a = graph.add %w, %s : tensor<9x3xf32>
  %t = graph.scatter_nd %w, %i, %u "add" : tensor<9x3xf32>, tensor<4x1xi64>, tensor<4x3xf32> -> tensor<9x3xf32>
  %b = graph.add %w, %t : tensor<9x3xf32>
  %r = graph.scatter_nd %zeros, %i, %u "add" : tensor<9x3xf32>, tensor<4x1xi64>, tensor<4x3xf32> -> tensor<9x3xf32>
  %c = graph.mul %r, %r : tensor<9x3xf32>
  %d = graph.add %w, %r : tensor<9x3xf32>
  func.return %a, %b, %c, %d : tensor<9x3xf32>, tensor<9x3xf32>, tensor<9x3xf32>, tensor<9x3xf32>
}
