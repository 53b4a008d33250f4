//! `Retry-After`: RFC 9110, sections 10.2.3 and 5.6.7.
//!
//! Shape: whole seconds, or a date in one of three forms. Anything else, such as `-5` or `1.5`, counts as absent.
use crate::calendar::{DateTime, read_number};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The maximum wait: 68 years.
const MAX_SECONDS: u64 = 1 << 31;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The wait that the header asks for, counted from `now`.
pub(crate) fn read_retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let text = header.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(MAX_SECONDS).min(MAX_SECONDS)));
    }
    let at = UNIX_EPOCH + Duration::from_secs(seconds_of(text)?);
    Some(at.duration_since(now).unwrap_or_default())
}

/// Seconds since 1970.
fn seconds_of(date: &str) -> Option<u64> {
    let words: Vec<&str> = date.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let (day, month, year, time) = match words[..] {
        [weekday, day, month, year, time, "GMT"] if weekday.ends_with(',') => (day, month, year, time),
        // The form of C's `asctime`, which has no time zone.
        [_, month, day, time, year] => (day, month, year, time),
        _ => return None,
    };
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let (day, year) = (read_number(day)?, read_number(year)?);
    let year = match year {
        0..70 => year + 2000,
        70..100 => year + 1900,
        _ => year,
    };
    let parts: Vec<u64> = time.split(':').map(read_number).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    DateTime { year, month, day, hours, minutes, seconds }.to_seconds()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_whole_seconds_or_a_date() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
        let many = "9".repeat(400);
        let cases = [
            ("120", Some(120)),
            (" 7 ", Some(7)),
            ("0", Some(0)),
            (&many, Some(MAX_SECONDS)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", Some(10)),
            ("Sun Nov  6 08:49:47 1994", Some(10)),
            ("Sun, 06 Nov 1994 08:49:27 GMT", Some(0)),
            ("Thu, 29 Feb 1996 00:00:00 GMT", Some(825_552_000 - 784_111_777)),
            ("Sun, 99 Abc 1994 08:49:27 GMT", None),
            ("-5", None),
            ("1.5", None),
            ("+5", None),
            ("1e3", None),
            ("5 seconds", None),
            ("1994-11-06T08:49:47Z", None),
            ("Sun, 06 Nov 1994 08:49:47 +0100", None),
            ("soon", None),
            ("", None),
        ];
        for (header, seconds) in cases {
            assert_eq!(read_retry_after(header, now), seconds.map(Duration::from_secs), "{header}");
        }
    }
}
