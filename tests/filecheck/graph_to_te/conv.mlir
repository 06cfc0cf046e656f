// RUN: tw-opt -p graph-to-te %s | filecheck %s

// CHECK-LABEL: @padded_with_bias
// CHECK: te.compute @conv [n: 1, o: 4, h: 4, w: 4, i: 3 red, r: 3 red, s: 3 red]
// CHECK-NEXT: ins(%x[n, i, h * 2 + r - 1, w * 2 + s - 1] pad 0.0 : tensor<1x3x8x8xf32>, %w[o, i, r, s]
// CHECK-NEXT: post(%b[o] : tensor<4xf32>)
// CHECK: then(
// CHECK-NEXT: arith.addf
func.func @padded_with_bias(
    %x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x4xf32> {
  %y = graph.conv %x, %w bias %b : tensor<4xf32>
    strides [2, 2] dilations [1, 1] pads [1, 1, 1, 1] groups 1
    : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32> -> tensor<1x4x4x4xf32>
  func.return %y : tensor<1x4x4x4xf32>
}

// Without padding no read is outside of x; axes of extent 1 are dropped.
// CHECK-LABEL: @one_by_one
// CHECK: te.compute @conv [n: 1, o: 4, h: 8, w: 8, i: 3 red]
// CHECK-NEXT: ins(%x[n, i, h, w] : tensor<1x3x8x8xf32>, %w[o, i, 0, 0]
func.func @one_by_one(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32> {
  %y = graph.conv %x, %w
    strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1
    : tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32> -> tensor<1x4x8x8xf32>
  func.return %y : tensor<1x4x8x8xf32>
}

// CHECK-LABEL: @depthwise
// CHECK: te.compute @conv [n: 1, o: 4, h: 6, w: 6, r: 3 red, s: 3 red]
// CHECK-NEXT: ins(%x[n, o, h + r, w + s] : tensor<1x4x8x8xf32>, %w[o, 0, r, s]
func.func @depthwise(%x: tensor<1x4x8x8xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %y = graph.conv %x, %w
    strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 4
    : tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32> -> tensor<1x4x6x6xf32>
  func.return %y : tensor<1x4x6x6xf32>
}

// CHECK-LABEL: @grouped
// CHECK: ins(%x[n, (o floordiv 3) * 2 + i, w + s] : tensor<1x4x8xf32>, %w[o, i, s]
func.func @grouped(%x: tensor<1x4x8xf32>, %w: tensor<6x2x3xf32>) -> tensor<1x6x6xf32> {
  %y = graph.conv %x, %w
    strides [1] dilations [1] pads [0, 0] groups 2
    : tensor<1x4x8xf32>, tensor<6x2x3xf32> -> tensor<1x6x6xf32>
  func.return %y : tensor<1x6x6xf32>
}
