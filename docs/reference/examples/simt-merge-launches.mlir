func.func @double(%x: memref<1024xf32>, %y: memref<1024xf32>) attributes {tw.launch = #simt.launch<grid [8], block [128], shared 0>} {
  %bx = simt.block_id x below 8
  %tx = simt.thread_id x below 128
  %a = loop.load %x[%bx * 128 + %tx] : memref<1024xf32>, f32
  %b = arith.addf %a, %a : f32
  loop.store %b, %y[%bx * 128 + %tx] : memref<1024xf32>, f32
  func.return
}
func.func @square(%x: memref<1024xf32>, %z: memref<512xf32>) attributes {tw.launch = #simt.launch<grid [4], block [128], shared 0>} {
  %bx = simt.block_id x below 4
  %tx = simt.thread_id x below 128
  %a = loop.load %x[%bx * 128 + %tx] : memref<1024xf32>, f32
  %b = arith.mulf %a, %a : f32
  loop.store %b, %z[%bx * 128 + %tx] : memref<512xf32>, f32
  func.return
}
func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32>, %z: memref<512xf32>) {
  packed.sections {
    packed.call @double(%x, %y) : (memref<1024xf32>, memref<1024xf32>) -> ()
    packed.call @square(%x, %z) : (memref<1024xf32>, memref<512xf32>) -> ()
  }
  func.return
}
