func.func @reverse(%x: memref<1024xf32>, %y: memref<1024xf32>)
    attributes {tw.launch = #simt.launch<grid [8], block [128], shared 512>} {
  %bx = simt.block_id x below 8
  %tx = simt.thread_id x below 128
  %s = loop.alloc "shared" : memref<128xf32>
  %v = loop.load %x[%bx * 128 + %tx] : memref<1024xf32>, f32
  loop.store %v, %s[%tx] : memref<128xf32>, f32
  simt.barrier shared
  %w = loop.load %s[%tx * -1 + 127] : memref<128xf32>, f32
  loop.store %w, %y[%bx * 128 + %tx] : memref<1024xf32>, f32
  func.return
}
func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  packed.call @reverse(%x, %y) : (memref<1024xf32>, memref<1024xf32>) -> ()
  func.return
}
