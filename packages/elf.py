"""Reads from an ELF program which version of glibc it requires.

    python3 packages/elf.py PROGRAM...      prints the version for each, "static" when it needs no libc
"""

import struct
import sys

# The type of the section with required versions, and the form of one section header in a 64-bit file.
VERSIONS_NEEDED = 0x6FFFFFFE
HEADER = struct.Struct("<IIQQQQIIQQ")


class NotElf(Exception):
    """The file is not a 64-bit little-endian ELF file with section headers."""


def required_versions(path):
    """The symbol versions that the program requires of its libraries, for example {"GLIBC_2.31", "GCC_3.0"}."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotElf(path)
    offset, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    if offset == 0 or size != HEADER.size:
        raise NotElf(path)
    sections = [HEADER.unpack_from(data, offset + index * size) for index in range(count)]
    versions = set()
    for section in sections:
        if section[1] == VERSIONS_NEEDED:
            names = sections[section[6]][4]
            versions |= walk_needed(data, section[4], names)
    return versions


def walk_needed(data, at, names):
    """Follows the chain of libraries at `at`, and of each library the chain of its versions."""
    versions = set()
    while True:
        _, _, _, first, next_library = struct.unpack_from("<HHIII", data, at)
        entry = at + first
        while True:
            _, _, _, name, next_version = struct.unpack_from("<IHHII", data, entry)
            start = names + name
            versions.add(data[start : data.index(b"\0", start)].decode())
            if next_version == 0:
                break
            entry += next_version
        if next_library == 0:
            return versions
        at += next_library


def is_dynamic(path):
    """Whether the program names an interpreter (the dynamic loader)."""
    with open(path, "rb") as file:
        data = file.read(1 << 16)
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    return any(struct.unpack_from("<I", data, offset + index * size)[0] == 3 for index in range(count))


def required_glibc(path):
    """The newest glibc that the program requires as (2, 31), or None for a program without a loader."""
    if not is_dynamic(path):
        return None
    versions = required_versions(path)
    # A loader older than 2.36 refuses a program with this mark, whatever else it requires.
    found = [(2, 36)] if "GLIBC_ABI_DT_RELR" in versions else []
    found += [tuple(map(int, name[6:].split("."))) for name in versions if name.startswith("GLIBC_2")]
    return max(found)[:2]


if __name__ == "__main__":
    for program in sys.argv[1:]:
        version = required_glibc(program)
        print(program, "static" if version is None else "glibc %d.%d" % version)
