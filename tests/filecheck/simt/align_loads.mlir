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

// The lanes of one vector in reversed order.
// CHECK-LABEL: func.func @reversed
// CHECK:         [[V:%.*]] = loop.load %x[%t * -8 + 56] : memref<64xf16>, vector<8xf16>
// CHECK-NEXT:    loop.extract [[V]] 7 : vector<8xf16>
// CHECK-NEXT:    loop.extract [[V]] 6 : vector<8xf16>
// CHECK-COUNT-6: loop.extract
// CHECK-NEXT:    loop.pack
func.func @reversed(%x: memref<64xf16>, %y: memref<64xf16>) attributes {tw.launch = #simt.launch<grid [1], block [8], shared 0>} {
  %t = simt.thread_id x below 8
  %v = loop.load %x[%t * -8 + 63] stride -1 : memref<64xf16>, vector<8xf16>
  loop.store %v, %y[%t * 8] : memref<64xf16>, vector<8xf16>
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

// Two vectors contain every second element from 0 on, and from 1 on: the thread selects.
// CHECK-LABEL: func.func @one_of_two
// CHECK:         [[A:%.*]] = loop.load %x[%t * 8] : memref<64xf16>, vector<8xf16>
// CHECK:         [[FIRST:%.*]] = loop.extract [[A]] 0 : vector<8xf16>
// CHECK:         [[SHIFT:%.*]] = loop.index [%b mod 2] : index
// CHECK:         [[ODD:%.*]] = loop.cmp "eq" [[SHIFT]], %{{.*}} : index, index, i1
// CHECK:         [[SECOND:%.*]] = loop.extract [[A]] 1 : vector<8xf16>
// CHECK:         loop.select [[ODD]], [[SECOND]], [[FIRST]] : i1, f16, f16, f16
// CHECK-COUNT-3: loop.select
// CHECK-NEXT:    loop.pack
func.func @one_of_two(%x: memref<64xf16>, %y: memref<64xf16>) attributes {tw.launch = #simt.launch<grid [2], block [8], shared 0>} {
  %b = simt.block_id x below 2
  %t = simt.thread_id x below 8
  %v = loop.load %x[%t * 8 + %b mod 2] stride 2 : memref<64xf16>, vector<4xf16>
  loop.store %v, %y[%b * 32 + %t * 4] : memref<64xf16>, vector<4xf16>
  func.return
}

// Four lanes from 4 on are in one vector of four, and from 5 on in two, so they are no vectors.
// CHECK-LABEL: func.func @one_vector_or_two
// CHECK:         loop.load %x[%b mod 2 + 4] : memref<64xf16>, vector<4xf16>
// CHECK-NOT:     loop.extract
func.func @one_vector_or_two(%x: memref<64xf16>, %y: memref<8xf16>) attributes {tw.launch = #simt.launch<grid [2], block [1], shared 0>} {
  %b = simt.block_id x below 2
  %v = loop.load %x[%b mod 2 + 4] : memref<64xf16>, vector<4xf16>
  loop.store %v, %y[%b * 4] : memref<8xf16>, vector<4xf16>
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
