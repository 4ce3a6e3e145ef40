"""Reads with the official Python SDK as five clients: python official.py PROGRAM FILES CLIENTS.

It does what official.mjs does, in both ways of telling the client's name: with `initialize`, and with every request
as revision 2026-07-28 demands.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.types import Implementation

PROGRAM, FILES, LIST = sys.argv[1], Path(sys.argv[2]), sys.argv[3]


def demand(condition, problem):
    if not condition:
        raise AssertionError(problem)


def next_address(text):
    """The address after the last `next: read` of a reply."""
    last = text.rstrip("\n").split("\n")[-1]
    found = re.fullmatch(r"\[.*next: read (.*)\]", last)
    return found and found.group(1)


def check_result(client, result):
    whole = result.model_dump(by_alias=True, exclude_none=True, mode="json")
    demand("structuredContent" not in whole, "there is structured content")
    own = [name for name in whole.get("_meta", {}) if not name.startswith("io.modelcontextprotocol/")]
    demand(not own, f"there is _meta: {own}")
    texts = [block["text"] for block in whole["content"] if block["type"] == "text"]
    size, rows = len("".join(texts).encode()), "".join(texts).count("\n")
    demand(size <= client["bytes"], f"{size} bytes, most {client['bytes']}")
    demand(rows <= client.get("rows", rows), f"{rows} rows, most {client.get('rows')}")
    if "json" in client and len(texts) == len(whole["content"]):
        size = len(json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode())
        demand(size <= client["json"], f"{size} bytes of JSON, most {client['json']}")
    return texts


async def read_all(session, client, path):
    pages = []
    while path:
        result = await session.call_tool("read", {"path": path})
        demand(not result.is_error, str(result)[:200])
        pages.append(check_result(client, result))
        demand(len(pages) < 1000, "reading on does not end")
        path = next_address(pages[-1][-1])
    return pages


async def check(client, mode):
    command = StdioServerParameters(command=PROGRAM, args=["mcp", "--root", str(FILES)], env={"HOME": os.environ["HOME"]})
    name = Implementation(name=client["name"], version="1.0")
    async with Client(command, client_info=name, mode=mode) as session:
        newest = session.protocol_version == "2026-07-28"
        demand(newest == (mode == "auto"), f"revision {session.protocol_version}")
        for file in ["long.txt", "quotes.txt"]:
            lines = (FILES / file).read_text().splitlines()
            pages = await read_all(session, client, file)
            demand(len(pages) > 1, f"{file} comes in one page")
            text = "".join("".join(texts) for texts in pages)
            rows = [row for row in text.split("\n") if re.match(r"\d+:", row)]
            demand(rows == [f"{number}:{line}" for number, line in enumerate(lines, 1)], f"the rows of {file}")
        raw = await read_all(session, client, "long.txt:raw")
        joined = "".join(texts[0] for texts in raw)
        demand(joined == (FILES / "long.txt").read_text(), "verbatim pages joined are not the file")
        picture = await session.call_tool("read", {"path": "picture.png"})
        check_result(client, picture)
        demand(any(block.type == "image" for block in picture.content) == client["pictures"], "the picture")
        missing = await session.call_tool("read", {"path": "absent.txt"})
        demand(missing.is_error and check_result(client, missing)[0].startswith("source.not_found"), "the failure")


async def main():
    failed = 0
    for client in json.loads(Path(LIST).read_text()):
        for mode in ["legacy", "auto"]:
            try:
                await check(client, mode)
                print(f"passed Python {mode} {client['name']}")
            except Exception as error:
                failed = 1
                while isinstance(error, BaseExceptionGroup):
                    error = error.exceptions[0]
                print(f"FAILED Python {mode} {client['name']}: {str(error)[:400]}")
    return failed


sys.exit(asyncio.run(main()))
