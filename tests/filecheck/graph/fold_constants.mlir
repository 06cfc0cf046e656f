// RUN: tw-opt -p graph-fold-constants,graph-dce %s | filecheck %s

// CHECK-LABEL: @folds
// CHECK-NEXT: [[C:%.*]] = graph.constant <[2.0, 3.0] : tensor<2xf32>>
// CHECK-NEXT: func.return [[C]]
func.func @folds() -> tensor<2xf32> {
  %v = graph.constant <[3.0, 8.0] : tensor<2xf32>> : tensor<2xf32>
  %one = graph.constant <[1.0] : tensor<f32>> : tensor<f32>
  %ones = graph.broadcast %one axes [] : tensor<f32> -> tensor<2xf32>
  %a = graph.add %v, %ones : tensor<2xf32>
  %b = graph.sqrt %a : tensor<2xf32>
  func.return %b : tensor<2xf32>
}

// A broadcast is not materialized, however small; ops on its result are folded before it.
// CHECK-LABEL: @stays_repeated
// CHECK-NEXT: [[C:%.*]] = graph.constant <[-1.0] : tensor<f32>>
// CHECK-NEXT: [[B:%.*]] = graph.broadcast [[C]] axes [] : tensor<f32> -> tensor<4x4xf32>
// CHECK-NEXT: func.return [[B]]
func.func @stays_repeated() -> tensor<4x4xf32> {
  %one = graph.constant <[1.0] : tensor<f32>> : tensor<f32>
  %ones = graph.broadcast %one axes [] : tensor<f32> -> tensor<4x4xf32>
  %a = graph.neg %ones : tensor<4x4xf32>
  func.return %a : tensor<4x4xf32>
}

// CHECK-LABEL: @reads_an_input
// CHECK: graph.add
func.func @reads_an_input(%x: tensor<2xf32>) -> tensor<2xf32> {
  %v = graph.constant <[3.0, 8.0] : tensor<2xf32>> : tensor<2xf32>
  %a = graph.add %x, %v : tensor<2xf32>
  func.return %a : tensor<2xf32>
}

// The result has one megabyte and four bytes; its operands have twelve bytes.
// CHECK-LABEL: @too_large
// CHECK: graph.pad
func.func @too_large() -> tensor<262145xf32> {
  %v = graph.constant <[1.0, 2.0, 3.0] : tensor<3xf32>> : tensor<3xf32>
  %a = graph.pad %v "constant" low [262142] high [0] value 0.0 : f32 : tensor<3xf32> -> tensor<262145xf32>
  func.return %a : tensor<262145xf32>
}
