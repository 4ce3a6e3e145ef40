//! How a worker shuts itself in before it touches anything: no files, no network, so much memory, so much of a core.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// For as long as the process lives. What the kernel cannot do is left undone: each of these walls stands alone.
pub(super) fn for_good(memory: u64) {
    let used = address_space();
    limit(Resource::Core, 0);
    limit(Resource::As, used.saturating_add(memory));
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

/// Bytes of addresses that the program itself takes.
#[expect(clippy::disallowed_methods, reason = "the system tells of processes in files of its own")]
fn address_space() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or(0);
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
