"""waiting.py COMMAND... FILE: on a terminal, where what FILE names is written only after more than a second."""

import os
import subprocess
import sys
import threading
import time

*command, path = sys.argv[1:]
pipe = f"/tmp/tess.{os.getpid()}.mlir"
os.mkfifo(pipe)


def write_late():
    with open(pipe, "wb") as late, open(path, "rb") as program:
        time.sleep(2.5)
        late.write(program.read())


threading.Thread(target=write_late, daemon=True).start()
here = os.path.dirname(os.path.abspath(__file__))
status = subprocess.call([sys.executable, f"{here}/terminal.py", *command, pipe])
os.remove(pipe)
sys.exit(status)
