// RUN: tw-opt %s -p 'graph-fold-constants,cpu-plan-graph{target="llvm -mcpu=x86-64-v3"},graph-to-te,te-fuse-elementwise,cpu-choose-algorithms{target="llvm -mcpu=x86-64-v3"}' | filecheck %s --check-prefix=DEFAULT
// RUN: tw-opt %s -p 'graph-fold-constants,cpu-plan-graph{target="llvm -mcpu=x86-64-v3"},graph-to-te,te-fuse-elementwise,cpu-choose-algorithms{target="llvm -mcpu=x86-64-v3" precision="strict"}' | filecheck %s --check-prefix=STRICT

// Winograd needs constant weights, whole vectors of channels, and a precision below strict.

// DEFAULT:     te.compute @conv [n: 1, o: 32, h: 16, w: 16, i: 32 red, r: 3 red, s: 3 red]
// DEFAULT:     role(winograd 4 {{[0-9]+}})
// DEFAULT-NOT: winograd
// STRICT:      te.compute @conv [n: 1, o: 32, h: 16, w: 16, i: 32 red, r: 3 red, s: 3 red]
// STRICT-NOT:  winograd
func.func @main(%x: tensor<1x32x18x18xf32>, %v: tensor<32x32x3x3xf32>) -> (tensor<1x32x16x16xf32>, tensor<1x4x16x16xf32>, tensor<1x32x16x16xf32>, tensor<1x32x8x8xf32>) {
  %i = graph.iota axis 0 : tensor<9216xf32>
  %w = graph.reshape %i : tensor<9216xf32> -> tensor<32x32x3x3xf32>
  %y = graph.conv %x, %w strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x32x18x18xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x16x16xf32>
  %j = graph.iota axis 0 : tensor<1152xf32>
  %u = graph.reshape %j : tensor<1152xf32> -> tensor<4x32x3x3xf32>
  %few = graph.conv %x, %u strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x32x18x18xf32>, tensor<4x32x3x3xf32> -> tensor<1x4x16x16xf32>
  %given = graph.conv %x, %v strides [1, 1] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x32x18x18xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x16x16xf32>
  %strided = graph.conv %x, %w strides [2, 2] dilations [1, 1] pads [0, 0, 0, 0] groups 1 : tensor<1x32x18x18xf32>, tensor<32x32x3x3xf32> -> tensor<1x32x8x8xf32>
  func.return %y, %few, %given, %strided : tensor<1x32x16x16xf32>, tensor<1x4x16x16xf32>, tensor<1x32x16x16xf32>, tensor<1x32x8x8xf32>
}
