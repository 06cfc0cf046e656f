// RUN: tw-opt -p graph-prove-indices %s | filecheck %s

// CHECK-LABEL: @repeated
// CHECK-NEXT:    graph.check_indices %i below <50> of "A"
// CHECK-NEXT:    graph.check_indices %i below <50> wraps of "B"
// CHECK-NEXT:    graph.check_indices %i below <49> of "C"
// CHECK-NEXT:    func.return
func.func @repeated(%i: tensor<4xi64>) -> tensor<4xi64> {
  graph.check_indices %i below <50> of "A" : tensor<4xi64>
  graph.check_indices %i below <50> wraps of "B" : tensor<4xi64>
  graph.check_indices %i below <49> of "C" : tensor<4xi64>
  graph.check_indices %i below <50> of "D" : tensor<4xi64>
  func.return %i : tensor<4xi64>
}

// A check in one branch proves nothing in the other branch or after both.

// CHECK-LABEL: @branches
// CHECK-COUNT-2: of "in"
// CHECK:         of "behind"
// CHECK-NOT:     of "again"
func.func @branches(%c: tensor<i1>, %i: tensor<4xi32>) -> tensor<4xi32> {
  %a = graph.if %c {
    graph.check_indices %i below <9> of "in" : tensor<4xi32>
    graph.yield %i : tensor<4xi32>
  } else {
    graph.check_indices %i below <9> of "in" : tensor<4xi32>
    graph.yield %i : tensor<4xi32>
  } : tensor<i1> -> tensor<4xi32>
  graph.check_indices %i below <9> of "behind" : tensor<4xi32>
  %b = graph.if %c {
    graph.check_indices %i below <9> of "again" : tensor<4xi32>
    graph.yield %i : tensor<4xi32>
  } else {
    graph.yield %i : tensor<4xi32>
  } : tensor<i1> -> tensor<4xi32>
  func.return %b : tensor<4xi32>
}

// Positions from an axis are in the range of that axis, not of another one.

// CHECK-LABEL: @proved
// CHECK-NOT:     of "fits"
// CHECK:         of "shorter"
// CHECK-NOT:     of "fits"
func.func @proved(%x: tensor<4x9xf32>, %i: tensor<4xi64>) -> tensor<4xi64> {
  %p = graph.arg_reduce %x "max" axis 1 : tensor<4x9xf32> -> tensor<4xi64>
  graph.check_indices %p below <9> wraps of "fits" : tensor<4xi64>
  graph.check_indices %p below <8> wraps of "shorter" : tensor<4xi64>
  %nine = graph.constant <[9, 9, 9, 9] : tensor<4xi64>> : tensor<4xi64>
  %r = graph.mod %i, %nine : tensor<4xi64>
  graph.check_indices %r below <9> of "fits" : tensor<4xi64>
  func.return %p : tensor<4xi64>
}
