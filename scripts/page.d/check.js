// The page of `readstone serve` in a headless Chromium: what scripts/page runs.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const [playwright, browser, profile, files, open, guarded, screenshot] = process.argv.slice(2);
const { chromium } = require(playwright);

const TOKEN = "a-token-of-the-test";
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A site of somebody else, which is on this machine.
  "--host-resolver-rules=MAP evil.test 127.0.0.1",
];

// A tab that notes each request to another place than `allowed`, and each error.
async function openTab(context, allowed) {
  const tab = await context.newPage();
  tab.wrong = [];
  tab.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${allowed}/`) && !address.startsWith("data:")) tab.wrong.push(`request: ${address}`);
  });
  tab.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) tab.wrong.push(`console: ${message.text()}`);
  });
  tab.on("pageerror", (error) => tab.wrong.push(`page: ${error}`));
  return tab;
}

async function finishTab(tab) {
  assert.deepEqual(tab.wrong, []);
  await tab.close();
}

// Waits for the answer of the tool that `action` calls, and until the page shows it.
async function call(tab, action) {
  const answered = tab.waitForResponse((answer) => answer.url().includes("/v1/tools/"));
  await action();
  await (await answered).finished();
  await tab.waitForSelector("main:not(.busy), #message:not([hidden])");
  return (await answered).json();
}

async function setForm(tab, { tool, pattern, address }) {
  await tab.selectOption("#tool", tool);
  if (pattern !== undefined) await tab.fill("#pattern", pattern);
  await tab.fill("#path", address);
  return call(tab, () => tab.press("#path", "Enter"));
}

const shown = (tab) => tab.$$eval(".block pre", (blocks) => blocks.map((block) => block.textContent));
const nexts = (tab) => tab.$$eval("#next a", (links) => links.map((link) => link.textContent));

// Follows `next:` from the first page of a file to the last; gives the text and the number of pages.
async function followToTheEnd(tab, limits, first) {
  let [answer, text, pages] = [first, "", 0];
  for (;;) {
    pages += 1;
    const blocks = await shown(tab);
    assert.deepEqual(blocks, answer.content.map((block) => block.text), "the page shows the blocks as they are sent");
    const page = blocks.join("");
    assert.ok(Buffer.byteLength(page) <= limits.bytes, `${Buffer.byteLength(page)} bytes`);
    assert.ok(limits.json === null || Buffer.byteLength(JSON.stringify(answer.content)) <= limits.json);
    for (const row of page.split("\n")) {
      const line = /^(\d+):(.*)$/s.exec(row);
      if (!line) continue;
      assert.equal(Number(line[1]), text.split("\n").length, "each line once, in its order");
      text += `${line[2]}\n`;
    }
    const links = await nexts(tab);
    const told = answer.receipt.targets[0].next;
    assert.deepEqual(links, told ? [`next: read ${told}`] : []);
    if (!told) return { text, pages };
    // By the button, by the key and by the line in the text.
    const ways = [
      () => tab.click("#next a"),
      () => tab.press("#reply", "n"),
      () => tab.locator(".block .own a").last().click(),
    ];
    answer = await call(tab, ways[pages % ways.length]);
  }
}

async function checkClients(context) {
  const source = fs.readFileSync(path.join(files, "long.txt"), "utf8");
  const tab = await openTab(context, open);
  await call(tab, () => tab.goto(`${open}/`));
  const known = await (await context.request.get(`${open}/v1/clients`)).json();
  for (const client of ["copilot-cli", "@cline/core", "claude-code"]) {
    const { limits } = known.clients.find(({ name }) => name === client);
    await setForm(tab, { tool: "read", address: "." });
    if ((await tab.inputValue("#client")) !== client) await call(tab, () => tab.selectOption("#client", client));
    const first = await setForm(tab, { tool: "read", address: "long.txt" });
    const { text, pages } = await followToTheEnd(tab, limits, first);
    assert.equal(text, source, `${client}: all rows are those of the file`);
    const budget = await tab.textContent("#budget");
    assert.ok(budget.includes(limits.bytes.toLocaleString("en")), budget);
    assert.ok(budget.includes("Tokens"), budget);
    console.log(`${client.padEnd(12)} ${pages} pages, all ${source.split("\n").length - 1} lines of the file`);
  }
  await finishTab(tab);
}

async function checkHostileText(context) {
  const tab = await openTab(context, open);
  await call(tab, () => tab.goto(`${open}/#tool=read&path=long.txt:raw&client=copilot-cli`));
  const [page] = await shown(tab);
  assert.ok(page.startsWith('<img src=x onerror="document.title=1">\n<script>'), "markup is text");
  const links = await tab.$$eval("main a", (all) => all.map((link) => link.textContent));
  assert.ok(links.length > 0 && links.every((link) => /^(next: )?read long\.txt:/.test(link)), `links: ${links}`);
  assert.equal(await tab.$$eval("main img, main script", (all) => all.length), 0);
  // Addresses and client names are text as well.
  const name = encodeURIComponent("<b>x</b>");
  const failed = await call(tab, () => tab.goto(`${open}/#tool=read&path=${name}&client=${name}`));
  assert.equal(failed.status, "error");
  assert.ok((await shown(tab))[0].includes("<b>x</b>"));
  assert.equal(await tab.inputValue("#client"), "<b>x</b>");
  assert.equal(await tab.$$eval("main b:not(#summary b)", (all) => all.length), 0);
  tab.wrong = tab.wrong.filter((line) => !line.includes("404"));
  await finishTab(tab);
  console.log("hostile text stays text");
}

async function checkOtherCalls(context) {
  const tab = await openTab(context, open);
  await call(tab, () => tab.goto(`${open}/#tool=find&path=many/*&client=claude-code`));
  const [first] = await shown(tab);
  assert.deepEqual(await nexts(tab), ["next: find skip=200"]);
  await call(tab, () => tab.click("#next a"));
  await call(tab, () => tab.click("#next a"));
  assert.deepEqual(await nexts(tab), []);
  assert.ok(tab.url().endsWith("skip=400&client=claude-code"), tab.url());
  // The way back is the history.
  await call(tab, () => tab.goBack());
  await call(tab, () => tab.goBack());
  assert.equal((await shown(tab))[0], first);
  const hits = await setForm(tab, { tool: "search", pattern: "TODO 3", address: "long.txt; notes.txt" });
  assert.equal(hits.receipt.found.total, 1);
  assert.ok((await shown(tab))[0].includes("TODO 3"));
  // A picture, and a client that shows its model none.
  await setForm(tab, { tool: "read", address: "dot.png" });
  assert.ok(await tab.$eval(".block img", (image) => image.complete && image.naturalWidth > 0));
  await call(tab, () => tab.selectOption("#client", "@cline/core"));
  assert.equal(await tab.$$eval(".block img", (all) => all.length), 0);
  assert.ok((await tab.textContent("#budget")).includes("withheld"));
  // Without limits the same page is longer, and what the client would cut is marked.
  const limited = await setForm(tab, { tool: "read", address: "long.txt" });
  const whole = await call(tab, () => tab.check("#whole"));
  assert.ok(whole.content[0].text.length > 2 * limited.content[0].text.length);
  assert.equal((await shown(tab))[0], whole.content[0].text);
  const kept = await tab.$eval(".block pre", (block) => {
    const nodes = [...block.childNodes];
    const edge = nodes.findIndex((node) => node.className?.includes("cut"));
    return nodes.slice(0, edge).map((node) => node.textContent).join("");
  });
  const cut = Number(/would cut ([\d,]+) bytes/.exec(await tab.textContent("#summary"))[1].replace(",", ""));
  assert.equal(Buffer.byteLength(kept) + cut, Buffer.byteLength(whole.content[0].text));
  assert.ok(Buffer.byteLength(kept) <= 7000 && Buffer.byteLength(kept) > 5000, `${kept.length} characters are kept`);
  await finishTab(tab);
  console.log("find, search, pictures, history and the view without limits work");
}

async function checkToken(context) {
  const tab = await openTab(context, guarded);
  await tab.goto(`${guarded}/#tool=read&path=notes.txt&client=claude-code`);
  await tab.waitForSelector("#token-form:not([hidden])");
  await tab.fill("#token", "a wrong one");
  await tab.press("#token", "Enter");
  await tab.waitForSelector("#message:not([hidden])");
  await tab.fill("#token", TOKEN);
  await call(tab, () => tab.press("#token", "Enter"));
  assert.ok((await shown(tab))[0].includes("1:one\n2:two\n"));
  assert.ok(!tab.url().includes(TOKEN));
  // It is in this tab only: neither a cookie nor what other tabs see.
  assert.deepEqual(await context.cookies(), []);
  assert.equal(await tab.evaluate(() => localStorage.length), 0);
  await call(tab, () => tab.reload());
  const other = await context.newPage();
  await other.goto(`${guarded}/`);
  await other.waitForSelector("#token-form:not([hidden])");
  await other.close();
  // A browser reports each 401 as an error of its console.
  tab.wrong = tab.wrong.filter((line) => !line.includes("401"));
  await finishTab(tab);
  console.log("a token is asked for and kept in its tab");
}

// Calls that the open server has counted.
async function calls(context) {
  const metrics = await (await context.request.get(`${open}/metrics`)).text();
  return metrics.split("\n").filter((line) => line.startsWith("readstone_calls_total")).join("\n");
}

// Serves a page of somebody else at a name of its own, and gives its port.
function serveOther() {
  const attack = `<!doctype html><title>other</title><iframe src="${open}/#tool=read&path=notes.txt"></iframe>
    <script src="${open}/page.js"></script><img src="${open}/api/v0/read-file?path=${files}/dot.png">
    <form action="${open}/v1/tools/read" method="post" enctype="text/plain" target="frame">
    <input name='{"path":"notes.txt","x":"' value='"}'></form><iframe name="frame"></iframe>
    <a href="${open}/#tool=read&path=notes.txt">link</a>`;
  const other = http.createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(attack));
  return new Promise((resolve) => other.listen(0, "127.0.0.1", () => resolve(other)));
}

// What a script of another site gets from the server, by the ways that a browser allows.
function attack([open, body]) {
  const json = { "Content-Type": "application/json" };
  const plain = { "Content-Type": "text/plain" };
  const ways = [
    { method: "POST", headers: json, body },
    { method: "POST", headers: plain, body },
    { method: "POST", headers: plain, body, mode: "no-cors" },
    { method: "POST", headers: { ...json, "Readstone-Client": "claude-code" }, body },
  ];
  const tried = ways.map((way) =>
    fetch(`${open}/v1/tools/read`, way).then((answer) => answer.text(), () => ""),
  );
  const shell = fetch(`${open}/`).then((answer) => answer.text(), () => "");
  document.querySelector("form").submit();
  return Promise.all([...tried, shell]);
}

async function checkOtherSites(context) {
  const other = await serveOther();
  const before = await calls(context);
  for (const host of ["evil.test", "localhost"]) {
    const tab = await context.newPage();
    const refused = [];
    tab.on("response", (answer) => {
      if (answer.url().startsWith(open) && answer.status() >= 400) refused.push(answer.status());
    });
    await tab.goto(`http://${host}:${other.address().port}/`);
    const got = await tab.evaluate(attack, [open, '{"path":"notes.txt"}']);
    assert.deepEqual(got, ["", "", "", "", ""], `${host} gets nothing`);
    for (const frame of tab.frames().slice(1)) {
      const text = await frame.locator("body").textContent();
      assert.ok(!text.includes("1:one") && !text.includes("Budget"), `${host} frames ${text}`);
    }
    assert.ok(refused.length > 0, `${host} is refused`);
    // A link from elsewhere is refused too: it could hold a call.
    const [linked] = await Promise.all([tab.waitForNavigation(), tab.click("a")]);
    assert.equal(linked.status(), 403, `a link of ${host}`);
    await tab.close();
  }
  assert.equal(await calls(context), before, "no request of another site became a call");
  other.close();
  console.log("other sites get nothing and call nothing");
}

async function takeScreenshot(context) {
  const tab = await openTab(context, open);
  await tab.setViewportSize({ width: 1120, height: 630 });
  await call(tab, () => tab.goto(`${open}/#tool=read&path=service.log&client=copilot-cli`));
  // The milliseconds of the call would make each picture another one.
  await tab.$eval("#summary", (summary) => (summary.lastChild.textContent = " in 4 ms"));
  await tab.evaluate(() => document.activeElement.blur());
  await tab.screenshot({ path: screenshot });
  const { size } = fs.statSync(screenshot);
  assert.ok(size < 150_000, `the screenshot has ${size} bytes`);
  await finishTab(tab);
  console.log(`${path.basename(screenshot)}: ${size} bytes`);
}

async function main() {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser,
    headless: true,
    args: ARGUMENTS,
    viewport: { width: 1180, height: 680 },
    locale: "en-US",
  });
  context.setDefaultTimeout(20_000);
  try {
    await checkClients(context);
    await checkHostileText(context);
    await checkOtherCalls(context);
    await checkToken(context);
    await checkOtherSites(context);
    if (screenshot) await takeScreenshot(context);
  } finally {
    await context.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
