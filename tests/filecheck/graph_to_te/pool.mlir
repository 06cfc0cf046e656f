// RUN: tw-opt -p graph-to-te %s | filecheck %s

// A padded maximum reads the neutral element of max outside of x.
// CHECK-LABEL: @max
// CHECK: te.compute @pool_max [n: 1, c: 2, h: 4, w: 4, r: 3 red, s: 3 red]
// CHECK-NEXT: ins(%x[n, c, h * 2 + r - 1, w * 2 + s - 1] pad -inf : tensor<1x2x8x8xf32>)
// CHECK-NEXT: outs([n, c, h, w] max -inf : f32
func.func @max(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %y = graph.pool %x "max" kernel [3, 3] strides [2, 2]
    dilations [1, 1] pads [1, 1, 1, 1] p 2
    : tensor<1x2x8x8xf32> -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @max_unsigned
// CHECK: outs([n, c, h, w] umax 0 : i8
func.func @max_unsigned(%x: tensor<1x2x8x8xui8>) -> tensor<1x2x4x4xui8> {
  %y = graph.pool %x "max" kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads [0, 0, 0, 0] p 2
    : tensor<1x2x8x8xui8> -> tensor<1x2x4x4xui8>
  func.return %y : tensor<1x2x4x4xui8>
}

// All windows hold four elements, so the divisor is one constant.
// CHECK-LABEL: @mean
// CHECK-NOT: packed.constant
// CHECK: arith.constant 4.0
// CHECK-NEXT: arith.divf
func.func @mean(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %y = graph.pool %x "avg" kernel [2, 2] strides [2, 2]
    dilations [1, 1] pads [0, 0, 0, 0] p 2
    : tensor<1x2x8x8xf32> -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// Windows at the border hold fewer elements, so the counts are a constant tensor.
// CHECK-LABEL: @mean_at_the_border
// CHECK: %[[COUNTS:.+]] = packed.constant <[2.0, 3.0, 3.0, 2.0] : tensor<4xf32>>
// CHECK: post(%[[COUNTS]][w] : tensor<4xf32>)
func.func @mean_at_the_border(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %y = graph.pool %x "avg" kernel [3] strides [1]
    dilations [1] pads [1, 1] p 2
    : tensor<1x2x4xf32> -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
