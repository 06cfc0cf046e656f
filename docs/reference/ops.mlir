// Examples of ops that neither a test of the op nor docs/dialects.md shows alone.
func.func @sizes(%n: tensor<1xi64>, %x: tensor<6xf32>) -> (tensor<?xf32, #te.dims<u1>>, tensor<?xi64, #te.dims<u1>>, tensor<6xi64>, tensor<?xi64, #te.dims<u1>>) {
  graph.bind %n as ["rows"] : tensor<1xi64>
  %v, %first, %inverse, %counts = graph.unique %x binds "u1" : tensor<6xf32> -> tensor<?xf32, #te.dims<u1>>, tensor<?xi64, #te.dims<u1>>, tensor<6xi64>, tensor<?xi64, #te.dims<u1>>
  func.return %v, %first, %inverse, %counts : tensor<?xf32, #te.dims<u1>>, tensor<?xi64, #te.dims<u1>>, tensor<6xi64>, tensor<?xi64, #te.dims<u1>>
}
func.func @lanes(%x: memref<8xf32>, %y: memref<1xf32>) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  loop.prefetch %x[0] locality 3 : memref<8xf32>
  %v = loop.load %x[0] : memref<8xf32>, vector<8xf32>
  %k = loop.keep_lanes 5 of %v else %zero : vector<8xf32>
  %s = loop.reduce "add" %k : vector<8xf32> to f32
  loop.store %s, %y[0] : memref<1xf32>, f32
  func.return
}
func.func @host(%x: memref<2x4xf32>, %n: memref<i64>) {
  %flat = packed.view %x : memref<2x4xf32> -> memref<8xf32>
  %i = arith.constant 3 : index
  packed.number %i to %n : memref<i64>
  func.return
}
func.func @projections(%x: memref<2x4xf32>, %q: memref<2x4xf32>, %k: memref<2x4xf32>) {
  packed.sections {
    packed.call @query(%x, %q) : (memref<2x4xf32>, memref<2x4xf32>) -> ()
    packed.call @key(%x, %k) : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  }
  func.return
}
func.func @calls(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  packed.extern "blas.matmul"(%a, %b, %c) with [#builtin.int<0>, #builtin.int<1>, #builtin.int<2>, true] of ["float32", "float32", "float32"] from #builtin.int<2> : (memref<4x8xf32>, memref<8x4xf32>, memref<4x4xf32>) -> ()
  func.return
}
sched.script @k {
  %c = sched.match {name = mm}
  %p = sched.match {name = double}
  %i = sched.inline %p, %c
  %r = sched.match {name = relu}
  %e = sched.fuse_epilogue %i, %r
  %sums, %done = sched.split_epilogue %e
  %t, %j = sched.tile %sums {n = 8}
  %copy, %read = sched.cache_read %t {operand = 1}
  %in = sched.fuse_into %copy, %j
  %w = sched.relayout %in {out = 0, map = affine_map<(k, n) -> (n, k)>}
  %scores = sched.match {name = attention_scores}
  %max = sched.match {name = attention_max}
  %exp = sched.match {name = attention_exp}
  %sum = sched.match {name = attention_sum}
  %out = sched.match {name = attention}
  %ps, %pm, %px, %pl, %po = sched.pad_attention %scores, %max, %exp, %sum, %out {m = 32, k = 128}
  %s, %m, %x, %l, %o, %blocks, %start, %zero, %factor, %total, %finish = sched.online_softmax %ps, %pm, %px, %pl, %po {k = 128}
  sched.replicate %start, %m, %factor, %l, %total {axis = copy, copies = 4, width = 2}
  %mask = sched.split_mask %s
}
sched.script @decoding {
  %scores = sched.match {name = attention_scores}
  %max = sched.match {name = attention_max}
  %exp = sched.match {name = attention_exp}
  %sum = sched.match {name = attention_sum}
  %out = sched.match {name = attention}
  %s, %m, %x, %l, %o, %most, %merge, %finish = sched.split_keys %scores, %max, %exp, %sum, %out {k = 64}
}
sched.script @running {
  %c = sched.match {name = cumulative_sum}
  %sums, %before, %scan = sched.split_scan %c {axis = j, factor = 32, into = [part, own]}
}
sched.script @product {
  %c = sched.match {name = conv}
  %p = sched.im2col %c {p = 64, k = 16, lhs = [k, o]}
}
sched.script @classic {
  %t = sched.match {name = twice}
  sched.compute_inline %t
  %c = sched.match {name = mm}
  %a = sched.split %c {axis = m, factor = 6, into = [mo, mi]}
  %b = sched.split %a {axis = n, nparts = 4}
  %d = sched.reorder %b {axes = [mo, no, k, mi, ni]}
  %e = sched.fuse %d {axes = [mo, no], into = tile}
  %f = sched.parallel_axis %e {axis = tile}
  %g = sched.unroll %f {axis = mi}
  %h = sched.vectorize_axis %g {axis = ni, lanes = 8}
  %p = sched.match {name = scale}
  %q = sched.compute_root %p
  %r, %l = sched.compute_at %q, %h {axis = tile}
  %u = sched.match {name = relu}
  %v, %z = sched.reverse_compute_at %u, %l {axis = tile}
  %w = sched.match {name = next}
  %x = sched.bind %w {axis = i, thread = blockIdx.x}
  %y = sched.reverse %x {axis = i}
}
func.func @turned(%x: memref<2x2xf32>, %y: memref<2x2xf32>) {
  %a = loop.load %x[0, 0] : memref<2x2xf32>, vector<2xf32>
  %b = loop.load %x[1, 0] : memref<2x2xf32>, vector<2xf32>
  %c, %d = loop.transpose %a, %b : vector<2xf32>
  loop.store %c, %y[0, 0] : memref<2x2xf32>, vector<2xf32>
  loop.store %d, %y[1, 0] : memref<2x2xf32>, vector<2xf32>
  %e = loop.reduce_rows "add" %a, %b : vector<2xf32>, vector<2xf32> to vector<2xf32>
  loop.store %e, %y[0, 0] : memref<2x2xf32>, vector<2xf32>
  func.return
}
te.intrinsic @dot features ["avx512vnni"] cycles 0.5 source "two ports"
    definition(%c: memref<16xi32>, %a: memref<16x4xi8>, %b: memref<16x4xi8>) {
  te.compute @dot [i: 16, r: 4 red]
      ins(%a[i, r] : memref<16x4xi8>, %b[i, r] : memref<16x4xi8>)
      outs(%c[i] add acc : memref<16xi32>)
      body(%x: i8, %y: i8) {
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    te.yield %p : i32
  }
} emission(%c: vector<16xi32>, %a: vector<64xi8>, %b: vector<64xi8>) {
  %r = loop.call_llvm "llvm.x86.avx512.vpdpbusd.512"(%c, %a, %b) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
  te.yield %r : vector<16xi32>
}
func.func @bytes(%x: memref<4xi8>, %y: memref<64xi8>, %z: memref<16xi32>) {
  %v = loop.load %x[0] : memref<4xi8>, vector<4xi8>
  %a = loop.repeat %v : vector<4xi8> to vector<64xi8>
  %s = loop.slice %a 8 : vector<64xi8> to vector<4xi8>
  %j = loop.join %s, %v : vector<4xi8> to vector<8xi8>
  %b = loop.load %y[0] : memref<64xi8>, vector<64xi8>
  %c = loop.load %z[0] : memref<16xi32>, vector<16xi32>
  %d = loop.intrinsic @dot(%c, %a, %b) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
  loop.store %d, %z[0] : memref<16xi32>, vector<16xi32>
  func.return
}
sched.script @dots {
  %c = sched.match {name = mm}
  %t = sched.tensorize %c {intrinsic = dot, ko = 4}
}
func.func @main(%x: tensor<1x64xf32>, %w: tensor<16x2x16xui8>, %scale: tensor<16x2xf32>) -> tensor<1x16xf32> {
  %d, %u, %s = graph.split_digits %x count 3 blocks 2 bits 4 : tensor<1x64xf32> -> tensor<1x2x2x3x16xi8>, tensor<1x2x3xf32>, tensor<1x2xf32>
  %y = graph.digit_matmul %d, %u, %s, %w, %scale bits 4 : tensor<1x2x2x3x16xi8>, tensor<1x2x3xf32>, tensor<1x2xf32>, tensor<16x2x16xui8>, tensor<16x2xf32> -> tensor<1x16xf32>
  %z = graph.block_matmul %x, %w, %scale bits 4 : tensor<1x64xf32>, tensor<16x2x16xui8>, tensor<16x2xf32> -> tensor<1x16xf32>
  func.return %z : tensor<1x16xf32>
}
func.func @join(%q: memref<4x8xf32>, %k: memref<4x8xf32>, %qk: memref<8x8xf32>) {
  packed.concat %q, %k along 0 to %qk : memref<8x8xf32> of memref<4x8xf32>, memref<4x8xf32>
  func.return
}
func.func @warpgroup(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x8xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [128], shared 16384>} {
  %t = simt.thread_id x below 128
  %s = loop.alloc "shared" : memref<1x64x64xf16>
  loop.for %ia = 0 to 4 {
    %pa = loop.index [%t mod 8] : index
    %ra = loop.index [(%t floordiv 8) mod 8] : index
    %xa = arith.xori %pa, %ra : index
    %va = loop.load %a[%ia * 16 + %t floordiv 8, %t mod 8 * 8]
        : memref<64x64xf16>, vector<8xf16>
    loop.store %va, %s[0, %ia * 16 + %t floordiv 8, %xa * 8]
        : memref<1x64x64xf16>, vector<8xf16>
  }
  %u = loop.alloc "shared" : memref<1x64x64xf16>
  loop.for %ib = 0 to 4 {
    %pb = loop.index [%t mod 8] : index
    %rb = loop.index [(%t floordiv 8) mod 8] : index
    %xb = arith.xori %pb, %rb : index
    %vb = loop.load %b[%ib * 16 + %t floordiv 8, %t mod 8 * 8]
        : memref<64x64xf16>, vector<8xf16>
    loop.store %vb, %u[0, %ib * 16 + %t floordiv 8, %xb * 8]
        : memref<1x64x64xf16>, vector<8xf16>
  }
  simt.barrier async
  %z = arith.constant dense<0.0> : vector<4xf32>
  %d0 = simt.matrix_descriptor %s[0, 0, 0] : memref<1x64x64xf16>
  %d1 = simt.matrix_descriptor %s[0, 0, 16] : memref<1x64x64xf16>
  %e0 = simt.matrix_descriptor %u[0, 0, 0] : memref<1x64x64xf16>
  %e1 = simt.matrix_descriptor %u[0, 16, 0] : memref<1x64x64xf16>
  %f0 = simt.warpgroup_mma f16 [%d0, %d1], [%e0, %e1] rows, %z
  %g0 = simt.warpgroup_wait 0 %f0
  %h0_0 = loop.extract %g0 0 : vector<4xf32>
  loop.store %h0_0, %c[%t floordiv 32 * 16 + (%t mod 32) floordiv 4 + 0, 0 + (%t mod 4) * 2 + 0] : memref<64x8xf32>, f32
  %h0_1 = loop.extract %g0 1 : vector<4xf32>
  loop.store %h0_1, %c[%t floordiv 32 * 16 + (%t mod 32) floordiv 4 + 0, 0 + (%t mod 4) * 2 + 1] : memref<64x8xf32>, f32
  %h0_2 = loop.extract %g0 2 : vector<4xf32>
  loop.store %h0_2, %c[%t floordiv 32 * 16 + (%t mod 32) floordiv 4 + 8, 0 + (%t mod 4) * 2 + 0] : memref<64x8xf32>, f32
  %h0_3 = loop.extract %g0 3 : vector<4xf32>
  loop.store %h0_3, %c[%t floordiv 32 * 16 + (%t mod 32) floordiv 4 + 8, 0 + (%t mod 4) * 2 + 1] : memref<64x8xf32>, f32
  func.return
}

graph.data @list {nil(), cons(tensor<f32>, @list)}
func.func @nodes(%x: tensor<f32>) -> tensor<i64> {
  %0 = graph.construct @list::@nil() : () -> !graph.data<@list, 1>
  %1 = graph.construct @list::@cons(%x, %0) : (tensor<f32>, !graph.data<@list, 1>) -> !graph.data<@list, 2>
  %2 = graph.constant <[0] : tensor<i64>> : tensor<i64>
  %3 = graph.node_at %1, %2 : !graph.data<@list, 2>, tensor<i64>
  %4 = graph.node_number %3 : !graph.data<@list, 2> -> tensor<i64>
  func.return %4 : tensor<i64>
}
