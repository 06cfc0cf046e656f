// RUN: not tw-opt -p graph-to-te %s 2>&1 | filecheck %s

// CHECK: graph.conv: the channels of a convolution in groups are known only at run time
// CHECK: got: 2 * o
// CHECK: hint: give these sizes of the inputs
func.func @unbound(%x: tensor<1x4x6x6xf32>, %w: tensor<?x2x3x3xf32, #te.dims<2 * o, 2, 3, 3>>) -> tensor<1x?x4x4xf32, #te.dims<1, 2 * o, 4, 4>> {
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 2 : tensor<1x4x6x6xf32>, tensor<?x2x3x3xf32, #te.dims<2 * o, 2, 3, 3>> -> tensor<1x?x4x4xf32, #te.dims<1, 2 * o, 4, 4>>
  func.return %y : tensor<1x?x4x4xf32, #te.dims<1, 2 * o, 4, 4>>
}
