func.func @sum(%x: memref<8xf32>, %y: memref<8xf32>) {
  loop.for bind blockIdx.x %b = 0 to 1 {
    %p = loop.alloc "shared" : memref<8xf32>
    %s = loop.alloc "shared" : memref<1xf32>
    loop.for bind threadIdx.x %t = 0 to 8 {
      %v = loop.load %x[%t] : memref<8xf32>, f32
      loop.store %v, %p[%t] : memref<8xf32>, f32
    }
    %a = loop.load %p[0] : memref<8xf32>, vector<8xf32>
    %r = loop.reduce "add" %a : vector<8xf32> to f32
    loop.store %r, %s[0] : memref<1xf32>, f32
    loop.for bind threadIdx.x %t = 0 to 8 {
      %w = loop.load %s[0] : memref<1xf32>, f32
      loop.store %w, %y[%t] : memref<8xf32>, f32
    }
  }
  func.return
}
