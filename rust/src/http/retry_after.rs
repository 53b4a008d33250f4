//! `Retry-After`: RFC 9110, sections 10.2.3 and 5.6.7.
//!
//! Shape: whole seconds, or a date in one of three forms. Anything else, such as `-5` or `1.5`, counts as absent.
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
    let (day, year) = (number(day)?, number(year)?);
    let year = match year {
        0..70 => year + 2000,
        70..100 => year + 1900,
        _ => year,
    };
    let parts: Vec<u64> = time.split(':').map(number).collect::<Option<_>>()?;
    let [hours, minutes, seconds] = parts[..] else { return None };
    if !(1970..10_000).contains(&year) || !(1..=31).contains(&day) || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    Some(((days_until(year, month) + day - 1) * 24 + hours) * 3_600 + minutes * 60 + seconds)
}

/// Days from 1970 to the first of the month.
fn days_until(year: u64, month: u64) -> u64 {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let years: u64 = (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let months: u64 = (1..month)
        .map(|month| match month {
            2 => 28 + u64::from(is_leap(year)),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        })
        .sum();
    years + months
}

fn number(text: &str) -> Option<u64> {
    if text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
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
