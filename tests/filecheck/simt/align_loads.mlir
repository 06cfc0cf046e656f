// RUN: tw-opt %s -p 'simt-align-loads{target="cuda"}' | filecheck %s

// Two aligned vectors have the lanes of a shifted one.
// CHECK-LABEL: func.func @shifted
// CHECK:         %{{.*}} = loop.load %x[%t * 8] : memref<64xf16>, vector<8xf16>
// CHECK-NEXT:    %{{.*}} = loop.load %x[%t * 8 + 8] : memref<64xf16>, vector<8xf16>
// CHECK-NEXT:    loop.extract %{{.*}} 3 : vector<8xf16>
// CHECK-COUNT-7: loop.extract
// CHECK-NEXT:    loop.pack
// CHECK-NEXT:    loop.store
func.func @shifted(%x: memref<64xf16>, %y: memref<56xf16>) attributes {tw.launch = #simt.launch<grid [1], block [7], shared 0>} {
  %t = simt.thread_id x below 7
  %v = loop.load %x[%t * 8 + 3] : memref<64xf16>, vector<8xf16>
  loop.store %v, %y[%t * 8] : memref<56xf16>, vector<8xf16>
  func.return
}

// Every second element, and the border: no vector crosses it.
// CHECK-LABEL: func.func @strided
// CHECK:         loop.load %x[%t * 8 - 8] pad 0.0 : memref<16xf16>, vector<8xf16>
// CHECK-NEXT:    loop.load %x[%t * 8] pad 0.0 : memref<16xf16>, vector<8xf16>
// CHECK-NEXT:    loop.extract %{{.*}} 7 : vector<8xf16>
// CHECK-NEXT:    loop.extract %{{.*}} 1 : vector<8xf16>
func.func @strided(%x: memref<16xf16>, %y: memref<8xf16>) attributes {tw.launch = #simt.launch<grid [1], block [2], shared 0>} {
  %t = simt.thread_id x below 2
  %v = loop.load %x[%t * 8 - 1] stride 2 pad 0.0 : memref<16xf16>, vector<4xf16>
  loop.store %v, %y[%t * 4] : memref<8xf16>, vector<4xf16>
  func.return
}

// Rows of 63 elements are no whole vectors, and a buffer that the kernel writes may change.
// CHECK-LABEL: func.func @kept
// CHECK:         loop.load %x[%t, 3] : memref<7x63xf16>, vector<8xf16>
// CHECK-NEXT:    loop.load %y[%t, 1] : memref<7x64xf16>, vector<8xf16>
// CHECK-NOT:     loop.extract
func.func @kept(%x: memref<7x63xf16>, %y: memref<7x64xf16>) attributes {tw.launch = #simt.launch<grid [1], block [7], shared 0>} {
  %t = simt.thread_id x below 7
  %v = loop.load %x[%t, 3] : memref<7x63xf16>, vector<8xf16>
  %w = loop.load %y[%t, 1] : memref<7x64xf16>, vector<8xf16>
  loop.store %v, %y[%t, 8] : memref<7x64xf16>, vector<8xf16>
  loop.store %w, %y[%t, 16] : memref<7x64xf16>, vector<8xf16>
  func.return
}
