//! Reports the status of the connection to `on_status`, and mistakes in calls to `on_warning`.
//!
//! Without `on_status`, a toolkit that has had no connection for 3 s is one warning of `tracing`, and its next connection another one:
//! otherwise a wrong address looks like a toolkit that nobody calls. A program without a `tracing` subscriber gets them on stderr.
use super::{
    frames::Members,
    registration::RejectedAction,
    status::{CallWarning, StatusListener, ToolkitStatus, WarningListener},
};
use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};
use tokio::time::Instant;
use tracing::level_filters::LevelFilter;

/// Longer than a restart of the service takes a toolkit that is connected.
const PATIENCE: Duration = Duration::from_secs(3);

/// Calls the listeners. A panic in one cannot disturb the connection.
pub(crate) struct StatusReporter {
    on_status: Option<StatusListener>,
    on_warning: Option<WarningListener>,
    notices: Notices,
    logged: HashSet<String>,
}

impl StatusReporter {
    pub(crate) fn new(on_status: Option<StatusListener>, on_warning: Option<WarningListener>, url: &str, api_key: &str) -> Self {
        let notices = Notices { url: url.into(), api_key: api_key.into(), at: None, is_reported: false, reason: None };
        Self { on_status, on_warning, notices, logged: HashSet::new() }
    }

    pub(crate) fn report(&mut self, status: ToolkitStatus, now: Instant) {
        tracing::debug!(?status, "toolkit");
        match &self.on_status {
            Some(listener) => call(|| listener(status)),
            None => {
                if let ToolkitStatus::Connected { rejected, .. } = &status {
                    self.log_rejected(rejected);
                }
                self.notices.notice(&status, now);
            }
        }
    }

    /// Params of the notification; a malformed one is ignored.
    pub(crate) fn warn(&self, params: Option<&str>) {
        let Some(params) = params.and_then(Members::read) else { return };
        let (Some(invocation_id), Some(message)) = (params.text("invocationId"), params.text("message")) else { return };
        match &self.on_warning {
            Some(listener) => call(|| listener(CallWarning { invocation_id, message })),
            None => tracing::warn!(invocation_id, "{}", printable(&message)),
        }
    }

    /// An action that was added while the toolkit runs is not served.
    pub(crate) fn warn_of_action(&self, problem: &str) {
        log(&format!("svc-sdk: {problem}"));
    }

    pub(crate) fn next_time(&self) -> Option<Instant> {
        self.notices.at
    }

    pub(crate) fn tick(&mut self, now: Instant) {
        self.notices.tick(now);
    }

    /// Each line once.
    fn log_rejected(&mut self, rejected: &[RejectedAction]) {
        for each in rejected {
            let line = format!("svc-sdk: action {:?} was rejected and is skipped: {}", each.action, each.message);
            if self.logged.insert(line.clone()) {
                log(&line);
            }
        }
    }
}

struct Notices {
    url: String,
    api_key: String,
    /// The end of the patience.
    at: Option<Instant>,
    is_reported: bool,
    reason: Option<String>,
}

impl Notices {
    fn notice(&mut self, status: &ToolkitStatus, now: Instant) {
        match status {
            ToolkitStatus::Connecting => {}
            ToolkitStatus::Disconnected { reason, .. } => self.reason = Some(reason.message.clone()),
            ToolkitStatus::Connected { .. } | ToolkitStatus::Stopped { .. } => {
                if self.is_reported && matches!(status, ToolkitStatus::Connected { .. }) {
                    log(&format!("svc-sdk: The toolkit is connected to {}", self.url));
                }
                (self.at, self.is_reported, self.reason) = (None, false, None);
                return;
            }
        }
        if !self.is_reported && self.at.is_none() {
            self.at = Some(now + PATIENCE);
        }
    }

    fn tick(&mut self, now: Instant) {
        if self.at.is_none_or(|at| at > now) {
            return;
        }
        (self.at, self.is_reported) = (None, true);
        // A proxy's page may repeat the request, and has many lines.
        let reason = self.reason.clone().unwrap_or_else(|| format!("{} has not answered yet", self.url));
        let reason = reason.replace(&self.api_key, "[key]").split_whitespace().collect::<Vec<_>>().join(" ");
        log(&format!(
            "svc-sdk: The toolkit is not connected: {reason}. Start the service there, or set SVC_BASE_URL (base_url) to its address; \
             it tries again by itself"
        ));
    }
}

fn log(line: &str) {
    let line = printable(line);
    if LevelFilter::current() == LevelFilter::OFF {
        eprintln!("{line}");
    } else {
        tracing::warn!("{line}");
    }
}

/// Texts of others may hold sequences that control a terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|each| !each.is_control()).collect()
}

fn call(listener: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(listener)).is_err() {
        tracing::debug!("A listener of the toolkit panicked");
    }
}
