//! The options of a client for calls that a person has to approve.
use super::required_approval::{ApprovalAnswer, ApprovalQuestion};
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

type RequiredListener = Arc<dyn Fn(ApprovalQuestion) -> BoxFuture<'static, Option<ApprovalAnswer>> + Send + Sync>;

/// The way of a call that a person has to approve first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalMode {
    /// The error says what to do next.
    #[default]
    Report,
    /// The call waits for the decision within its timeout.
    Wait,
}

#[derive(Clone, Default)]
pub(super) struct Approvals {
    pub mode: ApprovalMode,
    on_required: Option<RequiredListener>,
}

impl Approvals {
    pub fn set_listener<F, Given>(&mut self, listener: F)
    where
        F: Fn(ApprovalQuestion) -> Given + Send + Sync + 'static,
        Given: Future<Output = Option<ApprovalAnswer>> + Send + 'static,
    {
        self.on_required = Some(Arc::new(move |question| listener(question).boxed()));
    }

    pub fn has_listener(&self) -> bool {
        self.on_required.is_some()
    }
}

/// The questions to the application about the calls that a model made together: equal calls share one.
#[derive(Default)]
pub(super) struct ApprovalQuestions(Mutex<HashMap<String, Shared<BoxFuture<'static, Option<ApprovalAnswer>>>>>);

impl ApprovalQuestions {
    /// The answer of the application's user.
    pub async fn ask(&self, approvals: &Approvals, question: ApprovalQuestion) -> Option<ApprovalAnswer> {
        let listener = approvals.on_required.as_ref()?;
        let answer = {
            let mut questions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            questions.entry(question.approval.id.clone()).or_insert_with(|| listener(question).shared()).clone()
        };
        answer.await
    }
}
