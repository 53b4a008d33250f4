//! A time as a text in JSON: `#[serde(with = "timestamp_json")]`.
use crate::calendar::{read_timestamp, timestamp};
use serde::{Deserialize, Deserializer, Serializer, de::Error};
use std::time::SystemTime;

pub(crate) fn serialize<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&timestamp(*time))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SystemTime, D::Error> {
    read_timestamp(&String::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("a time that is not of RFC 3339"))
}
