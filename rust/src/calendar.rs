//! Times of the wire: RFC 3339, section 5.6, and the dates of HTTP.
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A date and a time of day in UTC.
pub(crate) struct DateTime {
    pub year: u64,
    /// 1 to 12.
    pub month: u64,
    pub day: u64,
    pub hours: u64,
    pub minutes: u64,
    pub seconds: u64,
}

impl DateTime {
    /// Seconds since 1970; `None` for a date or a time that does not exist.
    pub fn to_seconds(&self) -> Option<u64> {
        let Self { year, month, day, hours, minutes, seconds } = *self;
        let is_date = (1970..10_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        let is_time = hours < 24 && minutes < 60 && seconds <= 60;
        (is_date && is_time).then(|| ((days_until(year, month) + day - 1) * 24 + hours) * 3_600 + minutes * 60 + seconds)
    }
}

/// The time of a text such as `2026-11-27T09:00:00.000Z`; `None` for another text.
pub(crate) fn read_timestamp(text: &str) -> Option<SystemTime> {
    let (date, rest) = text.split_once(['T', 't'])?;
    let zone_at = rest.find(['Z', 'z', '+', '-'])?;
    let (time, zone) = rest.split_at(zone_at);
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let [year, month, day] = numbers(date, '-')?;
    let [hours, minutes, seconds] = numbers(time, ':')?;
    let seconds = DateTime { year, month, day, hours, minutes, seconds }.to_seconds()?;
    let fraction = fraction.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("0.{fraction}").parse::<f64>().ok())??;
    let local = UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_secs_f64(fraction);
    match zone {
        "Z" | "z" => Some(local),
        _ => {
            let [hours, minutes] = numbers(&zone[1..], ':')?;
            let offset = Duration::from_secs(hours * 3_600 + minutes * 60);
            if zone.starts_with('+') { local.checked_sub(offset) } else { local.checked_add(offset) }
        }
    }
}

/// `2026-11-27T09:00:00Z`, with milliseconds if there are any.
pub(crate) fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let last = |mut range: std::ops::Range<u64>, begins: &dyn Fn(u64) -> u64| range.rfind(|each| begins(*each) <= days).unwrap_or_default();
    let year = last(1970..10_000, &|year| days_until(year, 1));
    let month = last(1..13, &|month| days_until(year, month));
    let day = days - days_until(year, month) + 1;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let fraction = match since.subsec_millis() {
        0 => String::new(),
        milliseconds => format!(".{milliseconds:03}"),
    };
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}{fraction}Z")
}

fn numbers<const N: usize>(text: &str, separator: char) -> Option<[u64; N]> {
    let numbers: Vec<u64> = text.split(separator).map(read_number).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// A number of at most four digits.
pub(crate) fn read_number(text: &str) -> Option<u64> {
    if text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_of_rfc_3339() {
        let cases = [
            ("1970-01-01T00:00:01Z", Some(1_000)),
            ("2026-11-27T09:00:00.250Z", Some(1_795_770_000_250)),
            ("2026-11-27t09:00:00z", Some(1_795_770_000_000)),
            ("2026-11-27T10:30:00+01:30", Some(1_795_770_000_000)),
            ("2026-11-27T00:30:00-08:30", Some(1_795_770_000_000)),
            ("2026-11-27T09:00:00", None),
            ("2026-13-27T09:00:00Z", None),
            ("2026-11-27T24:00:00Z", None),
            ("2026-11-27 09:00:00Z", None),
            ("2026-11-27T09:00Z", None),
            ("2026-11-27T09:00:00.1e9Z", None),
            ("2026-11-27T09:00:00+é", None),
            ("soon", None),
            ("", None),
        ];
        for (text, milliseconds) in cases {
            let wanted = milliseconds.map(|wait| UNIX_EPOCH + Duration::from_millis(wait));
            assert_eq!(read_timestamp(text), wanted, "{text}");
        }
        for text in ["1970-01-01T00:00:00Z", "2024-02-29T23:59:59.007Z", "2026-12-31T09:00:00Z", "9999-12-31T00:00:00Z"] {
            assert_eq!(timestamp(read_timestamp(text).unwrap()), text);
        }
    }
}
