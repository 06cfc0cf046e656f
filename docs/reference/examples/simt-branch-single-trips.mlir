// target: cuda
func.func @guarded(%x: memref<8xf32>, %y: memref<8xf32>) attributes {tw.launch = #simt.launch<grid [1], block [1], shared 0>} {
  loop.for %k = 0 to 8 {
    loop.for %f = %k + 2 to min(8, %k + 3) {
      %v = loop.load %x[%f] : memref<8xf32>, f32
      loop.store %v, %y[%f] : memref<8xf32>, f32
    }
  }
  func.return
}
