// after: graph-to-te,te-fuse-elementwise,te-outline,te-bufferize
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = graph.softmax %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}
