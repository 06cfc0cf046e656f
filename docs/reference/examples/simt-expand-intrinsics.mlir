te.intrinsic @add_pairs features [] cycles 1.0 source "an example" threads 32 fragments [affine_map<(l, r) -> (l * 2 + r)>, affine_map<(l, r) -> (l * 2 + r, 0)>]
    definition(%c: memref<64xf32>, %a: memref<64x1xf32>) {
  te.compute @sum [i: 64, k: 1 red]
      ins(%a[i, k] : memref<64x1xf32>)
      outs(%c[i] add acc : memref<64xf32>)
      body(%x: f32) {
    te.yield %x : f32
  }
} emission(%c: vector<2xf32>, %a: vector<2xf32>) {
  %r = arith.addf %a, %c : vector<2xf32>
  te.yield %r : vector<2xf32>
}
func.func @sum(%x: memref<64xf32>, %y: memref<64xf32>) attributes {tw.launch = #simt.launch<grid [1], block [32], shared 0>} {
  %t = simt.thread_id x below 32
  %c = loop.load %y[%t * 2] : memref<64xf32>, vector<2xf32>
  %a = loop.load %x[%t * 2] : memref<64xf32>, vector<2xf32>
  %d = loop.intrinsic @add_pairs(%c, %a) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  loop.store %d, %y[%t * 2] : memref<64xf32>, vector<2xf32>
  func.return
}
