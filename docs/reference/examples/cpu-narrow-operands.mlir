// target: llvm -mcpu=znver4
// precision: bf16
// after: graph-to-te,te-fuse-elementwise
func.func @main(%x: tensor<16x32xf32>) -> tensor<16x24xf32> {
  %w = graph.constant <splat 0.5 : tensor<32x24xf32>> : tensor<32x24xf32>
  %y = graph.matmul %x, %w : tensor<16x32xf32>, tensor<32x24xf32> -> tensor<16x24xf32>
  func.return %y : tensor<16x24xf32>
}
