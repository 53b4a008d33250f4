import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/protocol/estimate-tokens';

const share = (text: string) => estimateTokens(text) / encode(text).length;

test('for ten real actions as JSON, the estimate is never below the tokens and hardly 15 % above', () => {
  const lines = readFileSync(new URL('../../data/retrieval/actions.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const texts = lines.map((line) => {
    const { toolkit, name, description, payload = {} } = JSON.parse(line);
    return JSON.stringify({ action: `${toolkit}__${name}`, description, payloadSchema: payload });
  });
  const tens = Array.from({ length: Math.floor(texts.length / 10) }, (_, i) => texts.slice(10 * i, 10 * i + 10).join(','));
  for (const ten of tens) expect(share(ten)).toBeGreaterThan(0.98);
  expect(tens.reduce((sum, ten) => sum + share(ten), 0) / tens.length).toBeLessThan(1.15);
});

test.each([
  ['Chinese', '将经纬度坐标转换为商圈区域信息，并返回结果。'],
  ['Japanese', '指定した都市の天気予報を取得します。'],
  ['Korean', '지정한 도시의 일기 예보를 가져옵니다.'],
  ['Arabic', 'يحصل على توقعات الطقس لمدينة معينة'],
  ['Hindi', 'किसी शहर के मौसम का पूर्वानुमान प्राप्त करें'],
  ['Russian', 'Получает прогноз погоды для указанного города'],
  ['German', 'Die Wettervorhersage für eine Stadt: Temperatur, Niederschläge und Windböen.'],
  ['emoji', '🌦️🌪️🔥🚀👩‍👩‍👧‍👦'],
  ['digits', '2026-11-21T15:06:21.123456Z 1234567890'],
  ['marks', '{"a":[[[{"b":{}}]]]},"--------------------------------"'],
  ['escapes', JSON.stringify('line\nline\n\n\ttab "quoted" \\ back')],
  ['a type', JSON.stringify('{id:int, expand?:"lines"|"none"/*= "none"*/, at:string<date-time>, lines?:{sku:string}[], note:string|null}')],
  ['a card', JSON.stringify('shop__get_order({id:int/*1..*/}) => {id:int, status:"paid"|"open"}\n  Returns one order. [read-only]')],
  [
    'a card with comments',
    JSON.stringify('shop__refund({id:int, cents?:int/*1.. Default: all*/, tags?:Record<string,string<uuid>>}) => {id:int}[]|null'),
  ],
  ['base64', 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQgaGVsbG8gd29ybGQ'],
  ['rare emoji', [...Array(64).keys()].map((i) => String.fromCodePoint(0x1fa80 + i)).join('')],
  ['Yi', [...Array(300).keys()].map((i) => String.fromCharCode(0xa000 + 3 * i)).join('')],
  ['Braille', [...Array(200).keys()].map((i) => String.fromCharCode(0x2801 + i)).join('')],
  ['private use', [...Array(300).keys()].map((i) => String.fromCharCode(0xe000 + 7 * i)).join('')],
  ['Cuneiform', [...Array(300).keys()].map((i) => String.fromCodePoint(0x12000 + i)).join('')],
])('%s is not underestimated', (_, text) => {
  expect(share(text)).toBeGreaterThanOrEqual(0.95);
});

test('no text is nothing, and an estimate is a whole number', () => {
  expect(estimateTokens('')).toBe(0);
  expect(Number.isInteger(estimateTokens('HTTPServer returns 12345 things'))).toBe(true);
});
