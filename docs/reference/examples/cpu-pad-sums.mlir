// target: llvm -mcpu=znver4
func.func @main(%x: tensor<16x30xui8>) -> tensor<16x8xi32> {
  %w = graph.constant <splat 1 : tensor<30x8xi8>> : tensor<30x8xi8>
  %y = graph.matmul %x, %w acc i32 : tensor<16x30xui8>, tensor<30x8xi8> -> tensor<16x8xi32>
  func.return %y : tensor<16x8xi32>
}
