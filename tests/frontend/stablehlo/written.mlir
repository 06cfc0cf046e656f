// Ops that jax does not write, or not in this form. Each function is a module of its own; the
// values that XLA computes are in values.npz.
module @generic {
  func.func public @main(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> (tensor<3x5xf32>, tensor<4x3xf32>, tensor<3xf32>) {
    %0 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]}> : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %1 = "stablehlo.transpose"(%x) {permutation = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %c = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0, %1, %2) : (tensor<3x5xf32>, tensor<4x3xf32>, tensor<3xf32>) -> ()
  }
}
// -----
func.func @main(%x: tensor<2x3x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %v: tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %v2 = stablehlo.abs %v : tensor<4xf32>
  %0 = "stablehlo.batch_norm_inference"(%x, %g, %b, %b, %v2) <{epsilon = 0.01 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %1:3 = "stablehlo.batch_norm_training"(%x, %g, %b) <{epsilon = 0.01 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0, %1#0, %1#1, %1#2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
module {
  func.func @main(%x: tensor<3x4xf32>, %p: tensor<i1>, %n: tensor<i32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<5x3x4xf32>, tensor<3x4xf32>) {
    %l = stablehlo.logistic %x : tensor<3x4xf32>
    %0 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.constant dense<2.5> : tensor<f32>
      %m = stablehlo.multiply %a, %c : tensor<f32>
      %s = stablehlo.subtract %m, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %1 = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<3x4xf32>
    }, {
      stablehlo.return %0 : tensor<3x4xf32>
    }) : (tensor<i1>) -> tensor<3x4xf32>
    %2 = "stablehlo.case"(%n) ({
      stablehlo.return %x : tensor<3x4xf32>
    }, {
      %t = stablehlo.tanh %x : tensor<3x4xf32>
      stablehlo.return %t : tensor<3x4xf32>
    }) : (tensor<i32>) -> tensor<3x4xf32>
    %3 = stablehlo.broadcast %x, sizes = [5] : (tensor<3x4xf32>) -> tensor<5x3x4xf32>
    %4 = stablehlo.optimization_barrier %l : tensor<3x4xf32>
    return %0, %1, %2, %3, %4 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<5x3x4xf32>, tensor<3x4xf32>
  }
}
// -----
module {
  func.func @main(%x: tensor<3x4xf32>, %n: tensor<5xi32>) -> (tensor<3x2xf32>, tensor<2x6xf32>, tensor<3x5xf32>, tensor<4xi32>, tensor<5x4xf32>, tensor<ui32>, tensor<2x1xf32>) {
    %a = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
    %b = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
    %c = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
    %d = stablehlo.constant dense<[2, 6]> : tensor<2xi64>
    %e = stablehlo.constant dense<4> : tensor<1xi64>
    %z = stablehlo.constant dense<0.5> : tensor<f32>
    %l = stablehlo.constant dense<[0, 0]> : tensor<2xi64>
    %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x2xf32>
    %1 = stablehlo.dynamic_reshape %x, %d : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<2x6xf32>
    %2 = stablehlo.dynamic_pad %x, %z, %l, %a, %l : (tensor<3x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x5xf32>
    %3 = stablehlo.dynamic_iota %e, dim = 0 : (tensor<1xi64>) -> tensor<4xi32>
    %4 = "stablehlo.torch_index_select"(%x, %n) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<3x4xf32>, tensor<5xi32>) -> tensor<5x4xf32>
    %5 = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.slice %n [0:2] : (tensor<5xi32>) -> tensor<2xi32>
    %s = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
    %6 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<3x4xf32>, tensor<2xi32>, tensor<2xi64>) -> tensor<2x1xf32>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<3x2xf32>, tensor<2x6xf32>, tensor<3x5xf32>, tensor<4xi32>, tensor<5x4xf32>, tensor<ui32>, tensor<2x1xf32>
  }
}
// -----
module {
  func.func @main(%x: tensor<2x5x6x3xf32>, %w: tensor<3x2x3x4xf32>, %q: tensor<4xf32>, %r: tensor<4x2xf32>) -> (tensor<2x6x5x4xf32>, tensor<2xf32>, tensor<4x3x2xf32>) {
    %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<[[1, 2], [0, 0]]> : tensor<2x2xi64>, window_reversal = array<i1: true, false>}> : (tensor<2x5x6x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x6x5x4xf32>
    %2 = stablehlo.dot %q, %r : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %r, dims = [0, 2] : (tensor<4x2xf32>) -> tensor<4x3x2xf32>
    return %0, %2, %3 : tensor<2x6x5x4xf32>, tensor<2xf32>, tensor<4x3x2xf32>
  }
}
