// Small products of complex numbers have every digit of the sums of products in order, each rounded, as the expected
// values of StableHLO's tests do.
// RUN: tess eval %s

func.func @main() {
  %ar = stablehlo.constant dense<[[-2.09628298e+00, 3.53833802e-01, -1.04035867e+00], [8.31360309e-01, 1.00576243e+00, -3.47576913e+00], [-3.89465607e+00, 2.69975266e+00, -1.92516789e+00], [-2.12535231e+00, 3.96515868e+00, -2.37891940e-01], [2.69169161e+00, -1.89174330e-01, 1.11254512e+00], [-2.79506861e+00, 1.07888527e+00, 2.94436246e+00], [1.85449683e-01, 1.93001485e+00, 1.37129180e+00], [-3.48774849e+00, 2.06584197e+00, 7.28796663e-01], [-1.58985872e+00, -3.75190599e+00, 2.92421790e+00], [-2.18007291e-01, 1.75059139e+00, 3.03050240e+00], [1.71303587e+00, 3.36878934e+00, -8.40292768e-01], [2.40727017e+00, -4.43031552e-01, 3.48469377e+00], [3.03093328e+00, -3.22036552e+00, -2.91224912e+00], [-2.26410447e+00, 3.72384111e+00, -5.10705067e-01], [1.01318633e+00, -1.59179041e+00, 5.79438706e-02], [-9.13069929e-01, -1.19271609e+00, 6.80592859e-01], [6.74014344e-01, 3.23361417e+00, 1.45585709e+00], [3.43156481e+00, 2.85120453e+00, 3.92791716e+00], [1.37018834e+00, -2.69520302e+00, 2.88510026e+00], [3.71706358e+00, 3.23756788e+00, 5.52860028e-01], [1.71053616e+00, -2.31100013e+00, 2.65286344e+00], [5.88258819e-01, -1.72034030e+00, -3.49231538e+00], [2.83153991e+00, 3.91844812e+00, -3.29185526e+00], [2.40476257e+00, -7.16305381e-01, -2.79387700e+00]]> : tensor<24x3xf32>
  %ai = stablehlo.constant dense<[[-1.64887003e+00, 2.15033510e+00, 2.98213620e+00], [-3.64647951e+00, 9.16260228e-01, -3.64047805e+00], [1.74752382e+00, -1.35236683e+00, 3.04724246e+00], [3.84508605e+00, 4.33629892e-02, 3.98807156e+00], [-1.52263957e+00, -3.38423436e+00, 7.98102470e-01], [-3.74897790e+00, -2.42092115e+00, -7.36510915e-01], [8.83736984e-01, -2.75040807e+00, -3.66051340e+00], [2.94223227e+00, -1.48935584e+00, 3.66927541e+00], [3.17327713e+00, -9.77686085e-01, -3.16722937e-01], [1.60583877e-01, 1.15110975e+00, 7.65201907e-01], [4.74088496e-01, 9.61009084e-01, 3.52497004e+00], [5.62145276e-02, -5.50467573e-01, 1.76249002e+00], [-2.09891504e+00, -1.59130511e+00, 3.82237853e+00], [1.69018346e-01, 3.87443741e-01, -3.90834011e+00], [-6.78317250e-01, 6.39721710e-01, -3.83957688e+00], [9.26383530e-01, 1.05744428e+00, -3.51935591e+00], [1.01872887e+00, -2.69996562e-01, 1.43425118e+00], [-1.17938414e+00, 1.65560199e+00, 1.90427431e+00], [-3.82254025e+00, -3.51538557e+00, 1.40816248e+00], [3.70644464e+00, -1.99102177e+00, -3.49502963e-01], [7.41375005e-01, -1.43979691e+00, -1.08835929e+00], [-1.49863471e+00, -1.04676820e+00, 7.64972047e-01], [-1.59676821e+00, -9.82717269e-01, 2.17818730e+00], [-3.78463036e+00, 5.54064017e-01, 1.88138545e+00]]> : tensor<24x3xf32>
  %br = stablehlo.constant dense<[[-1.51986644e+00, -2.21969726e+00, 2.43046136e+00, -2.09043858e+00, -2.50084527e+00, -5.18125436e-01, 1.58453125e+00, -3.18526646e+00, -1.42427212e+00, -1.32997080e+00, 2.66831113e+00, -4.92554140e-01], [2.84428155e+00, -2.64572614e+00, -1.30631812e+00, 1.20185901e+00, 3.07918618e+00, -3.91182526e-01, -2.19977726e+00, -3.03264540e+00, 2.37021026e-01, -2.47356955e+00, 2.45421790e+00, 2.70781103e+00], [-2.53130949e+00, -1.77126286e+00, 2.45781135e+00, 1.13549805e+00, 2.45006273e+00, -1.23773756e+00, -2.96248690e+00, -1.66445687e+00, 2.35089540e+00, -1.83060405e+00, -1.22916575e+00, -6.64754433e-01]]> : tensor<3x12xf32>
  %bi = stablehlo.constant dense<[[-6.41830530e-01, -7.23823068e-01, 3.36489906e+00, -2.75201713e+00, -3.96270564e+00, 3.54614269e+00, 3.03982601e+00, 3.89530924e+00, -5.25181499e-01, 3.60128933e+00, 3.41901772e+00, -2.22327411e+00], [1.96418407e+00, 2.69358943e+00, 1.30389760e+00, 1.52119813e-01, -1.68766531e+00, -1.27145029e+00, -2.18026931e+00, -3.45545901e+00, 7.09421752e-01, -1.70391058e+00, 2.48153503e+00, -3.63938552e+00], [3.22887425e+00, 1.54964486e+00, 3.39083840e+00, 3.17253732e+00, 3.19739869e+00, 6.15627232e-01, -3.89484403e+00, 1.96238614e+00, -2.62542728e+00, -1.60089545e+00, 1.30316883e+00, 1.99713083e-01]]> : tensor<3x12xf32>
  %a = stablehlo.complex %ar, %ai : tensor<24x3xcomplex<f32>>
  %b = stablehlo.complex %br, %bi : tensor<3x12xcomplex<f32>>
  %got = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<24x3xcomplex<f32>>, tensor<3x12xcomplex<f32>>) -> tensor<24x12xcomplex<f32>>
  %ar0_s = stablehlo.slice %ar [0:24, 0:1] : (tensor<24x3xf32>) -> tensor<24x1xf32>
  %ar0 = stablehlo.broadcast_in_dim %ar0_s, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x12xf32>
  %ai0_s = stablehlo.slice %ai [0:24, 0:1] : (tensor<24x3xf32>) -> tensor<24x1xf32>
  %ai0 = stablehlo.broadcast_in_dim %ai0_s, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x12xf32>
  %br0_s = stablehlo.slice %br [0:1, 0:12] : (tensor<3x12xf32>) -> tensor<1x12xf32>
  %br0 = stablehlo.broadcast_in_dim %br0_s, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<24x12xf32>
  %bi0_s = stablehlo.slice %bi [0:1, 0:12] : (tensor<3x12xf32>) -> tensor<1x12xf32>
  %bi0 = stablehlo.broadcast_in_dim %bi0_s, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<24x12xf32>
  %rr0 = stablehlo.multiply %ar0, %br0 : tensor<24x12xf32>
  %ii0 = stablehlo.multiply %ai0, %bi0 : tensor<24x12xf32>
  %ri0 = stablehlo.multiply %ar0, %bi0 : tensor<24x12xf32>
  %ir0 = stablehlo.multiply %ai0, %br0 : tensor<24x12xf32>
  %re0 = stablehlo.subtract %rr0, %ii0 : tensor<24x12xf32>
  %im0 = stablehlo.add %ri0, %ir0 : tensor<24x12xf32>
  %ar1_s = stablehlo.slice %ar [0:24, 1:2] : (tensor<24x3xf32>) -> tensor<24x1xf32>
  %ar1 = stablehlo.broadcast_in_dim %ar1_s, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x12xf32>
  %ai1_s = stablehlo.slice %ai [0:24, 1:2] : (tensor<24x3xf32>) -> tensor<24x1xf32>
  %ai1 = stablehlo.broadcast_in_dim %ai1_s, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x12xf32>
  %br1_s = stablehlo.slice %br [1:2, 0:12] : (tensor<3x12xf32>) -> tensor<1x12xf32>
  %br1 = stablehlo.broadcast_in_dim %br1_s, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<24x12xf32>
  %bi1_s = stablehlo.slice %bi [1:2, 0:12] : (tensor<3x12xf32>) -> tensor<1x12xf32>
  %bi1 = stablehlo.broadcast_in_dim %bi1_s, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<24x12xf32>
  %rr1 = stablehlo.multiply %ar1, %br1 : tensor<24x12xf32>
  %ii1 = stablehlo.multiply %ai1, %bi1 : tensor<24x12xf32>
  %ri1 = stablehlo.multiply %ar1, %bi1 : tensor<24x12xf32>
  %ir1 = stablehlo.multiply %ai1, %br1 : tensor<24x12xf32>
  %re1 = stablehlo.subtract %rr1, %ii1 : tensor<24x12xf32>
  %im1 = stablehlo.add %ri1, %ir1 : tensor<24x12xf32>
  %sre1 = stablehlo.add %re0, %re1 : tensor<24x12xf32>
  %sim1 = stablehlo.add %im0, %im1 : tensor<24x12xf32>
  %ar2_s = stablehlo.slice %ar [0:24, 2:3] : (tensor<24x3xf32>) -> tensor<24x1xf32>
  %ar2 = stablehlo.broadcast_in_dim %ar2_s, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x12xf32>
  %ai2_s = stablehlo.slice %ai [0:24, 2:3] : (tensor<24x3xf32>) -> tensor<24x1xf32>
  %ai2 = stablehlo.broadcast_in_dim %ai2_s, dims = [0, 1] : (tensor<24x1xf32>) -> tensor<24x12xf32>
  %br2_s = stablehlo.slice %br [2:3, 0:12] : (tensor<3x12xf32>) -> tensor<1x12xf32>
  %br2 = stablehlo.broadcast_in_dim %br2_s, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<24x12xf32>
  %bi2_s = stablehlo.slice %bi [2:3, 0:12] : (tensor<3x12xf32>) -> tensor<1x12xf32>
  %bi2 = stablehlo.broadcast_in_dim %bi2_s, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<24x12xf32>
  %rr2 = stablehlo.multiply %ar2, %br2 : tensor<24x12xf32>
  %ii2 = stablehlo.multiply %ai2, %bi2 : tensor<24x12xf32>
  %ri2 = stablehlo.multiply %ar2, %bi2 : tensor<24x12xf32>
  %ir2 = stablehlo.multiply %ai2, %br2 : tensor<24x12xf32>
  %re2 = stablehlo.subtract %rr2, %ii2 : tensor<24x12xf32>
  %im2 = stablehlo.add %ri2, %ir2 : tensor<24x12xf32>
  %sre2 = stablehlo.add %sre1, %re2 : tensor<24x12xf32>
  %sim2 = stablehlo.add %sim1, %im2 : tensor<24x12xf32>
  %want = stablehlo.complex %sre2, %sim2 : tensor<24x12xcomplex<f32>>
  check.expect_eq %got, %want : tensor<24x12xcomplex<f32>>
  return
}
