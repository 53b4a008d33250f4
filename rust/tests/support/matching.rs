//! The patterns of test/vectors/README.md: `$any`, `$string`, `$number`, `$x1000`, and names that bind.
use serde_json::{Map, Value, json};

pub type Bindings = Map<String, Value>;

const DEFAULT_NUMBER: u64 = 10_000;

/// The place of the difference. Objects may have more keys than expected.
pub fn compare(actual: &Value, expected: &Value, bindings: &mut Bindings) -> Result<(), String> {
    compare_at(Some(actual), expected, bindings, "")
}

/// Members that must not exist, as JSON Pointers.
pub fn compare_absent(actual: &Value, pointers: &Value) -> Result<(), String> {
    let mut pointers = pointers.as_array().into_iter().flatten().filter_map(Value::as_str);
    match pointers.find(|pointer| actual.pointer(pointer).is_some()) {
        Some(pointer) => Err(format!("{pointer} is there")),
        None => Ok(()),
    }
}

/// The value to send. A name without a value is bound to itself.
pub fn fill_in(value: &Value, bindings: &mut Bindings) -> Value {
    match value {
        Value::String(text) => fill_in_text(text, bindings),
        Value::Array(items) => items.iter().map(|item| fill_in(item, bindings)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), fill_in(member, bindings))).collect(),
        other => other.clone(),
    }
}

fn fill_in_text(text: &str, bindings: &mut Bindings) -> Value {
    if let Some(name) = text.strip_prefix('$').filter(|name| is_name(name)) {
        if let Some(long) = long_text(name) {
            return long.into();
        }
        let default = if name == "number" { json!(DEFAULT_NUMBER) } else { json!(name) };
        return bindings.entry(name).or_insert(default).clone();
    }
    let mut filled = text.to_owned();
    for (name, value) in bindings.iter() {
        if let Some(value) = value.as_str() {
            filled = filled.replace(&format!("${name}"), value);
        }
    }
    filled.into()
}

fn compare_at(actual: Option<&Value>, expected: &Value, bindings: &mut Bindings, path: &str) -> Result<(), String> {
    let Some(actual) = actual else { return Err(format!("{path} is missing")) };
    let differ = || Err(format!("{path}: {} instead of {}", shown(actual), shown(expected)));
    match expected {
        Value::String(text) if text.starts_with('$') => compare_pattern(actual, &text[1..], bindings, path),
        Value::Object(members) => {
            if !actual.is_object() {
                return differ();
            }
            members.iter().try_for_each(|(name, member)| compare_at(actual.get(name), member, bindings, &format!("{path}/{name}")))
        }
        Value::Array(items) => match actual.as_array() {
            Some(actual) if actual.len() == items.len() => {
                let mut pairs = actual.iter().zip(items).enumerate();
                pairs.try_for_each(|(index, (each, item))| compare_at(Some(each), item, bindings, &format!("{path}/{index}")))
            }
            _ => differ(),
        },
        // 1 and 1.0 are the same number.
        Value::Number(_) if actual.is_number() && actual.as_f64() == expected.as_f64() => Ok(()),
        _ if actual == expected => Ok(()),
        _ => differ(),
    }
}

fn compare_pattern(actual: &Value, name: &str, bindings: &mut Bindings, path: &str) -> Result<(), String> {
    let differ = |expected: &str| Err(format!("{path}: {} instead of {expected}", shown(actual)));
    if let Some(long) = long_text(name) {
        return if actual.as_str() == Some(&long) { Ok(()) } else { differ(name) };
    }
    match name {
        "any" => Ok(()),
        "string" if actual.is_string() => Ok(()),
        "number" if actual.is_number() => Ok(()),
        "string" | "number" => differ(name),
        // `$actions` is a list, whose members are compared like all others.
        _ => match bindings.get(name).cloned() {
            None => {
                bindings.insert(name.into(), actual.clone());
                Ok(())
            }
            Some(bound) if bound.is_array() => compare_at(Some(actual), &bound, bindings, path),
            Some(bound) if *actual == bound => Ok(()),
            Some(bound) => differ(&shown(&bound)),
        },
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// `x1000`: a thousand times the letter x.
fn long_text(name: &str) -> Option<String> {
    Some("x".repeat(name.strip_prefix('x')?.parse().ok()?))
}

/// Limits the length of a failure's message.
fn shown(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}
