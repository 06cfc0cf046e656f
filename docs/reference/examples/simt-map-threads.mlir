func.func @reverse(%x: memref<512xf32>, %y: memref<512xf32>) {
  loop.for bind blockIdx.x %b = 0 to 4 {
    %s = loop.alloc "shared" : memref<128xf32>
    loop.for bind threadIdx.x %t = 0 to 128 {
      %v = loop.load %x[%b * 128 + %t] : memref<512xf32>, f32
      loop.store %v, %s[%t] : memref<128xf32>, f32
    }
    simt.barrier shared
    loop.for bind threadIdx.x %t = 0 to 128 {
      %v = loop.load %s[%t * -1 + 127] : memref<128xf32>, f32
      loop.store %v, %y[%b * 128 + %t] : memref<512xf32>, f32
    }
  }
  func.return
}
