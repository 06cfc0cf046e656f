// target: llvm -mcpu=neoverse-n1
func.func @main(%x: tensor<2x4xui8>) -> tensor<2x3xi32> {
  %w = graph.constant <splat 3 : tensor<4x3xi8>> : tensor<4x3xi8>
  %y = graph.matmul %x, %w : tensor<2x4xui8>, tensor<4x3xi8> -> tensor<2x3xi32>
  func.return %y : tensor<2x3xi32>
}
