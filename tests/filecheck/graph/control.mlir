// RUN: tw-opt -p graph-simplify %s | filecheck %s
// RUN: tw-opt -p graph-cse,graph-dce %s | filecheck %s --check-prefix=CSE
// RUN: tw-opt -p graph-fold-batch-norm %s | filecheck %s --check-prefix=FOLD
// RUN: tw-opt -p graph-to-te %s | filecheck %s --check-prefix=TE

// CHECK-LABEL: @constant_condition
// CHECK-NEXT: graph.constant
// CHECK-NEXT: %a = graph.exp %x
// CHECK-NEXT: func.return %a, %x
func.func @constant_condition(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = graph.constant <[true] : tensor<1xi1>> : tensor<1xi1>
  %y, %z = graph.if %c {
    %a = graph.exp %x : tensor<2xf32>
    graph.yield %a, %x : tensor<2xf32>, tensor<2xf32>
  } else {
    graph.yield %x, %x : tensor<2xf32>, tensor<2xf32>
  } : tensor<1xi1> -> tensor<2xf32>, tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @unchanged_and_unread
// CHECK: %h1 = graph.scan <3> carry(%h = %x : tensor<2xf32>) over(%e = %xs : tensor<3x2xf32>) {
// CHECK: graph.add [[A:%.*]], %y
// CHECK: graph.yield [[B:%.*]] : tensor<2xf32>
// CHECK: func.return %h1, %y
func.func @unchanged_and_unread(%x: tensor<2xf32>, %y: tensor<2xf32>, %xs: tensor<3x2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>) {
  %h1, %k1, %ys = graph.scan <3> carry(%h = %x : tensor<2xf32>, %k = %y : tensor<2xf32>)
      over(%e = %xs : tensor<3x2xf32>) {
    %a = graph.add %h, %e : tensor<2xf32>
    %b = graph.add %a, %k : tensor<2xf32>
    graph.yield %b, %k, %a : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  func.return %h1, %k1 : tensor<2xf32>, tensor<2xf32>
}

// CSE keeps equal ops in different blocks and erases an unused loop.
// CSE-LABEL: @blocks_are_apart
// CSE: graph.exp
// CSE: graph.if
// CSE: graph.exp
// CSE-NOT: graph.exp
// CSE: else
// CSE-NOT: graph.loop
// CSE: func.return
func.func @blocks_are_apart(%c: tensor<i1>, %n: tensor<i64>, %x: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>) {
  %e = graph.exp %x : tensor<2xf32>
  %y = graph.if %c {
    %a = graph.exp %x : tensor<2xf32>
    %b = graph.exp %x : tensor<2xf32>
    %s = graph.add %a, %b : tensor<2xf32>
    graph.yield %s : tensor<2xf32>
  } else {
    graph.yield %x : tensor<2xf32>
  } : tensor<i1> -> tensor<2xf32>
  %l = graph.loop to %n : tensor<i64> (%i) carry(%h = %x : tensor<2xf32>) {
    %d = graph.add %h, %e : tensor<2xf32>
    graph.yield %d : tensor<2xf32>
  }
  func.return %e, %y : tensor<2xf32>, tensor<2xf32>
}

// A loop-invariant product stays outside of the loop although each step scales it.
// FOLD-LABEL: @stays_outside
// FOLD: graph.matmul
// FOLD: graph.scan
// FOLD-NOT: graph.matmul
// TE-LABEL: @stays_outside
func.func @stays_outside(%x: tensor<2x2xf32>, %h0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = graph.constant <[1.0, 2.0, 3.0, 4.0] : tensor<2x2xf32>> : tensor<2x2xf32>
  %v = graph.constant <[2.0, 3.0] : tensor<2xf32>> : tensor<2xf32>
  %s = graph.broadcast %v axes [1] : tensor<2xf32> -> tensor<2x2xf32>
  %p = graph.matmul %x, %w : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %h = graph.scan <3> carry(%k = %h0 : tensor<2x2xf32>) {
    %q = graph.mul %p, %s : tensor<2x2xf32>
    %r = graph.add %q, %k : tensor<2x2xf32>
    graph.yield %r : tensor<2x2xf32>
  }
  func.return %h : tensor<2x2xf32>
}

// TE-LABEL: @main
// TE: packed.loop reverse %t to 3 carry(
// TE: packed.slice %{{.*}}[%t * -1 + 2]
// TE: packed.yield
func.func @main(%h0: tensor<2xf32>, %xs: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %h, %ys = graph.scan reverse <3> carry(%k = %h0 : tensor<2xf32>) over(%x = %xs : tensor<3x2xf32>) {
    %r = graph.mul %x, %k : tensor<2xf32>
    graph.yield %r, %r : tensor<2xf32>, tensor<2xf32>
  }
  func.return %ys : tensor<3x2xf32>
}

// CHECK-LABEL: @own_gradients
// CHECK-NEXT: %d = graph.exp %x
// CHECK-NEXT: %e = graph.hold %x
// CHECK-NEXT: %f = graph.exp %e
// CHECK-NEXT: func.return %d, %f
func.func @own_gradients(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = graph.stop_gradient %x : tensor<2xf32>
  %b = graph.checkpoint %a {
  ^bb0(%c: tensor<2xf32>):
    %d = graph.exp %c : tensor<2xf32>
    graph.yield %d : tensor<2xf32>
  } : tensor<2xf32> -> tensor<2xf32>
  %e = graph.hold %x : tensor<2xf32>
  %f = graph.exp %e : tensor<2xf32>
  func.return %b, %f : tensor<2xf32>, tensor<2xf32>
}
