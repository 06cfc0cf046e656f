// RUN: tw-opt -p graph-to-te %s | filecheck %s

// CHECK-LABEL: @split_heads
// CHECK: ins(%x[0, c, h * 64 + w] : tensor<1x128x768xf32>)
func.func @split_heads(%x: tensor<1x128x768xf32>) -> tensor<1x128x12x64xf32> {
  %y = graph.reshape %x : tensor<1x128x768xf32> -> tensor<1x128x12x64xf32>
  func.return %y : tensor<1x128x12x64xf32>
}

// CHECK-LABEL: @merge_heads
// CHECK: ins(%x[0, i, j floordiv 64, j mod 64] : tensor<1x128x12x64xf32>)
func.func @merge_heads(%x: tensor<1x128x12x64xf32>) -> tensor<1x128x768xf32> {
  %y = graph.reshape %x : tensor<1x128x12x64xf32> -> tensor<1x128x768xf32>
  func.return %y : tensor<1x128x768xf32>
}

// CHECK-LABEL: @backwards
// CHECK: ins(%x[i * -2 + 7, j * 3 + 1] : tensor<9x8xf32>)
func.func @backwards(%x: tensor<9x8xf32>) -> tensor<3x2xf32> {
  %y = graph.slice %x starts <7, 1> steps [-2, 3] : tensor<9x8xf32> -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// CHECK-LABEL: @joined
// CHECK: te.compute @concat [i: 2, j: 4]
// CHECK-NEXT: ins(%x[i, j] pad 0.0 : tensor<2x3xf32>, %y[i, j - 3] pad 0.0 : tensor<2x1xf32>, index[j])
// CHECK: role(concat 1)
// CHECK: arith.cmpi slt
// CHECK: arith.select
func.func @joined(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %z = graph.concat %x, %y axis 1 : tensor<2x3xf32>, tensor<2x1xf32> -> tensor<2x4xf32>
  func.return %z : tensor<2x4xf32>
}

// CHECK-LABEL: @wrapped
// CHECK: ins(%x[(i + 3) mod 5] : tensor<5xf32>)
func.func @wrapped(%x: tensor<5xf32>) -> tensor<9xf32> {
  %y = graph.pad %x "wrap" low [2] high [2] value 0.0 : f32
    : tensor<5xf32> -> tensor<9xf32>
  func.return %y : tensor<9xf32>
}

// CHECK-LABEL: @rows
// CHECK: ins(%x : tensor<9x8xf32>, %n[i] : tensor<3xi64>, index[j])
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: te.at
func.func @rows(%x: tensor<9x8xf32>, %n: tensor<3xi64>) -> tensor<3x8xf32> {
  %y = graph.gather %x, %n axis 0 : tensor<9x8xf32>, tensor<3xi64> -> tensor<3x8xf32>
  func.return %y : tensor<3x8xf32>
}
