import { expect, test } from 'vitest';
import { readProgramMessage } from '../../../src/sandbox/message-schema';

const call = { type: 'call', attempt: 1, call: 1, kind: 'invoke', action: 'shop__get', payloadJson: '{}' };
const failed = { status: 'failed', code: 'CPU_LIMIT', message: 'x' };

test.each([
  [call],
  [{ type: 'log', attempt: 1, text: 'a' }],
  [{ type: 'content', attempt: 1, block: { type: 'image', data: 'aGk=', mimeType: 'image/png' } }],
  [{ type: 'end', attempt: 1, end: { status: 'done', resultJson: '[1]' } }],
  [{ type: 'end', attempt: 1, end: failed }],
])('a message: %j', (message) => {
  expect(readProgramMessage(JSON.stringify(message))).toEqual(message);
});

test.each([
  [{ ...call, kind: 'approve' }],
  [{ ...call, attempt: '1' }],
  [{ ...call, attempt: 1.5 }],
  [{ ...call, payloadJson: { a: 1 } }],
  [{ ...call, key: 'svc_agent_1' }],
  [{ type: 'content', attempt: 1, block: { type: 'image', data: '<svg>', mimeType: 'image/svg+xml' } }],
  [{ type: 'content', attempt: 1, block: { type: 'image', data: 'aGk=', mimeType: 'text/html' } }],
  [{ type: 'content', attempt: 1, block: { type: 'resource', resource: { uri: 'file:///etc/passwd' } } }],
  [{ type: 'end', attempt: 1, end: { status: 'done', resultJson: '{' } }],
  [{ type: 'end', attempt: 1, end: { ...failed, code: 'APPROVED' } }],
  [{ type: 'end', attempt: 1, end: { ...failed, message: 'x'.repeat(4_001) } }],
  [{ type: 'answer', attempt: 1, call: 1, answer: 'waits' }],
  [null],
])('not a message: %j', (message) => {
  expect(readProgramMessage(JSON.stringify(message))).toBeUndefined();
});

test('not JSON', () => {
  expect(readProgramMessage('{')).toBeUndefined();
});
