import { expect, test } from 'vitest';
import { chatCompletionsModel } from '../../../src/agent/model/chat-completions';
import { json, KEY, request, startModelServer } from './model-server';

const TOOL = { type: 'function' as const, function: { name: 'f', description: 'F', parameters: { type: 'object' } } };
const completion = (message: object) => ({ choices: [{ message }], usage: { prompt_tokens: 7, completion_tokens: 3 } });

test('a request and its answer, unknown members kept', async () => {
  const message = { role: 'assistant', content: 'Hello', reasoning_details: [{ type: 'x', data: 'y' }] };
  const { model, requests } = await startModelServer(json(200, completion({ ...message, svc_images: ['data:'] })));
  const answer = await model(request({ tools: [TOOL] }));
  expect(answer).toEqual({ message: { ...message, svc_model: 'openai/gpt-test' }, tokens: { input: 7, output: 3 } });
  expect(requests[0]).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } });
  expect(requests[0]?.body).toEqual({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hi' }], tools: [TOOL] });
});

test('no tools, no member tools; our own members stay here', async () => {
  const { model, requests } = await startModelServer(json(200, completion({ role: 'assistant', content: 'Hello' })));
  await model(request({ messages: [{ role: 'tool', tool_call_id: 'a', content: '1', svc_images: ['data:image/png;base64,AA=='] }] }));
  expect(requests[0]?.body).toEqual({ model: 'gpt-test', messages: [{ role: 'tool', tool_call_id: 'a', content: '1' }] });
});

test('members of a provider are sent back only to that provider', async () => {
  const { model, requests } = await startModelServer(json(200, completion({ role: 'assistant', content: 'Hello' })));
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: { google: 1 } };
  const said = (svc_model: string) => ({
    role: 'assistant' as const,
    content: 'Hm',
    reasoning_content: 'r',
    tool_calls: [call],
    svc_model,
  });
  await model(request({ messages: [said('openai/other'), said('google/gemini')] }));
  const { extra_content: _, ...plain } = call;
  expect(requests[0]?.body.messages).toEqual([
    { role: 'assistant', content: 'Hm', reasoning_content: 'r', tool_calls: [call] },
    { role: 'assistant', content: 'Hm', tool_calls: [plain] },
  ]);
});

test("the operator's own server gets no key when none is set", async () => {
  const { env, requests } = await startModelServer(json(200, completion({ role: 'assistant', content: 'Hello' })));
  await chatCompletionsModel({ env: { OPENAI_BASE_URL: env.OPENAI_BASE_URL } })(request({ model: 'qwen/qwen3' }));
  expect(requests[0]?.headers.authorization).toBeUndefined();
  expect(requests[0]?.body.model).toBe('qwen/qwen3');
});

test('an answer without a count costs no tokens', async () => {
  const { model } = await startModelServer(json(200, { choices: [{ message: { role: 'assistant', content: 'Hello' } }] }));
  expect(await model(request())).toMatchObject({ tokens: { input: 0, output: 0 } });
});

test('silence ends after the limit, and may be tried again', async () => {
  const { env } = await startModelServer(() => {});
  const asked = chatCompletionsModel({ env, timeoutMs: 30 })(request());
  await expect(asked).rejects.toMatchObject({
    name: 'ModelRequestError',
    isRetryable: true,
    message: expect.stringContaining('0.03 seconds'),
  });
});

test('the signal ends a request with its reason', async () => {
  const controller = new AbortController();
  const { model } = await startModelServer(() => controller.abort(new Error('stopped')));
  await expect(model(request({ signal: controller.signal }))).rejects.toThrow('stopped');
});

test('an endless answer is cut at 32 MiB, and the error names the limit', async () => {
  const left = Promise.withResolvers<void>();
  const { model } = await startModelServer((response) => {
    response.once('close', () => left.resolve());
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = 'x'.repeat(1024 * 1024);
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  await expect(model(request())).rejects.toMatchObject({
    name: 'ModelRequestError',
    message: expect.stringContaining('more than 32 MiB'),
  });
  await left.promise;
});
