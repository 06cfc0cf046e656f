// RUN: tw-opt -p 'loop-split-phases{target="llvm -mcpu=x86-64-v3"}' %s | filecheck %s

// The sum needs all rows of %t and the quotients need the sum: three kernels. A buffer of one
// kernel stays local; a buffer of all becomes an argument; constants are duplicated. Filling the
// border of %y waits for no other phase.

// CHECK-LABEL: func.func @norm_phase0(%x: memref<200x200xf32>, %t: memref<200x200xf32>)
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT:    loop.for parallel
// CHECK-NEXT:      loop.alloc "local" : memref<200xf32>
// CHECK-NOT:     loop.for parallel
// CHECK-LABEL: func.func @norm_phase1(%t: memref<200x200xf32>, %s: memref<1xf32>)
// CHECK-NEXT:    arith.constant 0.0
// CHECK-NEXT:    %[[SUM:.*]] = loop.for
// CHECK:         loop.store %[[SUM]], %s[0]
// CHECK-LABEL: func.func @norm_phase2(%t: memref<200x200xf32>, %s: memref<1xf32>, %y: memref<201x200xf32>)
// CHECK:         loop.for parallel %{{.*}} = 0 to 200 {
// CHECK-NOT:     func.func
// CHECK:         loop.for parallel %{{.*}} = 0 to 200 {
func.func @norm(%x: memref<200x200xf32>, %y: memref<201x200xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %t = loop.alloc "local" : memref<200x200xf32>
  %s = loop.alloc "local" : memref<1xf32>
  loop.for parallel %i = 0 to 200 {
    %row = loop.alloc "local" : memref<200xf32>
    loop.for %j = 0 to 200 {
      %a = loop.load %x[%i, %j] : memref<200x200xf32>, f32
      loop.store %a, %row[%j] : memref<200xf32>, f32
    }
    loop.for %j = 0 to 200 {
      %a = loop.load %row[199 - %j] : memref<200xf32>, f32
      %b = arith.addf %a, %one : f32
      loop.store %b, %t[%i, %j] : memref<200x200xf32>, f32
    }
  }
  %sum = loop.for %i = 0 to 200 iter_args(%r = %zero : f32) {
    %a = loop.load %t[%i, 0] : memref<200x200xf32>, f32
    %b = arith.addf %r, %a : f32
    loop.yield %b : f32
  }
  loop.store %sum, %s[0] : memref<1xf32>, f32
  loop.for parallel %i = 0 to 200 {
    %n = loop.load %s[0] : memref<1xf32>, f32
    loop.for %j = 0 to 200 {
      %a = loop.load %t[%j, %i] : memref<200x200xf32>, f32
      %b = arith.divf %a, %n : f32
      loop.store %b, %y[%i, %j] : memref<201x200xf32>, f32
    }
  }
  loop.for parallel %j = 0 to 200 {
    loop.store %one, %y[200, %j] : memref<201x200xf32>, f32
  }
  func.return
}

// Main allocates the buffers between two phases, one per call. A phase with one task, or with little
// work, runs on the calling thread. All phases keep the condition of the call.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %[[T:.*]] = packed.alloc : memref<200x200xf32>
// CHECK-NEXT:    %[[S:.*]] = packed.alloc : memref<1xf32>
// CHECK-NEXT:    packed.call @norm_phase0(%x, %[[T]])
// CHECK-NEXT:    packed.call serial @norm_phase1(%[[T]], %[[S]])
// CHECK-NEXT:    packed.call @norm_phase2(%[[T]], %[[S]], %y)
// CHECK-NEXT:    %[[T2:.*]] = packed.alloc : memref<200x200xf32>
// CHECK-NEXT:    %[[S2:.*]] = packed.alloc : memref<1xf32>
// CHECK-NEXT:    packed.call when <0> serial @norm_phase0(%x, %[[T2]])
// CHECK-NEXT:    packed.call when <0> serial @norm_phase1(%[[T2]], %[[S2]])
// CHECK-NEXT:    packed.call when <0> serial @norm_phase2(%[[T2]], %[[S2]], %z)
func.func @main(%x: memref<200x200xf32>, %y: memref<201x200xf32>, %z: memref<201x200xf32>) {
  packed.call @norm(%x, %y) : (memref<200x200xf32>, memref<201x200xf32>) -> ()
  packed.call when <0> serial @norm(%x, %z) : (memref<200x200xf32>, memref<201x200xf32>) -> ()
  func.return
}
