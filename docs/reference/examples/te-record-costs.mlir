// after: graph-to-te,te-fuse-elementwise,te-outline,te-bufferize
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %p = graph.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %y = graph.neg %p : tensor<4x16xf32>
  func.return %y : tensor<4x16xf32>
}
