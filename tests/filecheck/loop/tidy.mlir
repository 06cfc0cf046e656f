// RUN: tw-opt -p loop-simplify %s | filecheck %s --check-prefix=SIMPLE
// RUN: tw-opt -p loop-hoist %s | filecheck %s --check-prefix=HOIST
// RUN: tw-opt -p loop-narrow-indices %s | filecheck %s --check-prefix=NARROW
// RUN: tw-opt -p cse %s | filecheck %s --check-prefix=CSE
// RUN: tw-opt -p loop-check-bounds,loop-simplify,loop-check-bounds %s | filecheck %s --check-prefix=SIMPLE

// One iteration, no iteration, a bound that another implies, a padding and a clip without need.
// SIMPLE-LABEL: @loops
// SIMPLE-NEXT:  loop.for %[[I:.*]] = 0 to 4 {
// SIMPLE-NEXT:    %[[A:.*]] = loop.load %x[%[[I]]] : memref<8xf32>, f32
// SIMPLE-NEXT:    loop.store %[[A]], %y[%[[I]]] : memref<8xf32>, f32
// SIMPLE-NEXT:  }
// SIMPLE-NEXT:  loop.for %[[T:.*]] = 0 to 2 {
// SIMPLE-NEXT:    loop.for %[[K:.*]] = %[[T]] * 4 to %[[T]] * 4 + 4 {
// SIMPLE-NEXT:      loop.load %x[%[[K]] + 1] pad
// SIMPLE-NEXT:      loop.store
// SIMPLE-NEXT:    }
// SIMPLE-NEXT:  }
// SIMPLE-NEXT:  return
func.func @loops(%x: memref<8xf32>, %y: memref<8xf32>) {
  loop.for %i = 0 to 4 {
    loop.for %j = %i to min(64, %i + 1) {
      %a = loop.load %x[%j mod 8] pad 0.0 : memref<8xf32>, f32
      loop.store %a, %y[%j + 8 * (%j floordiv 8)] clip [0 to 8] : memref<8xf32>, f32
    }
  }
  loop.for %n = 3 to 3 {
    %a = loop.load %x[%n] : memref<8xf32>, f32
    loop.store %a, %y[%n] : memref<8xf32>, f32
  }
  loop.for %t = 0 to 2 {
    loop.for %k = %t * 4 to min(8, %t * 4 + 4) {
      %a = loop.load %x[%k + 1] pad 0.0 : memref<8xf32>, f32
      loop.store %a, %y[%k] : memref<8xf32>, f32
    }
  }
  func.return
}

// A parallel loop of one iteration stays a task, carried values pass through, branches are decided.
// SIMPLE-LABEL: @branches
// SIMPLE:       loop.for parallel %{{.*}} = 0 to 1
// SIMPLE-NOT:   loop.if
// SIMPLE:       %[[B:.*]] = loop.load %x[2]
// SIMPLE:       %[[C:.*]] = arith.addf %[[B]], %[[B]]
// SIMPLE-NEXT:  loop.store %[[C]], %y[0]
// SIMPLE:       loop.for %[[I:.*]] = 0 to 8
// SIMPLE:         %[[P:.*]] = loop.cmp "slt"
// SIMPLE-NEXT:    loop.if %[[P]]
// SIMPLE-NOT:   loop.if
// SIMPLE-LABEL: @invariants
func.func @branches(%x: memref<8xf32>, %y: memref<8xf32>) {
  %seven = arith.constant 7 : index
  %nine = arith.constant 9 : index
  loop.for parallel %t = 0 to 1 {
    %a = loop.load %x[%t] : memref<8xf32>, f32
    loop.store %a, %y[%t] : memref<8xf32>, f32
  }
  %b = loop.load %x[2] : memref<8xf32>, f32
  %c = loop.for %i = 2 to 3 iter_args(%s = %b : f32) {
    %d = loop.load %x[%i] : memref<8xf32>, f32
    %e = arith.addf %s, %s : f32
    loop.yield %e : f32
  }
  loop.store %c, %y[0] : memref<8xf32>, f32
  loop.for %i = 0 to 8 {
    %p = loop.cmp "slt" %i, %seven : index, index, i1
    loop.if %p {
      loop.store %b, %y[%i] : memref<8xf32>, f32
    }
    %q = loop.cmp "slt" %i, %nine : index, index, i1
    loop.if %q {
      loop.store %c, %y[%i] : memref<8xf32>, f32
    }
    %r = loop.cmp "sge" %i, %nine : index, index, i1
    loop.if %r {
      loop.store %b, %y[0] : memref<8xf32>, f32
    }
  }
  func.return
}

// The square root, the load from %t and their sum leave both loops; the load from %y, which the loop may write
// through %z, and the load of a loop that may not run stay.
// HOIST-LABEL: @invariants
// HOIST:       %[[A:.*]] = loop.load %x[0]
// HOIST-NEXT:  loop.store %[[A]], %t[0]
// HOIST-NEXT:  %[[R:.*]] = math.sqrt %[[A]]
// HOIST-NEXT:  %[[B:.*]] = loop.load %t[0]
// HOIST-NEXT:  arith.addf %[[R]], %[[B]]
// HOIST-NEXT:  loop.for %{{.*}} = 0 to 8 {
// HOIST-NEXT:    loop.for %{{.*}} = 0 to 4 {
// HOIST-NEXT:      loop.load %y[0]
// HOIST:         loop.for %{{.*}} = 0 to %i {
// HOIST-NEXT:      loop.load %t[0]
func.func @invariants(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %t = loop.alloc "local" : memref<4xf32>
  %a = loop.load %x[0] : memref<8xf32>, f32
  loop.store %a, %t[0] : memref<4xf32>, f32
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 4 {
      %r = math.sqrt %a : f32
      %b = loop.load %t[0] : memref<4xf32>, f32
      %c = loop.load %y[0] : memref<8xf32>, f32
      %s = arith.addf %r, %b : f32
      %u = arith.addf %s, %c : f32
      loop.store %u, %z[%j] : memref<8xf32>, f32
    }
    loop.for %j = 0 to %i {
      %b = loop.load %t[0] : memref<4xf32>, f32
      loop.store %b, %z[%j] : memref<8xf32>, f32
    }
  }
  func.return
}

// Sums of positions get 32 bits for the comparison and the conversion; the store extends them.
// NARROW-LABEL: @positions
// NARROW:       %[[A:.*]] = loop.cast "index_cast" %{{.*}} : vector<4xindex> to vector<4xi32>
// NARROW-NEXT:  %[[B:.*]] = arith.addi %[[A]], %{{.*}} : vector<4xi32>
// NARROW-NEXT:  %[[W:.*]] = loop.cast "extsi" %[[B]] : vector<4xi32> to vector<4xi64>
// NARROW-NEXT:  loop.cmp "slt" %[[B]], %{{.*}} : vector<4xi32>, vector<4xi32>, vector<4xi1>
// NARROW-NEXT:  loop.cast "sitofp" %[[B]] : vector<4xi32> to vector<4xf32>
// NARROW-NEXT:  arith.muli %[[W]], %{{.*}} : vector<4xi64>
func.func @positions(%y: memref<64xi64>, %z: memref<64xf32>) {
  %0 = arith.constant 4 : i64
  %1 = arith.constant 4294967296 : i64
  %four = loop.broadcast %0 : i64 to vector<4xi64>
  %large = loop.broadcast %1 : i64 to vector<4xi64>
  loop.for %i = 0 to 16 {
    %p = loop.index [%i * 4] step 1 : vector<4xindex>
    %a = loop.cast "index_cast" %p : vector<4xindex> to vector<4xi64>
    %b = arith.addi %a, %four : vector<4xi64>
    %c = loop.cmp "slt" %b, %four : vector<4xi64>, vector<4xi64>, vector<4xi1>
    %f = loop.cast "sitofp" %b : vector<4xi64> to vector<4xf32>
    %m = arith.muli %b, %large : vector<4xi64>
    %s = loop.select %c, %m, %b : vector<4xi1>, vector<4xi64>, vector<4xi64>, vector<4xi64>
    loop.store %s, %y[%i * 4] : memref<64xi64>, vector<4xi64>
    loop.store %f, %z[%i * 4] : memref<64xf32>, vector<4xf32>
  }
  func.return
}

// xDSL's cse: equal arithmetic, and equal loads with no store between them; inner loops see outer.
// CSE-LABEL: @equal
// CSE:       %[[A:.*]] = loop.load %x[0]
// CSE-NEXT:  %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CSE-NEXT:  loop.store %[[B]], %x[0]
// CSE-NEXT:  %[[C:.*]] = loop.load %x[0]
// CSE-NEXT:  loop.for
// CSE-NEXT:    loop.store %[[B]], %x[1]
// CSE-NEXT:    loop.store %[[C]], %x[2]
func.func @equal(%x: memref<8xf32>) {
  %a = loop.load %x[0] : memref<8xf32>, f32
  %a2 = loop.load %x[0] : memref<8xf32>, f32
  %b = arith.addf %a, %a2 : f32
  loop.store %b, %x[0] : memref<8xf32>, f32
  %c = loop.load %x[0] : memref<8xf32>, f32
  loop.for %i = 0 to 8 {
    %b2 = arith.addf %a, %a : f32
    loop.store %b2, %x[1] : memref<8xf32>, f32
    loop.store %c, %x[2] : memref<8xf32>, f32
  }
  func.return
}
