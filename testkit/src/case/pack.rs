//! Packing: archives and databases that a page makes.

use std::io::{Cursor, Write as _};
use std::path::Path;

use super::recipe::{everything, read};

/// When everything in an archive was changed: 2024-01-02 03:04.
const THEN: u64 = 1_704_164_640;

/// An archive or a compressed file, by its name, of files below `root`.
pub(super) fn pack(root: &Path, name: &str, files: &[String]) -> Result<Vec<u8>, String> {
    let (inner, how) = match name.rsplit_once('.') {
        Some((inner, how @ ("gz" | "bz2" | "xz" | "zst"))) => (inner.to_owned(), Some(how)),
        Some((inner, "tgz")) => (format!("{inner}.tar"), Some("gz")),
        Some(_) | None => (name.to_owned(), None),
    };
    let members = members(root, files)?;
    let bytes = match (inner.rsplit_once('.').map_or("", |(_, last)| last), members.as_slice()) {
        ("zip" | "jar" | "whl", _) => zip(&members),
        ("tar", _) => tar(&members),
        (_, [(_, Some(bytes))]) if how.is_some() => Ok(bytes.clone()),
        (_, _) => Err(format!("{name} cannot be packed")),
    }?;
    match how {
        Some(how) => compress(how, &bytes).map_err(|error| error.to_string()),
        None => Ok(bytes),
    }
}

/// A name and the bytes of a file; a directory has none.
type Member = (String, Option<Vec<u8>>);

fn members(root: &Path, files: &[String]) -> Result<Vec<Member>, String> {
    let mut members = Vec::new();
    for file in files {
        let path = root.join(file);
        if !path.is_dir() {
            members.push((file.clone(), Some(read(&path)?)));
            continue;
        }
        members.push((format!("{file}/"), None));
        for below in everything(&path)? {
            let name = below.strip_prefix(root).unwrap_or(&below).display().to_string();
            let bytes = if below.is_dir() { None } else { Some(read(&below)?) };
            members.push((if bytes.is_none() { format!("{name}/") } else { name }, bytes));
        }
    }
    Ok(members)
}

fn zip(members: &[Member]) -> Result<Vec<u8>, String> {
    let failed = |error: zip::result::ZipError| error.to_string();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let when = zip::DateTime::from_date_and_time(2024, 1, 2, 3, 4, 0).map_err(|error| error.to_string())?;
    let options = zip::write::SimpleFileOptions::default().last_modified_time(when);
    for (name, bytes) in members {
        match bytes {
            None => writer.add_directory(name.as_str(), options).map_err(failed)?,
            Some(bytes) => {
                writer.start_file(name.as_str(), options).map_err(failed)?;
                writer.write_all(bytes).map_err(|error| error.to_string())?;
            }
        }
    }
    Ok(writer.finish().map_err(failed)?.into_inner())
}

fn tar(members: &[Member]) -> Result<Vec<u8>, String> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_mtime(THEN);
        header.set_mode(if bytes.is_some() { 0o644 } else { 0o755 });
        header.set_entry_type(if bytes.is_some() { tar::EntryType::Regular } else { tar::EntryType::Directory });
        let bytes = bytes.as_deref().unwrap_or_default();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, bytes).map_err(|error| error.to_string())?;
    }
    builder.into_inner().map_err(|error| error.to_string())
}

fn compress(how: &str, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    match how {
        "gz" => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            writer.write_all(bytes)?;
            writer.finish()
        }
        "bz2" => {
            let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
            writer.write_all(bytes)?;
            writer.finish()
        }
        "xz" => {
            let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1))?;
            writer.write_all(bytes)?;
            writer.finish()
        }
        _ => Ok(ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)),
    }
}

/// Runs statements on a database, which is made when it is missing.
pub(super) fn query(path: &Path, sql: &str) -> Result<(), String> {
    let connection = rusqlite::Connection::open(path).map_err(|error| error.to_string())?;
    connection.execute_batch(sql).map_err(|error| format!("{sql}: {error}"))
}
