//! The connection that a toolkit asks for, and where one of its actions differs.
//!
//! Source: docs/protocol.md, section 11.
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;

/// The connection that the calls of a toolkit need: the account at the API behind it.
///
/// The service checks it with the registration.
///
/// ```
/// use svc_sdk::toolkit::{ConnectionSource, ToolkitAuth};
///
/// let auth = ToolkitAuth::bearer(ConnectionSource::Caller).help("A GitHub token with the scope repo");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolkitAuth {
    r#type: AuthType,
    from: ConnectionSource,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r#in: Option<Place>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    authorization_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revocation_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    issuer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scopes: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    registration: Option<ClientRegistration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<AccountQuestion>,
}

/// The owner of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ConnectionSource {
    /// The caller sends a credential with each call.
    Caller,
    /// The service keeps a connection of each user.
    User,
    /// The service keeps a connection of each agent key.
    Agent,
    /// The service keeps one connection for all callers.
    Everyone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum AuthType {
    Bearer,
    Basic,
    ApiKey,
    Oauth2,
}

/// The place of an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Place {
    Header,
    Query,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ClientRegistration {
    Dcr,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct AccountQuestion {
    url: String,
    field: String,
}

impl ToolkitAuth {
    /// An access token.
    pub fn bearer(from: ConnectionSource) -> Self {
        Self::new(AuthType::Bearer, from)
    }

    /// A name and a password.
    pub fn basic(from: ConnectionSource) -> Self {
        Self::new(AuthType::Basic, from)
    }

    /// A key of the API, in the header `X-API-Key`.
    pub fn api_key(from: ConnectionSource) -> Self {
        Self::new(AuthType::ApiKey, from)
    }

    /// An access token of an OAuth provider. A connection that the service keeps needs [`endpoints`](Self::endpoints) or a
    /// [`server`](Self::server).
    pub fn oauth2(from: ConnectionSource) -> Self {
        Self::new(AuthType::Oauth2, from)
    }

    fn new(r#type: AuthType, from: ConnectionSource) -> Self {
        Self {
            r#type,
            from,
            help: None,
            r#in: None,
            name: None,
            authorization_url: None,
            token_url: None,
            revocation_url: None,
            issuer: None,
            scopes: None,
            server: None,
            registration: None,
            account: None,
        }
    }

    /// A text for the person who connects an account, such as `A GitHub token with the scope repo`. At most 1,000 characters.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The header of the API key.
    #[must_use]
    pub fn in_header(mut self, name: impl Into<String>) -> Self {
        (self.r#in, self.name) = (Some(Place::Header), Some(name.into()));
        self
    }

    /// The query parameter of the API key.
    #[must_use]
    pub fn in_query(mut self, name: impl Into<String>) -> Self {
        (self.r#in, self.name) = (Some(Place::Query), Some(name.into()));
        self
    }

    /// The authorization endpoint and the token endpoint of the OAuth provider.
    #[must_use]
    pub fn endpoints(mut self, authorization_url: impl Into<String>, token_url: impl Into<String>) -> Self {
        (self.authorization_url, self.token_url) = (Some(authorization_url.into()), Some(token_url.into()));
        self
    }

    /// The revocation endpoint of the OAuth provider, RFC 7009.
    #[must_use]
    pub fn revocation_url(mut self, url: impl Into<String>) -> Self {
        self.revocation_url = Some(url.into());
        self
    }

    /// The issuer identifier of the OAuth provider, RFC 9207.
    #[must_use]
    pub fn issuer(mut self, issuer: impl Into<String>) -> Self {
        self.issuer = Some(issuer.into());
        self
    }

    /// The OAuth scopes that the service asks for.
    #[must_use]
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes = Some(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// A remote MCP server: the service discovers its authorization server and registers itself there.
    #[must_use]
    pub fn server(mut self, url: impl Into<String>) -> Self {
        self.server = Some(url.into());
        self
    }

    /// The service registers itself at the `server` by RFC 7591, even if the server reads client ID metadata documents.
    #[must_use]
    pub fn dynamic_registration(mut self) -> Self {
        self.registration = Some(ClientRegistration::Dcr);
        self
    }

    /// The address that returns the owner of a new account, and the JSON Pointer to the name in its answer, such as `/login`.
    #[must_use]
    pub fn account(mut self, url: impl Into<String>, field: impl Into<String>) -> Self {
        self.account = Some(AccountQuestion { url: url.into(), field: field.into() });
        self
    }
}

/// The connection that one action needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActionAuth {
    /// The connection of its toolkit.
    #[default]
    Toolkit,
    /// None.
    NotNeeded,
    /// The connection of its toolkit with these OAuth scopes.
    Scopes(Vec<String>),
}

impl Serialize for ActionAuth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Toolkit => serializer.serialize_none(),
            Self::NotNeeded => serializer.serialize_bool(false),
            Self::Scopes(scopes) => json!({ "scopes": scopes }).serialize(serializer),
        }
    }
}
