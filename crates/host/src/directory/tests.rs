use std::sync::Arc;

use readstone_base::Fixed;

use super::*;

#[test]
fn a_large_directory_that_several_threads_look_at_has_the_size_and_time_of_every_entry() {
    let place = std::env::temp_dir().join(format!("readstone-entries-{}", std::process::id()));
    std::fs::create_dir(&place).unwrap();
    let count = 2 * SHARED + 7;
    for number in 0..count {
        let file = File::create(place.join(format!("{number}"))).unwrap();
        file.set_len(number as u64).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(number as u64 * 60);
        file.set_modified(time).unwrap();
    }
    let directory = Directory::new(os::open_anywhere(&place).unwrap());
    let budget = Budget::new(Arc::new(Fixed(0)), None);
    let mut entries = directory.entries(u64::MAX, &budget).unwrap();
    entries.sort_newest();
    let seen: Vec<_> = entries.iter().map(|entry| (entry.name.to_owned(), entry.size, entry.modified)).collect();
    let made = (0..count)
        .rev()
        .map(|number| (number.to_string().into(), number as u64, Some(i64::try_from(number).unwrap() * 60)));
    assert_eq!(seen, made.collect::<Vec<_>>());
    let few = directory.entries(10, &budget).unwrap();
    assert!(few.len() == 10 && few.more);
    std::fs::remove_dir_all(place).unwrap();
}
