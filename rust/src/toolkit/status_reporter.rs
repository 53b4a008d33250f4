//! Reports the status of the connection to `on_status`, and mistakes in calls to `on_warning`.
//!
//! Without `on_status`, `tracing` logs a warning after 3 s without a connection, and another when the toolkit is connected again. Without
//! these lines a wrong address looks like a toolkit without calls. A program without a `tracing` subscriber gets them on stderr.
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

/// Longer than the reconnect after a restart of the service.
const PATIENCE: Duration = Duration::from_secs(3);

/// Calls the listeners. A panic in a listener cannot disturb the connection.
pub(crate) struct StatusReporter {
    on_status: Option<StatusListener>,
    on_warning: Option<WarningListener>,
    notices: Notices,
    logged: HashSet<String>,
}

impl StatusReporter {
    pub(crate) fn new(on_status: Option<StatusListener>, on_warning: Option<WarningListener>, url: &str, api_key: &str) -> Self {
        let notices = Notices::new(url, api_key);
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
                self.notices.notice(&status, now).iter().for_each(|line| log(line));
            }
        }
    }

    /// Reports the params of a notification; malformed params are ignored.
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
        self.notices.tick(now).iter().for_each(|line| log(line));
    }

    /// Logs each line once.
    fn log_rejected(&mut self, rejected: &[RejectedAction]) {
        for each in rejected {
            let line = format!("svc-sdk: action {:?} was rejected and is skipped: {}", each.action, each.message);
            if self.logged.insert(line.clone()) {
                log(&line);
            }
        }
    }
}

/// The lines about a long loss of the connection.
struct Notices {
    url: String,
    api_key: String,
    /// The time of the line, if the connection stays lost.
    at: Option<Instant>,
    is_reported: bool,
    reason: Option<String>,
}

impl Notices {
    fn new(url: &str, api_key: &str) -> Self {
        Self { url: url.into(), api_key: api_key.into(), at: None, is_reported: false, reason: None }
    }

    fn notice(&mut self, status: &ToolkitStatus, now: Instant) -> Option<String> {
        match status {
            ToolkitStatus::Connecting => {}
            ToolkitStatus::Disconnected { reason, .. } => self.reason = Some(reason.message.clone()),
            ToolkitStatus::Connected { .. } | ToolkitStatus::Stopped { .. } => {
                let is_back = self.is_reported && matches!(status, ToolkitStatus::Connected { .. });
                (self.at, self.is_reported, self.reason) = (None, false, None);
                return is_back.then(|| format!("svc-sdk: The toolkit is connected to {}", self.url));
            }
        }
        if !self.is_reported && self.at.is_none() {
            self.at = Some(now + PATIENCE);
        }
        None
    }

    fn tick(&mut self, now: Instant) -> Option<String> {
        if self.at.is_none_or(|at| at > now) {
            return None;
        }
        (self.at, self.is_reported) = (None, true);
        // A proxy's page is not logged: it has many lines and may repeat the request.
        let reason = self.reason.clone().unwrap_or_else(|| format!("{} has not answered yet", self.url));
        let reason = reason.replace(&self.api_key, "[key]").split_whitespace().collect::<Vec<_>>().join(" ");
        Some(format!(
            "svc-sdk: The toolkit is not connected: {reason}. Start the service there, or set SVC_BASE_URL (base_url) to its address; \
             it tries again by itself"
        ))
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

/// Foreign texts may hold control sequences of terminals.
fn printable(text: &str) -> String {
    text.chars().filter(|each| !each.is_control()).collect()
}

fn call(listener: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(listener)).is_err() {
        tracing::debug!("A listener of the toolkit panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, SvcError};

    fn lost(message: &str) -> ToolkitStatus {
        ToolkitStatus::Disconnected { reason: SvcError::new(ErrorCode::ServiceUnreachable, message), retry_in: PATIENCE }
    }

    #[test]
    fn three_seconds_without_a_connection_and_the_next_connection_are_one_line_each() {
        let (mut notices, start) = (Notices::new("http://h/v1/toolkit", "svc_toolkit_a"), Instant::now());
        assert_eq!(notices.notice(&ToolkitStatus::Connecting, start), None);
        assert_eq!(notices.notice(&lost("A page with\nsvc_toolkit_a"), start), None);
        assert_eq!(notices.tick(start + PATIENCE / 2), None);
        let line = "svc-sdk: The toolkit is not connected: A page with [key]. Start the service there, or set SVC_BASE_URL (base_url) \
                    to its address; it tries again by itself";
        assert_eq!(notices.tick(start + PATIENCE).as_deref(), Some(line));
        assert_eq!(notices.notice(&lost("Again"), start + PATIENCE), None);
        assert_eq!(notices.tick(start + PATIENCE * 9), None);

        let registration =
            serde_json::json!({ "toolkit": { "id": "a" }, "accepted": [], "rejected": [], "awaiting": [], "heartbeatMs": 1 });
        let registration = crate::toolkit::registration::read_register_answer(&registration.to_string()).unwrap().registration;
        let connected = ToolkitStatus::Connected { registration, rejected: vec![], refused: None };
        assert_eq!(notices.notice(&connected, start).as_deref(), Some("svc-sdk: The toolkit is connected to http://h/v1/toolkit"));
        assert_eq!(notices.notice(&connected, start), None);
    }

    #[test]
    fn a_short_loss_is_not_logged() {
        let (mut notices, start) = (Notices::new("u", "k"), Instant::now());
        notices.notice(&lost("Gone"), start);
        notices.notice(&ToolkitStatus::Stopped { reason: None }, start);
        assert_eq!((notices.at, notices.tick(start + PATIENCE * 2)), (None, None));
    }
}
