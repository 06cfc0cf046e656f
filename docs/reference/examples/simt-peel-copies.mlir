func.func @pipeline(%x: memref<8xf32>, %y: memref<8xf32>) attributes {tw.launch = #simt.launch<grid [1], block [1], shared 12>} {
  %s = loop.alloc "shared" : memref<3x1xf32>
  loop.for %k = 0 to 8 {
    simt.async_wait 1
    simt.barrier shared
    loop.for %f = %k + 2 to min(8, %k + 3) {
      simt.async_copy {
        %v = loop.load %x[%f] : memref<8xf32>, f32
        loop.store %v, %s[%f mod 3, 0] : memref<3x1xf32>, f32
      }
    }
    simt.async_commit
    %a = loop.load %s[%k mod 3, 0] : memref<3x1xf32>, f32
    %b = math.fma %a, %a, %a : f32
    %c = math.fma %b, %a, %a : f32
    loop.store %c, %y[%k] : memref<8xf32>, f32
  }
  func.return
}
