//! Actions of a few lines, for tests.

/// `action!(Double, "double", u32 => u32, |this, ctx, params| Ok((params.payload * 2).into()))`. A type with a field is `Double(Field)`.
macro_rules! action {
    ($type:ident$(($field:ty))?, $name:literal, $args:ty => $output:ty, |$this:ident, $ctx:ident, $params:ident| $body:expr) => {
        struct $type$(($field))?;

        impl svc_sdk::Action for $type {
            const NAME: &'static str = $name;
            type Error = svc_sdk::ActionError;
            type Args = $args;
            type Output = $output;

            async fn definition(&self) -> svc_sdk::ActionDefinition {
                svc_sdk::ActionDefinition { description: concat!("The action ", $name).into(), ..Default::default() }
            }

            async fn call(
                &self,
                $ctx: svc_sdk::ActionContext,
                $params: svc_sdk::ActionParams<$args>,
            ) -> Result<svc_sdk::ActionResult<$output>, svc_sdk::ActionError> {
                let $this = self;
                $body
            }
        }
    };
}
