//! Reports of tokens that wait for the next request of their session, which carries them.
//!
//! Rule: a report whose request fails, or is dropped, is kept: the service counts its id once.
use super::usage_header::{MAX_USAGE_CHARS, MAX_USAGE_REPORTS};
use crate::http::USAGE_HEADER;
use reqwest::header::{HeaderMap, HeaderValue};
use std::{
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub(super) const SEND_ALONE_AFTER: Duration = Duration::from_secs(2);
/// The oldest above this number are dropped: the service has been out of reach for long.
const MAX_KEPT: usize = 100;

/// The reports of one session.
#[derive(Default)]
pub(super) struct PendingUsage(Mutex<Reports>);

#[derive(Default)]
struct Reports {
    /// Items of the header, oldest first.
    items: Vec<String>,
    is_timed: bool,
}

impl PendingUsage {
    /// True if the caller has to send the reports alone after [`SEND_ALONE_AFTER`].
    pub fn add(&self, item: String, can_wait: bool) -> bool {
        let mut reports = self.lock();
        let end = reports.items.len();
        reports.insert(end, vec![item]);
        can_wait && !mem::replace(&mut reports.is_timed, true)
    }

    /// The reports that were to be sent alone are due.
    pub fn end_wait(&self) {
        self.lock().is_timed = false;
    }

    pub fn is_empty(&self) -> bool {
        self.lock().items.is_empty()
    }

    /// As many reports as fit into one header.
    pub fn take(&self) -> TakenReports<'_> {
        let mut reports = self.lock();
        let mut chars = 0;
        let fits = |item: &&String| {
            chars += item.len() + ", ".len();
            chars <= MAX_USAGE_CHARS
        };
        let count = reports.items.iter().take(MAX_USAGE_REPORTS).take_while(fits).count();
        TakenReports { pending: self, items: reports.items.drain(..count).collect() }
    }

    fn lock(&self) -> MutexGuard<'_, Reports> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reports {
    fn insert(&mut self, at: usize, items: Vec<String>) {
        self.items.splice(at..at, items);
        let surplus = self.items.len().saturating_sub(MAX_KEPT);
        self.items.drain(..surplus);
    }
}

/// Reports on their way, which are kept unless they arrive.
pub(super) struct TakenReports<'a> {
    pending: &'a PendingUsage,
    items: Vec<String>,
}

impl TakenReports<'_> {
    /// Replaces the reports of an earlier try.
    pub fn put_into(&self, headers: &mut HeaderMap) {
        match HeaderValue::try_from(self.items.join(", ")) {
            Ok(value) if !self.items.is_empty() => drop(headers.insert(USAGE_HEADER, value)),
            _ => drop(headers.remove(USAGE_HEADER)),
        }
    }

    pub fn have_arrived(mut self) {
        self.items.clear();
    }
}

impl Drop for TakenReports<'_> {
    fn drop(&mut self) {
        if !self.items.is_empty() {
            self.pending.lock().insert(0, mem::take(&mut self.items));
        }
    }
}
