import { APICallError, LoadAPIKeyError, RetryError } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { aiModel } from '../../../src/agent/ai/ai-model';
import type { ModelRequest } from '../../../src/agent/model/ask-model';
import { toModelRequestError } from '../../../src/agent/model/foreign-error';
import { failing, streaming } from './ai-models';
import { request } from './model-server';

const WHOLE: Partial<ModelRequest> = {};
const STREAMED: Partial<ModelRequest> = { onText: () => {} };

async function errorOf(model: MockLanguageModelV4, options: Partial<ModelRequest>) {
  const error = await aiModel(model)(request(options)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, read: toModelRequestError(error) };
}

function refusal(statusCode: number, details: Partial<ConstructorParameters<typeof APICallError>[0]> = {}): APICallError {
  return new APICallError({ message: 'no', url: 'u', requestBodyValues: {}, statusCode, ...details });
}

describe.each([
  ['whole', WHOLE],
  ['streamed', STREAMED],
])('%s', (_way, options) => {
  test('a server that requests a wait, after one request', async () => {
    const model = failing(refusal(429, { responseHeaders: { 'retry-after': '3' } }));
    expect((await errorOf(model, options)).read).toMatchObject({ status: 429, retryAfterMs: 3_000, isRetryable: true });
    expect(model.doGenerateCalls.length + model.doStreamCalls.length).toBe(1);
  });

  test('a conversation too long', async () => {
    const model = failing(refusal(400, { responseBody: 'prompt is too long: 9 tokens' }));
    expect((await errorOf(model, options)).read).toMatchObject({ isTooLong: true, isRetryable: false });
  });

  test('several tries of a middleware count as the last of them', async () => {
    const errors = [refusal(500), refusal(401)];
    const model = failing(new RetryError({ message: 'twice', reason: 'errorNotRetryable', errors }));
    expect((await errorOf(model, options)).read).toMatchObject({ status: 401, isRetryable: false });
  });

  test('a success without a valid answer is retryable', async () => {
    expect((await errorOf(failing(refusal(200)), options)).read).toMatchObject({ status: 502, isRetryable: true });
  });

  test('a missing key is not retried', async () => {
    const { error, read } = await errorOf(failing(new LoadAPIKeyError({ message: 'Set TEST_API_KEY' })), options);
    expect(error).toMatchObject({ message: 'Set TEST_API_KEY' });
    expect(read).toBeUndefined();
  });

  test('the reason of the signal', async () => {
    const ending = new AbortController();
    const reason = new Error('stopped');
    const waits = (given: { abortSignal?: AbortSignal | undefined }) =>
      new Promise<never>((_resolve, reject) => {
        given.abortSignal?.addEventListener('abort', () => reject(given.abortSignal?.reason));
        ending.abort(reason);
      });
    const model = new MockLanguageModelV4({ doGenerate: waits, doStream: waits });
    expect((await errorOf(model, { ...options, signal: ending.signal })).error).toBe(reason);
  });
});

test.each([
  ['the JSON of a provider', { type: 'overloaded_error', message: 'Overloaded' }],
  ['words', 'the upstream is gone'],
  ['a lost connection', new TypeError('terminated')],
  ['a refusal', refusal(429)],
])('an answer that breaks off with %s may be tried again', async (_case, error) => {
  const begun = streaming([
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hel' },
    { type: 'error', error },
  ]);
  expect((await errorOf(begun, STREAMED)).read?.isRetryable).toBe(true);
});

test('a stream reports that the conversation is too long', async () => {
  const error = { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens' };
  expect((await errorOf(streaming([{ type: 'error', error }]), STREAMED)).read).toMatchObject({ isTooLong: true, isRetryable: false });
});
