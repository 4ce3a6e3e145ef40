"""An MCP server for tests: a few resources, and the ways in which a server can be bad."""

import base64
import json
import os
import signal
import subprocess
import sys
import threading
import time

mode, folder = sys.argv[1], sys.argv[2]
starts = os.path.join(folder, "starts")
with open(starts, "a") as file:
    file.write(f"{os.getpid()}\n")
cancelled = 0
count = len(open(starts).readlines())


def note(name, text):
    with open(os.path.join(folder, name), "a") as file:
        file.write(text + "\n")


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def die(words):
    sys.stderr.write(words + "\n")
    sys.stderr.flush()
    os._exit(3)


TEXTS = {
    "demo://docs/features.md": ("text/markdown", "# Features\n\nOne.\n"),
    "demo://docs/startup.md": ("text/markdown", "# Startup\n"),
    "demo://data/7": ("application/json", '{"a": 1}'),
    "demo://odd name": ("text/plain", "with a space\n"),
    "demo://percent%20sign": ("text/plain", "with a percent sign\n"),
    "demo://colon:5-6": ("text/plain", "with a colon\n"),
}
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\nrest").decode()


def text(uri, mime, text):
    return {"uri": uri, "mimeType": mime, "text": text}


def ask(method):
    """Asks the client something, and tells what it answered."""
    send({"id": "ours", "method": method, "params": ASKED[method]})
    while True:
        line = sys.stdin.readline()
        if not line:
            os._exit(0)
        answer = json.loads(line)
        if answer.get("id") == "ours":
            return f"{method} {answer.get('error', {}).get('code', 'granted')}\n"


ASKED = {
    "roots/list": {},
    "sampling/createMessage": {"messages": [], "maxTokens": 5},
    "elicitation/create": {"message": "Password?", "requestedSchema": {"type": "object", "properties": {}}},
}


def read(uri):
    if uri == "demo://picture":
        return [{"uri": uri, "mimeType": "image/png", "blob": PNG}]
    if uri == "demo://several":
        return [text("demo://one", "text/plain", "1\n"), text("demo://two", "text/plain", "2\n")]
    if uri == "demo://nothing":
        return []
    if uri == "demo://environment":
        names = open("/proc/self/environ").read().split("\0")
        return [text(uri, "text/plain", "\n".join(sorted(name for name in names if name)))]
    if uri == "demo://asked":
        return [text(uri, "text/plain", "".join(ask(method) for method in ASKED))]
    if uri == "demo://pids":
        return [text(uri, "text/plain", f"{os.getpid()} {child.pid}")]
    if uri == "demo://now":
        return [text(uri, "text/plain", f"{time.time_ns()}\n")]
    if uri.startswith("demo://letters/"):
        return [text(uri, "text/plain", "x" * int(uri.rsplit("/", 1)[1]))]
    if uri == "demo://cancelled":
        return [text(uri, "text/plain", f"{cancelled}\n")]
    if uri == "demo://fails":
        raise RuntimeError("the disk\nis on fire")
    if uri in TEXTS:
        return [text(uri, *TEXTS[uri])]
    raise KeyError(uri)


def listed():
    names = [{"uri": uri, "name": uri.rsplit("/", 1)[-1], "mimeType": mime} for uri, (mime, _) in TEXTS.items()]
    return names + [{"uri": "demo://fails", "name": "fails", "description": "Never\nworks"}]


def page(cursor):
    if mode == "endless-list":
        number = int(cursor or 0)
        return {
            "resources": [{"uri": f"x://{number}/{at}", "name": "x"} for at in range(500)],
            "nextCursor": str(number + 1),
        }
    names, start = listed(), int(cursor or 0)
    more = {"nextCursor": str(start + 2)} if start + 2 < len(names) else {}
    return {"resources": names[start : start + 2], **more}


def result(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"resources": {}},
            "serverInfo": {"name": "test", "version": "1"},
        }
    if method == "server/discover":
        return {
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"resources": {}},
            "ttlMs": 0,
            "cacheScope": "private",
        }
    if method == "resources/list":
        if mode == "slow-list":
            time.sleep(600)
        return page(params.get("cursor"))
    if method == "resources/templates/list":
        return {"resourceTemplates": [{"uriTemplate": "demo://letters/{count}", "name": "Letters"}]}
    if method == "resources/read":
        return {"contents": read(params["uri"])}
    raise NotImplementedError(method)


def wait(id):
    """Answers once the test lets it."""
    note("waits", str(id))
    while not os.path.exists(os.path.join(folder, "go")):
        time.sleep(0.01)
    send({"id": id, "result": {"contents": [text("demo://wait", "text/plain", "at last\n")]}})


def serve():
    global cancelled
    for line in sys.stdin:
        message = json.loads(line)
        cancelled += message.get("method") == "notifications/cancelled"
        if "id" not in message or "method" not in message:
            continue
        method, params = message["method"], message.get("params") or {}
        note("log", " ".join([method, params.get("uri", "")]).strip())
        if params.get("uri") == "demo://wait":
            threading.Thread(target=wait, args=[message["id"]], daemon=True).start()
            continue
        if params.get("uri") == "demo://never":
            continue
        if mode == "hangs-once" and method == "resources/read" and count == 1:
            note("waits", "")
            time.sleep(600)
        if mode == "dies-on-read" and method == "resources/read":
            die("Error: out of luck")
        if mode == "dies-once" and method == "resources/read" and count == 1:
            die("Error: out of luck")
        if mode == "huge" and method == "resources/read":
            write('{"jsonrpc":"2.0","id":2,"result":{"contents":[{"text":"')
            while True:
                write("x" * 65536)
        if mode == "asks-for-ever" and method == "resources/read":
            number = 0
            while True:
                number += 1
                send({"id": f"n{number}", "method": "roots/list"})
        if mode == "newest" and method == "initialize":
            send({"id": message["id"], "error": {"code": -32022, "message": "no such version"}})
            continue
        if mode == "notes":
            write("a note among messages\n")
        try:
            send({"id": message["id"], "result": result(method, params)})
        except KeyError as error:
            send({"id": message["id"], "error": {"code": -32002, "message": f"Resource {error} not found"}})
        except NotImplementedError:
            send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
        except Exception as error:
            send({"id": message["id"], "error": {"code": -32603, "message": str(error)}})


child = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
if mode == "silent":
    time.sleep(600)
elif mode == "dies":
    die("loading\nError: no such module\n")
elif mode == "garbage":
    while True:
        write("hello, I am no server\n")
elif mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()
    time.sleep(600)
else:
    serve()
