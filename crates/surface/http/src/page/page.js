// Runs a call, and shows the reply as the model of the chosen client gets it.
//
// Everything that comes from the server is untrusted: it becomes text or the address of a link to this page, never
// markup. The state of the page is the fragment of its address, so that links, history and bookmarks are calls.
"use strict";

const TOOLS = ["read", "search", "find"];
// The server gives this client everything, see docs/clients.md.
const WITHOUT_LIMITS = "readstone-page";
// Replies do not depend on what other clients read, nor theirs on what is read here.
const SESSION = "page";
const TOKEN = "readstone-token";

const at = (id) => document.getElementById(id);
const count = (number) => number.toLocaleString("en");
const bytesOf = (text) => new TextEncoder().encode(text).length;

let clients = [];
let running = new AbortController();
// Whether the fragment changes because the form was sent, and not because a link was followed.
let typed = false;

// An element with a class and text in it.
function element(name, kind, ...content) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  made.append(...content);
  return made;
}

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(path, options = {}) {
  const headers = { "Readstone-Session": SESSION, ...options.headers };
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, { ...options, headers, credentials: "omit", redirect: "error" });
  const body = await answer.json();
  // A refusal is a reply without content blocks.
  const refused = !answer.ok && !body.content;
  if (refused) throw new Refused(answer.status, (body.parts ?? []).map((part) => part.text).join("\n"));
  return body;
}

// The arguments of a tool. Several paths are separated by semicolons.
function inputOf(state) {
  if (state.tool === "read") return { path: state.path };
  const paths = state.path.split(";").map((path) => path.trim()).filter(Boolean);
  const input = { paths: paths.length > 0 ? paths : ["."] };
  if (state.tool === "search") input.pattern = state.pattern;
  if (state.skip > 0) input.skip = state.skip;
  return input;
}

function callTool(state, signal) {
  return request(`v1/tools/${state.tool}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Readstone-Client": state.whole ? WITHOUT_LIMITS : state.client },
    body: JSON.stringify(inputOf(state)),
    signal,
  });
}

function stateOf(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const tools = [...at("tool").options].map((option) => option.value);
  return {
    tool: tools.includes(fields.get("tool")) ? fields.get("tool") : tools[0],
    path: fields.get("path") ?? ".",
    pattern: fields.get("pattern") ?? "",
    skip: Number.parseInt(fields.get("skip"), 10) || 0,
    client: fields.get("client") || "claude-code",
    whole: fields.has("whole"),
  };
}

function fragmentOf(state) {
  const fields = new URLSearchParams({ tool: state.tool, path: state.path });
  if (state.tool === "search") fields.set("pattern", state.pattern);
  if (state.skip > 0) fields.set("skip", state.skip);
  fields.set("client", state.client);
  if (state.whole) fields.set("whole", "");
  // Slashes and colons may stand in a fragment, and addresses are full of them.
  return `#${fields.toString().replaceAll("%2F", "/").replaceAll("%3A", ":")}`;
}

function stateOfForm() {
  return {
    tool: at("tool").value,
    path: at("path").value,
    pattern: at("pattern").value,
    skip: 0,
    client: at("client").value,
    whole: at("whole").checked,
  };
}

function fillForm(state) {
  at("tool").value = state.tool;
  at("path").value = state.path;
  at("pattern").value = state.pattern;
  at("whole").checked = state.whole;
  if (![...at("client").options].some((option) => option.value === state.client)) {
    at("client").append(new Option(labelOf({ name: state.client, limits: limitsOf(state) }), state.client));
  }
  at("client").value = state.client;
  nameFields();
}

function nameFields() {
  const tool = at("tool").value;
  at("pattern-label").hidden = tool !== "search";
  at("path-label").textContent = tool === "read" ? "Address" : "Paths, separated by ;";
}

// A client in the menu, with what it takes.
function labelOf({ name, limits }) {
  const shown = name === "*" ? "any other client" : name;
  return `${shown} \u{b7} ${limits.bytes === null ? "no limit" : `${count(limits.bytes)} bytes`}`;
}

// The limits of the chosen client; a name that is not in the list has the usual ones.
function limitsOf(state) {
  const named = (name) => clients.find((client) => client.name === name);
  return (named(state.client) ?? named("*")).limits;
}

// The calls that the receipt offers, as a link to each. Only these become links: a file may have lines that look so.
function offersOf(receipt, state) {
  const offers = new Map();
  const read = (path) => offers.set(`read ${path}`, { ...state, tool: "read", path, skip: 0 });
  for (const target of receipt.targets) {
    if (target.next) read(target.next);
    for (const cut of target.cuts ?? []) if (cut.next) read(cut.next);
    for (const hidden of target.hidden ?? []) if (hidden.address) read(hidden.address);
  }
  const errors = [receipt.error, ...receipt.targets.map((target) => target.error)].filter(Boolean);
  for (const { tool, argument } of errors.flatMap((error) => error.next)) {
    if (tool === "read") read(argument);
    if (tool === "find") offers.set(`find ${argument}`, { ...state, tool, path: argument, skip: 0 });
  }
  const skip = receipt.found?.next_skip;
  if (skip) offers.set(`${receipt.tool} skip=${skip}`, { ...state, skip });
  return [...offers].sort(([one], [other]) => other.length - one.length);
}

function linkTo(text, state) {
  const link = element("a", "", text);
  link.href = fragmentOf(state);
  return link;
}

// One line: its number, and a link in a line that is the server's own.
function lineNodes(line, offers) {
  const offer = /^(\[|next: )/.test(line) && offers.find(([call]) => line.includes(call));
  if (offer) {
    const start = line.indexOf(offer[0]);
    const end = start + offer[0].length;
    return [element("span", "own", line.slice(0, start), linkTo(offer[0], offer[1]), line.slice(end))];
  }
  const number = /^[* ]?\d+:/.exec(line);
  if (number) return [element("span", "number", number[0]), line.slice(number[0].length)];
  return line.startsWith("\u{b6}") ? [element("span", "own", line)] : [line];
}

// Adds text to a block, line by line. `room` says how much of it the chosen client would take.
function fillText(block, text, offers, room) {
  for (const line of text.split(/(?<=\n)/)) {
    const kept = room.take(line);
    if (kept === line.length) {
      block.append(...lineNodes(line, offers));
      continue;
    }
    if (kept > 0) block.append(line.slice(0, kept));
    room.lost += bytesOf(line.slice(kept));
    const cut = element("span", "cut", ...(kept > 0 ? [line.slice(kept)] : lineNodes(line, offers)));
    if (!room.marked) {
      cut.classList.add("edge");
      cut.dataset.edge = room.edge;
      room.marked = true;
    }
    block.append(cut);
  }
}

// How much more text the chosen client takes.
class Room {
  constructor(state) {
    const limits = limitsOf(state);
    const isRange = state.tool === "read" && /:\d+[-+]\d+/.test(state.path);
    this.bytes = (isRange ? limits.range_bytes : limits.bytes) ?? Infinity;
    this.rows = limits.rows ?? Infinity;
    this.json = limits.json ?? Infinity;
    this.marked = false;
    this.lost = 0;
    this.edge = `${state.client} takes no more than what is above`;
  }

  // How many characters of a line are taken.
  take(line) {
    if (this.rows <= 0 || this.bytes <= 0 || this.json <= 0) return 0;
    const bytes = bytesOf(line);
    const json = bytesOf(JSON.stringify(line)) - 2;
    let kept = line.length;
    if (bytes > this.bytes || json > this.json) {
      kept = 0;
      let [bytesLeft, jsonLeft] = [this.bytes, this.json];
      for (const character of line) {
        bytesLeft -= bytesOf(character);
        jsonLeft -= bytesOf(JSON.stringify(character)) - 2;
        if (bytesLeft < 0 || jsonLeft < 0) break;
        kept += character.length;
      }
    }
    this.bytes -= bytes;
    this.json -= json;
    this.rows -= 1;
    return kept;
  }
}

const EVERYTHING = { take: (line) => line.length, lost: 0 };

// Shows the blocks, and gives the bytes that the chosen client would cut.
function showBlocks(answer, state, offers) {
  const room = state.whole ? new Room(state) : EVERYTHING;
  const shown = answer.content.map((block, index) => {
    const place = `Block ${index + 1} of ${answer.content.length}`;
    if (block.type === "image") {
      const image = element("img", state.whole && !limitsOf(state).pictures ? "cut" : "");
      image.alt = "The picture of the reply";
      image.src = `data:${block.mimeType};base64,${block.data}`;
      return element("section", "block", element("h3", "", `${place}: picture, ${block.mimeType}`), image);
    }
    const text = element("pre", "");
    fillText(text, block.text, offers, room);
    const title = element("h3", "", `${place}: text, ${count(bytesOf(block.text))} bytes`);
    return element("section", "block", title, text);
  });
  at("blocks").replaceChildren(...shown);
  return room.lost;
}

// The calls that go on, as buttons: of a search the next hits first, of several targets the first ones.
function showOffers(receipt, offers, state) {
  const nexts = [receipt.found?.next_skip && `${receipt.tool} skip=${receipt.found.next_skip}`];
  nexts.push(...receipt.targets.map((target) => target.next && `read ${target.next}`));
  const errors = [receipt.error, ...receipt.targets.map((target) => target.error)].filter(Boolean);
  nexts.push(...errors.flatMap((error) => error.next).map(({ tool, argument }) => `${tool} ${argument}`));
  const known = new Map(offers);
  const calls = [...new Set(nexts)].filter((call) => known.has(call)).slice(0, 3);
  at("next").replaceChildren(...calls.map((call) => linkTo(`next: ${call}`, known.get(call))));
}

function measure(name, used, limit) {
  const row = element("div", "", element("dt", "", name));
  row.append(element("dd", "", count(used), element("span", "", limit === null ? ", no limit" : ` of ${count(limit)}`)));
  if (limit !== null) {
    const bar = element("span", "");
    bar.style.width = `${Math.min(100, (100 * used) / Math.max(limit, 1))}%`;
    row.append(element("div", "bar", bar));
    row.classList.toggle("over", used > limit);
  }
  return row;
}

function showBudget(answer, state) {
  const { used } = answer.client;
  const limits = limitsOf(state);
  const ranges = limits.range_bytes !== limits.bytes && !state.whole && used.bytes > limits.bytes;
  const rows = [
    element("div", "", element("dt", "", "Tokens, estimated"), element("dd", "", count(used.tokens))),
    measure(ranges ? "Bytes of ranges" : "Bytes of text", used.bytes, ranges ? limits.range_bytes : limits.bytes),
    measure("Rows", used.rows, limits.rows),
    measure("Bytes as JSON", used.json, limits.json),
  ];
  if (limits.pictures) rows.push(measure("Bytes of pictures", used.picture_bytes, limits.picture_bytes));
  else rows.push(element("div", "", element("dt", "", "Pictures"), element("dd", "", "withheld")));
  at("budget").replaceChildren(...rows);
}

// The receipt as JSON, each range in one line. No string of JSON has a line ending in it.
function receiptText(receipt) {
  return JSON.stringify(receipt, null, 2).replace(/\[\n\s+(\d+),\n\s+(\d+)\n\s+\]/g, "[$1, $2]");
}

function showSummary(answer, state, { milliseconds, lost }) {
  const failed = answer.status !== "ok";
  const what = state.tool === "search" ? `search ${state.pattern}` : `${state.tool} ${state.path}`;
  const cut = `without limits; ${state.client} would cut ${lost > 0 ? `${count(lost)} bytes` : "nothing"}`;
  const client = state.whole ? cut : `as ${state.client} gets it`;
  const result = element("b", failed ? "error" : "", failed ? "error" : "ok");
  at("summary").replaceChildren(element("b", "", what), ` ${client}: `, result, ` in ${count(milliseconds)} ms`);
}

function say(message) {
  at("message").textContent = message;
  at("message").hidden = !message;
}

async function run({ focus = false } = {}) {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const state = stateOf(location.hash);
  fillForm(state);
  at("result").classList.add("busy");
  const began = performance.now();
  try {
    const answer = await callTool(state, signal);
    say("");
    const offers = offersOf(answer.receipt, state);
    const milliseconds = Math.round(performance.now() - began);
    const lost = showBlocks(answer, state, offers);
    showSummary(answer, state, { milliseconds, lost });
    showOffers(answer.receipt, offers, state);
    showBudget(answer, state);
    at("receipt").textContent = receiptText(answer.receipt);
    at("result").hidden = false;
    if (focus) at("reply").focus({ preventScroll: true });
    if (focus) scrollTo(0, 0);
    document.title = `${at("summary").firstChild.textContent} - Readstone`;
  } catch (error) {
    if (signal.aborted) return;
    at("result").hidden = true;
    failed(error);
  }
  at("result").classList.remove("busy");
}

function failed(error) {
  if (error.status !== 401) return say(error.message);
  say(sessionStorage.getItem(TOKEN) ? "The server does not accept this token." : "");
  sessionStorage.removeItem(TOKEN);
  at("token-form").hidden = false;
  at("call").hidden = true;
  at("token").focus();
}

async function start() {
  try {
    const [known, offered] = await Promise.all([request("v1/clients"), request("v1/tools")]);
    clients = known.clients;
    const tools = TOOLS.filter((name) => offered.tools.some((tool) => tool.name === name));
    if (tools.length === 0) return say("This server offers none of the tools read, search and find.");
    at("tool").replaceChildren(...tools.map((name) => new Option(name, name)));
    at("client").replaceChildren(...clients.map((client) => new Option(labelOf(client), client.name)));
    say("");
    at("token-form").hidden = true;
    at("call").hidden = false;
    at("path").focus();
    await run();
  } catch (error) {
    failed(error);
  }
}

at("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, at("token").value.trim());
  at("token").value = "";
  start();
});

at("call").addEventListener("submit", (event) => {
  event.preventDefault();
  const fragment = fragmentOf(stateOfForm());
  typed = fragment !== location.hash;
  if (typed) location.hash = fragment;
  else run();
});

at("tool").addEventListener("change", nameFields);
for (const id of ["client", "whole"]) at(id).addEventListener("change", () => at("call").requestSubmit());

addEventListener("hashchange", () => {
  if (!at("call").hidden) run({ focus: !typed });
  typed = false;
});

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") at("next").querySelector("a")?.click();
  if (event.key === "/") {
    event.preventDefault();
    at("path").focus();
  }
});

start();
