"""What a command prints on a terminal; with `--program N` a program of N operations."""

import os
import pty
import sys


def program(n: int) -> str:
    lines = ["func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {"]
    for i in range(n):
        before = f"%v{i - 1}" if i else "%a"
        lines.append(f"  %v{i} = stablehlo.negate {before} : tensor<4xf32>")
    return "\n".join([*lines, f"  return %v{n - 1} : tensor<4xf32>", "}", ""])


def on_terminal(command: list[str]) -> int:
    child, fd = pty.fork()
    if not child:
        os.execvp(command[0], command)
    said = b""
    while True:
        try:
            part = os.read(fd, 1 << 16)
        except OSError:  # its end, as Linux has it
            part = b""
        if not part:
            break
        said += part
    sys.stdout.buffer.write(said.replace(b"\r\n", b"\n"))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    if sys.argv[1] == "--program":
        sys.stdout.write(program(int(sys.argv[2])))
    else:
        sys.exit(on_terminal(sys.argv[1:]))
