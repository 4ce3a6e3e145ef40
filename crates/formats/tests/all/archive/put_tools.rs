//! Archives of other programs, and what these say of them once an entry was put in.
//!
//! The programs are asked where they are installed.

use std::path::Path;
use std::process::Output;

use super::kit::{MODIFIED, World, prose, same};

#[expect(clippy::disallowed_methods, reason = "other programs are the judges")]
fn run(directory: &Path, program: &str, arguments: &[&str]) -> Option<Output> {
    std::process::Command::new(program).args(arguments).current_dir(directory).output().ok()
}

/// Runs a program that must succeed; `None`, and a word on standard error, when it is not installed.
#[track_caller]
#[expect(clippy::print_stderr, reason = "a test that proves nothing must say so")]
fn good(directory: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let Some(output) = run(directory, program, arguments) else {
        eprintln!("passed by: `{program}` does not work here");
        return None;
    };
    let words = [output.stdout, output.stderr].concat();
    let words = String::from_utf8_lossy(&words).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {words}");
    Some(words)
}

#[expect(clippy::disallowed_methods, reason = "what other programs wrote is read from the disk")]
fn load(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// A directory with files, a link and an empty directory.
fn tree() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::create_dir_all(path.join("dir/empty")).unwrap();
    for number in 0..20 {
        std::fs::write(path.join(format!("dir/{number}.txt")), prose(number, 700 * number as usize)).unwrap();
    }
    std::os::unix::fs::symlink("3.txt", path.join("dir/link")).unwrap();
    let program = path.join("dir/run");
    std::fs::write(&program, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o750)).unwrap();
    directory
}

const ZIP: &str = r"
import sys, zipfile
old, new = (zipfile.ZipFile(name) for name in sys.argv[1:3])
assert new.testzip() is None
assert new.comment == old.comment
changed = sys.argv[3]
names = old.namelist()
assert new.namelist()[:len(names)] == names, new.namelist()
def facts(info):
    return (info.filename, info.date_time, info.compress_type, info.comment, info.extra, info.create_system,
        info.create_version, info.extract_version, info.flag_bits, info.internal_attr, info.external_attr, info.CRC,
        info.compress_size, info.file_size)
for one, other in zip(old.infolist(), new.infolist()):
    if one.filename == changed:
        assert (one.external_attr, one.create_system, one.comment) == (other.external_attr, other.create_system, other.comment)
        assert other.date_time == (2027, 1, 15, 8, 0, 0), other.date_time
    else:
        assert facts(one) == facts(other), (facts(one), facts(other))
assert new.read(changed) == b'changed\n' * 100
";

fn judge_zip(old: &[u8], path: &Path, changed: &str) {
    let made = World::new("a.zip", old).with(changed, &b"changed\n".repeat(100));
    std::fs::write(path.join("old.zip"), old).unwrap();
    std::fs::write(path.join("new.zip"), &made).unwrap();
    good(path, "python3", &["-c", ZIP, "old.zip", "new.zip", changed]);
    // Others complain of what stands before an archive.
    if old.starts_with(b"PK") {
        good(path, "unzip", &["-tq", "new.zip"]);
        good(path, "zip", &["-T", "new.zip"]);
    }
}

#[test]
fn archives_of_info_zip_keep_what_they_say() {
    let tree = tree();
    let path = tree.path();
    if good(path, "zip", &["-ry", "made.zip", "dir"]).is_none() {
        return;
    }
    let old = load(&path.join("made.zip"));
    for name in ["dir/0.txt", "dir/7.txt", "dir/run", "dir/new.txt"] {
        judge_zip(&old, path, name);
    }
    std::fs::create_dir(path.join("out")).unwrap();
    good(path, "unzip", &["-q", "new.zip", "-d", "out"]);
    same(&load(&path.join("out/dir/9.txt")), &prose(9, 6_300), "a file");
    assert!(path.join("out/dir/link").is_symlink());
    assert_eq!(load(&path.join("out/dir/new.txt")), b"changed\n".repeat(100));
}

#[test]
fn archives_that_were_streamed_keep_what_they_say() {
    let tree = tree();
    let path = tree.path();
    let script = r"
import sys, zipfile
class Stream:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with open('made.zip', 'wb') as file:
    with zipfile.ZipFile(Stream(file), 'w', zipfile.ZIP_DEFLATED) as made:
        made.comment = b'of the archive'
        for number in range(20):
            with made.open(zipfile.ZipInfo('dir/%d.txt' % number, (1999, 12, 31, 23, 59, 58)), 'w', force_zip64=number % 2 == 0) as entry:
                entry.write(open('dir/%d.txt' % number, 'rb').read())
";
    if good(path, "python3", &["-c", script]).is_none() {
        return;
    }
    let old = load(&path.join("made.zip"));
    for name in ["dir/0.txt", "dir/7.txt", "dir/8.txt", "dir/19.txt", "new.txt"] {
        judge_zip(&old, path, name);
    }
    // As a program that unpacks itself.
    let program = [b"#!/bin/sh\nexit 0\n".as_slice(), &old].concat();
    judge_zip(&program, path, "dir/8.txt");
    judge_zip(&program, path, "new.txt");
}

const TAR: &str = r"
import sys, tarfile
old, new = (tarfile.open(name) for name in sys.argv[1:3])
changed = sys.argv[3]
keys = [key for key in old.getmembers()[0].get_info() if key not in ('chksum',)]
before, after = old.getmembers(), new.getmembers()
assert [member.name for member in after][:len(before)] == [member.name for member in before]
for one, other in zip(before, after):
    one_facts, other_facts = one.get_info(), other.get_info()
    one_pax, other_pax = dict(one.pax_headers), dict(other.pax_headers)
    if one.name == changed:
        for facts in (one_facts, other_facts, one_pax, other_pax):
            for key in ('size', 'mtime', 'chksum'):
                facts.pop(key, None)
        assert other.mtime == int(sys.argv[4])
    elif one.isfile():
        assert old.extractfile(one).read() == new.extractfile(other).read()
    assert one_facts == other_facts, (one_facts, other_facts)
    assert one_pax == other_pax, (one_pax, other_pax)
assert new.extractfile(changed).read() == b'changed\n' * 100
";

#[test]
fn archives_of_tar_keep_what_they_say() {
    let tree = tree();
    let path = tree.path();
    let long = format!("dir/{}/{}", "d".repeat(90), "e".repeat(90));
    std::fs::create_dir_all(path.join(&long)).unwrap();
    std::fs::write(path.join(&long).join("deep.txt"), "deep").unwrap();
    let deep = format!("{long}/deep.txt");
    for format in ["gnu", "ustar", "pax"] {
        for (name, packing) in [("old.tar", "-cf"), ("old.tar.gz", "-czf")] {
            let format = format!("--format={format}");
            // The program that tar packs with.
            if packing == "-czf" && good(path, "gzip", &["--version"]).is_none() {
                continue;
            }
            if good(path, "tar", &[&format, packing, name, "dir"]).is_none() {
                return;
            }
            let old = load(&path.join(name));
            let fresh = format!("dir/{}/new.txt", "n".repeat(180));
            for changed in ["dir/0.txt", "dir/19.txt", "dir/run", &deep, "new.txt", &fresh] {
                let made = World::new(name, old.clone()).with(changed, &b"changed\n".repeat(100));
                let new = format!("new-{name}");
                std::fs::write(path.join(&new), &made).unwrap();
                good(path, "python3", &["-c", TAR, name, &new, changed, &MODIFIED.to_string()]);
                let listed = good(path, "tar", &["-tvf", &new]).unwrap_or_default();
                assert!(listed.lines().any(|line| line.contains(changed)), "{listed}");
            }
        }
    }
}
