// after: graph-to-te,te-fuse-elementwise
func.func @main(%x: tensor<1x256xf32>, %a: tensor<256x512xf32>, %b: tensor<256x512xf32>) -> tensor<1x512xf32> {
  %s = graph.matmul %x, %a : tensor<1x256xf32>, tensor<256x512xf32> -> tensor<1x512xf32>
  %g = graph.tanh %s : tensor<1x512xf32>
  %t = graph.matmul %x, %b : tensor<1x256xf32>, tensor<256x512xf32> -> tensor<1x512xf32>
  %y = graph.mul %g, %t : tensor<1x512xf32>
  func.return %y : tensor<1x512xf32>
}
