// RUN: tw-opt %s --validate -p te-apply-schedule | filecheck %s
// RUN: tw-opt %s -p te-apply-schedule,te-to-loop | filecheck %s --check-prefix=LOOP

// The weight is packed and the reduced axis is split; one load of the activation serves all lanes.

// CHECK:      te.kernel @mm
// CHECK-SAME: packs = {"1" = affine_map<(d0, d1) -> ((d1 floordiv 8), (d0 floordiv 2), (d1 mod 8), (d0 mod 2))>}
// CHECK:      te.compute @mm [m: 2, n: 16, ko: 3 red, ki: 2 red]
// CHECK-NEXT:   ins(%A[m, ko * 2 + ki] : memref<2x6xi16>, %B[n floordiv 8, ko, n mod 8, ki] : memref<2x3x8x2xi16>)
// CHECK:        tile(vec = n, lanes = 8, intrinsic = pairs)

// LOOP:      loop.for %[[K:.*]] = 0 to 3 iter_args(
// LOOP:        %[[X:.*]] = loop.load %A[0, %[[K]] * 2] : memref<2x6xi16>, vector<2xi16>
// LOOP-NEXT:   %[[A:.*]] = loop.repeat %[[X]] : vector<2xi16> to vector<16xi16>
// LOOP-NEXT:   %[[B:.*]] = loop.load %B[0, %[[K]], 0, 0] : memref<2x3x8x2xi16>, vector<16xi16>
// LOOP-NEXT:   loop.intrinsic @pairs(%{{.*}}, %[[A]], %[[B]])
te.intrinsic @pairs features ["avx2"] cycles 1.0 source ""
    definition(%c: memref<8xi32>, %a: memref<8x2xi16>, %b: memref<8x2xi16>) {
  te.compute @dot [i: 8, r: 2 red]
    ins(%a[i, r] : memref<8x2xi16>, %b[i, r] : memref<8x2xi16>)
    outs(%c[i] add acc : memref<8xi32>)
    body(%x: i16, %y: i16) {
      %u = arith.extsi %x : i16 to i32
      %v = arith.extsi %y : i16 to i32
      %p = arith.muli %u, %v : i32
      te.yield %p : i32
    }
} emission(%c: vector<8xi32>, %a: vector<16xi16>, %b: vector<16xi16>) {
  %s = loop.call_llvm "llvm.x86.avx2.pmadd.wd"(%a, %b) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
  %r = arith.addi %c, %s : vector<8xi32>
  te.yield %r : vector<8xi32>
}
te.kernel @mm(%A: memref<2x6xi16>, %B: memref<6x16xi16>, %C: memref<2x16xi32>) attributes {constants = array<i64: 1>} {
  te.compute @mm [m: 2, n: 16, k: 6 red]
    ins(%A[m, k] : memref<2x6xi16>, %B[k, n] : memref<6x16xi16>)
    outs(%C[m, n] add 0 : i32 : memref<2x16xi32>)
    body(%x: i16, %y: i16) {
      %u = arith.extsi %x : i16 to i32
      %v = arith.extsi %y : i16 to i32
      %p = arith.muli %u, %v : i32
      te.yield %p : i32
    }
  te.return
}
sched.script @mm {
  %c = sched.match {name = mm}
  %t = sched.tensorize %c {intrinsic = pairs}
}
