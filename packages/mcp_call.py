"""A small MCP client on the standard input and output of a server, and one call with it."""

import json
import os
import selectors
import subprocess
import time


class Failed(Exception):
    """Something that was tried did not do what it must."""


class Server:
    """A running server. Its stdin stays open until `close` or the end of this process."""

    def __init__(self, command, env, cwd):
        self.process = subprocess.Popen(
            command, env=env, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.pending = b""
        self.last_id = 0

    def send(self, method, params=None, **more):
        message = {"jsonrpc": "2.0", "method": method, **more}
        if params is not None:
            message["params"] = params
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params=None, seconds=20):
        """Sends a request and returns its result."""
        self.last_id += 1
        self.send(method, params, id=self.last_id)
        until = time.monotonic() + seconds
        while True:
            message = json.loads(self.read_line(until))
            if message.get("id") == self.last_id and "method" not in message:
                if "result" not in message:
                    raise Failed(f"{method} was answered with {message}")
                return message["result"]
            if "id" in message and "method" in message:
                # A question of the server, for example for roots: this client has nothing to offer.
                error = {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "not offered"}}
                self.process.stdin.write(json.dumps(error).encode() + b"\n")
                self.process.stdin.flush()

    def read_line(self, until):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.pending:
                if not selector.select(max(0, until - time.monotonic())):
                    raise Failed("no answer in time")
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                if not data:
                    raise Failed("the server ended: " + self.process.stderr.read().decode(errors="replace").strip())
                self.pending += data
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def initialize(self):
        self.request("initialize", {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "readstone-packages", "version": "1"},
        })
        self.send("notifications/initialized")

    def close(self):
        """Closes stdin and waits for the end. Returns the exit code."""
        self.process.stdin.close()
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            raise Failed("the server did not end after its stdin was closed") from None

    def kill(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


def read_once(command, env, cwd, path, expected):
    """Starts a server, lists its tools and reads a file. Returns the seconds until the text came, and the tools."""
    started = time.monotonic()
    server = Server(command, env, cwd)
    try:
        server.initialize()
        tools = [tool["name"] for tool in server.request("tools/list")["tools"]]
        result = server.request("tools/call", {"name": "read", "arguments": {"path": path}})
        seconds = time.monotonic() - started
        text = "".join(block.get("text", "") for block in result["content"])
        if result.get("isError") or expected not in text:
            raise Failed(f"read {path} gave {text!r}")
        code = server.close()
        if code != 0:
            raise Failed(f"the server ended with code {code}")
    finally:
        server.kill()
    return seconds, tools
