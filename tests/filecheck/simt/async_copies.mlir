// RUN: tw-opt %s | tw-opt | filecheck %s

// CHECK-LABEL: func.func @copy
// CHECK:         simt.async_copy {
// CHECK:         simt.async_commit
// CHECK-NEXT:    simt.async_wait 0
func.func @copy(%x: memref<64xf32>, %y: memref<64xf32>) attributes {tw.launch = #simt.launch<grid [1], block [16], shared 256>} {
  %t = simt.thread_id x below 16
  %s = loop.alloc "shared" : memref<64xf32>
  simt.async_copy {
    %v = loop.load %x[%t * 4] : memref<64xf32>, vector<4xf32>
    loop.store %v, %s[%t * 4] : memref<64xf32>, vector<4xf32>
  }
  simt.async_commit
  simt.async_wait 0
  simt.barrier shared
  %w = loop.load %s[%t * -4 + 60] : memref<64xf32>, vector<4xf32>
  loop.store %w, %y[%t * 4] : memref<64xf32>, vector<4xf32>
  func.return
}
