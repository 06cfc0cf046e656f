// RUN: tw-opt -p graph-fold-batch-norm,graph-dce %s | filecheck %s

// CHECK-LABEL: @batch_norm
// CHECK-DAG: [[W:%.*]] = graph.constant <[6.0, 20.0] : tensor<2x1x1x1xf32>>
// CHECK-DAG: [[B:%.*]] = graph.constant <[5.0, 6.0] : tensor<2xf32>>
// CHECK: [[Y:%.*]] = graph.conv %x, [[W]] bias [[B]]
// CHECK-NEXT: func.return [[Y]]
func.func @batch_norm(%x: tensor<1x1x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %w = graph.constant <[2.0, 5.0] : tensor<2x1x1x1xf32>> : tensor<2x1x1x1xf32>
  %scale = graph.constant <[3.0, 4.0] : tensor<2xf32>> : tensor<2xf32>
  %shift = graph.constant <[5.0, 6.0] : tensor<2xf32>> : tensor<2xf32>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x1x3x3xf32>, tensor<2x1x1x1xf32> -> tensor<1x2x3x3xf32>
  %s = graph.broadcast %scale axes [1] : tensor<2xf32> -> tensor<1x2x3x3xf32>
  %t = graph.broadcast %shift axes [1] : tensor<2xf32> -> tensor<1x2x3x3xf32>
  %a = graph.mul %y, %s : tensor<1x2x3x3xf32>
  %b = graph.add %a, %t : tensor<1x2x3x3xf32>
  func.return %b : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @two_uses
// CHECK: graph.conv
// CHECK: graph.mul
func.func @two_uses(%x: tensor<1x1x3x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) {
  %w = graph.constant <[2.0, 5.0] : tensor<2x1x1x1xf32>> : tensor<2x1x1x1xf32>
  %scale = graph.constant <[3.0, 4.0] : tensor<2xf32>> : tensor<2xf32>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x1x3x3xf32>, tensor<2x1x1x1xf32> -> tensor<1x2x3x3xf32>
  %s = graph.broadcast %scale axes [1] : tensor<2xf32> -> tensor<1x2x3x3xf32>
  %a = graph.mul %y, %s : tensor<1x2x3x3xf32>
  func.return %y, %a : tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>
}

// The width equals the number of channels, but the factors vary along the width: no fold.
// CHECK-LABEL: @along_the_width
// CHECK: graph.conv
// CHECK: graph.mul
func.func @along_the_width(%x: tensor<1x1x3x2xf32>) -> tensor<1x2x3x2xf32> {
  %w = graph.constant <[2.0, 5.0] : tensor<2x1x1x1xf32>> : tensor<2x1x1x1xf32>
  %scale = graph.constant <[3.0, 4.0] : tensor<2xf32>> : tensor<2xf32>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x1x3x2xf32>, tensor<2x1x1x1xf32> -> tensor<1x2x3x2xf32>
  %s = graph.broadcast %scale axes [3] : tensor<2xf32> -> tensor<1x2x3x2xf32>
  %a = graph.mul %y, %s : tensor<1x2x3x2xf32>
  func.return %a : tensor<1x2x3x2xf32>
}
