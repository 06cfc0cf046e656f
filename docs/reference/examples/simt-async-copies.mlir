// target: cuda
func.func @turned(%x: memref<5x64xf32>, %y: memref<5x64xf32>) attributes {tw.launch = #simt.launch<grid [1], block [16], shared 512>} {
  %t = simt.thread_id x below 16
  %s = loop.alloc "shared" : memref<2x64xf32>
  %v = loop.load %x[0, %t * 4] : memref<5x64xf32>, vector<4xf32>
  loop.store %v, %s[0, %t * 4] : memref<2x64xf32>, vector<4xf32>
  loop.for %k = 0 to 5 {
    simt.barrier shared
    loop.for %f = %k + 1 to min(5, %k + 2) {
      %w = loop.load %x[%f, %t * 4] : memref<5x64xf32>, vector<4xf32>
      loop.store %w, %s[%f mod 2, %t * 4] : memref<2x64xf32>, vector<4xf32>
    }
    %u = loop.load %s[%k mod 2, %t * -4 + 60] : memref<2x64xf32>, vector<4xf32>
    loop.store %u, %y[%k, %t * 4] : memref<5x64xf32>, vector<4xf32>
  }
  func.return
}
