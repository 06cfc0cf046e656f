// after: graph-to-te,te-fuse-elementwise
func.func @main(%x: tensor<16x32xf16>) -> tensor<16x24xf16> {
  %w = graph.constant <splat 0.5 : tensor<32x24xf16>> : tensor<32x24xf16>
  %y = graph.matmul %x, %w : tensor<16x32xf16>, tensor<32x24xf16> -> tensor<16x24xf16>
  func.return %y : tensor<16x24xf16>
}
