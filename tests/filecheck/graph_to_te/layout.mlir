// RUN: tw-opt -p graph-to-te %s | filecheck %s

// CHECK-LABEL: @annotated
// CHECK: outs([n, c, h, w] layout affine_map<(d0, d1, d2, d3) -> (d0, (d1 floordiv 8), d2, d3, (d1 mod 8))> : tensor<1x16x4x4xf32>)
func.func @annotated(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %y = graph.exp %x {layout = affine_map<(n, c, h, w) -> (n, c floordiv 8, h, w, c mod 8)>}
    : tensor<1x16x4x4xf32>
  func.return %y : tensor<1x16x4x4xf32>
}
