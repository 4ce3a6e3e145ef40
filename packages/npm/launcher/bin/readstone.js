#!/usr/bin/env node
// Launcher of the npm package: finds the program in the package of this platform and runs it.
"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");
const tty = require("node:tty");

// Platform packages in the order in which they are tried.
function platformPackages() {
  const name = `@readstone/${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [name];
  // Network interfaces in the report can take seconds because their names are looked up.
  process.report.excludeNetwork = true;
  const glibc = process.report.getReport().header.glibcVersionRuntime;
  // The musl program is static and runs on any Linux; the glibc one needs a glibc.
  return glibc ? [`${name}-gnu`, `${name}-musl`] : [`${name}-musl`];
}

function findProgram(packages) {
  const file = process.platform === "win32" ? "bin/readstone.exe" : "bin/readstone";
  for (const name of packages) {
    try {
      return require.resolve(`${name}/${file}`);
    } catch {
      // Not installed: the next one may be.
    }
  }
  return null;
}

function fail(message) {
  process.stderr.write(`readstone: ${message}\n`);
  process.exit(1);
}

function run(program, args) {
  let child;
  // Before the program starts: what it prints may make a client or a person send a signal at once.
  // A terminal sends these to the program as well, and a second one would end it at once.
  const fromTerminal = [0, 1, 2].some((descriptor) => tty.isatty(descriptor));
  const signals = process.platform === "win32" ? ["SIGINT"] : ["SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM"];
  for (const signal of signals) {
    process.on(signal, () => {
      if (signal === "SIGTERM" || !fromTerminal) child.kill(signal);
    });
  }

  // A client may kill this process with SIGKILL and keep its end of our stdin open. The program
  // must see its stdin end even then, so a server reads from a pipe that dies with this process.
  const piped = args.includes("mcp") && !tty.isatty(0);
  child = spawn(program, args, { stdio: [piped ? "pipe" : "inherit", "inherit", "inherit"] });
  child.on("error", (error) => fail(`cannot run ${program}: ${error.message}`));
  if (piped) {
    // The program may end before it has read everything.
    child.stdin.on("error", () => {});
    process.stdin.on("error", () => child.stdin.end());
    process.stdin.pipe(child.stdin);
  }

  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    // End in the same way, so that the parent sees what happened.
    signals.forEach((name) => process.removeAllListeners(name));
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + os.constants.signals[signal]), 100);
  });
}

const packages = platformPackages();
const program = findProgram(packages);
if (program === null) {
  fail(
    `there is no program for ${process.platform} ${process.arch}: none of these npm packages is ` +
      `installed: ${packages.join(", ")}. Install readstone again without --omit=optional, or build it from source.`,
  );
} else {
  run(program, process.argv.slice(2));
}
