//! The payload of an action from the type of its `Args`.
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
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    // These members hold no information for a model: the action has its own name and description.
    schema.remove("$schema");
    schema.remove("title");
    schema.to_value()
}
