// target: cuda
func.func @sum(%x: memref<32xf32>, %y: memref<1xf32>) {
  loop.for bind blockIdx.x %b = 0 to 1 {
    %p = loop.alloc "shared" : memref<32xf32>
    loop.for bind threadIdx.x %t = 0 to 32 {
      %v = loop.load %x[%t] : memref<32xf32>, f32
      loop.store %v, %p[%t] : memref<32xf32>, f32
    }
    %a = loop.load %p[0] : memref<32xf32>, vector<32xf32>
    %r = loop.reduce "add" %a : vector<32xf32> to f32
    loop.store %r, %y[0] : memref<1xf32>, f32
  }
  func.return
}
