// Names of any characters: JSON stays JSON, the page a page, and nothing of them becomes markup.
// RUN: %python %S/check_report.py tess %s
// RUN: tess report %s --html - | FileCheck %s --implicit-check-not='<img' --implicit-check-not='</script><'
// CHECK: "axes":{{\[\[}}"a\u003c/script>\u003cb>",2],["0",2],["__proto__",2],["é\"q",2]]
// CHECK-SAME: \u003c/script>\u003cimg src=x>
// CHECK: </script>
// RUN: for c in "report --json" "lint --json" "lint --sarif" "shard --json" "diff --json" "explain --json --collective 0" "partition --json"; do tess ${c%%%% *} %s ${c#* } | %python -m json.tool >%t.json || exit 1; done
// RUN: tess explain %s a b result:0 --collective 0 --json | %python -c "import json, sys; assert len(json.load(sys.stdin)) == 4"
// RUN: tess explain %s b --json | %python -c "import json, sys; assert json.load(sys.stdin)['value'] == '%%b'"
sdy.mesh @mesh = <["a</script><b>"=2, "0"=2, "__proto__"=2, "é\22q"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a</script><b>"}, {"é\22q"}]>} loc("p['</script><img src=x>']\22\0A\FF"("x</script>.py":1:2)),
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"0"}, {"__proto__"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("jit(f)/<script>alert(1)</script>\\ \09\01"("/<i>.py":3:4))
  %1 = stablehlo.custom_call @"</script><script>alert(2)"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
