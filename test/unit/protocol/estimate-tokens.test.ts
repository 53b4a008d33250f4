import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/protocol/estimate-tokens';
import { toType } from '../../../src/protocol/to-type';

const share = (text: string) => estimateTokens(text) / encode(text).length;

const actions: { toolkit: string; name: string; description: string; payload?: object }[] = readFileSync(
  new URL('../../data/retrieval/actions.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

function inTens(texts: string[]): string[] {
  return Array.from({ length: Math.floor(texts.length / 10) }, (_, i) => texts.slice(10 * i, 10 * i + 10).join(','));
}

test('for ten real actions as JSON, the estimate is never below the tokens and hardly 15 % above', () => {
  const tens = inTens(
    actions.map(({ toolkit, name, description, payload = {} }) =>
      JSON.stringify({ action: `${toolkit}__${name}`, description, payloadSchema: payload }),
    ),
  );
  for (const ten of tens) expect(share(ten)).toBeGreaterThan(0.98);
  expect(mean(tens.map(share))).toBeLessThan(1.15);
});

test('for ten types of real payloads, with `/*`, `=>` and `<`, the estimate is near the tokens', () => {
  const types = actions.map(({ name, payload }) => `${name}(${toType(payload, { comments: true })}) => Record<string,string<uuid>>`);
  const tens = inTens(types.map((type) => JSON.stringify({ result: type })));
  for (const ten of tens) expect(share(ten)).toBeGreaterThan(0.9);
  expect(mean(tens.map(share))).toBeGreaterThan(0.98);
});

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

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
