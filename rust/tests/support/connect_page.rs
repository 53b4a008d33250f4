//! A browser on the connect page of the real service.
use reqwest::{Client, RequestBuilder, Response, Url, redirect::Policy};

/// Connects an account of a toolkit by the form of the page. Returns the code with which the page ends.
pub async fn connect_by_form(page: &str, toolkit: &str, token: &str) -> String {
    let client = Client::builder().redirect(Policy::none()).no_proxy().build().unwrap();
    let url = Url::parse(page).unwrap();
    let opened = client.get(url.clone()).send().await.unwrap();
    assert_eq!(opened.status(), 200);
    let mut cookies = cookies_of(&opened);
    let form = client.post(url.clone()).header("content-type", "application/x-www-form-urlencoded");
    let form = form.header("origin", url.origin().ascii_serialization()).body(format!("toolkit={toolkit}&token={token}"));
    let mut response = with_cookies(form, &cookies).send().await.unwrap();
    while let Some(location) = response.headers().get("location") {
        let next = url.join(location.to_str().unwrap()).unwrap();
        cookies.extend(cookies_of(&response));
        response = with_cookies(client.get(next), &cookies).send().await.unwrap();
    }
    let html = response.text().await.unwrap();
    code_in(&html).unwrap_or_else(|| panic!("the page shows no code: {html}"))
}

fn cookies_of(response: &Response) -> Vec<String> {
    let cookies = response.headers().get_all("set-cookie").iter();
    cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap().to_owned()).collect()
}

fn with_cookies(request: RequestBuilder, cookies: &[String]) -> RequestBuilder {
    if cookies.is_empty() { request } else { request.header("cookie", cookies.join("; ")) }
}

/// Two groups of five capitals and digits.
fn code_in(html: &str) -> Option<String> {
    let is_group = |text: &str| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let words = html.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    words
        .filter_map(|word| word.split_once('-'))
        .find(|(first, second)| is_group(first) && is_group(second))
        .map(|(first, second)| format!("{first}-{second}"))
}
