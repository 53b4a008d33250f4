import { customProvider, type LanguageModel } from 'ai';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aiModel } from '../../../src/agent/ai/ai-model';
import { answering, asked, streaming, TOOL } from './ai-models';
import { request } from './model-server';

const HI = answering([{ type: 'text', text: 'Hi' }]);
const call = (toolName: string, input: string) => ({ type: 'tool-call' as const, toolCallId: 'a', toolName, input });

test('a text, with its tokens and nothing else', async () => {
  expect(await aiModel(HI)(request())).toEqual({ message: { role: 'assistant', content: 'Hi' }, tokens: { input: 7, output: 3 } });
});

test('tools are offered as they are, and none are if there are none', async () => {
  await aiModel(HI)(request({ tools: [TOOL] }));
  expect(asked(HI)).toMatchObject({
    tools: [{ type: 'function', name: 'invoke_service', description: 'Runs an action', inputSchema: { type: 'object', properties: {} } }],
    toolChoice: { type: 'auto' },
  });
  await aiModel(HI)(request());
  expect(asked(HI).tools).toBeUndefined();
});

test.each([
  ['a call', 'invoke_service', '{"action":"a__b"}', '{"action":"a__b"}'],
  ['a call without arguments', 'invoke_service', '', '{}'],
  ['a call whose arguments are not JSON', 'invoke_service', '{"action":', '{"action":'],
  ['a call of a tool that was not offered', 'a__b', '{"x":1}', '{"x":1}'],
])('%s reaches the agent as the model wrote it, whole and streamed', async (_case, name, input, args) => {
  const message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: args } }],
  };
  const [whole, streamed] = [answering([call(name, input)]), streaming([call(name, input)])];
  expect(await aiModel(whole)(request({ tools: [TOOL] }))).toMatchObject({ message });
  expect(await aiModel(streamed)(request({ tools: [TOOL], onText: () => {} }))).toMatchObject({ message });
});

test('a call, although no tools were offered', async () => {
  expect(await aiModel(answering([call('f', '{}')]))(request())).toMatchObject({ message: { tool_calls: [{ function: { name: 'f' } }] } });
});

test('two calls with one id stay two calls, whole and streamed', async () => {
  const calls = [call('invoke_service', '{"n":1}'), call('invoke_service', '{"n":2}')];
  const answers = [
    await aiModel(answering(calls))(request({ tools: [TOOL] })),
    await aiModel(streaming(calls))(request({ tools: [TOOL], onText: () => {} })),
  ];
  const both = [{ function: { arguments: '{"n":1}' } }, { function: { arguments: '{"n":2}' } }];
  expect(answers).toMatchObject([{ message: { tool_calls: both } }, { message: { tool_calls: both } }]);
});

test('text is reported as it grows', async () => {
  const model = streaming([
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hel' },
    { type: 'text-delta', id: '1', delta: 'lo' },
    { type: 'text-end', id: '1' },
  ]);
  const texts: string[] = [];
  const answer = await aiModel(model)(request({ onText: (text) => texts.push(text) }));
  expect(answer).toEqual({ message: { role: 'assistant', content: 'Hello' }, tokens: { input: 7, output: 3 } });
  expect(texts).toEqual(['Hel', 'Hello']);
});

test('a function gets the id of setModel, and the error explains how to set one', async () => {
  const ids: string[] = [];
  const model = aiModel((id): LanguageModel => {
    ids.push(id);
    return HI;
  });
  await model(request({ model: 'anthropic/claude-test' }));
  expect(ids).toEqual(['anthropic/claude-test']);
  await expect(model(request({ model: '' }))).rejects.toMatchObject({ status: 400, message: expect.stringContaining('SVC_MODEL') });
});

test('a text is a model of the default provider', async () => {
  const { AI_SDK_DEFAULT_PROVIDER: before } = globalThis;
  onTestFinished(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = before;
  });
  globalThis.AI_SDK_DEFAULT_PROVIDER = customProvider({ languageModels: { 'maker/small': HI } });
  expect(await aiModel('maker/small')(request())).toMatchObject({ message: { content: 'Hi' } });
});

test('the AI SDK prints nothing', async () => {
  const printed = [vi.spyOn(process, 'emitWarning'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(console, 'info')];
  onTestFinished(() => void vi.restoreAllMocks());
  const warnings = [{ type: 'other' as const, message: 'temperature is ignored' }];
  const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${Buffer.from('png').toString('base64')}` } };
  const messages = [{ role: 'user' as const, content: [image] }];
  await aiModel(answering([{ type: 'text', text: 'Hi' }], { warnings }))(request({ messages }));
  await aiModel(streaming([], { warnings }))(request({ messages, onText: () => {} }));
  const broken = aiModel(streaming([{ type: 'error', error: 'overloaded' }]));
  await broken(request({ onText: () => {} })).catch(() => {});
  expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
});
