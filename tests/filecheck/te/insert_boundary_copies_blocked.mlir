// RUN: tw-opt %s -p te-insert-boundary-copies | filecheck %s

// A sum over pixels reads channels in blocks; only the pixels are digits of the reduced axis.
// A convolution of two groups whose result is row-major reads a row-major copy.
// Filters of a result with blocked channels have blocks of the dimension of these channels.
// CHECK-LABEL: func.func @main
// CHECK: %[[FILTERS:.*]] = te.compute @copy
// CHECK: ins(%v
// CHECK: layout affine_map<(d0, d1, d2, d3) -> ((d0 floordiv 8), d1, d2, d3, (d0 mod 8))>
// CHECK: %[[X:.*]] = te.compute @blocked
// CHECK: %[[ROWS:.*]] = te.compute @copy
// CHECK: te.compute @product
// CHECK: ins(%[[X]][0, m, k floordiv 3, k mod 3] : tensor<1x8x3x3xf32>, %w
// CHECK: te.compute @groups
// CHECK: ins(%[[ROWS]][0, (o floordiv 2) * 4 + i, h, w] : tensor<1x8x3x3xf32>, %f
// CHECK: te.compute @conv
// CHECK: %[[FILTERS]][o, i, 0, 0]
func.func @main(%x: tensor<1x8x3x3xf32>, %w: tensor<9x5xf32>, %f: tensor<4x4xf32>, %v: tensor<8x8x1x1xf32>) -> (tensor<8x5xf32>, tensor<4x3x3xf32>, tensor<1x8x3x3xf32>) {
  %b = te.compute @blocked [n: 1, c: 8, h: 3, w: 3] ins(%x[n, c, h, w] : tensor<1x8x3x3xf32>) outs([n, c, h, w] layout affine_map<(d0, d1, d2, d3) -> (d0, (d1 floordiv 8), d2, d3, (d1 mod 8))> : tensor<1x8x3x3xf32>) body(%a: f32) {
    %n = arith.negf %a : f32
    te.yield %n : f32
  }
  %p = te.compute @product [m: 8, n: 5, k: 9 red] ins(%b[0, m, k floordiv 3, k mod 3] : tensor<1x8x3x3xf32>, %w[k, n] : tensor<9x5xf32>) outs([m, n] add 0.0 : f32 : tensor<8x5xf32>) body(%a: f32, %c: f32) {
    %m = arith.mulf %a, %c : f32
    te.yield %m : f32
  }
  %g = te.compute @groups [o: 4, h: 3, w: 3, i: 4 red] ins(%b[0, (o floordiv 2) * 4 + i, h, w] : tensor<1x8x3x3xf32>, %f[o, i] : tensor<4x4xf32>) outs([o, h, w] add 0.0 : f32 : tensor<4x3x3xf32>) body(%a: f32, %c: f32) {
    %m = arith.mulf %a, %c : f32
    te.yield %m : f32
  }
  %y = te.compute @conv [n: 1, o: 8, h: 3, w: 3, i: 8 red] ins(%b[n, i, h, w] : tensor<1x8x3x3xf32>, %v[o, i, 0, 0] : tensor<8x8x1x1xf32>) outs([n, o, h, w] add 0.0 : f32 layout affine_map<(d0, d1, d2, d3) -> (d0, (d1 floordiv 8), d2, d3, (d1 mod 8))> : tensor<1x8x3x3xf32>) body(%a: f32, %c: f32) {
    %m = arith.mulf %a, %c : f32
    te.yield %m : f32
  }
  func.return %p, %g, %y : tensor<8x5xf32>, tensor<4x3x3xf32>, tensor<1x8x3x3xf32>
}
