//! Actions that make the list of a toolkit long. The name of an action is a constant, so each is a type.
use serde_json::{Value, json};
use svc_sdk::{Action, ActionContext, ActionDefinition, ActionError, ActionParams, ActionResult, toolkit::ToolkitService};

struct More<const N: usize>;

macro_rules! more_actions {
    ($($n:literal)*) => {
        $(impl Action for More<$n> {
            const NAME: &'static str = concat!("more_", $n);
            type Error = ActionError;
            type Args = Value;
            type Output = usize;

            async fn definition(&self) -> ActionDefinition {
                ActionDefinition { description: "x".repeat(2_000), ..Default::default() }
            }

            async fn call(&self, _: ActionContext, _: ActionParams<Value>) -> Result<ActionResult<usize>, ActionError> {
                Ok($n.into())
            }
        })*

        /// Adds all 60, or none.
        pub fn add_more(service: &mut ToolkitService, count: usize) -> Vec<Value> {
            if count == 0 {
                return vec![];
            }
            $(service.add_action(More::<$n>);)*
            let all = vec![$(concat!("more_", $n)),*];
            assert_eq!(all.len(), count, "the transcripts have 60 more actions");
            all.into_iter().map(|name| json!({ "action": name, "actionDescription": "x".repeat(2_000) })).collect()
        }
    };
}

more_actions!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59);
