// RUN: tw-opt %s -p te-insert-boundary-copies | filecheck %s

// Windows that read every element keep their copy whole.
// CHECK-LABEL: func.func @main
// CHECK: te.compute @copy [d0: 1, d1: 4, d2: 8, d3: 9]
// A copy has only the elements that its reader reads: every third row from row 0, since rows before
// the image are no rows of the copy; every second column from column 1.
// CHECK: %[[COPY:.*]] = te.compute @copy [d0: 1, d1: 4, d2: 3, d3: 4]
// CHECK-NEXT: ins(%{{.*}}[d0, d1, d2 * 3, d3 * 2 + 1] : tensor<1x4x8x9xf32>)
// CHECK: te.compute @sum
// CHECK-NEXT: ins(%[[COPY]][n, i, h + r * 2 - 1, w + s - 1] pad 0.0 : tensor<1x4x3x4xf32>)
func.func @main(%x: tensor<1x4x8x9xf32>, %y: tensor<1x4x8x9xf32>) -> (tensor<1x4x3x5xf32>, tensor<1x4x4x4xf32>) {
  %sum = te.compute @sum [n: 1, i: 4, h: 3, w: 5, r: 2 red, s: 2 red] ins(%x[n, i, h * 3 + r * 6 - 3, w * 2 + s * 2 - 1] pad 0.0 : tensor<1x4x8x9xf32>) outs([n, i, h, w] add 0.0 : f32 : tensor<1x4x3x5xf32>) body(%a: f32) {
    te.yield %a : f32
  }
  %most = te.compute @most [n: 1, i: 4, h: 4, w: 4, r: 2 red, s: 3 red] ins(%y[n, i, h * 3 + r * 2 - 3, w * 2 + s - 1] pad 0.0 : tensor<1x4x8x9xf32>) outs([n, i, h, w] add 0.0 : f32 : tensor<1x4x4x4xf32>) body(%a: f32) {
    te.yield %a : f32
  }
  func.return %sum, %most : tensor<1x4x3x5xf32>, tensor<1x4x4x4xf32>
}
