//! Runs of code with the real service.

use crate::support::{service::Service, waiting::soon};
use serde_json::{Value, json};
use std::time::Duration;
use svc_sdk::{
    ErrorCode,
    toolkit::{Annotations, FnDefinition, ToolkitService},
    tools::{ApprovalAnswer, CallerAsk, CodeRun, CodeRunErrorCode, Tools},
};

fn shop(key: String, url: &str) -> ToolkitService {
    let mut toolkit = ToolkitService::new(key).base_url(url).on_status(|_| {});
    let order = FnDefinition::new("Gets an order").annotations(Annotations { read_only: Some(true), ..Annotations::default() });
    toolkit
        .add_fn("get_order", order, async |_ctx, payload: Value| Ok(json!({ "cents": payload["id"].as_u64().unwrap_or_default() * 100 })));
    let refund = FnDefinition::new("Refunds an order").annotations(Annotations { destructive: Some(true), ..Annotations::default() });
    toolkit.add_fn("refund", refund, async |_ctx, payload: Value| Ok(json!({ "refunded": payload["id"] })));
    toolkit
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_call_actions_and_their_user_approves_some_of_the_calls() {
    let service = Service::start("code", &["--code"]).await;
    let runner = shop(service.create_key("toolkit", "shop", &[]).await, &service.url).start().await.unwrap();
    let stop = runner.stop_handle();
    let running = tokio::spawn(runner);
    let coder = Tools::builder().api_key(service.create_key("agent", "coder", &["--code"]).await).base_url(&service.url);
    let coder = coder.code(true).ask(CallerAsk::default().destructive()).on_approval_required(|question| async move {
        let may = question.action == "shop__refund" && question.payload["id"] == 1;
        Some(if may { ApprovalAnswer::approve() } else { ApprovalAnswer::deny().reason("too much") })
    });
    let coder = coder.build().unwrap();

    let sum = "const orders = await Promise.all([1, 2].map((id) => tools.shop.get_order({ id })));
        return orders.reduce((sum, { data }) => sum + data.cents, 0);";
    let CodeRun::Done(done) = coder.run_code(sum).await.unwrap() else { panic!("the program has not ended") };
    assert_eq!((done.json::<u32>().unwrap(), done.calls), (300, 2));
    assert_eq!(coder.code_run(&done.run).await.unwrap(), CodeRun::Done(done));

    let CodeRun::Failed(failed) = coder.run_code("throw new Error('no')").await.unwrap() else { panic!("the program has not failed") };
    assert_eq!((failed.error.code, failed.error.at.unwrap().line), (CodeRunErrorCode::ProgramError, 1));

    let refunds = json!({ "code": "return Promise.all([1, 2].map((id) => tools.shop.refund({ id })));" });
    let answer: Value = serde_json::from_str(&coder.code_tool().unwrap().call(&refunds.to_string()).await).unwrap();
    assert_eq!(answer["status"], "done", "{answer}");
    assert_eq!(answer["result"][0], json!({ "ok": true, "data": { "refunded": 1 } }));
    assert_eq!(answer["result"][1]["error"]["code"], "APPROVAL_DENIED");

    // The question stays open if no listener answers it.
    let others = Tools::builder().api_key(service.create_key("agent", "other", &["--code"]).await).base_url(&service.url);
    let others = others.code(true).ask(CallerAsk::default().destructive()).build().unwrap();
    let answer = others.answer_tool("run_code", json!({ "code": "return tools.shop.refund({ id: 3 });" })).await.value;
    assert_eq!((&answer["status"], &answer["asks"][0]["payload"]), (&json!("waiting"), &json!({ "id": 3 })), "{answer}");
    let run = answer["run"].as_str().unwrap();
    let CodeRun::Waiting(waiting) = others.code_run(run).await.unwrap() else { panic!("the program does not wait") };
    assert_eq!(waiting.asks[0].action, "shop__refund");
    others.cancel(run).await.unwrap();
    let cancelled = soon("the end of the run", async {
        loop {
            match others.code_run(run).await.unwrap() {
                CodeRun::Failed(failed) => break failed,
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    });
    assert_eq!(cancelled.await.error.code, CodeRunErrorCode::Cancelled);
    assert_eq!(coder.code_run(run).await.unwrap_err().code, ErrorCode::NotFound);

    let without = Tools::builder().api_key(service.create_key("agent", "plain", &[]).await).base_url(&service.url).build().unwrap();
    assert_eq!(without.run_code("return 1").await.unwrap_err().code, ErrorCode::ActionNotAllowed);
    stop.stop();
    soon("the end", running).await.unwrap().unwrap();
}
