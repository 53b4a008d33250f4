import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContentRules, keepContent, mayKeep, stricterOf, toKeptContent } from '../../../src/records/content';

const rules = (change: Partial<ContentRules> = {}): ContentRules => ({
  content: 'all',
  contentBytes: 16_384,
  redact: ['password', 'apiKey'],
  ...change,
});
const SECRET = 'hunter2-hunter2';

test.each([
  ['a member', { password: SECRET }],
  ['any case', { PassWord: SECRET, APIKEY: SECRET }],
  ['any depth', { a: [{ b: { password: { c: [SECRET] } } }] }],
  ['JSON in a text', { body: JSON.stringify({ password: SECRET }) }],
  ['JSON in a text in JSON in a text', { body: JSON.stringify({ inner: JSON.stringify([{ apikey: SECRET }]) }) }],
  ['JSON that is not whole', { body: `{"password": "${SECRET}", "x": ` }],
  ['JSON in prose', { body: `I sent {"password":"${SECRET}"} as you said` }],
  ['escaped JSON in prose', { body: `log: {\\"password\\":\\"${SECRET}\\"}` }],
])('the value of a redacted name is never stored: %s', (_where, payload) => {
  const kept = keepContent(JSON.stringify({ ...payload, city: 'Bonn' }), rules());
  expect(kept).not.toContain(SECRET);
  expect(JSON.parse(kept)).toMatchObject({ city: 'Bonn' });
});

test('a name that is escaped in the JSON text of a handler is seen through', () => {
  expect(keepContent(`{"p\\u0061ssword":"${SECRET}"}`, rules())).toBe('{"password":"[redacted]"}');
});

test('a value that is nested too deep for the redaction is not stored', () => {
  const deep = `${'['.repeat(200_000)}{"password":"${SECRET}"}${']'.repeat(200_000)}`;
  expect(keepContent(deep, rules({ contentBytes: 262_144 * 4 }))).not.toContain(SECRET);
});

test('any text is kept as valid JSON of the same value, or cut and marked, within its bytes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 256, max: 1_000 }), (value, contentBytes) => {
      const json = JSON.stringify(value);
      const kept = keepContent(json, rules({ contentBytes, redact: [] }));
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(contentBytes);
      expect(kept).toBe(Buffer.from(kept).toString());
      const told = toKeptContent(kept);
      if (Buffer.byteLength(json) <= contentBytes) expect(told).toEqual({ json });
      else expect(told).toMatchObject({ cut: true });
    }),
  );
});

test('a cut never leaves half a character', () => {
  for (let bytes = 256; bytes < 262; bytes++) {
    const kept = keepContent(JSON.stringify('ü😀'.repeat(200)), rules({ contentBytes: bytes }));
    expect(kept).not.toContain('\uFFFD');
    expect(toKeptContent(kept)).toMatchObject({ cut: true });
  }
});

test('a secret that a cut would leave a piece of is redacted before', () => {
  const kept = keepContent(JSON.stringify({ text: 'x'.repeat(230), password: SECRET.repeat(100) }), rules({ contentBytes: 256 }));
  expect(kept).not.toContain('hunter2');
});

test('the stricter of two settings holds in every point', () => {
  const a = rules({ content: 'errors', contentBytes: 300, redact: ['a'] });
  const b = rules({ content: 'all', contentBytes: 500, redact: ['b'] });
  expect(stricterOf(a, b)).toEqual({ content: 'errors', contentBytes: 300, redact: ['a', 'b'] });
  expect(stricterOf(b, rules({ content: 'off' })).content).toBe('off');
  expect(mayKeep(a, false)).toBe(false);
  expect(mayKeep(a, true)).toBe(true);
  expect(mayKeep(rules({ content: 'off' }), true)).toBe(false);
});
