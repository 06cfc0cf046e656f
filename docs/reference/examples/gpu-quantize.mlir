func.func @main(%q: tensor<4x2xui8>) -> tensor<4x2xui8> {
  %s = graph.constant <[0.5] : tensor<f32>> : tensor<f32>
  %s_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<4x2xf32>
  %x = graph.dequantize %q, %s_all : tensor<4x2xui8>, tensor<4x2xf32> -> tensor<4x2xf32>
  %w = graph.constant <[1, 2, 3, 4] : tensor<2x2xi8>> : tensor<2x2xi8>
  %t_all = graph.broadcast %s axes [] : tensor<f32> -> tensor<2x2xf32>
  %v = graph.dequantize %w, %t_all : tensor<2x2xi8>, tensor<2x2xf32> -> tensor<2x2xf32>
  %y = graph.matmul %x, %v : tensor<4x2xf32>, tensor<2x2xf32> -> tensor<4x2xf32>
  %r = graph.quantize %y, %s_all : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xui8>
  func.return %r : tensor<4x2xui8>
}
