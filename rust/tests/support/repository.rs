//! Files and programs of the repository around this package.
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A path from the root of the repository.
pub fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(relative)
}

/// A file of test/vectors.
pub fn vector(name: &str) -> Value {
    let path = path(&format!("test/vectors/{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}
