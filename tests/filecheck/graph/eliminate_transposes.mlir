// RUN: tw-opt -p graph-eliminate-transposes,graph-dce %s | filecheck %s

// CHECK-LABEL: @cancels
// CHECK-NEXT: [[Y:%.*]] = graph.tanh %x : tensor<1x4x5x3xf32>
// CHECK-NEXT: func.return [[Y]]
func.func @cancels(%x: tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32> {
  %a = graph.transpose %x perm [0, 3, 1, 2] : tensor<1x4x5x3xf32> -> tensor<1x3x4x5xf32>
  %b = graph.tanh %a : tensor<1x3x4x5xf32>
  %c = graph.transpose %b perm [0, 2, 3, 1] : tensor<1x3x4x5xf32> -> tensor<1x4x5x3xf32>
  func.return %c : tensor<1x4x5x3xf32>
}

// CHECK-LABEL: @saves_nothing
// CHECK: graph.transpose
// CHECK: graph.add
func.func @saves_nothing(%x: tensor<4x3xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %a = graph.transpose %x perm [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
  %b = graph.add %a, %y : tensor<3x4xf32>
  func.return %b : tensor<3x4xf32>
}

// CHECK-LABEL: @flag
// CHECK-NEXT: graph.matmul %x, %y transpose_rhs
func.func @flag(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %a = graph.transpose %y perm [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
  %b = graph.matmul %x, %a : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  func.return %b : tensor<2x4xf32>
}

// CHECK-LABEL: @axes_of_size_one
// CHECK-NEXT: graph.reshape %x : tensor<1x8x1xf32> -> tensor<1x1x8xf32>
func.func @axes_of_size_one(%x: tensor<1x8x1xf32>) -> tensor<1x1x8xf32> {
  %a = graph.transpose %x perm [0, 2, 1] : tensor<1x8x1xf32> -> tensor<1x1x8xf32>
  func.return %a : tensor<1x1x8xf32>
}

// A reshape that only adds axes of size 1 runs first, so that a kernel may read through the transpose.
// CHECK-LABEL: @reshape_first
// CHECK-NEXT: [[R:%.*]] = graph.reshape %x : tensor<5x2x3xf32> -> tensor<1x5x2x3xf32>
// CHECK-NEXT: graph.transpose [[R]] perm [2, 0, 1, 3] : tensor<1x5x2x3xf32> -> tensor<2x1x5x3xf32>
func.func @reshape_first(%x: tensor<5x2x3xf32>) -> tensor<2x1x5x3xf32> {
  %a = graph.transpose %x perm [1, 0, 2] : tensor<5x2x3xf32> -> tensor<2x5x3xf32>
  %b = graph.reshape %a : tensor<2x5x3xf32> -> tensor<2x1x5x3xf32>
  func.return %b : tensor<2x1x5x3xf32>
}

// The batch and the heads of the keys stay apart.
// CHECK-LABEL: @merged_leading_axes
// CHECK-NEXT: graph.transpose %x perm [0, 1, 3, 2] : tensor<?x12x?x64xf32, #te.dims<b, 12, s, 64>>
// CHECK-NEXT: return
func.func @merged_leading_axes(%x: tensor<?x12x?x64xf32, #te.dims<b, 12, s, 64>>) -> tensor<?x12x64x?xf32, #te.dims<b, 12, 64, s>> {
  %a = graph.reshape %x : tensor<?x12x?x64xf32, #te.dims<b, 12, s, 64>> -> tensor<?x?x64xf32, #te.dims<12 * b, s, 64>>
  %t = graph.transpose %a perm [0, 2, 1] : tensor<?x?x64xf32, #te.dims<12 * b, s, 64>> -> tensor<?x64x?xf32, #te.dims<12 * b, 64, s>>
  %c = graph.reshape %t : tensor<?x64x?xf32, #te.dims<12 * b, 64, s>> -> tensor<?x12x64x?xf32, #te.dims<b, 12, 64, s>>
  func.return %c : tensor<?x12x64x?xf32, #te.dims<b, 12, 64, s>>
}

// The merged axis moves.
// CHECK-LABEL: @merged_axis_moves
// CHECK-COUNT-2: graph.reshape
func.func @merged_axis_moves(%x: tensor<2x3x4x5xf32>) -> tensor<4x2x3x5xf32> {
  %a = graph.reshape %x : tensor<2x3x4x5xf32> -> tensor<6x4x5xf32>
  %t = graph.transpose %a perm [1, 0, 2] : tensor<6x4x5xf32> -> tensor<4x6x5xf32>
  %c = graph.reshape %t : tensor<4x6x5xf32> -> tensor<4x2x3x5xf32>
  func.return %c : tensor<4x2x3x5xf32>
}

// The first reshape adds axes instead of merging some.
// CHECK-LABEL: @added_axes
// CHECK-COUNT-2: graph.reshape
func.func @added_axes(%x: tensor<96xf32>) -> tensor<96xf32> {
  %a = graph.reshape %x : tensor<96xf32> -> tensor<2x4x3x4xf32>
  %t = graph.transpose %a perm [0, 2, 1, 3] : tensor<2x4x3x4xf32> -> tensor<2x3x4x4xf32>
  %c = graph.reshape %t : tensor<2x3x4x4xf32> -> tensor<96xf32>
  func.return %c : tensor<96xf32>
}
