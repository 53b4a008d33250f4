//! Writes equal values as equal JSON texts, independent of the order of keys and of the language.
//!
//! Shape: compact JSON as ECMAScript writes it, keys in the order of their UTF-16 code units.
//! Source: RFC 8785; ECMA-262, Number::toString and JSON.stringify.
use serde_json::{Number, Value};

pub(super) fn to_canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|(name, _), (other, _)| name.encode_utf16().cmp(other.encode_utf16()));
            text.push('{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                text.push_str(&quoted(name));
                text.push(':');
                write(member, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { "," } else { "" });
                write(item, text);
            }
            text.push(']');
        }
        Value::String(value) => text.push_str(&quoted(value)),
        Value::Number(number) => text.push_str(&number_text(number)),
        Value::Bool(_) | Value::Null => text.push_str(&value.to_string()),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A number of ECMAScript is a double.
fn number_text(number: &Number) -> String {
    let number = number.as_f64().unwrap_or_default();
    if number == 0.0 {
        return "0".into();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    // Not `format!`, which selects the larger of two equally near texts; ECMAScript selects the even one.
    let text = Value::from(number.abs()).to_string();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let leading_zeros = digits.len() - digits.trim_start_matches('0').len();
    let point = whole.len() as i32 + exponent.parse::<i32>().unwrap_or_default() - leading_zeros as i32;
    format!("{sign}{}", placed(digits.trim_matches('0'), point))
}

/// Places the decimal point after the first `point` digits, like Number::toString.
fn placed(digits: &str, point: i32) -> String {
    let count = digits.len() as i32;
    match point {
        _ if count <= point && point <= 21 => format!("{digits}{}", "0".repeat((point - count) as usize)),
        1..=21 => format!("{}.{}", &digits[..point as usize], &digits[point as usize..]),
        -5..=0 => format!("0.{}{digits}", "0".repeat(-point as usize)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let fraction = if rest.is_empty() { String::new() } else { format!(".{rest}") };
            format!("{first}{fraction}e{:+}", point - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_ecmascript_writes_them() {
        let wanted = [
            ("0", "0"),
            ("-0.0", "0"),
            ("1.0", "1"),
            ("-0.5", "-0.5"),
            ("1e-6", "0.000001"),
            ("1e-7", "1e-7"),
            ("1.5e-7", "1.5e-7"),
            ("123456789.125", "123456789.125"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("1.25e21", "1.25e+21"),
            ("5e-324", "5e-324"),
            ("9007199254740993", "9007199254740992"),
            ("18446744073709551615", "18446744073709552000"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("-123456789012345678901234567890", "-1.2345678901234568e+29"),
            ("0.1", "0.1"),
            ("1476292660000000.25", "1476292660000000.2"),
            ("0.00000001", "1e-8"),
            ("1000000.5", "1000000.5"),
            ("100", "100"),
            ("5.5e-5", "0.000055"),
            ("8.5e-8", "8.5e-8"),
        ];
        for (written, canonical) in wanted {
            assert_eq!(to_canonical_json(&serde_json::from_str(written).unwrap()), canonical, "{written}");
        }
    }

    #[test]
    fn keys_have_the_order_of_their_utf16_code_units() {
        let value = serde_json::from_str(r#"{"\uffff":1,"😀":2,"b":{"10":1,"9":[true,null,"\u001f\u007f\/"]},"":3}"#).unwrap();
        assert_eq!(to_canonical_json(&value), "{\"\":3,\"b\":{\"10\":1,\"9\":[true,null,\"\\u001f\u{7f}/\"]},\"😀\":2,\"\u{ffff}\":1}");
    }
}
