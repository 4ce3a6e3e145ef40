//! What is found does not depend on how many threads look for it.

use readstone_base::Limits;
use readstone_search::{Candidate, Case, Pattern, Seek, seek};
use readstone_source::{Dots, Git, Keep, Trunk, Walk};

use super::stand::{Stand, host};

fn tree(stand: &Stand) {
    for directory in 0..40 {
        for file in 0..40 {
            let text = if (directory * 40 + file) % 3 == 0 { "a stone\n" } else { "sand\n" };
            stand.write(&format!("d{directory}/e{}/{file}.txt", directory % 5), text);
        }
    }
    for file in 0..2_000 {
        stand.write(&format!("flat/{file}.txt"), if file % 100 == 7 { "stone\n" } else { "\n" });
    }
    stand.write("d3/x.bin", [0, 1, 2]);
    stand.write("d3/x.zip", [b'P', b'K', 3, 4, 0, 0]);
}

#[test]
fn one_thread_and_many_find_the_same_files_in_the_same_order() {
    let stand = Stand::new();
    tree(&stand);
    let limits = Limits::default();
    let host = host(stand.path(), &limits);
    let pattern = Pattern::new("stone", Case::Exact, &limits).unwrap();
    let budget = stand.toolbox.budget();
    let sought = |threads: usize, enough: usize| {
        let opened = host.open(std::path::Path::new("."), &budget).unwrap();
        let readstone_host::Object::Directory(directory) = opened.object else { return None };
        let trunk = Trunk { directory: &directory, path: "", real: &opened.real };
        let keep = Keep { dots: Dots::Show, git: Git::Obey, levels: None };
        let walk = Walk { host: &host, trunk, budget: &budget, keep, threads };
        Some(seek(&walk, &Seek { pattern: &pattern, limits: &limits, globs: None, enough }))
    };
    let whole = sought(1, usize::MAX).unwrap();
    assert_eq!(whole.files.len(), 1_600_usize.div_ceil(3) + 20);
    for threads in [2, 3, 8] {
        let other = sought(threads, usize::MAX).unwrap();
        assert_eq!(other.files, whole.files, "{threads} threads");
        let counts = |sought: &readstone_search::Sought| (sought.looked, sought.binary, sought.closed);
        assert_eq!(counts(&other), counts(&whole), "{threads} threads");
    }
    // Where some are enough there may be more of them, and the first ones are the same.
    for (threads, enough) in [(1, 1), (2, 1), (8, 1), (1, 21), (2, 21), (3, 21), (8, 21), (4, 300)] {
        for _ in 0..5 {
            let some: Vec<Candidate> = sought(threads, enough).unwrap().files.into_iter().take(enough).collect();
            assert_eq!(some, whole.files[..enough], "{threads} threads, {enough} files");
        }
    }
}
