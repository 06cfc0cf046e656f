// RUN: tw-opt -p te-to-loop %s | filecheck %s

// The position is inside in every iteration: a plain load.
// CHECK-LABEL: func.func @inside
// CHECK-NOT: pad
// CHECK: func.return
te.kernel @inside(%X: memref<10xf32>, %Y: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    te.compute @s [w: 1, s: 3 red]
        ins(%X[%i + w + s] pad 0.0 : memref<10xf32>)
        outs(%Y[%i + w] add 0.0 : f32 : memref<8xf32>)
        body(%a: f32) {
      te.yield %a : f32
    }
  }
  te.return
}

// The position depends on a reduction loop: the loop is clipped.
// CHECK-LABEL: func.func @clipped
// CHECK: loop.for {{%.*}} = max(0, %i * -1 + 1) to min(3, %i * -1 + 9)
// CHECK-NOT: pad
// CHECK: func.return
te.kernel @clipped(%X: memref<8xf32>, %Y: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    te.compute @s [w: 1, s: 3 red]
        ins(%X[%i + w + s - 1] pad 0.0 : memref<8xf32>)
        outs(%Y[%i + w] add 0.0 : f32 : memref<8xf32>)
        body(%a: f32) {
      te.yield %a : f32
    }
  }
  te.return
}

// The position differs from cell to cell: taps are unrolled, terms outside vanish, others are plain.
// CHECK-LABEL: func.func @unrolled
// CHECK-NOT: loop.for
// CHECK-NOT: pad
// CHECK-COUNT-7: loop.load
// CHECK-NOT: loop.load
// CHECK: func.return
te.kernel @unrolled(%X: memref<4xf32>, %W: memref<3x8xf32>, %Y: memref<4x8xf32>) {
  te.compute @s [w: 4, o: 8, s: 3 red]
      ins(%X[w + s - 1] pad 0.0 : memref<4xf32>, %W[s, o] : memref<3x8xf32>)
      outs(%Y[w, o] add 0.0 : f32 : memref<4x8xf32>)
      tile(vec = o, lanes = 8)
      body(%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    te.yield %p : f32
  }
  te.return
}

// The buffer holds zeros around its elements: the loop skips taps at which all three cells read them.
// CHECK-LABEL: func.func @border
// CHECK: loop.for {{%.*}} = max(0, %i * -3 - 1) to min(3, %i * -3 + 9)
// CHECK-NOT: pad
// CHECK: func.return
te.kernel @border(%X: memref<14xf32>, %W: memref<3x8xf32>, %Y: memref<12x8xf32>) {
  loop.for %i = 0 to 4 {
    te.compute @s [w: 3, o: 8, s: 3 red]
        ins(%X[%i * 3 + w + s] nonzero [1 to 9] : memref<14xf32>, %W[s, o] : memref<3x8xf32>)
        outs(%Y[%i * 3 + w, o] add 0.0 : f32 : memref<12x8xf32>)
        tile(vec = o, lanes = 8)
        body(%a: f32, %b: f32) {
      %p = arith.mulf %a, %b : f32
      te.yield %p : f32
    }
  }
  te.return
}

// A maximum needs the zeros.
// CHECK-LABEL: func.func @largest
// CHECK: loop.for {{%.*}} = 0 to 3
// CHECK: func.return
te.kernel @largest(%X: memref<14xf32>, %Y: memref<12xf32>) {
  loop.for %i = 0 to 12 {
    te.compute @s [w: 1, s: 3 red]
        ins(%X[%i + w + s] nonzero [1 to 9] : memref<14xf32>)
        outs(%Y[%i + w] maxnum -1.0 : f32 : memref<12xf32>)
        body(%a: f32) {
      te.yield %a : f32
    }
  }
  te.return
}

// No other rule applies: the load is guarded.
// CHECK-LABEL: func.func @guarded
// CHECK: loop.load %X[%i * 8 - 1] pad 0.0 : memref<16xf32>, vector<8xf32>
te.kernel @guarded(%X: memref<16xf32>, %Y: memref<16xf32>) {
  loop.for %i = 0 to 2 {
    te.compute @shift [w: 8]
        ins(%X[%i * 8 + w - 1] pad 0.0 : memref<16xf32>)
        outs(%Y[%i * 8 + w] : memref<16xf32>)
        tile(vec = w, lanes = 8)
        body(%a: f32) {
      te.yield %a : f32
    }
  }
  te.return
}

// A term outside that does not vanish becomes a constant.
// CHECK-LABEL: func.func @constant
// CHECK: [[SEVEN:%.*]] = arith.constant 7
// CHECK: loop.store [[SEVEN]], %Y[0]
te.kernel @constant(%X: memref<4xf32>, %Y: memref<1xf32>) {
  te.compute @c [w: 1]
      ins(%X[w + 4] pad 7.0 : memref<4xf32>)
      outs(%Y[w] : memref<1xf32>)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}

// Inactive lanes of a tail do not access memory outside of the buffer.
// CHECK-LABEL: func.func @tail
// CHECK: loop.load %X[8] lanes 3 : memref<11xf32>, vector<8xf32>
te.kernel @tail(%X: memref<11xf32>, %Y: memref<11xf32>) {
  te.compute @copy [w: 11]
      ins(%X[w] pad 0.0 : memref<11xf32>)
      outs(%Y[w] : memref<11xf32>)
      tile(vec = w, lanes = 8)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}

// A clipped output: plain stores inside, none outside, else a guarded store.
// CHECK-LABEL: func.func @clipped_store
// CHECK:       loop.for %[[I:.*]] = 0 to 3 {
// CHECK:         loop.store %{{.*}}, %Y[%[[I]] * 2, 0] : memref<8x4xf32>, vector<4xf32>
// CHECK-NEXT:    loop.store %{{.*}}, %Y[%[[I]] * 2 + 1, 0] clip [0 to 5, 0 to 4] : memref<8x4xf32>, vector<4xf32>
// CHECK-NOT:     loop.store
te.kernel @clipped_store(%X: memref<3x4xf32>, %Y: memref<8x4xf32>) {
  loop.for %i = 0 to 3 {
    te.compute @c [j: 4]
        ins(%X[%i, j] : memref<3x4xf32>)
        outs(%Y[%i * 2, j] clip [0 to 5, 0 to 4] : memref<8x4xf32>,
             %Y[%i * 2 + 1, j] clip [0 to 5, 0 to 4] : memref<8x4xf32>,
             %Y[%i + 5, j] clip [0 to 5, 0 to 4] : memref<8x4xf32>)
        tile(vec = j, lanes = 4)
        body(%a: f32) {
      te.yield %a, %a, %a : f32, f32, f32
    }
  }
  te.return
}

// A clip that ends at a symbolic size.
// CHECK-LABEL: func.func @clipped_at_a_size
// CHECK:         loop.store %{{.*}}, %Y[%{{.*}} * 2 + 1, 0] clip [0 to h, 0 to 4] : memref<?x4xf32, #te.dims<h + 1, 4>>, vector<4xf32>
te.kernel @clipped_at_a_size(%X: memref<?x4xf32, #te.dims<h, 4>>, %Y: memref<?x4xf32, #te.dims<h + 1, 4>>) attributes {sizes = ["h"]} {
  %n = loop.size floordiv(h + 1, 2)
  loop.for %i = 0 to %n {
    te.compute @c [j: 4]
        ins(%X[%i, j] : memref<?x4xf32, #te.dims<h, 4>>)
        outs(%Y[%i * 2 + 1, j] clip [0 to h, 0 to 4] : memref<?x4xf32, #te.dims<h + 1, 4>>)
        tile(vec = j, lanes = 4)
        body(%a: f32) {
      te.yield %a : f32
    }
  }
  te.return
}
