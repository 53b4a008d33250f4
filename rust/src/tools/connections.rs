//! The connections of the calls of one client: the application's functions, and the names of connections.
use super::{connection_headers::names_header, required_connection::RequiredConnection};
use crate::{Credential, ErrorCode, SvcError};
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use reqwest::header::HeaderValue;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

type CredentialFunction = Arc<dyn Fn(String, Option<String>) -> BoxFuture<'static, Result<Option<Credential>, Failed>> + Send + Sync>;
type RequiredListener = Arc<dyn Fn(RequiredConnection) -> BoxFuture<'static, bool> + Send + Sync>;

/// The function of the application failed. Its error may have secrets, which no model reads.
struct Failed;

#[derive(Clone, Default)]
pub(super) struct Connections {
    credential_function: Option<CredentialFunction>,
    on_required: Option<RequiredListener>,
    pub names: BTreeMap<String, String>,
    /// Toolkits that get the credential of their callers.
    receivers: Arc<Mutex<HashSet<String>>>,
}

impl Connections {
    pub fn set_function<F, Given, E>(&mut self, function: F)
    where
        F: Fn(String, Option<String>) -> Given + Send + Sync + 'static,
        Given: Future<Output = Result<Option<Credential>, E>> + Send + 'static,
    {
        self.credential_function = Some(Arc::new(move |toolkit, user_id| {
            let given = function(toolkit, user_id);
            Box::pin(async move { given.await.map_err(|_| Failed) })
        }));
    }

    pub fn set_listener<F, Given>(&mut self, listener: F)
    where
        F: Fn(RequiredConnection) -> Given + Send + Sync + 'static,
        Given: Future<Output = bool> + Send + 'static,
    {
        self.on_required = Some(Arc::new(move |required| listener(required).boxed()));
    }

    pub fn set_names(&mut self, names: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) {
        self.names = names.into_iter().map(|(toolkit, name)| (toolkit.into(), name.into())).collect();
    }

    /// The header of the names, with another name for one toolkit.
    pub fn names_header(&self, own: Option<(&str, String)>) -> Result<Option<HeaderValue>, SvcError> {
        let Some((toolkit, name)) = own else { return names_header(&self.names) };
        let mut names = self.names.clone();
        names.insert(toolkit.into(), name);
        names_header(&names)
    }

    pub fn has_listener(&self) -> bool {
        self.on_required.is_some()
    }

    /// Remembers that the toolkit gets the credential of its callers.
    pub fn remember(&self, toolkit: &str) {
        self.receivers.lock().unwrap_or_else(PoisonError::into_inner).insert(toolkit.into());
    }

    pub fn is_receiver(&self, toolkit: &str) -> bool {
        self.receivers.lock().unwrap_or_else(PoisonError::into_inner).contains(toolkit)
    }

    /// The application's credential for the toolkit, if it has one.
    pub async fn credential(&self, toolkit: &str, user_id: Option<&str>) -> Result<Option<Credential>, SvcError> {
        let Some(function) = &self.credential_function else { return Ok(None) };
        let given = function(toolkit.into(), user_id.map(str::to_owned)).await;
        given.map_err(|Failed| {
            let message = format!("The application could not connect an account of \"{toolkit}\": connections failed");
            SvcError::new(ErrorCode::ConnectionRequired, message)
        })
    }
}

/// The questions to the application about the calls that a model made together: one for each toolkit.
#[derive(Default)]
pub(super) struct ConnectionQuestions(Mutex<HashMap<String, Shared<BoxFuture<'static, bool>>>>);

impl ConnectionQuestions {
    /// True if the application says that the user has connected the account.
    pub async fn ask(&self, connections: &Connections, required: RequiredConnection) -> bool {
        let Some(listener) = &connections.on_required else { return false };
        let toolkit = required.toolkit.clone();
        let answer = {
            let mut questions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            questions.entry(toolkit).or_insert_with(|| listener(required).shared()).clone()
        };
        answer.await
    }
}
