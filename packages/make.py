"""Makes every package from programs that were built before.

    python3 packages/make.py --program TARGET=PATH [--program ...] --out DIR

Versions and addresses come from Cargo.toml, and what differs between platforms from targets.json. The same programs
give the same files, byte for byte.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile

import elf

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(HERE)
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT"]
# The oldest glibc that a package for glibc is meant for.
OLDEST_GLIBC = (2, 31)
# Every file in an archive has the time 1980-01-01, the first that a zip archive can hold.
TIME = 315532800


def read_facts():
    """What Cargo.toml says of the program: the values of the marks in the templates."""
    command = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, cwd=TREE, check=True, stdout=subprocess.PIPE).stdout)
    package, = [one for one in metadata["packages"] if one["name"] == "readstone"]
    owner, name = package["repository"].removesuffix("/").split("/")[-2:]
    return {
        "VERSION": package["version"],
        "DESCRIPTION": package["description"],
        "LICENSE": package["license"],
        "REPOSITORY": package["repository"],
        "MCP_NAME": f"io.github.{owner}/{name}",
        "binstall": package["metadata"]["binstall"],
    }


def read_targets(programs):
    """The rows of targets.json for which there is a program, each with its path."""
    with open(os.path.join(HERE, "targets.json")) as file:
        rows = {row["target"]: row for row in json.load(file)}
    chosen = []
    for entry in programs:
        target, _, path = entry.partition("=")
        if target not in rows or not os.path.isfile(path):
            sys.exit(f"--program {entry}: needs a target of packages/targets.json and the path of a program")
        row = rows[target]
        row["path"] = path
        row["program"] = "readstone.exe" if row["os"] == "win32" else "readstone"
        chosen.append(row)
    return chosen


def portable_targets(targets):
    """One target for each system and processor: the static program where there is one, because it runs everywhere."""
    best = {}
    for row in targets:
        key = (row["os"], row["cpu"])
        if key not in best or row.get("libc") == "musl":
            best[key] = row
    return list(best.values())


def fill(template, facts, target=None):
    """The text of a template with its marks replaced."""
    with open(os.path.join(HERE, template)) as file:
        text = file.read()
    values = {key: value for key, value in facts.items() if isinstance(value, str)}
    if target is not None:
        values |= {key.upper(): value for key, value in target.items()}
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def file_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def license_files(folder=""):
    return [(folder + name, file_bytes(os.path.join(TREE, name)), 0o644) for name in LICENSES]


def template_files(folder, facts, target=None):
    """The files of a template folder as (name, bytes, mode)."""
    files = []
    for parent, _, names in os.walk(os.path.join(HERE, folder)):
        for name in names:
            path = os.path.relpath(os.path.join(parent, name), HERE)
            files.append((os.path.relpath(path, folder), fill(path, facts, target).encode(), 0o644))
    return files


def program_file(name, target):
    return (name, file_bytes(target["path"]), 0o755)


def write_folder(path, files):
    for name, data, mode in files:
        full = os.path.join(path, name)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data)
        os.chmod(full, mode)


def write_zip(path, files):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def write_tar(path, files):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, TIME) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, data, mode in sorted(files):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = len(data), mode, TIME
                archive.addfile(entry, io.BytesIO(data))


def write_archive(path, files, target):
    """Writes a zip archive for Windows and a tar archive for the others. Returns its path."""
    if target["os"] == "win32":
        write_zip(path + ".zip", files)
        return path + ".zip"
    write_tar(path + ".tar.gz", files)
    return path + ".tar.gz"


def write_text(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def write_json(path, value):
    write_text(path, json.dumps(value, indent=2) + "\n")


def sha256(path):
    return hashlib.sha256(file_bytes(path)).hexdigest()


def make_archives(targets, facts, out):
    """The archives that Homebrew and cargo-binstall fetch, by the names in the metadata for cargo-binstall."""
    for target in targets:
        folder = f"readstone-{facts['VERSION']}-{target['target']}"
        files = license_files(folder + "/") + [program_file(f"{folder}/{target['program']}", target)]
        files.append((f"{folder}/README.md", file_bytes(os.path.join(TREE, "README.md")), 0o644))
        target["archive"] = write_archive(os.path.join(out, "archives", folder), files, target)


def make_npm(targets, facts, out):
    """The folder of the launcher, and one folder for each platform."""
    files = dict((name, data) for name, data, _ in template_files("npm/launcher", facts))
    package = json.loads(files.pop("package.json"))
    package["optionalDependencies"] = {"@readstone/" + row["npm"]: facts["VERSION"] for row in targets}
    launcher = os.path.join(out, "npm", "readstone")
    write_folder(launcher, [(name, data, 0o755 if name.startswith("bin/") else 0o644) for name, data in files.items()])
    write_folder(launcher, license_files())
    write_json(os.path.join(launcher, "package.json"), package)
    for target in targets:
        folder = os.path.join(out, "npm", target["npm"])
        write_folder(folder, template_files("npm/platform", facts, target) + license_files())
        write_folder(folder, [program_file("bin/" + target["program"], target)])
        package = json.loads(fill("npm/platform/package.json", facts, target))
        if "libc" in target:
            package["libc"] = [target["libc"]]
        write_json(os.path.join(folder, "package.json"), package)


def wheel_tag(target):
    """The platform tag of a wheel. For glibc it names the version that the program requires, so that it is true."""
    if "{glibc}" not in target["wheel"]:
        return target["wheel"]
    version = max(elf.required_glibc(target["path"]) or OLDEST_GLIBC, OLDEST_GLIBC)
    return target["wheel"].replace("{glibc}", "%d_%d" % version)


def make_wheels(targets, facts, out):
    """A wheel is a zip archive with some metadata: nothing is compiled and no tool of Python is needed."""
    stem = f"readstone-{facts['VERSION']}"
    for target in targets:
        tag = "py3-none-" + wheel_tag(target)
        wheel = f"Wheel-Version: 1.0\nGenerator: readstone\nRoot-Is-Purelib: false\nTag: {tag}\n"
        files = license_files(f"{stem}.dist-info/licenses/")
        files.append((f"{stem}.dist-info/METADATA", fill("pypi/METADATA", facts).encode(), 0o644))
        files.append((f"{stem}.dist-info/WHEEL", wheel.encode(), 0o644))
        files.append(program_file(f"{stem}.data/scripts/{target['program']}", target))
        record = ""
        for name, data, _ in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
        record += f"{stem}.dist-info/RECORD,,\n"
        files.append((f"{stem}.dist-info/RECORD", record.encode(), 0o644))
        target["wheel"] = os.path.join(out, "pypi", f"{stem}-{tag}.whl")
        write_zip(target["wheel"], files)


def make_bundles(targets, facts, out):
    """MCPB bundles: one for each system and processor, because the format knows systems only."""
    for target in targets:
        manifest = fill("mcpb/manifest.json", facts, target).encode()
        files = license_files() + [("manifest.json", manifest, 0o644)]
        files.append(program_file("server/" + target["program"], target))
        name = f"readstone-{facts['VERSION']}-{target['os']}-{target['cpu']}.mcpb"
        target["bundle"] = os.path.join(out, "mcpb", name)
        write_zip(target["bundle"], files)


def release_url(facts, path):
    return f"{facts['REPOSITORY']}/releases/download/v{facts['VERSION']}/{os.path.basename(path)}"


def make_server_json(targets, facts, out):
    """The entry of the MCP registry, with the checksums of the bundles."""
    server = json.loads(fill("server.json", facts))
    for target in targets:
        server["packages"].append({
            "registryType": "mcpb",
            "identifier": release_url(facts, target["bundle"]),
            "version": facts["VERSION"],
            "fileSha256": sha256(target["bundle"]),
            "transport": {"type": "stdio"},
        })
    write_json(os.path.join(out, "server.json"), server)


def make_extensions(targets, facts, out):
    """The plugin of Claude Code and the extension of the Gemini CLI, each with its program.

    The Gemini CLI finds its archive in a release by the name SYSTEM.PROCESSOR.NAME.
    """
    for target in targets:
        program = program_file("bin/" + target["program"], target)
        files = template_files("claude-plugin", facts, target) + license_files() + [program]
        name = f"readstone-claude-plugin-{facts['VERSION']}-{target['os']}-{target['cpu']}.zip"
        target["plugin"] = os.path.join(out, "claude-plugin", name)
        write_zip(target["plugin"], files)
        files = template_files("gemini-extension", facts, target) + license_files() + [program]
        path = os.path.join(out, "gemini-extension", f"{target['os']}.{target['cpu']}.readstone")
        target["extension"] = write_archive(path, files, target)


def make_docker(targets, facts, out):
    """The folder to build an image from. Its programs are static: the image has no glibc."""
    files = template_files("docker", facts)
    for target in targets:
        if target.get("libc") == "musl":
            files.append(program_file({"x64": "amd64", "arm64": "arm64"}[target["cpu"]] + "/readstone", target))
    write_folder(os.path.join(out, "docker"), files)


def make_formula(targets, facts, out):
    """The Homebrew formula, with the checksums of the release archives."""
    systems = {"linux": "on_linux", "darwin": "on_macos"}
    processors = {"x64": "on_intel", "arm64": "on_arm"}
    blocks = ""
    for system, block in systems.items():
        inner = ""
        for row in [row for row in targets if row["os"] == system]:
            inner += f"    {processors[row['cpu']]} do\n"
            inner += f'      url "{release_url(facts, row["archive"])}"\n'
            inner += f'      sha256 "{sha256(row["archive"])}"\n'
            inner += "    end\n"
        if inner:
            blocks += f"  {block} do\n{inner}  end\n\n"
    text = fill("homebrew/readstone.rb", facts).replace("@ARCHIVES@\n", blocks)
    write_text(os.path.join(out, "homebrew", "readstone.rb"), text)


def write_checksums(out):
    """SHA256SUMS of every file that a release offers."""
    lines = []
    for folder in ["archives", "mcpb", "claude-plugin", "gemini-extension", "pypi"]:
        for name in sorted(os.listdir(os.path.join(out, folder))):
            lines.append(f"{sha256(os.path.join(out, folder, name))}  {name}\n")
    write_text(os.path.join(out, "SHA256SUMS"), "".join(lines))


def write_index(targets, facts, out):
    """packages.json: what was made for each target."""
    made = ["archive", "wheel", "bundle", "plugin", "extension"]
    for row in targets:
        row.update({key: os.path.relpath(row[key], out) for key in made if key in row})
        del row["path"]
    index = {"version": facts["VERSION"], "repository": facts["REPOSITORY"], "binstall": facts["binstall"]}
    write_json(os.path.join(out, "packages.json"), index | {"targets": targets})


def main():
    parser = argparse.ArgumentParser(description="Makes every package from programs that were built before.")
    parser.add_argument("--program", action="append", required=True, metavar="TARGET=PATH")
    parser.add_argument("--out", required=True, metavar="DIR")
    arguments = parser.parse_args()
    facts, targets, out = read_facts(), read_targets(arguments.program), arguments.out
    if os.path.exists(out) and os.listdir(out):
        sys.exit(f"{out} is not empty")
    portable = portable_targets(targets)
    make_archives(targets, facts, out)
    make_npm(targets, facts, out)
    make_wheels(targets, facts, out)
    make_bundles(portable, facts, out)
    make_server_json(portable, facts, out)
    make_extensions(portable, facts, out)
    make_docker(portable, facts, out)
    make_formula(portable, facts, out)
    write_checksums(out)
    write_index(targets, facts, out)


if __name__ == "__main__":
    main()
