//! How a worker shuts itself in before it touches anything: no files, no network, so much memory, so much of a core.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// For as long as the process lives. What the kernel cannot do is left undone: each of these walls stands alone.
pub(super) fn for_good(used: Used, memory: u64, files: u64) {
    limit(Resource::Core, 0);
    limit(Resource::As, used.addresses.saturating_add(memory));
    // Addresses that an allocator sets aside are no memory yet; this counts when they are used.
    limit(Resource::Data, used.data.saturating_add(memory));
    // With one, nothing can be opened any more, neither a file nor a socket; with none, nothing could be waited for.
    limit(Resource::Nofile, files);
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

/// What the program itself takes.
#[derive(Clone, Copy)]
pub(super) struct Used {
    addresses: u64,
    data: u64,
}

/// Bytes of addresses that the allocator sets aside for a thread.
const ARENA: u64 = 128 * 1024 * 1024;

impl Used {
    /// What is used now and by a thread with such a stack.
    #[expect(clippy::disallowed_methods, reason = "the system tells of processes in files of its own")]
    pub(super) fn with_stack(stack: usize) -> Self {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let page = rustix::param::page_size() as u64;
        let bytes = |place: usize| {
            let pages: u64 = text.split(' ').nth(place).and_then(|pages| pages.trim().parse().ok()).unwrap_or(0);
            pages.saturating_mul(page).saturating_add(stack as u64)
        };
        // The system tells of addresses first, and of data sixth.
        Self { addresses: bytes(0).saturating_add(ARENA), data: bytes(5) }
    }
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
