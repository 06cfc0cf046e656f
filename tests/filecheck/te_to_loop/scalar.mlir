// RUN: tw-opt -p te-to-loop %s | filecheck %s

// Without a register tile the loops are serial and the accumulators scalars.
// CHECK-LABEL: func.func @matmul
// CHECK: loop.for [[M:%.*]] = 0 to 3
// CHECK: loop.for [[N:%.*]] = 0 to 5
// CHECK: [[S:%.*]] = loop.for [[K:%.*]] = 0 to 7 iter_args([[A:%.*]] = {{%.*}} : f32)
// CHECK: [[F:%.*]] = math.fma {{%.*}}, {{%.*}}, [[A]] : f32
// CHECK: loop.yield [[F]] : f32
// CHECK: loop.store [[S]], %C[[[M]], [[N]]] : memref<3x5xf32>, f32
te.kernel @matmul(%A: memref<3x7xf32>, %B: memref<7x5xf32>, %C: memref<3x5xf32>) {
  te.compute @mm [m: 3, n: 5, k: 7 red]
      ins(%A[m, k] : memref<3x7xf32>, %B[k, n] : memref<7x5xf32>)
      outs(%C[m, n] add 0.0 : f32 : memref<3x5xf32>)
      body(%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    te.yield %p : f32
  }
  te.return
}

// A scan of vectors combines the lanes in order, and stores the partial results of the last ones.
// CHECK-LABEL: func.func @vectors
// CHECK: [[SUM:%.*]] = loop.for [[T:%.*]] = 0 to 1 iter_args
// CHECK: loop.load %X[[[T]] * 4] : memref<7xf32>, vector<4xf32>
// CHECK-COUNT-4: arith.addf
// CHECK: loop.pack
// CHECK: loop.store %{{.*}}, %Y[[[T]] * 4] : memref<7xf32>, vector<4xf32>
// CHECK: arith.addf [[SUM]]
// CHECK-COUNT-2: arith.addf
// CHECK: loop.store %{{.*}}, %Y[4] {{.*}}lanes 3 : memref<7xf32>, vector<4xf32>
te.kernel @vectors(%X: memref<7xf32>, %Y: memref<7xf32>) {
  te.compute @vectors [t: 7 scan]
      ins(%X[t] : memref<7xf32>)
      outs(%Y[t] add 0.0 : f32 : memref<7xf32>)
      tile(vec = t, lanes = 4)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}

// A scan stores every partial result.
// CHECK-LABEL: func.func @cumsum
// CHECK: loop.for [[T:%.*]] = 0 to 7 iter_args
// CHECK: [[P:%.*]] = arith.addf
// CHECK: loop.store [[P]], %Y[[[T]]] : memref<7xf32>, f32
// CHECK: loop.yield [[P]]
te.kernel @cumsum(%X: memref<7xf32>, %Y: memref<7xf32>) {
  te.compute @cumsum [t: 7 scan]
      ins(%X[t] : memref<7xf32>)
      outs(%Y[t] add 0.0 : f32 : memref<7xf32>)
      body(%a: f32) {
    te.yield %a : f32
  }
  te.return
}
