import { expect, test } from 'vitest';
import { aiModel } from '../../../src/agent/ai/ai-model';
import type { Message } from '../../../src/agent/chat/message';
import { toSentMessage } from '../../../src/agent/model/sent-message';
import { answering, asked, type Content, stored, streaming, TOOL } from './ai-models';
import { request } from './model-server';

const signed = (signature: string) => ({ anthropic: { signature } });
const THOUGHT: Content = { type: 'reasoning', text: 'I think', providerMetadata: signed('s1') };
const call = (id: string, providerMetadata?: Content['providerMetadata']): Content => {
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: 'invoke_service',
    input: `{"n":"${id}"}`,
    ...(providerMetadata && { providerMetadata }),
  };
};
const ANTHROPIC = { provider: 'anthropic.messages', modelId: 'claude-test' };

/** The message of a model after it was stored. */
async function answerOf(content: Content[], maker = ANTHROPIC): Promise<Message> {
  return stored(await aiModel(answering(content, maker))(request({ tools: [TOOL] })));
}

/** The assistant's parts that the next request has. */
async function sentBack(message: Message, named = ANTHROPIC): Promise<unknown> {
  const model = answering([{ type: 'text', text: 'Done' }], named);
  const results = (message.tool_calls ?? []).map(({ id }): Message => ({ role: 'tool', tool_call_id: id, content: 'ok' }));
  await aiModel(model)(request({ messages: [message, ...results] }));
  return JSON.parse(JSON.stringify(asked(model).prompt[0]?.content));
}

test('reasoning, signatures and their order go back to the same provider unchanged', async () => {
  const message = await answerOf([THOUGHT, { type: 'text', text: 'Now' }, call('a', { google: { thoughtSignature: 's2' } }), call('b')]);
  expect(message).toMatchObject({ content: 'Now', tool_calls: [{ id: 'a' }, { id: 'b' }] });
  expect(await sentBack(message)).toEqual([
    { type: 'reasoning', text: 'I think', providerOptions: signed('s1') },
    { type: 'text', text: 'Now' },
    {
      type: 'tool-call',
      toolCallId: 'a',
      toolName: 'invoke_service',
      input: { n: 'a' },
      providerOptions: { google: { thoughtSignature: 's2' } },
    },
    { type: 'tool-call', toolCallId: 'b', toolName: 'invoke_service', input: { n: 'b' } },
  ]);
});

test('the same of a stream', async () => {
  const model = streaming(
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'I think' },
      { type: 'reasoning-end', id: 'r', providerMetadata: signed('s1') },
      { type: 'tool-call', toolCallId: 'a', toolName: 'invoke_service', input: '{"n":1}' },
    ],
    ANTHROPIC,
  );
  const message = stored(await aiModel(model)(request({ tools: [TOOL], onText: () => {} })));
  expect(await sentBack(message)).toEqual([
    { type: 'reasoning', text: 'I think', providerOptions: signed('s1') },
    { type: 'tool-call', toolCallId: 'a', toolName: 'invoke_service', input: { n: 1 } },
  ]);
});

test('calls that got other ids keep their signatures', async () => {
  const message = await answerOf([THOUGHT, call('a'), call('b', signed('s2'))]);
  const tool_calls = message.tool_calls?.map((each, index) => ({ ...each, id: `call_${index}` })) ?? [];
  expect(await sentBack({ ...message, tool_calls })).toMatchObject([
    { type: 'reasoning' },
    { toolCallId: 'call_0', input: { n: 'a' } },
    { toolCallId: 'call_1', input: { n: 'b' }, providerOptions: signed('s2') },
  ]);
});

test.each([
  ['another provider', ANTHROPIC, { provider: 'openai.responses', modelId: 'gpt-test' }],
  ['another provider behind the same gateway', { provider: 'gateway', modelId: 'anthropic/c' }, { provider: 'gateway', modelId: 'xai/g' }],
])('%s gets only text and calls', async (_case, maker, other) => {
  const message = await answerOf([THOUGHT, { type: 'text', text: 'Now', providerMetadata: { openai: { itemId: 'i' } } }, call('a')], maker);
  expect(await sentBack(message, other)).toEqual([
    { type: 'text', text: 'Now' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'invoke_service', input: { n: 'a' } },
  ]);
});

test('another model of the same provider gets all parts', async () => {
  const message = await answerOf([THOUGHT, call('a')]);
  expect(await sentBack(message, { ...ANTHROPIC, modelId: 'claude-other' })).toMatchObject([{ type: 'reasoning' }, { type: 'tool-call' }]);
});

test('a chat-completions server gets only text and calls', async () => {
  const message = await answerOf([THOUGHT, { type: 'text', text: 'Now' }, call('a', signed('s2'))]);
  expect(toSentMessage(message, 'openai/gpt-test')).toEqual({
    role: 'assistant',
    content: 'Now',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'invoke_service', arguments: '{"n":"a"}' } }],
  });
});

test('a call that the provider ran itself is not a call for the agent, and is sent back with its result', async () => {
  const search = { toolCallId: 'w', toolName: 'web_search', providerExecuted: true, dynamic: true };
  const message = await answerOf([
    { type: 'tool-call', input: '{"query":"tea"}', ...search },
    { type: 'tool-result', result: ['tea'], ...search } as Content,
    { type: 'text', text: 'Tea' },
  ]);
  expect(message).toMatchObject({ content: 'Tea' });
  expect(message.tool_calls).toBeUndefined();
  expect(await sentBack(message)).toMatchObject([
    { type: 'tool-call', toolCallId: 'w', input: { query: 'tea' }, providerExecuted: true },
    { type: 'tool-result', toolCallId: 'w', output: { type: 'json', value: ['tea'] } },
    { type: 'text', text: 'Tea' },
  ]);
});

test('a plain answer is stored without kept parts, and files are never stored', async () => {
  expect(await answerOf([{ type: 'text', text: 'Now' }, call('a')])).not.toHaveProperty('svc_ai');
  const file: Content = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } };
  expect(JSON.stringify(await answerOf([THOUGHT, file, { type: 'text', text: 'Now' }]))).not.toContain('AAAA');
});
