//! Frames that come back as they were sent.

use super::*;

fn content(bytes: &[u8]) -> &[u8] {
    let (length, content) = bytes.split_at(LENGTH);
    assert_eq!(u32::from_le_bytes(length.try_into().unwrap()) as usize, content.len());
    content
}

#[test]
fn every_word_comes_back_as_it_was_said() {
    let part = Part { of: 1, from: 2, to: u64::MAX };
    let words = [
        Word::Done(vec![0; 9]),
        Word::Broken("words".to_owned()),
        Word::Ask(Request::Open("-wal".to_owned())),
        Word::Ask(Request::Read(part)),
        Word::Ask(Request::Hold(part)),
        Word::Ask(Request::IsHeld(part)),
        Word::Ask(Request::Release(part)),
        Word::Ask(Request::Who(9)),
        Word::Ask(Request::Take(vec![1, 2])),
    ];
    for word in words {
        assert_eq!(Word::decode(content(&word.encode())), Some(word));
    }
}

#[test]
fn every_answer_comes_back_as_it_was_given() {
    let identity = Identity { device: 1, inode: u64::MAX };
    let stamp = Stamp { identity, size: 3, modified: -4, changed: i128::MAX };
    let known = Known { length: None, serial: true, opened: Some(stamp), now: None };
    let given = vec![
        Given { name: String::new(), opened: Some((0, known, vec![5; 5])) },
        Given { name: "-wal".to_owned(), opened: None },
    ];
    let order = Order { seconds: 7, what: "image".to_owned(), ask: vec![1, 2], given, place: vec![47] };
    let answers = [
        Answer::Task(order),
        Answer::Opened(1, known),
        Answer::Opened(2, Known { length: Some(0), serial: false, opened: None, now: Some(stamp) }),
        Answer::Absent,
        Answer::Bytes(Vec::new()),
        Answer::Flag(true),
        Answer::Identified(Some(stamp)),
        Answer::Identified(None),
        Answer::Failed(-5, "no".to_owned()),
    ];
    for answer in answers {
        assert_eq!(Answer::decode(content(&answer.encode())), Some(answer));
    }
}

#[test]
fn what_is_no_frame_is_told_from_one() {
    assert_eq!(Word::decode(b""), None);
    assert_eq!(Word::decode(b"?"), None);
    assert_eq!(Word::decode(b"R\x01"), None);
    assert_eq!(Answer::decode(b"T\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"), None);
}
