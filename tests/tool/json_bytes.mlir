// Names may have any bytes; JSON is UTF-8: what is none becomes U+FFFD, here an FE, a character that
// is longer than need be, half of a pair of UTF-16, and one that the end cuts.
// RUN: tess shard %s --table --json | %python -m json.tool | FileCheck %s

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK: "source": "\ufffd\u00e9"
  %0 = stablehlo.add %a, %a : tensor<8xf32> loc("\FE\C3\A9")
  // CHECK: "source": "\ufffd\ufffd \ufffd\ufffd\ufffd \u20ac\ud83d\ude00 \ufffd\ufffd"
  %1 = stablehlo.add %0, %a : tensor<8xf32> loc("\C0\AF \ED\A0\80 \E2\82\AC\F0\9F\98\80 \E2\82")
  return %1 : tensor<8xf32>
}
