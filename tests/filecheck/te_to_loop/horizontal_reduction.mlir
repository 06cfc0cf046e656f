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
