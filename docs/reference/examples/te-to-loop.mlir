// after: graph-to-te,te-fuse-elementwise,te-outline,te-bufferize,cpu-plan,te-apply-schedule
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %p = graph.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %rows = graph.broadcast %b axes [1] : tensor<16xf32> -> tensor<4x16xf32>
  %y = graph.add %p, %rows : tensor<4x16xf32>
  func.return %y : tensor<4x16xf32>
}
