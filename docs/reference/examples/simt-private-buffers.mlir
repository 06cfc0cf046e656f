func.func @twice(%x: memref<64x8xf32>, %y: memref<64x8xf32>) attributes {tw.launch = #simt.launch<grid [1], block [64], shared 0>} {
  %t = simt.thread_id x below 64
  %s = loop.alloc "local" : memref<64x8xf32>
  loop.for %i = 0 to 8 {
    %v = loop.load %x[%t, %i] : memref<64x8xf32>, f32
    %w = arith.addf %v, %v : f32
    loop.store %w, %s[%t, %i] : memref<64x8xf32>, f32
  }
  loop.for %i = 0 to 8 {
    %v = loop.load %s[%t, %i * -1 + 7] : memref<64x8xf32>, f32
    loop.store %v, %y[%t, %i] : memref<64x8xf32>, f32
  }
  func.return
}
