//! Both SDKs have the same options, methods and members: what one gets the other needs too, or it is named here as a difference.
use super::support::repository::path;
use std::{collections::BTreeSet, fs};

/// A part of both SDKs.
struct Pair {
    /// The declaration in src/tools/tools.ts.
    theirs: &'static str,
    /// The file of this folder, and the beginning of its lines that name a member.
    ours: (&'static str, &'static str),
    /// Names that only TypeScript has, in the words of Rust.
    only_theirs: &'static [&'static str],
    only_ours: &'static [&'static str],
}

const PUBLIC_FUNCTION: &str = "    pub fn ";
const PUBLIC_FIELD: &str = "    pub ";

const PAIRS: &[Pair] = &[
    Pair {
        theirs: "export interface ToolsOptions {",
        ours: ("options.rs", PUBLIC_FUNCTION),
        only_theirs: &["fetch"],
        // Adapters of TypeScript set `ask` for each call; the loops of Rust have no adapter.
        only_ours: &["api_key_function", "ask"],
    },
    Pair {
        theirs: "export class Tools {",
        ours: ("client.rs", PUBLIC_FUNCTION),
        // A failure of `answer_tool` is an error by `into_result`.
        only_theirs: &["call_tool", "for"],
        only_ours: &["build", "builder", "call", "for_user", "new"],
    },
    Pair {
        theirs: "export interface SearchOptions {",
        ours: ("search.rs", PUBLIC_FUNCTION),
        only_theirs: &["signal"],
        only_ours: &["cancel_token"],
    },
    Pair {
        theirs: "export interface ResolveOptions {",
        ours: ("resolve.rs", PUBLIC_FUNCTION),
        only_theirs: &["signal"],
        only_ours: &["cancel_token"],
    },
    Pair {
        theirs: "export interface InvokeOptions {",
        ours: ("invoke.rs", PUBLIC_FUNCTION),
        only_theirs: &["made_by", "signal", "wait"],
        only_ours: &["cancel_token", "made_by_program", "without_waiting"],
    },
    Pair {
        theirs: "export interface ReadResultOptions {",
        ours: ("unfinished.rs", PUBLIC_FUNCTION),
        only_theirs: &["signal"],
        only_ours: &[],
    },
    Pair {
        theirs: "export interface CallToolsOptions {",
        ours: ("call_tools.rs", PUBLIC_FUNCTION),
        only_theirs: &["signal"],
        only_ours: &["cancel_token"],
    },
    Pair {
        theirs: "export interface CallToolOptions {",
        ours: ("answer_tool.rs", PUBLIC_FUNCTION),
        // The answer has members in place of most callbacks. Only adapters use the others.
        only_theirs: &[
            "handle",
            "is_approved",
            "longest",
            "made_by",
            "on_blocks",
            "on_meta",
            "on_payment",
            "on_result",
            "on_unfinished",
            "signal",
            "wait",
        ],
        only_ours: &["cancel_token", "into_result", "made_by_program"],
    },
    Pair {
        theirs: "export interface ToolAnswer {",
        ours: ("answer_tool.rs", PUBLIC_FIELD),
        // MCP clients show `meta`; adapters that check results read `result`.
        only_theirs: &["meta", "result"],
        only_ours: &[],
    },
];

#[test]
fn options_methods_and_members_have_the_names_of_typescript() {
    let typescript = fs::read_to_string(path("src/tools/tools.ts")).unwrap();
    for Pair { theirs, ours: (file, beginning), only_theirs, only_ours } in PAIRS {
        let rust = fs::read_to_string(path(&format!("rust/src/tools/{file}"))).unwrap();
        let (theirs_all, ours) = (names_of_typescript(&typescript, theirs), names_of_rust(&rust, beginning));
        let differences = |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect::<Vec<_>>();
        assert!(!theirs_all.is_empty(), "{theirs}");
        assert_eq!(differences(&theirs_all, &ours), *only_theirs, "only {theirs}");
        assert_eq!(differences(&ours, &theirs_all), *only_ours, "only {file}, not {theirs}");
    }
}

/// The members of a declaration, whose lines have two spaces before them.
fn names_of_typescript(source: &str, declaration: &str) -> BTreeSet<String> {
    let (_, body) = source.split_once(&format!("\n{declaration}\n")).unwrap_or_else(|| panic!("no {declaration}"));
    let members = body.lines().take_while(|line| *line != "}").filter_map(|line| {
        let member = line.strip_prefix("  ").map(|member| member.strip_prefix("async ").unwrap_or(member))?;
        let name = word(member);
        let is_member = member[name.len()..].starts_with([':', '?', '(', '<']);
        (is_member && !name.is_empty() && name != "constructor").then(|| in_rust(name))
    });
    members.collect()
}

fn names_of_rust(source: &str, beginning: &str) -> BTreeSet<String> {
    let members = source.lines().filter_map(|line| {
        let line = line.replace("pub async fn ", "pub fn ");
        let member = line.strip_prefix(beginning)?.to_owned();
        let name = word(&member);
        (beginning == PUBLIC_FUNCTION || member[name.len()..].starts_with(':')).then(|| name.to_owned())
    });
    members.collect()
}

fn word(text: &str) -> &str {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next().unwrap_or_default()
}

/// Snake case. A time is a `Duration`, so its name has no unit.
fn in_rust(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake.strip_suffix("_ms").unwrap_or(&snake).into()
}
