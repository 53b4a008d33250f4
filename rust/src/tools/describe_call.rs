//! Describes a call to the person who approves it: the action, the payload and the price. The payload is JSON on one line, with escapes for the
//! characters that no screen shows.
//!
//! Shape: a payload that is too long shows the beginning of each member, at every depth, and counts what it leaves out: `"abc"… 4990 more` are
//! characters, `{"a":1,… 12 more}` are members. Short members stay whole; the others share the rest. An author cannot imitate such a note,
//! because it is outside of the quotes.
//!
//! Units: code points. A share may be negative where nothing is left.
use super::{canonical_json::to_canonical_json, resolve_response::ResolveResponse};
use crate::{Payment, invisible_text::printable_json};
use serde_json::Value;

const MAX_CHARS: usize = 3_000;
/// A member with less room is only counted.
const MIN_MEMBER_CHARS: i64 = 48;
const NOTE_CHARS: i64 = 16;

/// A text for a person, such as `shop__buy {"thing":"hat"}, for 0.05 USD`. At most 3,000 characters of the payload.
///
/// ```no_run
/// # async fn ask() -> Result<(), svc_sdk::SvcError> {
/// # let tools = svc_sdk::tools::Tools::new("svc_agent_…")?;
/// use svc_sdk::tools::describe_call;
///
/// println!("Run {}?", describe_call(&tools.resolve("shop__buy", r#"{ "thing": "hat" }"#).await?));
/// # Ok(())
/// # }
/// ```
pub fn describe_call(call: &ResolveResponse) -> String {
    describe_call_within(call, MAX_CHARS)
}

/// [`describe_call`] with at most so many characters of the payload.
pub fn describe_call_within(call: &ResolveResponse, max_chars: usize) -> String {
    let payload = shorten(&Value::Object(call.payload.clone()), max_chars as i64);
    let price = call.action.payment.as_ref().map(|Payment { amount, currency }| {
        let currency = currency.as_deref().unwrap_or_default();
        format!(", for {amount} {currency}")
    });
    format!("{} {payload}{}", call.action.action, price.unwrap_or_default())
}

/// A member or an item of a value that is too long.
struct Part<'a> {
    name: Option<&'a String>,
    value: &'a Value,
    /// The length of the whole part, or the total room if that is less.
    size: i64,
}

impl<'a> Part<'a> {
    fn new(name: Option<&'a String>, value: &'a Value, room: i64) -> Self {
        let name_length = name.map_or(0, |name| length(&printable(&Value::from(name.as_str()))) + 1);
        Self { name, value, size: room.min(name_length + length(&printable(value))) }
    }

    fn shorten(&self, share: i64) -> String {
        let Some(name) = self.name.map(|name| Value::from(name.as_str())) else { return shorten(self.value, share) };
        if self.size <= share {
            return format!("{}:{}", printable(&name), printable(self.value));
        }
        let name = shorten(&name, share / 2);
        format!("{name}:{}", shorten(self.value, share - length(&name).min(share) - 1))
    }
}

fn shorten(value: &Value, room: i64) -> String {
    let whole = printable(value);
    if length(&whole) <= room {
        return whole;
    }
    match value {
        Value::String(text) => beginning_of(text, room),
        Value::Array(items) => format!("[{}]", shorten_parts(items.iter().map(|item| Part::new(None, item, room)).collect(), room - 2)),
        Value::Object(members) => {
            let parts = members.iter().map(|(name, member)| Part::new(Some(name), member, room));
            format!("{{{}}}", shorten_parts(parts.collect(), room - 2))
        }
        _ => whole,
    }
}

fn printable(value: &Value) -> String {
    printable_json(&to_json(value))
}

/// JSON as the TypeScript SDK writes it; a whole number has all of its digits.
fn to_json(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(",");
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| format!("{}:{}", Value::from(name.as_str()), to_json(member)));
            format!("{{{}}}", joined(members.collect()))
        }
        Value::Array(items) => format!("[{}]", joined(items.iter().map(to_json).collect())),
        Value::Number(number) if number.is_f64() => to_canonical_json(value),
        other => other.to_string(),
    }
}

fn shorten_parts(parts: Vec<Part<'_>>, room: i64) -> String {
    let needs: Vec<i64> = parts.iter().map(|part| part.size.min(MIN_MEMBER_CHARS) + 1).collect();
    let most = if needs.iter().sum::<i64>() <= room { room } else { room - NOTE_CHARS };
    let mut used = 0;
    let fits = |need: &&i64| {
        used += **need;
        used <= most
    };
    let count = needs.iter().take_while(fits).count();
    let shown = &parts[..count];
    let shares = share_out(shown, most - count as i64);
    let mut texts: Vec<String> = shown.iter().zip(shares).map(|(part, share)| part.shorten(share)).collect();
    if count < parts.len() {
        texts.push(format!("… {} more", parts.len() - count));
    }
    texts.join(",")
}

/// The smallest parts get their full length, and the larger parts share the remaining room.
fn share_out(parts: &[Part<'_>], room: i64) -> Vec<i64> {
    let (mut shares, mut left) = (vec![0; parts.len()], room);
    let mut by_size: Vec<usize> = (0..parts.len()).collect();
    by_size.sort_by_key(|&index| parts[index].size);
    for (done, index) in by_size.into_iter().enumerate() {
        shares[index] = parts[index].size.min(left / (parts.len() - done) as i64);
        left -= shares[index];
    }
    shares
}

fn beginning_of(text: &str, room: i64) -> String {
    let total = length(text);
    let mut count = (room - NOTE_CHARS - 2).max(1);
    loop {
        let beginning: String = text.chars().take(count as usize).collect();
        let shown = printable(&beginning.into());
        let size = length(&shown);
        if size <= room - NOTE_CHARS || count == 1 {
            return format!("{shown}… {} more", total - count);
        }
        // Escapes are longer than the characters that they replace.
        count = (count * (room - NOTE_CHARS) / size).max(1);
    }
}

fn length(text: &str) -> i64 {
    text.chars().count() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_text::from_json;
    use serde_json::json;

    fn call_of(case: &Value) -> ResolveResponse {
        serde_json::from_value(case["call"].clone()).unwrap()
    }

    #[test]
    fn the_calls_of_the_vectors() {
        let cases = from_json(include_bytes!("../../../test/vectors/describe-call.json")).unwrap();
        // A Rust text has no half of a character.
        let cases = cases.as_array().unwrap().iter().filter(|case| !case["call"].to_string().contains('\u{fffd}'));
        let mut played = 0;
        for case in cases {
            let call = call_of(case);
            let said = match case["maxChars"].as_u64() {
                Some(chars) => describe_call_within(&call, chars as usize),
                None => describe_call(&call),
            };
            assert_eq!(said, case["text"].as_str().unwrap(), "{}", case["name"]);
            played += 1;
        }
        assert!(played > 8);
    }

    #[test]
    fn a_whole_number_has_all_of_its_digits() {
        let call = json!({ "call": { "action": { "action": "a__b" }, "payload": { "id": 9_007_199_254_740_993_u64, "at": 1.0 } } });
        assert_eq!(describe_call(&call_of(&call)), r#"a__b {"id":9007199254740993,"at":1}"#);
    }
}
