//! The payload of an action from the type of its `Args`, and the result from its `Output`.
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

/// The JSON Schema of a type, for `ActionDefinition::payload`. Doc comments become descriptions.
///
/// ```
/// use svc_sdk::toolkit::schema_for;
///
/// #[derive(schemars::JsonSchema)]
/// struct City {
///     /// Name of the city
///     city: String,
/// }
///
/// assert_eq!(schema_for::<City>()["properties"]["city"]["description"], "Name of the city");
/// ```
pub fn schema_for<T: JsonSchema>() -> Value {
    write_schema::<T>(SchemaSettings::draft2020_12())
}

/// The JSON Schema of what `serde` writes for a type, for `Action::result`. Doc comments become descriptions.
///
/// ```
/// use svc_sdk::toolkit::schema_for_result;
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Weather {
///     /// Degrees Celsius
///     #[serde(default)]
///     high: f64,
/// }
///
/// let schema = schema_for_result::<Vec<Weather>>();
/// assert_eq!(schema["items"]["properties"]["high"]["description"], "Degrees Celsius");
/// assert_eq!(schema["items"]["required"], serde_json::json!(["high"]));
/// ```
pub fn schema_for_result<T: JsonSchema>() -> Value {
    write_schema::<T>(SchemaSettings::draft2020_12().for_serialize())
}

/// The description of a payload. Null for `()`: an action without a payload accepts any object.
pub(super) fn payload_schema_for<T: JsonSchema>() -> Value {
    let schema = schema_for::<T>();
    if schema["type"] == "null" { Value::Null } else { schema }
}

fn write_schema<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // These members hold no information for a model: the action has its own name and description.
    schema.remove("$schema");
    schema.remove("title");
    schema.to_value()
}
