// RUN: tw-opt -p te-to-loop %s | filecheck %s

// Vector partial sums, a tree over vectors, a tree over lanes; the tail leaves inactive lanes unchanged.
// CHECK-LABEL: func.func @row_max
// CHECK: [[P0:%.*]], [[P1:%.*]] = loop.for [[J:%.*]] = 0 to 6 iter_args
// CHECK: loop.load %X[0, [[J]] * 16] : memref<1x101xf32>, vector<8xf32>
// CHECK: loop.load %X[0, [[J]] * 16 + 8] : memref<1x101xf32>, vector<8xf32>
// CHECK: [[T:%.*]] = loop.load %X[0, 96] lanes 5
// CHECK: [[M:%.*]] = arith.maximumf [[P0]], [[T]]
// CHECK: [[K:%.*]] = loop.keep_lanes 5 of [[M]] else [[P0]] : vector<8xf32>
// CHECK: [[V:%.*]] = arith.maximumf [[K]], [[P1]] : vector<8xf32>
// CHECK: [[S:%.*]] = loop.reduce "max" [[V]] : vector<8xf32> to f32
// CHECK: loop.store [[S]], %m[0] : memref<1xf32>, f32
te.kernel @row_max(%X: memref<1x101xf32>, %m: memref<1xf32>) {
  te.compute @max [i: 1, j: 101 red]
      ins(%X[i, j] : memref<1x101xf32>)
      outs(%m[i] max -inf : f32 : memref<1xf32>)
      tile(vec = j, lanes = 8, j = 2)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}

// Lanes of a tail that loads set to 0 add 0 to a sum of products, so nothing restores them.
// CHECK-LABEL: func.func @dot
// CHECK: [[A:%.*]] = loop.load %X[8] lanes 5
// CHECK: [[B:%.*]] = loop.load %Y[8] lanes 5
// CHECK: [[S:%.*]] = math.fma [[A]], [[B]], {{%.*}} : vector<8xf32>
// CHECK-NEXT: loop.reduce "add" [[S]]
te.kernel @dot(%X: memref<13xf32>, %Y: memref<13xf32>, %s: memref<1xf32>) {
  te.compute @dot [i: 1, j: 13 red]
      ins(%X[j] : memref<13xf32>, %Y[j] : memref<13xf32>)
      outs(%s[i] add 0.0 : f32 : memref<1xf32>)
      tile(vec = j, lanes = 8, j = 1)
      body(%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    te.yield %p : f32
  }
  te.return
}

// A factor that may be infinite makes 0 times this factor another number than 0.
// CHECK-LABEL: func.func @scaled
// CHECK: loop.keep_lanes 5
te.kernel @scaled(%X: memref<13xf32>, %c: memref<1xf32>, %s: memref<1xf32>) {
  te.compute @scaled [i: 1, j: 13 red]
      ins(%X[j] : memref<13xf32>, %c[i] : memref<1xf32>)
      outs(%s[i] add 0.0 : f32 : memref<1xf32>)
      tile(vec = j, lanes = 8, j = 1)
      body(%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    te.yield %p : f32
  }
  te.return
}

// A value that does not change along the vector axis is read before the loop.
// CHECK-LABEL: func.func @sum_exp
// CHECK: [[M:%.*]] = loop.load %m[0] : memref<1xf32>, f32
// CHECK: [[B:%.*]] = loop.broadcast [[M]] : f32 to vector<8xf32>
// CHECK: loop.for
// CHECK: arith.subf {{%.*}}, [[B]] : vector<8xf32>
te.kernel @sum_exp(%X: memref<1x128xf32>, %m: memref<1xf32>, %s: memref<1xf32>) {
  te.compute @sum [i: 1, j: 128 red]
      ins(%X[i, j] : memref<1x128xf32>, %m[i] : memref<1xf32>)
      outs(%s[i] add 0.0 : f32 : memref<1xf32>)
      tile(vec = j, lanes = 8, j = 4)
      body(%a: f32, %b: f32) {
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    te.yield %e : f32
  }
  te.return
}

// Lanes of neighbouring results are combined together: `then` and one store take a vector of them.
// CHECK-LABEL: func.func @scores
// CHECK: [[A:%.*]], [[B:%.*]] = loop.for
// CHECK: [[R:%.*]] = loop.reduce_rows "add" [[A]], [[B]] : vector<8xf32>, vector<8xf32> to vector<2xf32>
// CHECK: [[C:%.*]] = loop.load %c[0] : memref<2xf32>, vector<2xf32>
// CHECK: [[S:%.*]] = arith.addf [[R]], [[C]] : vector<2xf32>
// CHECK: loop.store [[S]], %s[0] : memref<2xf32>, vector<2xf32>
te.kernel @scores(%K: memref<2x64xf32>, %q: memref<64xf32>, %c: memref<2xf32>, %s: memref<2xf32>) {
  te.compute @scores [n: 2, k: 64 red]
      ins(%K[n, k] : memref<2x64xf32>, %q[k] : memref<64xf32>)
      post(%c[n] : memref<2xf32>)
      outs(%s[n] add 0.0 : f32 : memref<2xf32>)
      tile(vec = k, lanes = 8, together = 2, k = 1)
      body(%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    te.yield %p : f32
  } then(%t: f32, %d: f32) {
    %u = arith.addf %t, %d : f32
    te.yield %u : f32
  }
  te.return
}
