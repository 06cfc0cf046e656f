// after: graph-to-te,te-fuse-elementwise
func.func @main(%x: tensor<16x32xui8>) -> tensor<16x24xi32> {
  %w = graph.constant <splat 3 : tensor<32x24xi8>> : tensor<32x24xi8>
  %y = graph.matmul %x, %w : tensor<16x32xui8>, tensor<32x24xi8> -> tensor<16x24xi32>
  func.return %y : tensor<16x24xi32>
}
