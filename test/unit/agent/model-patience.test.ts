import { expect, test } from 'vitest';
import type { AskModel, ModelRequest } from '../../../src/agent/model/ask-model';
import { askPatiently } from '../../../src/agent/model/ask-patiently';
import { ModelRequestError } from '../../../src/agent/model/model-request-error';
import { request } from './model-server';

const HI = { role: 'assistant' as const, content: 'Hi' };
const TOOL = { type: 'function' as const, function: { name: 'f', description: 'F', parameters: { type: 'object' } } };
const busy = (retryAfterMs?: number) => new ModelRequestError('busy', { status: 429, retryAfterMs });

/** Plays answers and errors in order; the last one again and again. */
async function ask(answers: unknown[], { fallback, ...options }: Partial<ModelRequest> & { fallback?: string } = {}) {
  const asked: { model: string; tools: number }[] = [];
  const waits: number[] = [];
  const reports: [message: string, model: string, willRetry: boolean][] = [];
  const counted: [model: string, input: number, output: number][] = [];
  const model: AskModel = async ({ model: name, tools }) => {
    asked.push({ model: name, tools: tools.length });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  const outcome = await askPatiently({
    ask: model,
    request: request({ tools: [TOOL], ...options }),
    ...(fallback && { fallback }),
    onError: (error, name, willRetry) => reports.push([error.message, name, willRetry]),
    onTokens: (name, { input, output }) => counted.push([name, input, output]),
    wait: async (ms) => void waits.push(ms),
  }).then(
    (answer) => ({ answer, error: undefined }),
    (error: unknown) => ({ error, answer: undefined }),
  );
  return { ...outcome, asked: asked.map(({ model: name }) => name), tools: asked.map(({ tools }) => tools), waits, reports, counted };
}

test('an answer alone, and one with tokens', async () => {
  expect((await ask([HI])).answer).toEqual({ message: HI, tokens: { input: 0, output: 0 } });
  expect((await ask([{ message: HI, tokens: { input: 2, output: 1 } }])).answer).toEqual({ message: HI, tokens: { input: 2, output: 1 } });
});

test('two retries, after the wait that the server requests', async () => {
  const { answer, waits, reports } = await ask([busy(5_000), busy(20_000), HI]);
  expect(answer?.message).toBe(HI);
  expect(waits).toEqual([5_000, 20_000]);
  expect(reports.map(([, , willRetry]) => willRetry)).toEqual([true, true]);
});

test('waits without Retry-After grow exponentially, with equal jitter', async () => {
  const { waits, asked, error, reports } = await ask([busy()]);
  expect(error).toMatchObject({ status: 429 });
  expect(asked).toHaveLength(3);
  expect(waits.map((ms, retry) => ms >= 500 * 2 ** retry && ms <= 1_000 * 2 ** retry)).toEqual([true, true]);
  expect(reports.at(-1)).toEqual(['busy', 'openai/gpt-test', false]);
});

test('a server that requests more than 20 seconds counts as failed', async () => {
  const { error, asked, waits } = await ask([busy(20_001)]);
  expect(error).toMatchObject({ retryAfterMs: 20_001 });
  expect([asked.length, waits.length]).toEqual([1, 0]);
});

test('the fallback has two retries of its own', async () => {
  const { answer, asked, reports } = await ask([busy(60_000), busy(), busy(), HI], { fallback: 'xai/grok' });
  expect(answer?.message).toBe(HI);
  expect(asked).toEqual(['openai/gpt-test', 'xai/grok', 'xai/grok', 'xai/grok']);
  expect(reports.every(([, , willRetry]) => willRetry)).toBe(true);
});

test('the fallback gets one request', async () => {
  const { error, asked, reports } = await ask([busy(60_000)], { fallback: 'xai/grok' });
  expect(error).toMatchObject({ status: 429 });
  expect(asked).toEqual(['openai/gpt-test', 'xai/grok']);
  expect(reports.map(([, , willRetry]) => willRetry)).toEqual([true, false]);
});

test.each([
  ['400', new ModelRequestError('wrong', { status: 400 })],
  ['401', new ModelRequestError('wrong', { status: 401 })],
  ['404', new ModelRequestError('wrong', { status: 404 })],
  ['a conversation too long', new ModelRequestError('wrong', { status: 400, isTooLong: true })],
  ['a fault of the function', new TypeError('wrong')],
])('%s ends it at once', async (_what, thrown) => {
  const { error, asked, reports } = await ask([thrown], { fallback: 'xai/grok' });
  expect(error).toBe(thrown);
  expect(asked).toHaveLength(1);
  expect(reports).toEqual([['wrong', 'openai/gpt-test', false]]);
});

test.each([[''], [' \n'], [null], [[]]])('after an answer of %j a second request without tools is sent', async (content) => {
  const { answer, tools } = await ask([
    { message: { role: 'assistant', content }, tokens: { input: 2, output: 1 } },
    { message: HI, tokens: { input: 3, output: 1 } },
  ]);
  expect(answer).toEqual({ message: HI, tokens: { input: 5, output: 2 } });
  expect(tools).toEqual([1, 0]);
});

test('two empty answers are an error', async () => {
  const { error, asked, reports } = await ask([{ role: 'assistant', content: '' }]);
  expect(error).toBeInstanceOf(ModelRequestError);
  expect((error as Error).message).toContain('neither text nor tool calls');
  expect(asked).toHaveLength(2);
  expect(reports.map(([, , willRetry]) => willRetry)).toEqual([true, false]);
});

test('calls without text are an answer', async () => {
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
  };
  expect((await ask([message])).answer?.message).toBe(message);
});

test.each([[undefined], ['Hi'], [null], [{}], [{ role: 'user', content: 'Hi' }], [{ message: 'Hi' }]])(
  '%j is not an answer',
  async (answer) => {
    const { error, asked } = await ask([answer]);
    expect(error).toBeInstanceOf(ModelRequestError);
    expect((error as Error).message).toContain("{role: 'assistant'");
    expect(asked).toHaveLength(1);
  },
);

test('the tokens of every answer are counted for the model that gave it', async () => {
  const empty = { message: { ...HI, content: '' }, tokens: { input: 3, output: 0 } };
  const { counted } = await ask([busy(), busy(), busy(), empty, { message: HI, tokens: { input: 5, output: 2 } }], {
    model: 'big',
    fallback: 'small',
  });
  expect(counted).toEqual([
    ['small', 3, 0],
    ['big', 5, 2],
  ]);
});

test('a function that ignores the signal is abandoned', async () => {
  const controller = new AbortController();
  const reports: unknown[] = [];
  const asked = askPatiently({
    ask: () => {
      controller.abort(new Error('stopped'));
      return new Promise(() => {});
    },
    request: request({ signal: controller.signal }),
    onError: (error) => reports.push(error),
    onTokens: () => {},
  });
  await expect(asked).rejects.toThrow('stopped');
  expect(reports).toEqual([]);
});

test('the signal ends a wait', async () => {
  const controller = new AbortController();
  const asked = askPatiently({
    ask: async () => {
      throw busy(20_000);
    },
    request: request({ signal: controller.signal }),
    onError: () => controller.abort(new Error('stopped')),
    onTokens: () => {},
  });
  await expect(asked).rejects.toThrow('stopped');
});
