import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadFrame, parseFrame } from '../../../src/hub/parse-frame';

test("a result keeps its own text, in our SDK's key order and in any other", () => {
  const ours = '{"jsonrpc":"2.0","id":"inv_1","result":{"a": 1.0}}';
  expect(parseFrame(ours)).toEqual({ kind: 'result', id: 'inv_1', resultJson: '{"a": 1.0}' });
  const other = '{"id":"inv_1","result":{"a":1},"jsonrpc":"2.0"}';
  expect(parseFrame(other)).toEqual({ kind: 'result', id: 'inv_1', resultJson: '{"a":1}' });
});

test('members beside a result are checked, and unneeded members are left out', () => {
  const link = { type: 'resource_link', uri: 'https://example.com', name: 'x' };
  const frame = { jsonrpc: '2.0', id: 'inv_1', result: { a: 1 }, content: [{ ...link, unknown: 1 }] };
  expect(parseFrame(JSON.stringify(frame))).toEqual({
    kind: 'result',
    id: 'inv_1',
    resultJson: '{"a":1}',
    contentJson: JSON.stringify([link]),
  });
  const bad = parseFrame(JSON.stringify({ ...frame, content: [{ type: 'image' }] }));
  expect(bad).toMatchObject({ kind: 'error', id: 'inv_1', error: { data: { code: 'INVALID_RESULT' } } });
});

test('a result cannot inject keys into the answer to the agent', () => {
  const frame = parseFrame('{"jsonrpc":"2.0","id":"inv_1","result":1,"result":{"x":2},"cut":3}');
  expect(frame).toEqual({ kind: 'result', id: 'inv_1', resultJson: '{"x":2}' });
});

test('a payment is passed on unchanged and is not part of the result', () => {
  const paid = '{"jsonrpc":"2.0","id":"inv_1","result":{"a": 1.0},"payment":{"amount":"0.03"}}';
  expect(parseFrame(paid)).toEqual({ kind: 'result', id: 'inv_1', resultJson: '{"a":1}', payment: { amount: '0.03' } });
  const smuggled = '{"jsonrpc":"2.0","id":"inv_1","result":1,"payment":{}}';
  expect(parseFrame(smuggled)).toEqual({ kind: 'result', id: 'inv_1', resultJson: '1', payment: {} });
  const inside = '{"jsonrpc":"2.0","id":"inv_1","result":{"payment":{"amount":"9"}}}';
  expect(parseFrame(inside)).toEqual({ kind: 'result', id: 'inv_1', resultJson: '{"payment":{"amount":"9"}}' });
  const before = '{"jsonrpc":"2.0","id":"inv_1","payment":"9","result":1,"content":[{"type":"text","text":"a"}]}';
  expect(parseFrame(before)).toMatchObject({ resultJson: '1', contentJson: '[{"type":"text","text":"a"}]', payment: '9' });
});

test('requests, notifications and errors are distinguished', () => {
  expect(parseFrame('{"jsonrpc":"2.0","id":1,"method":"drain"}')).toEqual({ kind: 'request', id: 1, method: 'drain', params: undefined });
  expect(parseFrame('{"jsonrpc":"2.0","method":"progress","params":{}}')).toEqual({ kind: 'notification', method: 'progress', params: {} });
  const error = { code: -32000, message: 'no' };
  expect(parseFrame(JSON.stringify({ jsonrpc: '2.0', id: 'inv_1', error }))).toEqual({ kind: 'error', id: 'inv_1', error });
});

test.each([
  ['', -32700],
  ['{', -32700],
  ['[]', -32600],
  ['null', -32600],
  ['{"jsonrpc":"1.0","id":1,"method":"x"}', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"x"}', -32600],
])('%j is answered with %i', (text, code) => {
  expect(() => parseFrame(text)).toThrow(expect.objectContaining({ code }));
});

test('every random text is a frame or a BadFrame, and a result is always one JSON value', () => {
  const textish = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => `{"jsonrpc":"2.0","id":"inv_1","result":${json}}`),
    fc.string().map((text) => `{"jsonrpc":"2.0","id":"inv_1","result":${text}}`),
    fc.string().map((text) => `{"jsonrpc":"2.0","id":"${text}","result":1}`),
  );
  fc.assert(
    fc.property(textish, (text) => {
      try {
        const frame = parseFrame(text);
        if (frame.kind === 'result') JSON.parse(frame.resultJson);
      } catch (error) {
        expect(error).toBeInstanceOf(BadFrame);
      }
    }),
    { numRuns: 2_000 },
  );
});
