"""Tries the launcher of the npm package: exit codes, signals, its own death, and a missing platform."""

import os
import pty
import select
import shutil
import signal
import subprocess
import time

from mcp_call import Failed, Server


def try_launcher(trial, start, program):
    check_exit_codes(trial, start, program)
    check_stdin(trial, start)
    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        check_signal(trial, start, program, number)
    check_terminal(trial, start)
    check_killed_launcher(trial, start)
    check_killed_program(trial, start)
    check_missing_platform(trial, start)
    return "the launcher passes on stdin, exit codes and signals, and leaves no orphan"


def run(trial, command, stdin=b""):
    return subprocess.run(command, env=trial.env, cwd=trial.files, input=stdin, capture_output=True, timeout=20)


def check_exit_codes(trial, start, program):
    """The launcher writes what the program writes, and ends as it does."""
    for arguments in [["--version"], ["find", "nothing-of-that-name"], ["--no-such-option"]]:
        there, here = run(trial, [program, *arguments]), run(trial, [start, *arguments])
        if (there.returncode, there.stdout, there.stderr) != (here.returncode, here.stdout, here.stderr):
            raise Failed(f"readstone {arguments[0]} ends with {here}, and the program alone with {there}")


def check_stdin(trial, start):
    if b"2:two" not in run(trial, [start, "read", "-"], b"one\ntwo\n").stdout:
        raise Failed("the program does not see the stdin of the launcher")


def check_signal(trial, start, program, number):
    """A signal reaches the program, and the launcher ends as the program does."""
    codes = []
    for command in [program, start]:
        server = Server([command, "mcp", "--root", trial.files], trial.env, trial.files)
        try:
            server.initialize()
            child = child_of(server.process.pid)
            server.process.send_signal(number)
            codes.append(server.process.wait(5))
            if child is not None:
                wait_for_end(child)
        finally:
            server.kill()
    if codes[0] != codes[1]:
        raise Failed(f"after {number.name} the launcher ends with {codes[1]}, the program with {codes[0]}")


def check_terminal(trial, start):
    """A terminal sends Ctrl-C to the program too. The launcher must not pass it on: a second one ends it at once."""
    command = [start, "serve", "--listen", "127.0.0.1:0", "--ephemeral", "--root", trial.files]
    process, terminal = pty.fork()
    if process == 0:
        os.execve(start, command, trial.env)
    shown = b""
    while b"listening on" not in shown:
        if not select.select([terminal], [], [], 10)[0]:
            raise Failed("the server does not start in a terminal")
        shown += os.read(terminal, 1024)
    os.write(terminal, b"\x03")
    try:
        wait_for_end(process)
    finally:
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        os.close(terminal)
    if code != 0:
        raise Failed(f"after Ctrl-C the server ends with {code}")


def check_killed_launcher(trial, start):
    """The launcher is killed while the client keeps its end of stdin open: the program must end all the same."""
    server = Server([start, "mcp", "--root", trial.files], trial.env, trial.files)
    try:
        server.initialize()
        child = child_of(server.process.pid)
        if child is None:
            raise Failed("the launcher has no child")
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(5)
        wait_for_end(child)
    finally:
        server.kill()


def check_killed_program(trial, start):
    """When a signal ends the program, the same signal ends the launcher."""
    server = Server([start, "mcp", "--root", trial.files], trial.env, trial.files)
    try:
        server.initialize()
        os.kill(child_of(server.process.pid), signal.SIGKILL)
        if server.process.wait(5) != -signal.SIGKILL:
            raise Failed(f"the program was killed, and the launcher ends with {server.process.returncode}")
    finally:
        server.kill()


def check_missing_platform(trial, start):
    """Without a platform package the launcher says so on stderr, and nothing on stdout."""
    folder = trial.folder("launcher-alone")
    alone = os.path.join(folder, "readstone.js")
    shutil.copy(os.path.realpath(start), alone)
    ended = run(trial, [alone, "mcp"])
    if ended.returncode != 1 or ended.stdout or b"@readstone/" not in ended.stderr or b"source" not in ended.stderr:
        raise Failed(f"without a platform package the launcher ends with {ended}")


def child_of(parent):
    """The process that was started by `parent`, if there is one."""
    with open(f"/proc/{parent}/task/{parent}/children") as file:
        children = file.read().split()
    return int(children[0]) if children else None


def wait_for_end(process, seconds=5):
    """Waits until a process has ended, and kills it when it does not. A zombie has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with open(f"/proc/{process}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except OSError:
            return
        time.sleep(0.02)
    os.kill(process, signal.SIGKILL)
    raise Failed("a process of the program or the launcher does not end")
