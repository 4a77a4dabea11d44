"""interrupt.py TESS OUT.npz: Ctrl-C while a program runs that would take for ever."""

import os
import signal
import subprocess
import sys
import time

PROGRAM = """func.func @main() -> tensor<i64> {
  %c = stablehlo.constant dense<1> : tensor<i64>
  %end = stablehlo.constant dense<9000000000000000000> : tensor<i64>
  %r = stablehlo.while(%i = %c) : tensor<i64>
    cond {
      %p = stablehlo.compare LT, %i, %end : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %i, %c : tensor<i64>
      stablehlo.return %n : tensor<i64>
    }
  return %r : tensor<i64>
}
"""
tess, out = sys.argv[1:]
pipe = out + ".pipe"
os.mkfifo(pipe)
child = subprocess.Popen([tess, "run", pipe, "--outputs", out])
with open(pipe, "w") as program:  # waits for the reader, who has arranged for Ctrl-C by then
    program.write(PROGRAM)
os.remove(pipe)
time.sleep(0.3)
child.send_signal(signal.SIGINT)
status = child.wait(timeout=20)
print(f"status {status}, {'outputs' if os.path.exists(out) else 'no outputs'}")
