import { expect, test } from 'vitest';
import { chatCompletionsModel } from '../../../src/agent/model/chat-completions';
import { ModelRequestError } from '../../../src/agent/model/model-request-error';
import { json, KEY, request, startModelServer } from './model-server';

async function refusalOf(respond: Parameters<typeof startModelServer>[0]): Promise<ModelRequestError> {
  const { model, requests } = await startModelServer(respond);
  const error = await Promise.resolve(model(request())).catch((thrown: unknown) => thrown);
  expect(requests).toHaveLength(1);
  expect(error).toBeInstanceOf(ModelRequestError);
  expect(JSON.stringify(error) + (error as Error).message + (error as Error).stack).not.toContain(KEY);
  return error as ModelRequestError;
}

test.each([
  [401, 'OPENAI_API_KEY', false],
  [403, 'OPENAI_API_KEY', false],
  [404, 'setModel or SVC_MODEL', false],
  [400, 'answered 400: wrong', false],
  [408, '408', true],
  [409, '409', true],
  [429, '429', true],
  [503, '503', true],
])('%i', async (status, words, isRetryable) => {
  const error = await refusalOf(json(status, { error: { message: 'wrong' } }));
  expect(error).toMatchObject({ status, isRetryable, isTooLong: false });
  expect(error.message).toContain(words);
});

test('a key that the server repeats is replaced, and a long text is cut', async () => {
  const { message } = await refusalOf(json(400, { error: { message: `Your key ${KEY}\n is wrong. ${'x'.repeat(1_000)}` } }));
  expect(message).toContain('Your key … is wrong.');
  expect(message.length).toBeLessThan(350);
});

test.each([
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['milliseconds', { 'retry-after': '7', 'retry-after-ms': '250' }, 250],
  ['a date that has passed', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
  ['words', { 'retry-after': 'soon' }, undefined],
  ['less than nothing', { 'retry-after': '-5' }, undefined],
  ['a fraction', { 'retry-after': '1.5' }, undefined],
])('the wait is read from %s', async (_form, headers, retryAfterMs) => {
  expect((await refusalOf(json(429, {}, headers as Record<string, string>))).retryAfterMs).toBe(retryAfterMs);
});

test.each([
  ['OpenAI', 400, { error: { message: 'no', code: 'context_length_exceeded' } }],
  ['vLLM', 400, { object: 'error', message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens" }],
  ['Anthropic', 400, { error: { message: 'prompt is too long: 213462 tokens > 200000 maximum' } }],
  ['Google', 400, [{ error: { message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)' } }]],
  ['xAI', 400, { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens" }],
  ['Groq', 400, { error: { message: 'Please reduce the length of the messages or completion.' } }],
  ['llama.cpp', 400, { error: { message: 'the request exceeds the available context size' } }],
])('a conversation too long for %s', async (_server, status, body) => {
  expect(await refusalOf(json(status, body))).toMatchObject({ isTooLong: true, isRetryable: false });
});

test('words about length are not a proof with another status', async () => {
  expect((await refusalOf(json(429, { error: { message: 'maximum context length' } }))).isTooLong).toBe(false);
});

test('a redirect is not followed', async () => {
  const error = await refusalOf((response) => response.writeHead(307, { location: 'http://127.0.0.1:9/v1' }).end());
  expect(error.message).toContain('answered 307');
});

test.each([
  ['a page', (response: import('node:http').ServerResponse) => void response.end('<html>')],
  ['no choices', json(200, { choices: [] })],
  ['no object', json(200, null)],
])('%s in place of an answer', async (_what, respond) => {
  expect((await refusalOf(respond)).message).toContain('Check');
});

test('an error with status 200', async () => {
  expect(await refusalOf(json(200, { error: { code: 429, message: 'slow down' } }))).toMatchObject({ status: 429, isRetryable: true });
});

test('a missing server', async () => {
  const model = chatCompletionsModel({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_API_KEY: KEY } });
  await expect(model(request())).rejects.toMatchObject({ status: undefined, isRetryable: true });
});
