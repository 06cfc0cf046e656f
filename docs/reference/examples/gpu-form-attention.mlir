// after: graph-to-te,te-fuse-elementwise
func.func @main(%q: tensor<2x32x16xf32>, %k: tensor<2x32x16xf32>, %v: tensor<2x32x16xf32>) -> tensor<2x32x16xf32> {
  %s = graph.matmul %q, %k transpose_rhs : tensor<2x32x16xf32>, tensor<2x32x16xf32> -> tensor<2x32x32xf32>
  %p = graph.softmax %s axis 2 : tensor<2x32x32xf32> -> tensor<2x32x32xf32>
  %y = graph.matmul %p, %v : tensor<2x32x32xf32>, tensor<2x32x16xf32> -> tensor<2x32x16xf32>
  func.return %y : tensor<2x32x16xf32>
}
