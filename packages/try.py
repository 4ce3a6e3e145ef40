"""Tries packages that make.py made, without a network, in empty folders.

    python3 packages/try.py DIR [--any-glibc]

`scripts/package try` calls this with what it needs: the package jsonschema, and MCPB_TOOL, the program of npm's
`@anthropic-ai/mcpb`. The clients `claude` and `gemini` try the plugin and the extension where they are installed.
Exit code 0: all that could be tried works; 1: something does not.
"""

import argparse
import glob
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import traceback
import zipfile

import jsonschema

import elf
import launcher
from mcp_call import Failed, read_once

HERE = os.path.dirname(os.path.abspath(__file__))
NEWEST_GLIBC = (2, 31)
# Seconds from the start of a server to the text of the first file: a bound on this processor, and one for an emulator.
NATIVE_SECONDS, EMULATED_SECONDS = 1, 20


class Trial:
    """Where the packages are and where they are tried."""

    def __init__(self, packages, work, any_glibc):
        self.packages = os.path.abspath(packages)
        self.work = work
        self.any_glibc = any_glibc
        self.failed = False
        with open(os.path.join(packages, "packages.json")) as file:
            self.facts = json.load(file)
        self.targets = self.facts["targets"]
        self.files = self.folder("files")
        with open(os.path.join(self.files, "notes.txt"), "w") as file:
            file.write("one\ntwo\n")
        # Programs find Node, npm and a shell, and no compiler.
        path = self.folder("path")
        for name in ["node", "npm", "env", "sh"]:
            if shutil.which(name):
                os.symlink(os.path.realpath(shutil.which(name)), os.path.join(path, name))
        self.env = {
            "PATH": path,
            "HOME": self.folder("home"),
            "npm_config_cache": self.folder("npm-cache"),
            "npm_config_update_notifier": "false",
            # Nothing listens there: a request to a registry would fail.
            "npm_config_registry": "http://127.0.0.1:9/",
        }

    def folder(self, name):
        path = os.path.join(self.work, name)
        os.makedirs(path, exist_ok=True)
        return path

    def run(self, command, **more):
        done = subprocess.run(
            command, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, **more
        )
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)} ended with code {done.returncode}:\n{done.stdout}")
        return done.stdout

    def step(self, name, function, *arguments):
        """Runs a step and reports how it ended."""
        try:
            print(f"tried    {name}: {function(self, *arguments)}", flush=True)
        except (Failed, OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
            self.failed = True
            print(f"FAILED   {name}: {error}", flush=True)
            if not isinstance(error, Failed):
                traceback.print_exc()

    def call(self, command, seconds=NATIVE_SECONDS, tools=None):
        """One MCP call, in time. The best of three counts, because other programs may keep the machine busy."""
        best = None
        for _ in range(3):
            took, names = read_once(command, self.env, self.files, "notes.txt", "2:two")
            best = took if best is None else min(best, took)
            if best < seconds:
                break
        if best >= seconds:
            raise Failed(f"the first file was there after {best:.2f} s, which is not under {seconds} s")
        if tools is not None and sorted(tools) != sorted(names):
            raise Failed(f"the server has the tools {names}, and the manifest {tools}")
        return f"a file by MCP after {best * 1000:.0f} ms"


def emulator(target):
    """What to put before a program of the target: nothing, an emulator, or None where it cannot run."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine())
    if target["os"] != "linux":
        return None
    if target["cpu"] == machine:
        return []
    libraries = "/usr/aarch64-linux-gnu"
    if target["cpu"] == "arm64" and shutil.which("qemu-aarch64"):
        if target.get("libc") == "musl":
            return [shutil.which("qemu-aarch64")]
        if os.path.isdir(libraries):
            return [shutil.which("qemu-aarch64"), "-L", libraries]
    return None


def try_archive(trial, target):
    """The release archive, by the name that the metadata of cargo-binstall gives, and what its program requires."""
    metadata = trial.facts["binstall"]
    metadata = metadata | metadata["overrides"].get(target["target"], {})
    values = {
        "repo": trial.facts["repository"], "version": trial.facts["version"], "name": "readstone",
        "target": target["target"], "bin": "readstone", "binary-ext": ".exe" if target["os"] == "win32" else "",
    }
    url, member = metadata["pkg-url"], metadata["bin-dir"]
    for key, value in values.items():
        url, member = url.replace(f"{{ {key} }}", value), member.replace(f"{{ {key} }}", value)
    archive = os.path.join(trial.packages, "archives", os.path.basename(url))
    folder = trial.folder("archive-" + target["target"])
    unpack(archive, folder)
    program = os.path.join(folder, member)
    if not os.access(program, os.X_OK):
        raise Failed(f"{member} is no program in {os.path.basename(archive)}")
    said = check_glibc(trial, target, program)
    if emulator(target) is not None:
        version = trial.run(emulator(target) + [program, "--version"]).strip()
        if version != f"readstone {trial.facts['version']}":
            raise Failed(f"the program says it is {version}")
        said = f"{version}, {said}"
    return said


def check_glibc(trial, target, program):
    if target["os"] != "linux":
        return "unpacked"
    required = elf.required_glibc(program)
    if target.get("libc") == "musl":
        if required is not None:
            raise Failed("the musl program is not static")
        return "static"
    if required > NEWEST_GLIBC and not trial.any_glibc:
        raise Failed("the program requires glibc %d.%d, which is newer than %d.%d" % (required + NEWEST_GLIBC))
    return "requires glibc %d.%d" % required + ("" if required <= NEWEST_GLIBC else " (not fit for a release)")


def pack_npm(trial):
    """Packs every npm package. Returns what npm made, by the name of the folder."""
    packed = {}
    for name in sorted(os.listdir(os.path.join(trial.packages, "npm"))):
        folder = os.path.join(trial.packages, "npm", name)
        out = trial.folder("packed-" + name)
        trial.run(["npm", "pack", "--offline", "--silent", "--pack-destination", out, folder])
        packed[name], = glob.glob(os.path.join(out, "*.tgz"))
    return packed


def install_npm(trial, packed, target):
    """Installs the launcher and one platform package into an empty folder."""
    folder = trial.folder("npm-" + target["npm"])
    install = ["npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"]
    if not is_native(target):
        # npm refuses the package of another platform unless it is forced.
        install.append("--force")
    trial.run([*install, packed["readstone"], packed[target["npm"]]], cwd=folder)
    return os.path.join(folder, "node_modules")


def try_npm(trial, packed, target):
    modules = install_npm(trial, packed, target)
    program = os.path.join(modules, "@readstone", target["npm"], "bin", target["program"])
    if emulator(target) != []:
        return run_server(trial, target, {"command": program, "args": ["mcp", "--root", trial.files]}, {})
    start = os.path.join(modules, ".bin", "readstone")
    said = trial.call([start, "mcp", "--root", trial.files])
    return f"{said}; {launcher.try_launcher(trial, start, program)}"


def try_wheel(trial, target):
    wheel = os.path.join(trial.packages, target["wheel"])
    folder = os.path.join(trial.work, "venv-" + target["target"])
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install = [os.path.join(folder, "bin", "python"), "-m", "pip", "install", "--no-index", "--no-deps"]
    if not is_native(target):
        # pip refuses the wheel of another platform unless it is told to install for that platform.
        tag = wheel.removesuffix(".whl").split("-")[-1]
        folder = os.path.join(folder, "installed")
        install += ["--only-binary=:all:", "--platform", tag, "--target", folder]
    trial.run([*install, "--disable-pip-version-check", wheel])
    program = os.path.join(folder, "bin", target["program"])
    return run_server(trial, target, {"command": program, "args": ["mcp", "--root", trial.files]}, {})


def expand(arguments, values, lists):
    """Replaces variables in arguments as a client does. A list becomes one argument for each value."""
    expanded = []
    for argument in arguments:
        if argument in lists:
            expanded += lists[argument]
            continue
        for name, value in values.items():
            argument = argument.replace(name, value)
        expanded.append(argument)
    return expanded


def is_native(target):
    """Whether a package manager of this machine chooses this target by itself."""
    libc = "glibc" if platform.libc_ver()[0] == "glibc" else "musl"
    return emulator(target) == [] and target.get("libc") == libc


def run_server(trial, target, server, values, lists=None, tools=None):
    """Starts a server as the configuration in a package says. Returns what is to be reported."""
    before = emulator(target)
    if before is None:
        return "its program cannot run here"
    command = before + expand([server["command"], *server["args"]], values, lists or {})
    if before:
        return trial.call(command, EMULATED_SECONDS, tools) + " in an emulator"
    return trial.call(command, NATIVE_SECONDS, tools)


def try_bundle(trial, target):
    path, tool = os.path.join(trial.packages, target["bundle"]), os.environ["MCPB_TOOL"]
    folder = trial.folder("bundle-" + target["target"])
    trial.run(["node", tool, "unpack", path, folder])
    trial.run(["node", tool, "validate", os.path.join(folder, "manifest.json")])
    trial.run(["node", tool, "pack", folder, os.path.join(trial.work, "again.mcpb")])
    with open(os.path.join(folder, "manifest.json")) as file:
        manifest = json.load(file)
    roots = {"${user_config.roots}": [trial.files, trial.folder("another")]}
    tools = [tool["name"] for tool in manifest["tools"]]
    server = manifest["server"]["mcp_config"]
    return "valid; " + run_server(trial, target, server, {"${__dirname}": folder}, roots, tools)


def try_server_json(trial):
    schema_path, = glob.glob(os.path.join(HERE, "tests", "server.schema.*.json"))
    with open(schema_path) as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
    with open(os.path.join(trial.packages, "server.json")) as file:
        server = json.load(file)
    for error in validator.iter_errors(server):
        raise Failed(f"{'/'.join(map(str, error.path))}: {error.message}")
    if server["$schema"] != schema["$id"]:
        raise Failed(f"server.json names another schema than {schema['$id']}")
    # The schema must be able to say no.
    for bad in [{"name": "readstone"}, {"description": "x" * 101}, {"packages": [{}]}, {"version": None}]:
        if validator.is_valid(server | bad):
            raise Failed(f"the schema takes {bad}")
    bundles = [package for package in server["packages"] if package["registryType"] == "mcpb"]
    for package in bundles:
        check_sha256(trial, "mcpb", package["identifier"], package["fileSha256"])
    return f"valid by {os.path.basename(schema_path)}, with the checksums of {len(bundles)} bundles"


def check_sha256(trial, folder, url, expected):
    with open(os.path.join(trial.packages, folder, os.path.basename(url)), "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != expected:
            raise Failed(f"the checksum of {os.path.basename(url)} is another")


def try_formula(trial):
    """Checks the addresses and checksums of the formula; Homebrew itself was not there."""
    with open(os.path.join(trial.packages, "homebrew", "readstone.rb")) as file:
        words = [line.split() for line in file]
    urls = [line[1].strip('"') for line in words if line and line[0] == "url"]
    sums = [line[1].strip('"') for line in words if line and line[0] == "sha256"]
    if not urls and any(row["os"] != "win32" for row in trial.targets):
        raise Failed("the formula has no archive")
    for url, expected in zip(urls, sums, strict=True):
        check_sha256(trial, "archives", url, expected)
    return f"checksums of {len(urls)} archives; not tried with Homebrew"


def unpack(path, folder):
    """Unpacks an archive with the permissions that it names."""
    if not path.endswith(".zip"):
        with tarfile.open(path) as archive:
            archive.extractall(folder)
        return
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            os.chmod(archive.extract(entry, folder), (entry.external_attr >> 16) & 0o777)


def try_plugin(trial, target):
    """The plugin of Claude Code: its configuration, and Claude Code itself where it is installed."""
    folder = trial.folder("plugin-" + target["target"])
    unpack(os.path.join(trial.packages, target["plugin"]), folder)
    with open(os.path.join(folder, ".mcp.json")) as file:
        server = json.load(file)["mcpServers"]["readstone"]
    check_version(trial, os.path.join(folder, ".claude-plugin", "plugin.json"))
    said = run_server(trial, target, server, {"${CLAUDE_PLUGIN_ROOT}": folder})
    client = shutil.which("claude")
    if client is None:
        return said + "; not tried with Claude Code"
    trial.run([client, "plugin", "validate", "--strict", folder])
    if emulator(target) != []:
        return said + "; valid for Claude Code"
    trial.run([client, "plugin", "marketplace", "add", folder])
    trial.run([client, "plugin", "install", "readstone@readstone"])
    servers = trial.run([client, "mcp", "list"], cwd=trial.files)
    trial.run([client, "plugin", "uninstall", "readstone@readstone"])
    trial.run([client, "plugin", "marketplace", "remove", "readstone"])
    if "plugin:readstone:readstone" not in servers or "Connected" not in servers:
        raise Failed(f"Claude Code does not reach the server:\n{servers}")
    return said + "; installed in Claude Code, which reaches the server"


def try_extension(trial, target):
    """The extension of the Gemini CLI: its configuration, and the Gemini CLI itself where it is installed."""
    folder = os.path.join(trial.folder("extension-" + target["target"]), "readstone")
    unpack(os.path.join(trial.packages, target["extension"]), folder)
    manifest = os.path.join(folder, "gemini-extension.json")
    check_version(trial, manifest)
    with open(manifest) as file:
        server = json.load(file)["mcpServers"]["readstone"]
    said = run_server(trial, target, server, {"${extensionPath}": folder, "${/}": "/"})
    client = shutil.which("gemini")
    if client is None:
        return said + "; not tried with the Gemini CLI"
    trial.run([client, "extensions", "validate", folder])
    return said + "; valid for the Gemini CLI"


def check_version(trial, path):
    with open(path) as file:
        version = json.load(file)["version"]
    if version != trial.facts["version"]:
        raise Failed(f"{os.path.basename(path)} has the version {version}")


def try_all(trial):
    packed = pack_npm(trial)
    for target in trial.targets:
        name = target["target"]
        trial.step(f"archive {name}", try_archive, target)
        trial.step(f"npm {name}", try_npm, packed, target)
        trial.step(f"wheel {name}", try_wheel, target)
        if "bundle" in target:
            trial.step(f"bundle {name}", try_bundle, target)
            trial.step(f"Claude Code plugin {name}", try_plugin, target)
            trial.step(f"Gemini extension {name}", try_extension, target)
    trial.step("server.json", try_server_json)
    trial.step("Homebrew formula", try_formula)
    print("not tried: Dockerfile")


def main():
    parser = argparse.ArgumentParser(description="Tries packages that make.py made.")
    parser.add_argument("packages", metavar="DIR")
    parser.add_argument("--any-glibc", action="store_true", help="let the program require a newer glibc")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        trial = Trial(arguments.packages, work, arguments.any_glibc)
        try_all(trial)
    sys.exit(1 if trial.failed else 0)


if __name__ == "__main__":
    main()
