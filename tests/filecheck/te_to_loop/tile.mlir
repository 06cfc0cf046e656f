// RUN: tw-opt -p te-to-loop %s | filecheck %s

// The reduction loop carries the accumulators; cells share loads; the epilogue runs
// on registers.
// CHECK-LABEL: func.func @matmul
// CHECK: [[C0:%.*]], [[C1:%.*]], [[C2:%.*]], [[C3:%.*]] = loop.for [[K:%.*]] = 0 to 64 unroll 4 iter_args
// CHECK: [[A0:%.*]] = loop.load %A[0, [[K]]] : memref<2x64xf32>, f32
// CHECK: [[B0:%.*]] = loop.load %B[[[K]], 0] : memref<64x16xf32>, vector<8xf32>
// CHECK: [[V0:%.*]] = loop.broadcast [[A0]] : f32 to vector<8xf32>
// CHECK: math.fma [[V0]], [[B0]]
// CHECK: [[B1:%.*]] = loop.load %B[[[K]], 8] : memref<64x16xf32>, vector<8xf32>
// CHECK: math.fma [[V0]], [[B1]]
// CHECK: [[A1:%.*]] = loop.load %A[1, [[K]]] : memref<2x64xf32>, f32
// CHECK-NOT: loop.load %B
// CHECK: loop.yield
// CHECK: [[Z0:%.*]] = loop.load %z[0] : memref<16xf32>, vector<8xf32>
// CHECK: [[S0:%.*]] = arith.addf [[C0]], [[Z0]] : vector<8xf32>
// CHECK: loop.store [[S0]], %C[0, 0] : memref<2x16xf32>, vector<8xf32>
te.kernel @matmul(%A: memref<2x64xf32>, %B: memref<64x16xf32>, %z: memref<16xf32>, %C: memref<2x16xf32>) {
  te.compute @mm [m: 2, n: 16, k: 64 red]
      ins(%A[m, k] : memref<2x64xf32>, %B[k, n] : memref<64x16xf32>)
      post(%z[n] : memref<16xf32>)
      outs(%C[m, n] add 0.0 : f32 : memref<2x16xf32>)
      tile(vec = n, lanes = 8, k = 4)
      body(%a: f32, %b: f32) {
    %p = arith.mulf %a, %b : f32
    te.yield %p : f32
  } then(%s: f32, %c: f32) {
    %t = arith.addf %s, %c : f32
    te.yield %t : f32
  }
  te.return
}

// A ragged end uses some lanes of a vector, with the same operations as whole vectors.
// CHECK-LABEL: func.func @ragged
// CHECK: loop.load %X[8] lanes 3 : memref<11xf32>, vector<8xf32>
// CHECK: loop.store {{%.*}}, %Y[8] lanes 3 : memref<11xf32>, vector<8xf32>
te.kernel @ragged(%X: memref<11xf32>, %Y: memref<11xf32>) {
  te.compute @neg [i: 11]
      ins(%X[i] : memref<11xf32>)
      outs(%Y[i] : memref<11xf32>)
      tile(vec = i, lanes = 8)
      body(%a: f32) {
    %n = arith.negf %a : f32
    te.yield %n : f32
  }
  te.return
}

// A value that is equal in all lanes is computed once per row, as a scalar.
// CHECK-LABEL: func.func @shared
// CHECK: [[E:%.*]] = math.exp {{%.*}} : f32
// CHECK-NOT: math.exp
// CHECK: func.return
te.kernel @shared(%X: memref<16xf32>, %s: memref<1xf32>, %Y: memref<1x16xf32>) {
  te.compute @scale [r: 1, i: 16]
      ins(%X[i] : memref<16xf32>, %s[r] : memref<1xf32>)
      outs(%Y[r, i] : memref<1x16xf32>)
      tile(vec = i, lanes = 8)
      body(%a: f32, %b: f32) {
    %e = math.exp %b : f32
    %p = arith.mulf %a, %e : f32
    te.yield %p : f32
  }
  te.return
}
