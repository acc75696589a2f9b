"""Runs a command in a pseudo-terminal: in-terminal.py ROWS COLUMNS COMMAND... Its keys come on standard input, its screen leaves on standard output.

Signals to stop are passed on. Exits as the command does, or with 99 where it leaves the keys of the terminal other than they were."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios

rows, columns, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    # Before the command looks: the size that it begins with.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(command[0], command)

before = termios.tcgetattr(terminal)[:4]
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda sent, _: os.kill(child, sent))

inputs = [terminal, 0]
while terminal in inputs:
    ready, _, _ = select.select(inputs, [], [])
    for source in ready:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b""  # Linux tells the end of a terminal by an error.
        if not data:
            inputs.remove(source)
        elif source == terminal:
            os.write(1, data)
        else:
            os.write(terminal, data)

_, status = os.waitpid(child, 0)
code = os.waitstatus_to_exitcode(status) % 256
sys.exit(code if termios.tcgetattr(terminal)[:4] == before else 99)
