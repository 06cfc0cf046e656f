// RUN: tw-opt %s -p te-outline,te-bufferize,te-winograd | filecheck %s

// Tiles of 2x2 and two rows of tiles per task: 16 products with weights as (product, input, output).

// CHECK-LABEL: te.kernel @conv
// CHECK-SAME:    %[[X:.*]]: memref<1x2x6x5xf32>, %[[W:.*]]: memref<16x2x3xf32>, %[[Y:.*]]: memref<1x3x4x3xf32>
// CHECK:       loop.for parallel %[[B:.*]] = 0 to 1 {
// CHECK:         %[[V:.*]] = loop.alloc "local" : memref<16x4x2xf32>
// CHECK:         %[[M:.*]] = loop.alloc "local" : memref<16x4x3xf32>
// CHECK:         te.compute @conv_in [ty: 2, tx: 2, i: 2]
// CHECK:         te.compute @conv_product [k: 16, t: 4, o: 3, i: 2 red]
// CHECK-NEXT:      ins(%[[V]][k, t, i] : memref<16x4x2xf32>, %[[W]][k, i, o] : memref<16x2x3xf32>)
// CHECK-NEXT:      outs(%[[M]][k, t, o] add 0.0 : f32 : memref<16x4x3xf32>)
// CHECK:         te.compute @conv [ty: 2, tx: 2, o: 3]
// The fourth column of pixels is outside of the image.
// CHECK:           outs(%[[Y]][0, o, %[[B]] * 4 + ty * 2, tx * 2] : memref<1x3x4x3xf32>,
// CHECK-SAME:        %[[Y]][0, o, %[[B]] * 4 + ty * 2, tx * 2 + 1] clip [0 to 1, 0 to 3, 0 to 4, 0 to 3] : memref<1x3x4x3xf32>
// CHECK-NOT:   winograd
func.func @main(%x: tensor<1x2x6x5xf32>) -> tensor<1x3x4x3xf32> {
  %w = packed.constant <[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] : tensor<3x2x3x3xf32>> : tensor<3x2x3x3xf32>
  %y = te.compute @conv [n: 1, o: 3, h: 4, w: 3, i: 2 red, p: 3 red, q: 3 red]
    ins(%x[n, i, h + p, w + q] : tensor<1x2x6x5xf32>, %w[o, i, p, q] : tensor<3x2x3x3xf32>)
    outs([n, o, h, w] add 0.0 : f32 : tensor<1x3x4x3xf32>) role(winograd 2 2)
    body(%a: f32, %b: f32) {
      %t = arith.mulf %a, %b : f32
      te.yield %t : f32
    }
  func.return %y : tensor<1x3x4x3xf32>
}
