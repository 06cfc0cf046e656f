// RUN: tw-opt -p graph-inline-calls %s | filecheck %s --check-prefix=INLINE
// RUN: tw-opt -p graph-loop-tail-calls %s | filecheck %s --check-prefix=LOOP
// RUN: tw-opt -p graph-specialize-calls %s | filecheck %s --check-prefix=COPY
// RUN: tw-opt -p graph-choose-closures %s | filecheck %s --check-prefix=CHOOSE
// RUN: tw-opt -p graph-tabulate-recursion %s | filecheck %s --check-prefix=TABLE

graph.data @list {nil(), cons(tensor<f32>, @list)}

func.func @square(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.mul %x, %x : tensor<f32>
  func.return %y : tensor<f32>
}

// A call of a function that calls itself stays; its other calls are inlined.
// INLINE-LABEL: @power
// INLINE: graph.mul
// INLINE: graph.call @power
// A call whose result is used is no tail call.
// LOOP-LABEL: @power
// LOOP-NOT: graph.loop
func.func @power(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %r = graph.if %c {
    %s = graph.call @square(%x) : (tensor<f32>) -> tensor<f32>
    %p = graph.call @power(%c, %s) : (tensor<i1>, tensor<f32>) -> tensor<f32>
    %q = graph.add %p, %x : tensor<f32>
    graph.yield %q : tensor<f32>
  } else {
    graph.yield %x : tensor<f32>
  } : tensor<i1> -> tensor<f32>
  func.return %r : tensor<f32>
}

// Only the argument that calls change is carried, in both branches.
// LOOP-LABEL: @tail
// LOOP: graph.loop while {{.*}} carry({{[^,]*}} = %x : tensor<f32>, {{[^,]*}})
// LOOP-COUNT-2: graph.if
// LOOP-NOT: graph.call
func.func @tail(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %y = graph.exp %x : tensor<f32>
  %r = graph.if %c {
    %s = graph.if %d {
      %p = graph.call @tail(%c, %d, %y) : (tensor<i1>, tensor<i1>, tensor<f32>) -> tensor<f32>
      graph.yield %p : tensor<f32>
    } else {
      graph.yield %y : tensor<f32>
    } : tensor<i1> -> tensor<f32>
    graph.yield %s : tensor<f32>
  } else {
    %z = graph.neg %x : tensor<f32>
    %q = graph.call @tail(%c, %d, %z) : (tensor<i1>, tensor<i1>, tensor<f32>) -> tensor<f32>
    graph.yield %q : tensor<f32>
  } : tensor<i1> -> tensor<f32>
  func.return %r : tensor<f32>
}

// LOOP-LABEL: @apply
func.func @apply(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %y = graph.apply %f(%x) : (tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}

// Two calls with closures of one function share a copy; a call with an unknown function stays.
// COPY-LABEL: @shared
// COPY: graph.call @apply_square(%x)
// COPY: graph.call @apply_square(%a)
// COPY: graph.call @apply(%g, %b)
// COPY-LABEL: func.func @apply_square(%x: tensor<f32>)
// COPY: graph.closure @square()
// COPY-NOT: func.func
func.func @shared(%x: tensor<f32>, %g: (tensor<f32>) -> tensor<f32>) -> tensor<f32> {
  %f = graph.closure @square() : () -> ((tensor<f32>) -> tensor<f32>)
  %a = graph.call @apply(%f, %x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %h = graph.closure @square() : () -> ((tensor<f32>) -> tensor<f32>)
  %b = graph.call @apply(%h, %a) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %c = graph.call @apply(%g, %b) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return %c : tensor<f32>
}

// A function that only one branch knows is not chosen.
// CHOOSE-LABEL: @unknown
// CHOOSE: graph.if
// CHOOSE: graph.yield %g
func.func @unknown(%c: tensor<i1>, %x: tensor<f32>, %g: (tensor<f32>) -> tensor<f32>) -> tensor<f32> {
  %f = graph.if %c {
    %h = graph.closure @square() : () -> ((tensor<f32>) -> tensor<f32>)
    graph.yield %h : (tensor<f32>) -> tensor<f32>
  } else {
    graph.yield %g : (tensor<f32>) -> tensor<f32>
  } : tensor<i1> -> (tensor<f32>) -> tensor<f32>
  %y = graph.apply %f(%x) : (tensor<f32>) -> tensor<f32>
  func.return %y : tensor<f32>
}

// A recursion that passes another value than a field and its own arguments is no table.
// TABLE-LABEL: @growing
// TABLE-NOT: graph.scan
// TABLE-LABEL: @weighted
// TABLE: graph.scan <3>
// TABLE: graph.node_at
// TABLE-NOT: graph.call
func.func @growing(%w: tensor<f32>, %t: !graph.data<@list, 3>) -> tensor<f32> {
  %s = graph.match %t {
    graph.yield %w : tensor<f32>
  } {
  ^bb0(%x: tensor<f32>, %rest: !graph.data<@list, 3>):
    %v = graph.mul %w, %x : tensor<f32>
    %a = graph.call @growing(%v, %rest) : (tensor<f32>, !graph.data<@list, 3>) -> tensor<f32>
    %b = graph.add %a, %x : tensor<f32>
    graph.yield %b : tensor<f32>
  } : !graph.data<@list, 3> -> tensor<f32>
  func.return %s : tensor<f32>
}
func.func @weighted(%w: tensor<f32>, %t: !graph.data<@list, 3>) -> tensor<f32> {
  %s = graph.match %t {
    graph.yield %w : tensor<f32>
  } {
  ^bb0(%x: tensor<f32>, %rest: !graph.data<@list, 3>):
    %a = graph.call @weighted(%w, %rest) : (tensor<f32>, !graph.data<@list, 3>) -> tensor<f32>
    %b = graph.add %a, %x : tensor<f32>
    graph.yield %b : tensor<f32>
  } : !graph.data<@list, 3> -> tensor<f32>
  func.return %s : tensor<f32>
}
