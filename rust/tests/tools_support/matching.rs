//! The patterns of test/vectors/README.md: `$any`, `$string`, `$number`, `$x1000`, and names that bind.
use serde_json::Value;
use std::collections::HashMap;

pub type Bindings = HashMap<String, Value>;

const DEFAULT_NUMBER: u32 = 10_000;

/// Fails with the place where the two differ. Objects may have more keys than expected.
pub fn matches(actual: Option<&Value>, expected: &Value, bindings: &mut Bindings, path: &str) -> Result<(), String> {
    let differs = || Err(format!("{path}: {} instead of {expected}", shown(actual)));
    match (actual, expected) {
        (_, Value::String(text)) if text.starts_with('$') => match_pattern(actual, &text[1..], bindings, path),
        (Some(Value::Object(members)), Value::Object(wanted)) => {
            wanted.iter().try_for_each(|(name, member)| matches(members.get(name), member, bindings, &format!("{path}/{name}")))
        }
        (Some(Value::Array(items)), Value::Array(wanted)) if items.len() == wanted.len() => {
            let mut pairs = items.iter().zip(wanted).enumerate();
            pairs.try_for_each(|(index, (item, wanted))| matches(Some(item), wanted, bindings, &format!("{path}/{index}")))
        }
        (Some(Value::Number(number)), Value::Number(wanted)) if number.as_f64() == wanted.as_f64() => Ok(()),
        (Some(actual), expected) if actual == expected => Ok(()),
        _ => differs(),
    }
}

#[track_caller]
pub fn assert_match(actual: &Value, expected: &Value, bindings: &mut Bindings, case: &str) {
    if let Err(difference) = matches(Some(actual), expected, bindings, "") {
        panic!("{case}: {difference}");
    }
}

/// Fails if a member of `absent` is there.
#[track_caller]
pub fn assert_absent(actual: &Value, absent: &Value, case: &str) {
    for pointer in absent.as_array().into_iter().flatten() {
        assert_eq!(actual.pointer(pointer.as_str().unwrap()), None, "{case}: {pointer}");
    }
}

/// The value to send: bound names become their values, and a name without a value is bound to itself.
pub fn fill_in(value: &Value, bindings: &mut Bindings) -> Value {
    match value {
        Value::String(text) => fill_in_text(text, bindings),
        Value::Array(items) => items.iter().map(|item| fill_in(item, bindings)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), fill_in(member, bindings))).collect(),
        other => other.clone(),
    }
}

fn fill_in_text(text: &str, bindings: &mut Bindings) -> Value {
    let Some(name) = text.strip_prefix('$') else { return text.into() };
    if let Some(length) = long_text(name) {
        return "x".repeat(length).into();
    }
    let default = if name == "number" { DEFAULT_NUMBER.into() } else { name.into() };
    bindings.entry(name.into()).or_insert(default).clone()
}

/// The length of a text that is too long for a file.
fn long_text(name: &str) -> Option<usize> {
    name.strip_prefix('x')?.parse().ok()
}

fn match_pattern(actual: Option<&Value>, name: &str, bindings: &mut Bindings, path: &str) -> Result<(), String> {
    let fits = match (actual, name) {
        (None, _) => false,
        (Some(value), _) if long_text(name).is_some() => value.as_str().is_some_and(|text| text == "x".repeat(long_text(name).unwrap())),
        (Some(value), "string") => value.is_string(),
        (Some(value), "number") => value.is_number(),
        (Some(_), "any") => true,
        (Some(value), _) => bindings.entry(name.into()).or_insert_with(|| value.clone()) == value,
    };
    if fits { Ok(()) } else { Err(format!("{path}: {} instead of ${name}", shown(actual))) }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".into(), |value| value.to_string().chars().take(200).collect())
}
