// Every operation that tessera knows, as MLIR prints it: it prints the same again, and the generic
// form says the same.  tests/unit/test_builders.c builds each of them from its text.
// RUN: tess opt %s > %t.pretty
// RUN: grep -v '^//' %s | diff - %t.pretty
// RUN: tess opt %s --mlir-print-op-generic > %t.generic
// RUN: tess opt %t.generic | diff %t.pretty -
module {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @single(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi1>, %arg3: tensor<4xcomplex<f32>>, %arg4: tensor<3x4xf32>, %arg5: tensor<3x4xi32>, %arg6: tensor<2x4x5xf32>, %arg7: tensor<2xi64>, %arg8: tensor<f32>, %arg9: f32, %arg10: i32, %arg11: index, %arg12: i1, %arg13: complex<f32>, %arg14: tensor<8x8xf32>) {
    %0 = stablehlo.cbrt %arg0 : tensor<4xf32>
    %1 = stablehlo.ceil %arg0 : tensor<4xf32>
    %2 = stablehlo.cosine %arg0 : tensor<4xf32>
    %3 = stablehlo.exponential %arg0 : tensor<4xf32>
    %4 = stablehlo.exponential_minus_one %arg0 : tensor<4xf32>
    %5 = stablehlo.floor %arg0 : tensor<4xf32>
    %6 = stablehlo.log %arg0 : tensor<4xf32>
    %7 = stablehlo.log_plus_one %arg0 : tensor<4xf32>
    %8 = stablehlo.logistic %arg0 : tensor<4xf32>
    %9 = stablehlo.negate %arg0 : tensor<4xf32>
    %10 = stablehlo.round_nearest_afz %arg0 : tensor<4xf32>
    %11 = stablehlo.round_nearest_even %arg0 : tensor<4xf32>
    %12 = stablehlo.rsqrt %arg0 : tensor<4xf32>
    %13 = stablehlo.sign %arg0 : tensor<4xf32>
    %14 = stablehlo.sine %arg0 : tensor<4xf32>
    %15 = stablehlo.sqrt %arg0 : tensor<4xf32>
    %16 = stablehlo.tan %arg0 : tensor<4xf32>
    %17 = stablehlo.tanh %arg0 : tensor<4xf32>
    %18 = stablehlo.abs %arg0 : tensor<4xf32>
    %19 = stablehlo.not %arg1 : tensor<4xi32>
    %20 = stablehlo.count_leading_zeros %arg1 : tensor<4xi32>
    %21 = stablehlo.popcnt %arg1 : tensor<4xi32>
    %22 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    %23 = stablehlo.subtract %arg0, %arg0 : tensor<4xf32>
    %24 = stablehlo.multiply %arg0, %arg0 : tensor<4xf32>
    %25 = stablehlo.divide %arg0, %arg0 : tensor<4xf32>
    %26 = stablehlo.maximum %arg0, %arg0 : tensor<4xf32>
    %27 = stablehlo.minimum %arg0, %arg0 : tensor<4xf32>
    %28 = stablehlo.power %arg0, %arg0 : tensor<4xf32>
    %29 = stablehlo.remainder %arg0, %arg0 : tensor<4xf32>
    %30 = stablehlo.atan2 %arg0, %arg0 : tensor<4xf32>
    %31 = stablehlo.and %arg1, %arg1 : tensor<4xi32>
    %32 = stablehlo.or %arg1, %arg1 : tensor<4xi32>
    %33 = stablehlo.xor %arg1, %arg1 : tensor<4xi32>
    %34 = stablehlo.shift_left %arg1, %arg1 : tensor<4xi32>
    %35 = stablehlo.shift_right_arithmetic %arg1, %arg1 : tensor<4xi32>
    %36 = stablehlo.shift_right_logical %arg1, %arg1 : tensor<4xi32>
    %37 = stablehlo.complex %arg0, %arg0 : tensor<4xcomplex<f32>>
    %38 = stablehlo.real %arg3 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %39 = stablehlo.imag %arg3 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %40 = stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>
    %41 = stablehlo.convert %arg1 : (tensor<4xi32>) -> tensor<4xf32>
    %42 = stablehlo.select %arg2, %arg0, %arg0 : tensor<4xi1>, tensor<4xf32>
    %43 = chlo.acos %arg0 : tensor<4xf32> -> tensor<4xf32>
    %44 = chlo.acosh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %45 = chlo.asin %arg0 : tensor<4xf32> -> tensor<4xf32>
    %46 = chlo.asinh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %47 = chlo.atan %arg0 : tensor<4xf32> -> tensor<4xf32>
    %48 = chlo.atanh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %49 = chlo.bessel_i1e %arg0 : tensor<4xf32> -> tensor<4xf32>
    %50 = chlo.conj %arg3 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %51 = chlo.cosh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %52 = chlo.digamma %arg0 : tensor<4xf32> -> tensor<4xf32>
    %53 = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
    %54 = chlo.erf_inv %arg0 : tensor<4xf32> -> tensor<4xf32>
    %55 = chlo.erfc %arg0 : tensor<4xf32> -> tensor<4xf32>
    %56 = chlo.lgamma %arg0 : tensor<4xf32> -> tensor<4xf32>
    %57 = chlo.sinh %arg0 : tensor<4xf32> -> tensor<4xf32>
    %58 = chlo.square %arg0 : tensor<4xf32> -> tensor<4xf32>
    %59 = chlo.tan %arg0 : tensor<4xf32> -> tensor<4xf32>
    %60 = chlo._asin_acos_kernel %arg3 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    %61 = chlo.is_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %62 = chlo.is_neg_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %63 = chlo.is_pos_inf %arg0 : tensor<4xf32> -> tensor<4xi1>
    %64 = chlo.next_after %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %65 = chlo.polygamma %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %66 = chlo.zeta %arg0, %arg0 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %67 = chlo.mulhi %arg1, %arg1 : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
    %68 = chlo.broadcast_add %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %69 = chlo.broadcast_subtract %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %70 = chlo.broadcast_multiply %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %71 = chlo.broadcast_divide %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %72 = chlo.broadcast_maximum %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %73 = chlo.broadcast_minimum %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %74 = chlo.broadcast_power %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %75 = chlo.broadcast_remainder %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %76 = chlo.broadcast_atan2 %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %77 = chlo.broadcast_next_after %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %78 = chlo.broadcast_polygamma %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %79 = chlo.broadcast_zeta %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %80 = chlo.broadcast_and %arg1, %arg5 : (tensor<4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %81 = chlo.broadcast_or %arg1, %arg5 : (tensor<4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %82 = chlo.broadcast_xor %arg1, %arg5 : (tensor<4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %83 = chlo.broadcast_shift_left %arg1, %arg5 : (tensor<4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %84 = chlo.broadcast_shift_right_arithmetic %arg1, %arg5 : (tensor<4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %85 = chlo.broadcast_shift_right_logical %arg1, %arg5 : (tensor<4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %86 = chlo.broadcast_compare %arg0, %arg4 {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GE>} : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %87 = chlo.broadcast_complex %arg0, %arg4 : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xcomplex<f32>>
    %88 = chlo.broadcast_select %arg2, %arg0, %arg4 : (tensor<4xi1>, tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %89 = chlo.constant dense<3> : tensor<2xi32>
    %90 = "chlo.constant_like"(%arg0) <{value = 2.500000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
    %values, %indices = chlo.top_k(%arg4, k = 2) : tensor<3x4xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
    %91 = "chlo.ragged_dot"(%arg4, %arg6, %arg7) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision HIGHEST>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<3x4xf32>, tensor<2x4x5xf32>, tensor<2xi64>) -> tensor<3x5xf32>
    %92:2 = chlo.scan(%arg0) inits (%arg8) dimension=0  attributes {is_reverse = true} {
    ^bb0(%input: tensor<f32>, %carry: tensor<f32>):
      %227 = stablehlo.add %input, %carry : tensor<f32>
      stablehlo.return %227, %227 : tensor<f32>, tensor<f32>
    } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
    %93 = arith.addf %arg9, %arg9 : f32
    %94 = arith.subf %arg9, %arg9 : f32
    %95 = arith.mulf %arg9, %arg9 : f32
    %96 = arith.divf %arg9, %arg9 : f32
    %97 = arith.remf %arg9, %arg9 : f32
    %98 = arith.maximumf %arg9, %arg9 : f32
    %99 = arith.minimumf %arg9, %arg9 : f32
    %100 = arith.maxnumf %arg9, %arg9 : f32
    %101 = arith.minnumf %arg9, %arg9 : f32
    %102 = arith.negf %arg9 : f32
    %103 = arith.addi %arg10, %arg10 : i32
    %104 = arith.subi %arg10, %arg10 : i32
    %105 = arith.muli %arg10, %arg10 : i32
    %106 = arith.divsi %arg10, %arg10 : i32
    %107 = arith.divui %arg10, %arg10 : i32
    %108 = arith.remsi %arg10, %arg10 : i32
    %109 = arith.remui %arg10, %arg10 : i32
    %110 = arith.ceildivsi %arg10, %arg10 : i32
    %111 = arith.ceildivui %arg10, %arg10 : i32
    %112 = arith.floordivsi %arg10, %arg10 : i32
    %113 = arith.maxsi %arg10, %arg10 : i32
    %114 = arith.maxui %arg10, %arg10 : i32
    %115 = arith.minsi %arg10, %arg10 : i32
    %116 = arith.minui %arg10, %arg10 : i32
    %117 = arith.andi %arg10, %arg10 : i32
    %118 = arith.ori %arg10, %arg10 : i32
    %119 = arith.xori %arg10, %arg10 : i32
    %120 = arith.shli %arg10, %arg10 : i32
    %121 = arith.shrsi %arg10, %arg10 : i32
    %122 = arith.shrui %arg10, %arg10 : i32
    %123 = arith.extf %arg9 : f32 to f64
    %124 = arith.truncf %arg9 : f32 to f16
    %125 = arith.extsi %arg10 : i32 to i64
    %126 = arith.extui %arg10 : i32 to i64
    %127 = arith.trunci %arg10 : i32 to i8
    %128 = arith.sitofp %arg10 : i32 to f32
    %129 = arith.uitofp %arg10 : i32 to f32
    %130 = arith.fptosi %arg9 : f32 to i32
    %131 = arith.fptoui %arg9 : f32 to i32
    %132 = arith.bitcast %arg9 : f32 to i32
    %133 = arith.index_cast %arg11 : index to i64
    %134 = arith.index_castui %arg11 : index to i64
    %135 = arith.cmpi slt, %arg10, %arg10 : i32
    %136 = arith.cmpf oeq, %arg9, %arg9 : f32
    %137 = arith.select %arg12, %arg9, %arg9 : f32
    %c7_i32 = arith.constant 7 : i32
    %138 = math.absf %arg9 : f32
    %139 = math.acos %arg9 : f32
    %140 = math.acosh %arg9 : f32
    %141 = math.asin %arg9 : f32
    %142 = math.asinh %arg9 : f32
    %143 = math.atan %arg9 : f32
    %144 = math.atanh %arg9 : f32
    %145 = math.cbrt %arg9 : f32
    %146 = math.ceil %arg9 : f32
    %147 = math.cos %arg9 : f32
    %148 = math.cosh %arg9 : f32
    %149 = math.erf %arg9 : f32
    %150 = math.erfc %arg9 : f32
    %151 = math.exp %arg9 : f32
    %152 = math.exp2 %arg9 : f32
    %153 = math.expm1 %arg9 : f32
    %154 = math.floor %arg9 : f32
    %155 = math.log %arg9 : f32
    %156 = math.log10 %arg9 : f32
    %157 = math.log1p %arg9 : f32
    %158 = math.log2 %arg9 : f32
    %159 = math.round %arg9 : f32
    %160 = math.roundeven %arg9 : f32
    %161 = math.rsqrt %arg9 : f32
    %162 = math.sin %arg9 : f32
    %163 = math.sinh %arg9 : f32
    %164 = math.sqrt %arg9 : f32
    %165 = math.tan %arg9 : f32
    %166 = math.tanh %arg9 : f32
    %167 = math.trunc %arg9 : f32
    %168 = math.absi %arg10 : i32
    %169 = math.ctlz %arg10 : i32
    %170 = math.ctpop %arg10 : i32
    %171 = math.cttz %arg10 : i32
    %172 = math.atan2 %arg9, %arg9 : f32
    %173 = math.copysign %arg9, %arg9 : f32
    %174 = math.powf %arg9, %arg9 : f32
    %175 = math.ipowi %arg10, %arg10 : i32
    %176 = complex.cos %arg13 : complex<f32>
    %177 = complex.exp %arg13 : complex<f32>
    %178 = complex.log %arg13 : complex<f32>
    %179 = complex.log1p %arg13 : complex<f32>
    %180 = complex.neg %arg13 : complex<f32>
    %181 = complex.rsqrt %arg13 : complex<f32>
    %182 = complex.sign %arg13 : complex<f32>
    %183 = complex.sin %arg13 : complex<f32>
    %184 = complex.sqrt %arg13 : complex<f32>
    %185 = complex.tan %arg13 : complex<f32>
    %186 = complex.tanh %arg13 : complex<f32>
    %187 = complex.add %arg13, %arg13 : complex<f32>
    %188 = complex.sub %arg13, %arg13 : complex<f32>
    %189 = complex.mul %arg13, %arg13 : complex<f32>
    %190 = complex.div %arg13, %arg13 : complex<f32>
    %191 = complex.pow %arg13, %arg13 : complex<f32>
    %192 = complex.atan2 %arg13, %arg13 : complex<f32>
    %193 = tensor.empty(%arg11) : tensor<?x3xf32>
    %dim = tensor.dim %193, %arg11 : tensor<?x3xf32>
    %cast = tensor.cast %193 : tensor<?x3xf32> to tensor<2x?xf32>
    %extracted = tensor.extract %193[%arg11, %arg11] : tensor<?x3xf32>
    %inserted = tensor.insert %arg9 into %193[%arg11, %arg11] : tensor<?x3xf32>
    %from_elements = tensor.from_elements %arg11, %arg11 : tensor<2xindex>
    %reshape = tensor.reshape %193(%from_elements) : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %194 = shape.shape_of %193 : tensor<?x3xf32> -> tensor<2xindex>
    %195 = shape.const_shape [2, 3] : !shape.shape
    %196 = shape.broadcast %194, %from_elements : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
    %197 = shape.concat %195, %195 : !shape.shape, !shape.shape -> !shape.shape
    %198 = shape.num_elements %194 : tensor<2xindex> -> index
    %199 = shape.to_extent_tensor %195 : !shape.shape -> tensor<?xindex>
    %200 = shape.value_as_shape %194 : tensor<2xindex> -> !shape.shape
    %201 = shape.cstr_broadcastable %194, %196 : tensor<2xindex>, tensor<2xindex>
    %202 = shape.cstr_eq %195, %197 : !shape.shape, !shape.shape
    %203 = quant.qcast %arg0 : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
    %204 = quant.scast %203 : tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>> to tensor<4xi8>
    %205 = quant.dcast %203 : tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>> to tensor<4xf32>
    cf.assert %arg12, "as it must be"
    %206 = builtin.unrealized_conversion_cast %arg10 : i32 to index
    %f = constant @sum : (tensor<4xf32>) -> tensor<4xf32>
    %207 = call_indirect %f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %208 = call @sum(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    check.expect_eq %arg0, %arg0 : tensor<4xf32>
    check.expect_almost_eq %arg0, %arg0 : tensor<4xf32>
    check.expect_close %arg0, %arg0, max_ulp_difference = 3, min_ulp_difference = 0 : tensor<4xf32>, tensor<4xf32>
    check.expect_eq_const %arg1, dense<1> : tensor<4xi32>
    check.expect_almost_eq_const %arg0, dense<1.000000e+00> : tensor<4xf32>
    check.expect_serialized_eq %arg0, probe_id = "probe1" : tensor<4xf32>
    interpreter.print %arg0 : tensor<4xf32>
    %209 = interpreter.probe %arg0, probe_id = "probe1" : tensor<4xf32>
    %210:2 = "interpreter.run_parallel"(%arg0, %arg0) <{programs = [[@sum], [@sum]]}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %211 = sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
    %212 = sdy.sharding_constraint %211 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %213 = sdy.reshard %211 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %214 = sdy.propagation_barrier %213 allowed_direction=FORWARD : tensor<8x8xf32>
    sdy.sharding_group %214 group_id=2 : tensor<8x8xf32>
    %215 = sdy.all_gather [{"a"}, {}] %213 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %216 = sdy.all_slice [{}, {"b"}] %215 out_sharding=<@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    %217 = sdy.all_to_all [{"b"}: 1->0] %216 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
    %218 = sdy.collective_permute %217 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %219 = sdy.sharded_to_unreduced [{"a"}, {}] %218 out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x8xf32>
    %220 = sdy.all_reduce {"a"} %219 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %221 = sdy.replicated_to_unreduced {"b"} %220 out_sharding=<@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
    %222 = sdy.reduce_scatter [{"b"}, {}] %221 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
    %223 = sdy.named_computation<"block">(%211) (%arg15: tensor<8x8xf32>) {
      sdy.return %arg15 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %224 = sdy.manual_computation(%211) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg15: tensor<4x8xf32>) {
      sdy.return %arg15 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %225 = sdy.data_flow_edge %224 sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %226 = sdy.func_data_flow_edge %arg14 : tensor<8x8xf32>
    return
  }
  func.func @send(%arg0: tensor<4xf32>, %arg1: !stablehlo.token) {
    %0 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    return
  }
  func.func @send_2(%arg0: tensor<4xf32>, %arg1: !stablehlo.token) {
    %0 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    return
  }
  func.func @recv(%arg0: !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    return
  }
  func.func @recv_2(%arg0: !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    return
  }
  func.func @infeed(%arg0: !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%arg0) <{infeed_config = "", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    return
  }
  func.func @infeed_2(%arg0: !stablehlo.token) {
    %0:3 = "stablehlo.infeed"(%arg0) <{infeed_config = "", layout = [[0], [1, 0]]}> : (!stablehlo.token) -> (tensor<4xf32>, tensor<4x4xf32>, !stablehlo.token)
    return
  }
  func.func @outfeed(%arg0: tensor<4xf32>, %arg1: !stablehlo.token) {
    %0 = "stablehlo.outfeed"(%arg0, %arg1) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    return
  }
  func.func @rng(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<2xi64>) {
    %0 = stablehlo.rng %arg0, %arg1, %arg2, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x3xf32>
    return
  }
  func.func @rng_bit_generator(%arg0: tensor<2xui64>) {
    %output_state, %output = stablehlo.rng_bit_generator %arg0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
    return
  }
  func.func @batch_norm_training(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) {
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    return
  }
  func.func @batch_norm_inference(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) {
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    return
  }
  func.func @batch_norm_grad(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) {
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    return
  }
  func.func @cholesky(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.cholesky %arg0, lower = true : tensor<4x4xf32>
    return
  }
  func.func @triangular_solve(%arg0: tensor<4x4xf32>) {
    %0 = "stablehlo.triangular_solve"(%arg0, %arg0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
  func.func @collective_broadcast(%arg0: tensor<4xf32>) {
    %0 = "stablehlo.collective_broadcast"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @collective_permute(%arg0: tensor<4xf32>) {
    %0 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @all_to_all(%arg0: tensor<4x4xf32>) {
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32>
    return
  }
  func.func @all_gather(%arg0: tensor<4x4xf32>) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
    return
  }
  func.func @reduce_scatter(%arg0: tensor<4x4xf32>) {
    %0 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x2xf32>
    return
  }
  func.func @all_reduce(%arg0: tensor<4x4xf32>) {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
  func.func @get_dimension_size(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<4x4xf32>) -> tensor<i32>
    return
  }
  func.func @set_dimension_size(%arg0: tensor<4x4xf32>, %arg1: tensor<i32>) {
    %0 = stablehlo.set_dimension_size %arg0, %arg1, dim = 1 : (tensor<4x4xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 4>>
    return
  }
  func.func @torch_index_select(%arg0: tensor<4x4xf32>, %arg1: tensor<2xi64>) {
    %0 = "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
    return
  }
  func.func @einsum(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.einsum %arg0, %arg0, config = "ab,bc->ac" : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
  func.func @unary_einsum(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.unary_einsum %arg0, config = "ab->a" : (tensor<4x4xf32>) -> tensor<4xf32>
    return
  }
  func.func @broadcast(%arg0: tensor<4xf32>) {
    %0 = stablehlo.broadcast %arg0, sizes = [2, 3] : (tensor<4xf32>) -> tensor<2x3x4xf32>
    return
  }
  func.func @dot(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) {
    %0 = stablehlo.dot %arg0, %arg1 : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @cross_replica_sum(%arg0: tensor<4xf32>) {
    %0 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @create_token() {
    %0 = stablehlo.create_token : !stablehlo.token
    return
  }
  func.func @after_all(%arg0: !stablehlo.token, %arg1: !stablehlo.token) {
    %0 = stablehlo.after_all %arg0, %arg1 : !stablehlo.token
    return
  }
  func.func @tuple(%arg0: tensor<4xf32>, %arg1: tensor<4x4xf32>) {
    %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<4xf32>, tensor<4x4xf32>>
    return
  }
  func.func @get_tuple_element(%arg0: tuple<tensor<4xf32>, tensor<4x4xf32>>) {
    %0 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<4xf32>, tensor<4x4xf32>>) -> tensor<4x4xf32>
    return
  }
  func.func @optimization_barrier(%arg0: tensor<4xf32>) {
    %0 = stablehlo.optimization_barrier %arg0 : tensor<4xf32>
    return
  }
  func.func @partition_id() {
    %0 = stablehlo.partition_id : tensor<ui32>
    return
  }
  func.func @replica_id() {
    %0 = stablehlo.replica_id : tensor<ui32>
    return
  }
  func.func @real_dynamic_slice(%arg0: tensor<4xf32>, %arg1: tensor<1xi64>) {
    %0 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg1, %arg1 : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
    return
  }
  func.func @dynamic_reshape(%arg0: tensor<4x4xf32>, %arg1: tensor<1xi64>) {
    %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<16xf32>
    return
  }
  func.func @dynamic_iota(%arg0: tensor<2xi64>) {
    %0 = stablehlo.dynamic_iota %arg0, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
    return
  }
  func.func @dynamic_pad(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<1xi64>) {
    %0 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg2, %arg2 : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
    return
  }
  func.func @dynamic_broadcast_in_dim(%arg0: tensor<4xf32>, %arg1: tensor<2xi64>) {
    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [1] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
    return
  }
  func.func @dynamic_conv(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<3x3x2x3xf32>, %arg2: tensor<2x2xi64>) {
    %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>, tensor<2x2xi64>) -> tensor<1x?x?x3xf32>
    return
  }
  func.func @convolution(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<3x3x2x3xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x4x4x3xf32>
    return
  }
  func.func @dynamic_gather(%arg0: tensor<4x4xf32>, %arg1: tensor<2x1xi64>, %arg2: tensor<2xi64>) {
    %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x?xf32>
    return
  }
  func.func @gather(%arg0: tensor<4x4xf32>, %arg1: tensor<2x1xi64>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
    return
  }
  func.func @gather_2(%arg0: tensor<3x5x4xf32>, %arg1: tensor<3x2x1xi64>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x5x4xf32>, tensor<3x2x1xi64>) -> tensor<3x2x4xf32>
    return
  }
  func.func @scatter(%arg0: tensor<3x5x4xf32>, %arg1: tensor<3x2x1xi64>, %arg2: tensor<3x2x4xf32>) {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<3x5x4xf32>, tensor<3x2x1xi64>, tensor<3x2x4xf32>) -> tensor<3x5x4xf32>
    return
  }
  func.func @select_and_scatter(%arg0: tensor<4x4xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<f32>) {
    %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %1 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
    return
  }
  func.func @dot_general(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return
  }
  func.func @map(%arg0: tensor<4xf32>) {
    %0 = "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @sort(%arg0: tensor<4x4xf32>) {
    %0:2 = "stablehlo.sort"(%arg0, %arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>):
      %1 = stablehlo.compare LT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
    return
  }
  func.func @fft(%arg0: tensor<4xf32>) {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
    return
  }
  func.func @reduce_precision(%arg0: tensor<4xf32>) {
    %0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4xf32>
    return
  }
  func.func @clamp(%arg0: tensor<f32>, %arg1: tensor<4xf32>, %arg2: tensor<f32>) {
    %0 = stablehlo.clamp %arg0, %arg1, %arg2 : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    return
  }
  func.func @bitcast_convert(%arg0: tensor<4xf32>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4x2xf16>
    return
  }
  func.func @pad(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) {
    %0 = stablehlo.pad %arg0, %arg1, low = [1, 0], high = [0, 1], interior = [0, 2] : (tensor<4x4xf32>, tensor<f32>) -> tensor<5x11xf32>
    return
  }
  func.func @dynamic_slice(%arg0: tensor<4x4xf32>, %arg1: tensor<i64>) {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [2, 2] : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x2xf32>
    return
  }
  func.func @dynamic_update_slice(%arg0: tensor<4x4xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i64>) {
    %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
    return
  }
  func.func @uniform_quantize(%arg0: tensor<4xf32>) {
    %0 = stablehlo.uniform_quantize %arg0 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
    return
  }
  func.func @uniform_dequantize(%arg0: tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>) {
    %0 = stablehlo.uniform_dequantize %arg0 : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<4xf32>
    return
  }
  func.func @concatenate(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    return
  }
  func.func @while(%arg0: tensor<i64>) {
    %0 = stablehlo.while(%iterArg = %arg0) : tensor<i64>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %iterArg : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      stablehlo.return %iterArg : tensor<i64>
    }
    return
  }
  func.func @if(%arg0: tensor<i1>) {
    %0 = "stablehlo.if"(%arg0) ({
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      stablehlo.return %cst : tensor<4xf32>
    }, {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      stablehlo.return %cst : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return
  }
  func.func @case(%arg0: tensor<i32>) {
    %0 = "stablehlo.case"(%arg0) ({
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      stablehlo.return %cst : tensor<4xf32>
    }, {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<4xf32>
      stablehlo.return %cst : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    return
  }
  func.func @reduce(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    return
  }
  func.func @reduce_window(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) {
    %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
    return
  }
  func.func @broadcast_in_dim(%arg0: tensor<4xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    return
  }
  func.func @transpose(%arg0: tensor<5x11xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x11xf32>) -> tensor<11x5xf32>
    return
  }
  func.func @slice(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.slice %arg0 [0:4, 1:3] : (tensor<4x4xf32>) -> tensor<4x2xf32>
    return
  }
  func.func @reverse(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<4x4xf32>
    return
  }
  func.func @iota() {
    %0 = stablehlo.iota dim = 1 : tensor<3x4xi32>
    return
  }
  func.func @reshape(%arg0: tensor<4x4xf32>) {
    %0 = stablehlo.reshape %arg0 : (tensor<4x4xf32>) -> tensor<2x8xf32>
    return
  }
  func.func @compare(%arg0: tensor<4xf32>) {
    %0 = stablehlo.compare LT, %arg0, %arg0, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    return
  }
  func.func @async(%arg0: tensor<4xf32>) {
    %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%arg1: tensor<4xf32>):
      %2 = stablehlo.slice %arg1 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %2 : tensor<2xf32>
    }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
    return
  }
  func.func @collective_reduce(%arg0: tensor<4xf32>) {
    %0 = "stablehlo.collective_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @calls(%arg0: tensor<4xf32>) {
    %0 = stablehlo.custom_call @foreign(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.composite "mine.sum" %arg0 {composite_attributes = {n = 1 : i64}, decomposition = @sum, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func private @sum(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32>
  }
}
