//! How a worker shuts itself in before it touches anything: no files, no network, so much memory, so much of a core.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// For as long as the process lives. What the kernel cannot do is left undone: each of these walls stands alone.
pub(super) fn for_good(memory: u64) {
    let (space, data) = (used(0), used(5));
    limit(Resource::Core, 0);
    limit(Resource::As, space.saturating_add(memory));
    // Addresses that an allocator set aside before are no memory yet; this counts when they are used.
    limit(Resource::Data, data.saturating_add(memory));
    // Nothing can be opened any more, neither a file nor a socket.
    limit(Resource::Nofile, 0);
}

/// So many seconds of a core more than were used until now.
pub(super) fn for_one_task(seconds: u64) {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let used = u64::try_from(used.tv_sec).unwrap_or(0);
    let maximum = getrlimit(Resource::Cpu).maximum;
    let current = Some(used.saturating_add(seconds).saturating_add(1));
    let _ = setrlimit(Resource::Cpu, Rlimit { current, maximum });
}

fn limit(resource: Resource, most: u64) {
    let before = getrlimit(resource);
    let most = before.maximum.map_or(most, |maximum| maximum.min(most));
    let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
}

/// Closes what the program was given beside its three streams.
#[expect(clippy::disallowed_methods, reason = "the system tells of processes in files of its own")]
pub(super) fn close_files() {
    let Ok(files) = std::fs::read_dir("/proc/self/fd") else {
        return;
    };
    let numbers = files.filter_map(|file| file.ok()?.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2).collect::<Vec<_>>() {
        // The list itself is among them, and closed already.
        let _ = nix::unistd::close(number);
    }
}

/// Bytes of what the program itself takes, by its place in what the system tells: 0 for addresses, 5 for data.
#[expect(clippy::disallowed_methods, reason = "the system tells of processes in files of its own")]
fn used(place: usize) -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').nth(place).and_then(|pages| pages.trim().parse().ok()).unwrap_or(0);
    pages.saturating_mul(rustix::param::page_size() as u64)
}

/// Takes away every right to the file system and to connect.
#[cfg(target_os = "linux")]
pub(super) fn restrict() {
    use landlock::{ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _};
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V5))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V5)));
    if let Ok(rules) = rules.and_then(Ruleset::create) {
        drop(rules.restrict_self());
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn restrict() {}
