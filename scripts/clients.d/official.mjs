// Reads with the official TypeScript SDK as five clients: node official.mjs PROGRAM FILES CLIENTS.
//
// It reads a full page, a file full of quotes and a verbatim page to their ends, a picture and a missing path, and
// fails when a reply exceeds the client's room, has more than content, or when a row does not come exactly once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, files, list] = process.argv.slice(2);

// The address after the last `next: read` of a reply.
function nextAddress(text) {
  const last = text.trimEnd().split("\n").at(-1);
  const at = last.lastIndexOf("next: read ");
  return last.startsWith("[") && last.endsWith("]") && at >= 0 ? last.slice(at + 11, -1) : undefined;
}

function checkResult(client, result) {
  assert.ok(result.structuredContent === undefined, "there is structured content");
  const own = Object.keys(result._meta ?? {}).filter((name) => !name.startsWith("io.modelcontextprotocol/"));
  assert.ok(own.length === 0, `there is _meta: ${own}`);
  const texts = result.content.filter((block) => block.type === "text").map((block) => block.text);
  const whole = texts.join("");
  const bytes = Buffer.byteLength(whole);
  assert.ok(bytes <= client.bytes, `${bytes} bytes, most ${client.bytes}`);
  const rows = whole.split("\n").length - 1;
  assert.ok(rows <= (client.rows ?? Infinity), `${rows} rows, most ${client.rows}`);
  if (client.json && texts.length === result.content.length) {
    const json = Buffer.byteLength(JSON.stringify(result));
    assert.ok(json <= client.json, `${json} bytes of JSON, most ${client.json}`);
  }
  return texts;
}

async function readAll(session, client, path) {
  const pages = [];
  for (let next = path; next; next = nextAddress(pages.at(-1).at(-1))) {
    const result = await session.callTool({ name: "read", arguments: { path: next } });
    assert.ok(!result.isError, JSON.stringify(result).slice(0, 200));
    pages.push(checkResult(client, result));
    assert.ok(pages.length < 1000, "reading on does not end");
  }
  return pages;
}

async function check(client) {
  const command = { command: program, args: ["mcp", "--root", files], env: { HOME: process.env.HOME }, stderr: "ignore" };
  const session = new Client({ name: client.name, version: "1.0" });
  await session.connect(new StdioClientTransport(command));
  for (const name of ["long.txt", "quotes.txt"]) {
    const lines = readFileSync(join(files, name), "utf8").trimEnd().split("\n");
    const pages = await readAll(session, client, name);
    assert.ok(pages.length > 1, `${name} comes in one page`);
    const rows = pages.flat().join("").split("\n").filter((row) => /^\d+:/.test(row));
    assert.deepEqual(rows, lines.map((line, index) => `${index + 1}:${line}`), name);
  }
  const raw = await readAll(session, client, "long.txt:raw");
  const joined = raw.map((texts) => texts[0]).join("");
  assert.ok(joined === readFileSync(join(files, "long.txt"), "utf8"), "verbatim pages joined are not the file");
  const picture = await session.callTool({ name: "read", arguments: { path: "picture.png" } });
  checkResult(client, picture);
  assert.equal(picture.content.some((block) => block.type === "image"), client.pictures, "the picture");
  const missing = await session.callTool({ name: "read", arguments: { path: "absent.txt" } });
  assert.ok(missing.isError && checkResult(client, missing)[0].startsWith("source.not_found"), "the failure");
  await session.close();
}

let failed = 0;
for (const client of JSON.parse(readFileSync(list, "utf8"))) {
  try {
    await check(client);
    console.log(`passed TypeScript ${client.name}`);
  } catch (error) {
    failed = 1;
    console.log(`FAILED TypeScript ${client.name}: ${String(error.message).slice(0, 400)}`);
  }
}
process.exit(failed);
