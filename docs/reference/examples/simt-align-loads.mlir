// target: cuda
func.func @shift(%x: memref<64xf16>, %y: memref<56xf16>) attributes {tw.launch = #simt.launch<grid [1], block [7], shared 0>} {
  %t = simt.thread_id x below 7
  %v = loop.load %x[%t * 8 + 3] : memref<64xf16>, vector<8xf16>
  loop.store %v, %y[%t * 8] : memref<56xf16>, vector<8xf16>
  func.return
}
