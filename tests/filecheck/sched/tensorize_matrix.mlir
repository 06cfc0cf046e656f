// RUN: tw-opt %s --validate -p te-apply-schedule | filecheck %s
// RUN: tw-opt %s -p te-apply-schedule,te-to-loop | filecheck %s --check-prefix=LOOP

// Four columns of two rows are two matrices of 2 x 2 sums, although %B is the first input.  The
// third row takes the place of both.

// CHECK:      te.kernel @mm
// CHECK-SAME: packs = {"1" = affine_map<(d0, d1) -> ((d1 floordiv 4), (d0 floordiv 8), (d1 mod 4), (d0 mod 8))>}
// CHECK:      te.compute @mm [m: 3, n: 4, ko: 2 red, ki: 8 red]
// CHECK-NEXT:   ins(%B[0, ko, n, ki] : memref<1x2x4x8xi8>, %A[m, ko * 8 + ki] : memref<3x16xi8>)
// CHECK:        tile(vec = n, lanes = 4, intrinsic = squares)

// LOOP:      loop.for %[[K:.*]] = 0 to 2 iter_args(
// LOOP:        %[[X0:.*]] = loop.load %A[0, %[[K]] * 8] : memref<3x16xi8>, vector<8xi8>
// LOOP:        %[[B:.*]] = loop.load %B[0, %[[K]], 0, 0] : memref<1x2x4x8xi8>, vector<32xi8>
// LOOP:        %[[X1:.*]] = loop.load %A[1, %[[K]] * 8] : memref<3x16xi8>, vector<8xi8>
// LOOP:        %[[A:.*]] = loop.join %[[X0]], %[[X1]] : vector<8xi8> to vector<16xi8>
// LOOP:        %[[L:.*]] = loop.slice %[[B]] 0 : vector<32xi8> to vector<16xi8>
// LOOP:        loop.intrinsic @squares(%{{.*}}, %[[A]], %[[L]])
// LOOP:        %[[H:.*]] = loop.slice %[[B]] 16 : vector<32xi8> to vector<16xi8>
// LOOP:        loop.intrinsic @squares(%{{.*}}, %[[A]], %[[H]])
// LOOP:        %[[X2:.*]] = loop.load %A[2, %[[K]] * 8] : memref<3x16xi8>, vector<8xi8>
// LOOP:        %[[T:.*]] = loop.join %[[X2]], %[[X2]] : vector<8xi8> to vector<16xi8>
// LOOP:        loop.intrinsic @squares(%{{.*}}, %[[T]], %[[L]])
// LOOP:      loop.yield
// LOOP-COUNT-3: loop.store {{.*}} vector<4xi32>
te.intrinsic @squares features ["i8mm"] cycles 0.5 source ""
    definition(%c: memref<2x2xi32>, %a: memref<2x8xi8>, %b: memref<2x8xi8>) {
  te.compute @dot [m: 2, i: 2, r: 8 red]
    ins(%a[m, r] : memref<2x8xi8>, %b[i, r] : memref<2x8xi8>)
    outs(%c[m, i] add acc : memref<2x2xi32>)
    body(%x: i8, %y: i8) {
      %u = arith.extsi %x : i8 to i32
      %v = arith.extsi %y : i8 to i32
      %p = arith.muli %u, %v : i32
      te.yield %p : i32
    }
} emission(%c: vector<4xi32>, %a: vector<16xi8>, %b: vector<16xi8>) {
  %r = loop.call_llvm "llvm.aarch64.neon.smmla.v4i32.v16i8"(%c, %a, %b) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  te.yield %r : vector<4xi32>
}
te.kernel @mm(%A: memref<3x16xi8>, %B: memref<16x4xi8>, %C: memref<3x4xi32>) attributes {constants = array<i64: 1>} {
  te.compute @mm [m: 3, n: 4, k: 16 red]
    ins(%B[k, n] : memref<16x4xi8>, %A[m, k] : memref<3x16xi8>)
    outs(%C[m, n] add 0 : i32 : memref<3x4xi32>)
    body(%x: i8, %y: i8) {
      %u = arith.extsi %x : i8 to i32
      %v = arith.extsi %y : i8 to i32
      %p = arith.muli %u, %v : i32
      te.yield %p : i32
    }
  te.return
}
sched.script @mm {
  %c = sched.match {name = mm}
  %t = sched.tensorize %c {intrinsic = squares}
}
