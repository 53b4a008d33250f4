//! Both SDKs do the same, byte by byte: the TypeScript sources run beside this crate.
use super::{
    action_info::{ActionInfo, describe_action},
    canonical_json::to_canonical_json,
    describe_block::describe_block,
    globally_unique::is_globally_unique,
    model_arguments::read_search_arguments,
    model_media::model_media,
    model_text::to_model_result,
    tools_support::typescript::from_typescript,
};
use crate::{
    ContentBlock,
    invisible_text::readable_text,
    unicode_ranges::{self, contains},
};
use serde_json::{Value, json};

const JOINING_SCRIPTS: [&str; 19] = [
    "Arabic",
    "Syriac",
    "Nko",
    "Mandaic",
    "Mongolian",
    "Phags_Pa",
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Khmer",
    "Myanmar",
    "Tibetan",
];

/// The same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[test]
fn the_ranges_of_unicode() {
    let scripts = JOINING_SCRIPTS.map(|script| format!(r"\p{{Script={script}}}")).concat();
    let sets = [
        (unicode_ranges::PICTOGRAPH, r"\p{Extended_Pictographic}"),
        (unicode_ranges::HAN, r"\p{Script=Han}"),
        (unicode_ranges::MONGOLIAN, r"\p{Script=Mongolian}"),
        (unicode_ranges::IGNORABLE, r"\p{Default_Ignorable_Code_Point}"),
        (unicode_ranges::JOINING_LETTER, &format!("[{scripts}]")),
    ];
    let expression = "given.map((pattern) => {
        const has = new RegExp(pattern, 'u');
        return Array.from({ length: 0x110000 }, (_, code) => code)
            .filter((code) => (code & 0x1ff800) !== 0xd800 && has.test(String.fromCodePoint(code)));
    })";
    let wanted = from_typescript(expression, &[], &sets.map(|(_, pattern)| pattern).into());
    for ((ranges, pattern), wanted) in sets.into_iter().zip(wanted.as_array().unwrap()) {
        let found: Vec<u32> = ('\0'..=char::MAX).filter(|&each| contains(ranges, each)).map(u32::from).collect();
        assert!(json!(found) == *wanted, "{pattern}");
    }
}

#[test]
fn readable_texts() {
    #[rustfmt::skip]
    let pieces = [
        "a", "b ", "\n", "\r\n", "\r", "\t", "\0", "\x1b", "\x1b[31m", "\x1b]0;title\x07", "\u{9b}1m", "\u{85}", "\x1b\\", "\u{9c}", "\u{90}",
        "\u{200b}", "\u{200d}", "\u{200c}", "\u{202e}", "\u{feff}", "\u{ad}", "\u{2028}", "\u{fe0f}", "\u{fe0e}", "\u{3164}", "[", "m", "7f",
        "👩", "👧", "👍", "🏽", "🏴", "❤", "#", "1", "\u{20e3}", "क", "्", "ष", "م", "葛", "\u{e0100}", "ᠠ", "\u{180b}", "\u{e0067}",
        "\u{e0062}", "\u{e0065}", "\u{e006e}", "\u{e007f}", "é", "日本", "\u{fff9}", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    ];
    let mut random = Random(7);
    let mut text = || (0..1 + random.below(9)).map(|_| *random.pick(&pieces)).collect::<String>();
    let texts: Vec<String> = (0..6_000).map(|_| text()).collect();
    let wanted = from_typescript("given.map(readableText)", &[("readableText", "protocol/invisible-text.ts")], &json!(texts));
    for (text, wanted) in texts.iter().zip(wanted.as_array().unwrap()) {
        assert_eq!(json!(readable_text(text)), *wanted, "{}", text.escape_unicode());
    }
}

#[test]
fn ids_that_are_globally_unique() {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let small_letters = letters.to_lowercase();
    let kinds = ["0123456789abcdef", letters, &small_letters, "0123456789ABCDEF", "abc", "aeiouKL19"].map(str::as_bytes);
    let heads = ["", "call_", "toolu_01", "toolu_vrtx_01", "fc_", "chatcmpl-tool-", "functions.get:", "a-", "ä"];
    let mut random = Random(11);
    let mut id = || {
        let (head, kind, length) = (*random.pick(&heads), *random.pick(&kinds), *random.pick(&[1, 8, 9, 12, 16, 22, 24, 32, 99]));
        let tail: String = (0..length).map(|_| char::from(*random.pick(kind))).collect();
        format!("{head}{tail}")
    };
    let ids: Vec<String> = (0..6_000).map(|_| id()).collect();
    let wanted = from_typescript("given.map(isGloballyUnique)", &[("isGloballyUnique", "tools/globally-unique.ts")], &json!(ids));
    for (id, wanted) in ids.iter().zip(wanted.as_array().unwrap()) {
        assert_eq!(json!(is_globally_unique(id)), *wanted, "{id}");
    }
}

#[test]
fn canonical_json() {
    let mut random = Random(3);
    let mut number = || (random.below(1 << 30) as f64 / 1e9 - 0.5) * 10f64.powi(random.below(60) as i32 - 30);
    let mut values: Vec<Value> = (0..5_000).map(|_| json!(number())).collect();
    values.extend([
        json!({ "b": 1, "a": { "d": [1, "é", null, true], "c": "\u{2028}\x07\x7f" }, "10": 1, "9": 2, "01": 3, "4294967295": 4 }),
        json!({ "😀": 1, "\u{ffff}": 2, "": 3 }),
        json!([0, -0.0, 1, 1.0, 1.5, 1e-6, 1e-7, 1e20, 1e21, 5e-324, u64::MAX, i64::MIN, 1u64 << 53]),
    ]);
    let wanted = from_typescript("given.map(writeCanonicalJson)", &[("writeCanonicalJson", "tools/json.ts")], &json!(values));
    for (value, wanted) in values.iter().zip(wanted.as_array().unwrap()) {
        assert_eq!(json!(to_canonical_json(value)), *wanted);
    }
}

fn blocks() -> Value {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    json!([
        { "type": "text", "text": "a\x1b[31mred\u{200b}" },
        { "type": "image", "data": png, "mimeType": "image/png" },
        { "type": "image", "data": "AAAA", "mimeType": "image/png" },
        { "type": "audio", "data": "A".repeat(4000), "mimeType": "audio/mpeg" },
        { "type": "resource", "resource": { "uri": "svc://inv_1/a%20b.csv", "mimeType": "text/csv", "text": "a,b" } },
        { "type": "resource", "resource": { "uri": "svc://inv_1/100%", "blob": format!("JVBERi0xLjcK{}", "A".repeat(2_000_000)) } },
        { "type": "resource_link", "uri": "https://example.com/", "name": "n", "title": "t", "description": "d", "size": 2 },
        { "type": "resource_link", "uri": "https://example.com/r.pdf", "name": "r.pdf", "mimeType": "application/pdf" },
    ])
}

#[test]
fn blocks_in_words_and_the_media_among_them() {
    let imports = [("describeBlock", "protocol/content.ts"), ("modelMedia", "tools/model-media.ts")];
    let wanted = from_typescript("[given.map(describeBlock), modelMedia(given)]", &imports, &blocks());
    let blocks: Vec<ContentBlock> = serde_json::from_value(blocks()).unwrap();
    assert_eq!(json!(blocks.iter().map(describe_block).collect::<Vec<_>>()), wanted[0]);
    let media = model_media(&blocks).into_iter().map(|each| json!({ "mediaType": each.media_type, "data": each.data, "name": each.name }));
    assert!(Value::from_iter(media) == wanted[1]);
}

#[test]
fn results_for_a_model() {
    let blocks = blocks();
    let long = format!("x{}", "😀".repeat(400));
    let results = [json!("text\u{200b}"), json!({ "a": "b\x1b[1m", "list": [1, null] }), Value::Null, json!("x".repeat(900)), json!(long)];
    let members = [
        json!({}),
        json!({ "content": blocks.as_array().unwrap()[..5] }),
        json!({ "repaired": ["One.", "Two."] }),
        json!({ "cut": { "totalBytes": 9, "keptBytes": 5 }, "content": [blocks[4]] }),
    ];
    let mut answers = Vec::new();
    for result in &results {
        for more in &members {
            let mut answer = json!({ "invocationId": "inv_1", "result": result });
            answer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            answers.push(answer);
        }
    }
    let expression = "given.map((answer) => toModelResult(answer, 500))";
    let wanted = from_typescript(expression, &[("toModelResult", "tools/model-text.ts")], &json!(answers));
    for (answer, wanted) in answers.iter().zip(wanted.as_array().unwrap()) {
        let made = to_model_result(answer.clone(), 500);
        assert_eq!(made.value.to_string(), wanted["value"].to_string());
        assert_eq!(json!(made.blocks), wanted.get("blocks").cloned().unwrap_or(json!([])), "{answer}");
    }
}

#[test]
fn search_arguments() {
    let limits = json!([null, 0, 1, 2.9, 50, 51, "3", "3.7", "many", -1, 1e99, [], {}, false, " 4 "]);
    let expression = "given.map((limit) => readSearchArguments({ query: 'x', limit }).limit ?? null)";
    let wanted = from_typescript(expression, &[("readSearchArguments", "tools/search-arguments.ts")], &limits);
    for (limit, wanted) in limits.as_array().unwrap().iter().zip(wanted.as_array().unwrap()) {
        let (_, read) = read_search_arguments(&json!({ "query": "x", "limit": limit })).unwrap();
        assert_eq!(json!(read), *wanted, "{limit}");
    }
}

#[test]
fn descriptions_with_a_price() {
    let payment = json!({ "amount": "0.05", "currency": "USD" });
    let actions = json!([
        { "action": "a__b", "description": "Sells" },
        { "action": "a__b", "description": "Sells", "payment": payment },
        { "action": "a__b", "description": "Sells!", "payment": payment },
    ]);
    let wanted = from_typescript("given.map(describeAction)", &[("describeAction", "tools/describe-action.ts")], &actions);
    let actions: Vec<ActionInfo> = serde_json::from_value(actions).unwrap();
    assert_eq!(json!(actions.iter().map(describe_action).collect::<Vec<_>>()), wanted);
}
