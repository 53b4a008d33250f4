//! A payload from its type, an error with advice, progress, a file beside the result. Start the service (`npx svc-service serve`), then:
//! `SVC_TOOLKIT_API_KEY=svc_toolkit_… cargo run --example weather --features macros`
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use svc_sdk::{SvcError, toolkit::*};

#[derive(Deserialize, JsonSchema)]
struct ForecastArgs {
    /// Name of the city
    city: String,
    /// Days from today
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 7))]
    days: u32,
}

#[derive(Serialize, JsonSchema)]
struct Day {
    sky: &'static str,
    celsius: i32,
}

/// Forecast of the weather for a city, in degrees Celsius
#[action(read_only, result)]
async fn forecast(ctx: ActionContext, args: ForecastArgs) -> Result<Vec<Day>, ActionError> {
    let ForecastArgs { city, days } = args;
    if city != "Rome" {
        return Err(ActionError::new("CITY_UNKNOWN", format!("No forecast for {city:?}: ask for Rome")));
    }
    let mut forecast = Vec::new();
    for day in 0..days {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(20)) => {}
            () = ctx.cancellation.cancelled() => return Err(ActionError::new("STOPPED", "The caller has left")),
        }
        forecast.push(Day { sky: "clear", celsius: 20 + i32::try_from(day).unwrap_or(0) });
        ctx.progress(Progress::new(f64::from(day + 1)).total(f64::from(days)));
    }
    let table: String = forecast.iter().map(|day| format!("{},{}\n", day.sky, day.celsius)).collect();
    ctx.attach(Attachment::file("forecast.csv", "text/csv", table));
    Ok(forecast)
}

fn one() -> u32 {
    1
}

#[tokio::main]
async fn main() -> Result<(), SvcError> {
    let mut service = ToolkitService::from_env();
    service.update_info(ToolkitInfo { name: "Weather".into(), description: "Weather of many cities".into() }).await?;
    service.add_action(forecast);

    let runner = service.start().await?;
    println!("Agents can use {}", runner.registration().accepted.join(", "));
    let stop = runner.stop_handle();
    tokio::spawn(async move {
        let _ = tokio::signal::ctrl_c().await;
        stop.stop();
    });
    runner.await
}
