// after: graph-fold-constants
func.func @main(%x: tensor<3x80xf32>) -> tensor<3x16xf32> {
  %c = graph.constant <[2.0] : tensor<f32>> : tensor<f32>
  %b = graph.broadcast %c axes [] : tensor<f32> -> tensor<8x16xf32>
  %w = graph.pad %b "constant" low [24, 0] high [48, 0] value 0.0 : f32 : tensor<8x16xf32> -> tensor<80x16xf32>
  %y = graph.matmul %x, %w : tensor<3x80xf32>, tensor<80x16xf32> -> tensor<3x16xf32>
  func.return %y : tensor<3x16xf32>
}
