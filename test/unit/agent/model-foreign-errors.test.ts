import Anthropic from '@anthropic-ai/sdk';
import { APICallError } from 'ai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { toModelRequestError } from '../../../src/agent/model/foreign-error';

const headers = { 'retry-after': '3' };

test.each([
  ['openai', OpenAI.APIError.generate(429, { error: { message: 'slow' } }, undefined, new Headers(headers))],
  [
    'anthropic',
    Anthropic.APIError.generate(429, { type: 'error', error: { type: 'x', message: 'slow' } }, undefined, new Headers(headers)),
  ],
  ['the AI SDK', new APICallError({ message: 'slow', url: 'u', requestBodyValues: {}, statusCode: 429, responseHeaders: headers })],
  ['a function', Object.assign(new Error('slow'), { status: 429, headers })],
])('a 429 of %s', (_library, thrown) => {
  expect(toModelRequestError(thrown)).toMatchObject({
    status: 429,
    retryAfterMs: 3_000,
    isRetryable: true,
    message: expect.stringContaining('slow'),
  });
});

test.each([
  ['openai', new OpenAI.APIConnectionError({ message: 'gone' })],
  ['openai, late', new OpenAI.APIConnectionTimeoutError()],
  ['anthropic', new Anthropic.APIConnectionError({ message: 'gone' })],
  ['the AI SDK', new APICallError({ message: 'gone', url: 'u', requestBodyValues: {}, isRetryable: true })],
  ['fetch', new TypeError('fetch failed')],
])('a lost connection of %s', (_library, thrown) => {
  expect(toModelRequestError(thrown)).toMatchObject({ status: undefined, isRetryable: true });
});

test('a conversation too long, by code or by text', () => {
  const byCode = OpenAI.APIError.generate(400, { error: { message: 'no', code: 'context_length_exceeded' } }, undefined, new Headers());
  const byText = new APICallError({
    message: 'no',
    url: 'u',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: 'prompt is too long: 9 tokens',
  });
  expect([byCode, byText].map((error) => toModelRequestError(error)?.isTooLong)).toEqual([true, true]);
});

test('the error of another copy of this package', () => {
  const other = { name: 'ModelRequestError', message: 'slow', status: undefined, retryAfterMs: 5, isTooLong: false };
  expect(toModelRequestError(other)).toMatchObject({ message: 'slow', retryAfterMs: 5, isRetryable: true });
});

test('an error of the program is not treated as an answer of a server', () => {
  expect([new TypeError('x is not a function'), 'words', undefined].map(toModelRequestError)).toEqual([undefined, undefined, undefined]);
});

test('the error of a rejected key names the setting to check', () => {
  expect(toModelRequestError({ status: 401, message: 'no' })?.message).toBe('no (check the key that the model function uses)');
});
