//! The questions to the application about the calls that a model made together.
use super::{approvals::ApprovalQuestions, connections::ConnectionQuestions};

#[derive(Default)]
pub(super) struct Questions {
    pub connections: ConnectionQuestions,
    pub approvals: ApprovalQuestions,
}
