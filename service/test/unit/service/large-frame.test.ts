import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNestedTooDeep } from '#sdk/protocol/json-depth';
import { readFrameHead } from '../../../src/hub/frame-head';
import { judgeLargeFrame } from '../../../src/hub/large-frame';

const rules = { isAwaited: (id: string) => id === 'inv_known', toolkitTextBytes: 100_000 };
const LARGE = Array.from({ length: 40_000 }, (_, n) => ({ n }));
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each<[string, string, object]>([
  ['a result', '{"jsonrpc":"2.0","id":"inv_1","result":{"id":"inner"}}', { id: 'inv_1', method: undefined, invocationId: 'inv_1' }],
  [
    'a result with its id at the end',
    '{ "result" : [1,{"id":2}] ,\n "id" : "inv_1" }',
    { id: 'inv_1', method: undefined, invocationId: 'inv_1' },
  ],
  ['an error', '{"id":"inv_1","error":{"code":1,"message":"}\\"{"}}', { id: 'inv_1', method: undefined, invocationId: 'inv_1' }],
  [
    'a late result',
    '{"id":7,"method":"result","params":{"result":{"invocationId":"x"},"invocationId":"inv_1"}}',
    { id: 7, method: 'result', invocationId: 'inv_1' },
  ],
  [
    'the last of equal params',
    '{"id":7,"method":"result","params":{"invocationId":"inv_1"},"params":{"result":1}}',
    { id: 7, method: 'result', invocationId: undefined },
  ],
  [
    'a late result whose params are a list',
    '{"id":7,"method":"result","params":["invocationId",{"invocationId":"inv_1"}]}',
    { id: 7, method: 'result', invocationId: undefined },
  ],
  ['a request', '{"id":7,"method":"register","params":{"method":"x"}}', { id: 7, method: 'register', invocationId: undefined }],
  ['the last of equal members', '{"id":"a","result":1,"id":"b"}', { id: 'b', method: undefined, invocationId: 'b' }],
  ['a member with escapes in its name', '{"\\u0069d":"inv_1","result":1}', { id: 'inv_1', method: undefined, invocationId: 'inv_1' }],
  ['no object', '[{"id":"inv_1"}]', { id: undefined, method: undefined, invocationId: undefined }],
  ['half a frame', '{"id":"inv_1","result":[', { id: 'inv_1', method: undefined, invocationId: 'inv_1' }],
])('the head of %s', (_what, text, head) => {
  expect(readFrameHead(text)).toMatchObject(head);
});

test('the head of any frame equals the head of its parsed value', () => {
  const id = fc.oneof(fc.string(), fc.integer());
  const params = fc.oneof(fc.jsonValue(), fc.record({ invocationId: id, result: fc.jsonValue(), y: fc.jsonValue() }, { requiredKeys: [] }));
  const members = fc.record(
    { id, method: fc.oneof(fc.constant('result'), fc.string()), params, result: fc.jsonValue(), x: fc.jsonValue() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(members, (frame) => {
      const head = readFrameHead(JSON.stringify(frame));
      expect(head.id).toEqual(frame.id);
      expect(head.method).toEqual(frame.method);
      if (frame.method !== 'result') return;
      const { invocationId } = (frame.params ?? {}) as { invocationId?: unknown };
      expect(head.invocationId).toEqual(['string', 'number'].includes(typeof invocationId) ? String(invocationId) : undefined);
    }),
  );
});

test.each([1, 2, 299, 300, 301, 302])('the head and the text check agree on a frame of %i levels', (levels) => {
  const text = `{"id":"inv_1","result":${nested(levels - 1)}}`;
  expect(readFrameHead(text).isTooDeep).toBe(isNestedTooDeep(text));
  expect(readFrameHead(text).isTooDeep).toBe(levels > 300);
});

test('the head of every random frame is read without an error', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\iud01 ') }), (text) => void readFrameHead(text)));
});

test.each<[string, string, unknown]>([
  ['a result without a waiting caller', JSON.stringify({ jsonrpc: '2.0', result: LARGE, id: 'inv_other' }), 'ignore'],
  [
    'an error without a waiting caller',
    JSON.stringify({ jsonrpc: '2.0', id: 'inv_other', error: { code: 1, message: '', data: LARGE } }),
    'ignore',
  ],
  ['a nested result without a waiting caller', `{"jsonrpc":"2.0","id":"inv_other","result":${nested(9_000)}}`, 'ignore'],
  ['a result that is awaited', JSON.stringify({ jsonrpc: '2.0', id: 'inv_known', result: LARGE }), 'parse'],
  [
    'a late result that is awaited',
    JSON.stringify({ id: 7, method: 'result', params: { invocationId: 'inv_known', result: LARGE } }),
    'parse',
  ],
  ['a registration within the limit', JSON.stringify({ id: 7, method: 'register', params: 'x'.repeat(140_000) }), 'parse'],
])('%s: %#', (_what, text, fate) => {
  expect(judgeLargeFrame(text, rules)).toBe(fate);
});

test('a late result that is not awaited is answered without its body', () => {
  const text = JSON.stringify({ id: 7, method: 'result', params: { result: LARGE, invocationId: 'inv_other' } });
  expect(judgeLargeFrame(text, rules)).toEqual({
    frame: { kind: 'request', id: 7, method: 'result', params: { invocationId: 'inv_other', result: null } },
  });
});

test('a nested result fails its call', () => {
  const fate = judgeLargeFrame(`{"jsonrpc":"2.0","id":"inv_known","result":${nested(9_000)}}`, rules);
  expect(fate).toMatchObject({ frame: { kind: 'error', id: 'inv_known', error: { message: expect.stringContaining('300 levels') } } });
});

test.each(['register', 'update'])('"%s" above one and a half times the limit of texts is refused by its id', (method) => {
  const fate = judgeLargeFrame(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: 'x'.repeat(150_000) }), rules);
  expect(fate).toMatchObject({ id: 7, error: { message: expect.stringContaining('toolkitTextBytes'), data: { code: 'INVALID_ACTION' } } });
});

test.each(['progress', 'heartbeat', 'drain', 'dance'])('"%s" may not be large', (method) => {
  expect(() => judgeLargeFrame(JSON.stringify({ jsonrpc: '2.0', method, params: LARGE }), rules)).toThrow('at most 65536 characters');
});

test('a nested registration is refused', () => {
  expect(() => judgeLargeFrame(`{"id":7,"method":"register","params":${nested(900)}}`, rules)).toThrow('300 levels');
});

test('a registration with more values than the texts of a toolkit have is refused by its id', () => {
  const fate = judgeLargeFrame(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'register', params: Array(60_000).fill(0) }), rules);
  expect(fate).toMatchObject({
    id: 7,
    error: { message: expect.stringMatching(/\d+ values; at most 6250/), data: { code: 'INVALID_ACTION' } },
  });
});

test('a frame with more members than any method has is refused', () => {
  const members = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`m${n}`, n]));
  expect(() => readFrameHead(JSON.stringify({ id: 'inv_known', ...members }))).toThrow('at most 100 members');
});

test.each([0, 1, 2, 3, 30, 31, 32, 33, 34, 64, 65])('a string that ends in %i backslashes ends at its quote', (count) => {
  const text = JSON.stringify({ result: `x${'\\'.repeat(count)}"`, id: 'inv_1' });
  expect(readFrameHead(text)).toMatchObject({ id: 'inv_1' });
});
