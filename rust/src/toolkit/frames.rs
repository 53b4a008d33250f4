//! Frames of the socket: JSON-RPC 2.0, one object each. Forwarded values stay JSON text, so numbers keep their digits.
//!
//! Source: docs/protocol.md, section 6.
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value, value::RawValue};
use std::{borrow::Cow, fmt};

pub(crate) const PROTOCOL_VERSION: u32 = 1;

pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// The handler failed, or the service refused: `data.code` has the details.
pub(crate) const FAILED: i32 = -32000;
/// The instance ran the invocation before and does not know its outcome.
pub(crate) const OUTCOME_UNKNOWN: i32 = -32001;

/// Close codes of the socket.
pub(crate) const NORMAL: u16 = 1000;
/// RFC 6455, section 7.1.5: the other side sent no close frame.
pub(crate) const ABNORMAL: u16 = 1006;
/// RFC 6455, section 7.4.1: a frame is larger than the other side accepts.
pub(crate) const MESSAGE_TOO_BIG: u16 = 1009;
pub(crate) const PROTOCOL_VIOLATED: u16 = 4400;
/// The reason is the error code, such as `KEY_REVOKED`. The toolkit does not reconnect.
pub(crate) const KEY_REFUSED: u16 = 4401;

/// The members of a JSON object, each as its text. Not printable: they may hold the connection of a call.
///
/// A list, because a search of a dozen names costs less than a map with a copy of each.
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// `None` for a text that is not a JSON object.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        // The last one of two members with one name counts.
        self.0.iter().rev().find(|(member, _)| member == name).map(|(_, value)| *value)
    }

    /// `None` for a member that is not a text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }

    /// As `text`; a text without escapes is borrowed.
    pub(crate) fn borrowed_text(&self, name: &str) -> Option<Cow<'a, str>> {
        borrowed_text(self.get(name)?)
    }

    /// `None` for a member that is not a number.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }

    /// `None` for a member that is not an object.
    pub(crate) fn object(&self, name: &str) -> Option<Members<'a>> {
        Self::read(self.get(name)?.get())
    }

    /// The members as values.
    pub(crate) fn values(&self) -> Map<String, Value> {
        self.0.iter().filter_map(|(name, member)| Some((name.to_string(), serde_json::from_str(member.get()).ok()?))).collect()
    }
}

/// A text of the frame.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// `None` for a value that is not a text. A text without escapes is borrowed.
pub(crate) fn borrowed_text(value: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str(value.get()).ok().map(|Text(text)| text)
}

/// As many members as the params of a call usually have.
const USUAL_MEMBERS: usize = 12;

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::with_capacity(USUAL_MEMBERS);
                while let Some((Text(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// A frame of the service.
pub(crate) enum FrameIn<'a> {
    /// A request, which requires an answer.
    Request {
        id: &'a RawValue,
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    Notification {
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// The answer to a request of this side; `id` is `None` for an id that this side does not create.
    Answer {
        id: Option<u64>,
        result: Result<&'a RawValue, ErrorMember<'a>>,
    },
}

pub(crate) struct ErrorMember<'a> {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Members<'a>>,
}

/// `None` for a text that is not a JSON-RPC 2.0 frame.
pub(crate) fn read_frame(text: &str) -> Option<FrameIn<'_>> {
    let members = Members::read(text)?;
    if members.borrowed_text("jsonrpc")? != "2.0" {
        return None;
    }
    let id = members.get("id");
    if let Some(method) = members.borrowed_text("method") {
        let params = members.get("params");
        return match id {
            None => Some(FrameIn::Notification { method, params }),
            Some(id) => id.get().starts_with(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']).then_some(FrameIn::Request {
                id,
                method,
                params,
            }),
        };
    }
    let id = id.and_then(|id| id.get().parse().ok());
    if let Some(error) = members.object("error")
        && let (Some(code), Some(message)) = (error.number("code"), error.text("message"))
    {
        return Some(FrameIn::Answer { id, result: Err(ErrorMember { code: code as i64, message, data: error.object("data") }) });
    }
    members.get("result").map(|result| FrameIn::Answer { id, result: Ok(result) })
}

pub(crate) fn request_frame(id: u64, method: &str, params_json: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params_json}}}"#)
}

pub(crate) fn notification_frame(method: &str, params_json: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params_json}}}"#)
}

/// The service forwards a result's text unchanged if the members are in this order. `outcome` is members of the frame's JSON,
/// `"result":…` or `"error":…`.
pub(crate) fn answer_frame(id_json: &str, outcome: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id_json},{outcome}}}"#)
}

/// The JSON of a value that always has one.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}
