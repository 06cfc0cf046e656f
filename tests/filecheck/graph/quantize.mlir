// RUN: tw-opt -p graph-quantize,graph-fold-constants,graph-dce %s | filecheck %s
// RUN: tw-opt -p 'graph-quantize{precision=strict}' %s | filecheck %s --check-prefix=STRICT

// The zero point of x, 3, is in the bias: -3 * (1 + 3), -3 * (2 + 4).
// CHECK-LABEL: @product
// CHECK: graph.matmul %q, {{.*}} : tensor<4x2xui8>, tensor<2x2xi8> -> tensor<4x2xi32>
// CHECK: graph.constant <[-12, -18] : tensor<2xi32>>
// CHECK: [[T:%.*]] = graph.add
// CHECK: graph.cast [[T]]
// CHECK: graph.constant <[0.5, 1.0] : tensor<2xf32>>
// CHECK: graph.mul
// CHECK: graph.quantize
// STRICT-LABEL: @product
// STRICT: graph.matmul {{.*}} : tensor<4x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
func.func @product(%q: tensor<4x2xui8>) -> tensor<4x2xui8> {
  %s = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %s_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<4x2xf32>
  %z = graph.constant <[3] : tensor<ui8>> : tensor<ui8>
  %z_all = graph.broadcast %z axes [] : tensor<ui8> -> tensor<4x2xui8>
  %x = graph.dequantize %q, %s_all zero %z_all : tensor<4x2xui8> : tensor<4x2xui8>, tensor<4x2xf32> -> tensor<4x2xf32>
  %w = graph.constant <[1, 2, 3, 4] : tensor<2x2xi8>> : tensor<2x2xi8>
  %sw = graph.constant <[2.0, 4.0] : tensor<2xf32>> : tensor<2xf32>
  %sw_all = graph.broadcast %sw axes [1] : tensor<2xf32> -> tensor<2x2xf32>
  %v = graph.dequantize %w, %sw_all : tensor<2x2xi8>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.matmul %x, %v : tensor<4x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
  %two = graph.constant <[2.0] : tensor<f32>> : tensor<f32>
  %sy = graph.broadcast %two axes [] : tensor<f32> -> tensor<4x2xf32>
  %r = graph.quantize %y, %sy zero %z_all : tensor<4x2xui8> : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xui8>
  func.return %r : tensor<4x2xui8>
}

// Without a quantization behind it, the sum is multiplied by both scales.
// CHECK-LABEL: @unquantized_result
// CHECK: graph.matmul {{.*}} -> tensor<4x2xi32>
// CHECK: graph.constant <[0.25] : tensor<f32>>
// CHECK: graph.mul
// CHECK-NOT: graph.quantize
func.func @unquantized_result(%q: tensor<4x2xui8>, %p: tensor<2x2xi8>) -> tensor<4x2xf32> {
  %s = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %s_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<4x2xf32>
  %t_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<2x2xf32>
  %x = graph.dequantize %q, %s_all : tensor<4x2xui8>, tensor<4x2xf32> -> tensor<4x2xf32>
  %w = graph.dequantize %p, %t_all : tensor<2x2xi8>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.matmul %x, %w : tensor<4x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// Scales along the summed axis are no factor of a sum.
// CHECK-LABEL: @scales_along_the_sum
// CHECK: graph.matmul {{.*}} -> tensor<4x2xf32>
func.func @scales_along_the_sum(%q: tensor<4x2xui8>, %p: tensor<2x2xi8>) -> tensor<4x2xf32> {
  %s = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %s_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<4x2xf32>
  %t = graph.constant <[0.5, 2.0] : tensor<2xf32>> : tensor<2xf32>
  %t_all = graph.broadcast %t axes [0] : tensor<2xf32> -> tensor<2x2xf32>
  %x = graph.dequantize %q, %s_all : tensor<4x2xui8>, tensor<4x2xf32> -> tensor<4x2xf32>
  %w = graph.dequantize %p, %t_all : tensor<2x2xi8>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.matmul %x, %w : tensor<4x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// CHECK-LABEL: @moves_bytes
// CHECK-NEXT: [[T:%.*]] = graph.transpose %q perm [1, 0]
// CHECK-NEXT: func.return [[T]]
// STRICT-LABEL: @moves_bytes
// STRICT-NEXT: [[T:%.*]] = graph.transpose %q perm [1, 0]
// STRICT-NEXT: func.return [[T]]
func.func @moves_bytes(%q: tensor<4x2xui8>) -> tensor<2x4xui8> {
  %s = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %s_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<4x2xf32>
  %x = graph.dequantize %q, %s_all : tensor<4x2xui8>, tensor<4x2xf32> -> tensor<4x2xf32>
  %t = graph.transpose %x perm [1, 0] : tensor<4x2xf32> -> tensor<2x4xf32>
  %t_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<2x4xf32>
  %r = graph.quantize %t, %t_all : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xui8>
  func.return %r : tensor<2x4xui8>
}

// CHECK-LABEL: @table_of_tanh
// CHECK: graph.gather {{.*}} : tensor<256xi8>, tensor<4xi32> -> tensor<4xi8>
// CHECK-NEXT: func.return
func.func @table_of_tanh(%q: tensor<4xui8>) -> tensor<4xi8> {
  %s = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %s_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<4xf32>
  %x = graph.dequantize %q, %s_all : tensor<4xui8>, tensor<4xf32> -> tensor<4xf32>
  %t = graph.tanh %x : tensor<4xf32>
  %r = graph.quantize %t, %s_all : tensor<4xf32>, tensor<4xf32> -> tensor<4xi8>
  func.return %r : tensor<4xi8>
}

// Two tensors of bytes have no table.
// CHECK-LABEL: @two_sources
// CHECK: graph.quantize
func.func @two_sources(%q: tensor<4xui8>, %p: tensor<4xui8>) -> tensor<4xi8> {
  %s = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %s_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<4xf32>
  %x = graph.dequantize %q, %s_all : tensor<4xui8>, tensor<4xf32> -> tensor<4xf32>
  %y = graph.dequantize %p, %s_all : tensor<4xui8>, tensor<4xf32> -> tensor<4xf32>
  %z = graph.add %x, %y : tensor<4xf32>
  %t = graph.tanh %z : tensor<4xf32>
  %r = graph.quantize %t, %s_all : tensor<4xf32>, tensor<4xf32> -> tensor<4xi8>
  func.return %r : tensor<4xi8>
}

// CHECK-LABEL: @padding_is_the_zero_point
// CHECK: graph.conv {{.*}} pad_value 7 groups 1
func.func @padding_is_the_zero_point(%q: tensor<1x1x4x4xui8>, %w: tensor<1x1x3x3xi8>) -> tensor<1x1x4x4xi32> {
  %x = graph.cast %q : tensor<1x1x4x4xui8> -> tensor<1x1x4x4xi16>
  %z = graph.constant <[7] : tensor<i16>> : tensor<i16>
  %z_all = graph.broadcast %z axes [] : tensor<i16> -> tensor<1x1x4x4xi16>
  %d = graph.sub %x, %z_all : tensor<1x1x4x4xi16>
  %y = graph.conv %d, %w strides [1, 1] dilations [1, 1] pads [1, 1, 1, 1] groups 1 : tensor<1x1x4x4xi16>, tensor<1x1x3x3xi8> -> tensor<1x1x4x4xi32>
  func.return %y : tensor<1x1x4x4xi32>
}
