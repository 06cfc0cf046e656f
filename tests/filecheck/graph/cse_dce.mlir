// RUN: tw-opt -p graph-cse %s | filecheck %s --check-prefix=CSE
// RUN: tw-opt -p graph-dce %s | filecheck %s --check-prefix=DCE

// CSE-LABEL: @equal
// CSE: [[A:%.*]] = graph.exp
// CSE-NOT: graph.exp
// CSE: func.return [[A]], [[A]]
func.func @equal(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = graph.exp %x : tensor<2xf32>
  %b = graph.exp %x : tensor<2xf32>
  func.return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// CSE-LABEL: @other_axis
// CSE-COUNT-2: graph.reduce
// DCE-LABEL: @other_axis
// DCE-COUNT-2: graph.reduce
func.func @other_axis(%x: tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %a = graph.reduce %x "sum" axes [0] : tensor<3x3xf32> -> tensor<3xf32>
  %b = graph.reduce %x "sum" axes [1] : tensor<3x3xf32> -> tensor<3xf32>
  func.return %a, %b : tensor<3xf32>, tensor<3xf32>
}

// DCE-LABEL: @unused_chain
// DCE-NEXT: func.return
func.func @unused_chain(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = graph.exp %x : tensor<2xf32>
  %b = graph.neg %a : tensor<2xf32>
  func.return %x : tensor<2xf32>
}
