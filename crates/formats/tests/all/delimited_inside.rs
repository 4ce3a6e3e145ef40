//! Rows and values of files inside archives.

#![cfg(feature = "archives")]

use readstone_source::Entered;

use crate::delimited::stand::Stand;

#[test]
fn rows_and_values_are_found_inside_archives() {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, text) in [("in/a.csv", "a,b\n1,2\n3,4\n"), ("x.json", "{\"k\": {\"a:b\": 7}}")] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    let outer = Stand::new("bundle.tar", archive.into_inner().unwrap());
    let inside = |tail: &str| match outer.enter(Some(tail)).unwrap() {
        Ok(Entered::Piece { piece, rest, .. }) => (Stand { piece, ..Stand::new("", "") }, rest.unwrap()),
        other => panic!("{other:?}"),
    };
    let (stand, rest) = inside("in/a.csv?limit=1&offset=1");
    assert_eq!(stand.rows(&rest), [["3", "4"]]);
    assert_eq!(stand.reach(&rest).path, "d/bundle.tar:in/a.csv?limit=1&offset=1");
    let (stand, rest) = inside("in/a.csv?row=1&column=b");
    assert_eq!(stand.text(&rest).0, "2");
    let (stand, rest) = inside("x.json:/k/a:b");
    assert_eq!(stand.text(&rest).0, "7");
    assert_eq!(stand.reach(&rest).path, "d/bundle.tar:x.json:/k/a:b");
}
