//! The pages of the repository whose blocks in Rust are doc tests. The published package does not contain these pages.
//!
//! A fence without a language is Rust to rustdoc: write `text`.

macro_rules! pages {
    ($($name:ident $path:literal)*) => {
        $(
            #[cfg(all(doctest, feature = "macros"))]
            #[doc = include_str!(concat!("../../", $path))]
            // The fences of other languages have attributes such as `file=weather.mjs`.
            #[allow(rustdoc::invalid_codeblock_attributes)]
            struct $name;
        )*

        #[cfg(test)]
        const PAGES: &[&str] = &[$($path),*];
    };
}

pages! {
    Code "docs/code.md"
    Connections "docs/connections.md"
    Content "docs/content.md"
    Errors "docs/errors.md"
    Payments "docs/payments.md"
    Toolkit "docs/toolkit.md"
    Tools "docs/tools.md"
}

#[cfg(test)]
mod tests {
    use super::PAGES;
    use std::{fs, path::Path};

    #[test]
    fn each_page_with_a_block_in_rust_is_a_doc_test() {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let files = fs::read_dir(repository.join("docs")).unwrap().map(|file| format!("docs/{}", file.unwrap().file_name().display()));
        let pages = files.filter(|file| file.ends_with(".md"));
        let mut with_rust: Vec<String> =
            pages.filter(|page| fs::read_to_string(repository.join(page)).unwrap().contains("\n```rust")).collect();
        with_rust.sort_unstable();
        assert_eq!(with_rust, PAGES);
    }
}
