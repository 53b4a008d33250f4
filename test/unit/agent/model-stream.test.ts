import { expect, test } from 'vitest';
import { chatCompletionsModel } from '../../../src/agent/model/chat-completions';
import { delta, events, json, request, startModelServer } from './model-server';

async function streamed(...chunks: unknown[]) {
  const { model, requests } = await startModelServer(events(...chunks));
  const texts: string[] = [];
  const answer = await model(request({ onText: (text) => texts.push(text) }));
  return { answer, texts, body: requests[0]?.body };
}

test('text in pieces, with its tokens', async () => {
  const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } };
  const { answer, texts, body } = await streamed(
    delta({ role: 'assistant', content: '' }),
    delta({ content: 'Hel' }),
    delta({ content: 'lo' }, 'stop'),
    usage,
    '[DONE]',
  );
  expect(answer).toEqual({
    message: { role: 'assistant', content: 'Hello', svc_model: 'openai/gpt-test' },
    tokens: { input: 5, output: 2 },
  });
  expect(texts).toEqual(['Hel', 'Hello']);
  expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test('calls in pieces, with unknown members', async () => {
  const call = (part: object) => delta({ tool_calls: [part] });
  const { answer } = await streamed(
    delta({ role: 'assistant', content: null, reasoning_content: 'Let ' }),
    delta({ reasoning_content: 'me' }),
    call({
      index: 0,
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: '' },
      extra_content: { google: { thought_signature: 's' } },
    }),
    call({ index: 0, function: { arguments: '{"n":' } }),
    call({ index: 0, id: 'a', function: { name: 'f', arguments: '1}' } }),
    call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }),
    delta({}, 'tool_calls'),
  );
  expect(answer).toMatchObject({
    message: {
      content: null,
      reasoning_content: 'Let me',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"n":1}' }, extra_content: { google: { thought_signature: 's' } } },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
      ],
    },
  });
  expect(answer).not.toHaveProperty('message.tool_calls.0.index');
});

test('calls that share an index are distinguished by their ids', async () => {
  const call = (id: string) => ({ index: 0, id, type: 'function', function: { name: 'f', arguments: '{}' } });
  const { answer } = await streamed(delta({ tool_calls: [call('a'), call('b')] }, 'tool_calls'));
  expect(answer).toMatchObject({ message: { tool_calls: [{ id: 'a' }, { id: 'b' }] } });
});

test('reasoning details are joined by index', async () => {
  const detail = (part: object) => delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...part }] });
  const { answer } = await streamed(
    detail({ text: 'a' }),
    detail({ text: 'b' }),
    detail({ signature: 's' }),
    delta({ content: 'Hi' }, 'stop'),
  );
  expect(answer).toMatchObject({ message: { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'ab', signature: 's' }] } });
});

test('a piece cannot change the prototype of objects', async () => {
  const chunk =
    '{"choices":[{"delta":{"content":"Hi","__proto__":{"polluted":true},"x":{"__proto__":{"polluted":true}}},"finish_reason":"stop"}]}';
  const { answer } = await streamed(chunk);
  expect(answer).toMatchObject({ message: { content: 'Hi' } });
  expect({}).not.toHaveProperty('polluted');
  expect(answer).not.toHaveProperty('message.x.polluted');
});

test.each([
  ['breaks off', [delta({ content: 'Hel' })], { status: undefined, isRetryable: true }],
  ['holds an error', [delta({ content: 'Hel' }), { error: { code: 503, message: 'busy' } }], { status: 503, isRetryable: true }],
  ['is not JSON', ['{'], { isRetryable: true }],
])('a stream that %s', async (_what, chunks, expected) => {
  await expect(streamed(...chunks)).rejects.toMatchObject(expected);
});

test('an answer of a server that does not stream is read as a whole', async () => {
  const { model } = await startModelServer(json(200, { choices: [{ message: { role: 'assistant', content: 'Hello' } }] }));
  const texts: string[] = [];
  expect(await model(request({ onText: (text) => texts.push(text) }))).toMatchObject({ message: { content: 'Hello' } });
  expect(texts).toEqual(['Hello']);
});

test('requests to Mistral have no stream_options, which it rejects', async () => {
  const bodies: string[] = [];
  const model = chatCompletionsModel({
    env: { MISTRAL_API_KEY: 'k' },
    fetch: async (_url, { body = '' }) => {
      bodies.push(body);
      return new Response(JSON.stringify({ choices: [{ message: { content: 'Hi' } }] }));
    },
  });
  await model(request({ model: 'mistral/small', onText: () => {} }));
  expect(JSON.parse(bodies[0] ?? '')).toEqual({ model: 'small', messages: [{ role: 'user', content: 'Hi' }], stream: true });
});

test('an endless stream of pieces is cut at 32 MiB, and the error names the limit', async () => {
  const chunk = `data: ${JSON.stringify(delta({ content: 'x'.repeat(1024 * 1024) }))}\n\n`;
  const { model } = await startModelServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  });
  await expect(model(request({ onText: () => undefined }))).rejects.toMatchObject({
    name: 'ModelRequestError',
    message: expect.stringContaining('more than 32 MiB'),
  });
});
