import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Conversation } from '../../../service/scripted-model/conversation.ts';
import { type ScriptedModel, startScriptedModel } from '../../../service/scripted-model/server.ts';
import type { Speech } from '../../../service/scripted-model/speech.ts';

const QUESTION = 'How many minutes does a run of 26.2 miles take at 9.5 km per hour?';
const ASKED: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }];
const tool = (name: string, more: Partial<Anthropic.Tool> = {}): Anthropic.Tool => ({ name, input_schema: { type: 'object' }, ...more });
const TOOLS = [tool('search_services'), tool('invoke_service')];

let model: ScriptedModel;
let client: Anthropic;
beforeAll(async () => {
  model = await startScriptedModel();
  client = new Anthropic({ baseURL: model.origin, apiKey: 'any', maxRetries: 0 });
});
afterAll(() => model.close());

const say = (messages: Anthropic.MessageParam[], tools = TOOLS) =>
  client.messages.create({ model: 'any', max_tokens: 100, messages, ...(tools.length > 0 && { tools }) });

const use = (id: string, name = 'search_services'): Anthropic.MessageParam => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input: {} }],
});
const answered = (id: string, content: Anthropic.ToolResultBlockParam['content'] = ''): Anthropic.ToolResultBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

/** A model that answers this value, or the result of this function. */
async function speaking(speak: Speech | ((conversation: Conversation) => Speech)): Promise<Anthropic> {
  const other = await startScriptedModel({ speak: typeof speak === 'function' ? speak : () => speak });
  onTestFinished(other.close);
  return new Anthropic({ baseURL: other.origin, apiKey: 'any', maxRetries: 0 });
}

test('it runs the same scripts as in every other wire format', async () => {
  const first = await say(ASKED);
  expect(first).toMatchObject({ role: 'assistant', stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'search_services' }] });
  const [search] = first.content as [Anthropic.ToolUseBlock];
  expect(search.id).toMatch(/^toolu_01[0-9A-Za-z]{22}$/);

  const found = { action: 'maths__calculate', description: 'Evaluates a formula', payloadSchema: { properties: { formula: {} } } };
  const searched: Anthropic.MessageParam[] = [
    ...ASKED,
    { role: 'assistant', content: first.content },
    { role: 'user', content: [answered(search.id, JSON.stringify({ actions: [found] }))] },
  ];
  const second = await say(searched);
  const [invoke] = second.content as [Anthropic.ToolUseBlock];
  expect(invoke).toMatchObject({
    name: 'invoke_service',
    input: { action: 'maths__calculate', payload: { formula: '26.2 miles / (9.5 km/hour) to minutes' } },
  });

  const invoked: Anthropic.MessageParam[] = [
    ...searched,
    { role: 'assistant', content: second.content },
    { role: 'user', content: [answered(invoke.id, [{ type: 'text', text: '{"value": 125.4}' }])] },
  ];
  expect(await say(invoked)).toMatchObject({
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'The run takes 125 minutes: 2 hours and 5 minutes.' }],
  });
});

test.each<[string, Speech]>([
  ['a text', { content: 'A text, and\n  more of "it".' }],
  [
    'tool calls',
    {
      calls: [
        { name: 'a', arguments: { city: 'São Paulo' }, id: 'toolu_1' },
        { name: 'b', arguments: '', id: 'toolu_2' },
      ],
    },
  ],
])('streamed pieces of %s add up to the same message', async (_what, speech) => {
  const speaker = await speaking(speech);
  const request = { model: 'any', max_tokens: 100, messages: ASKED };
  const whole = await speaker.messages.create(request);
  const streamed = await speaker.messages.stream(request).finalMessage();
  expect(streamed).toMatchObject({ ...whole, id: expect.stringMatching(/^msg_01/) });
});

test('a script gets the question, the calls since, and the tools', async () => {
  const seen: Conversation[] = [];
  const speaker = await speaking((conversation) => {
    seen.push(conversation);
    return { content: 'Seen.' };
  });
  await speaker.messages.create({
    model: 'any',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [
      ...ASKED,
      use('toolu_1', 'a'),
      { role: 'user', content: [answered('toolu_1', 'old'), { type: 'text', text: 'And now?' }] },
      use('toolu_2', 'a'),
      { role: 'user', content: [answered('toolu_2', '{"new": true}')] },
    ],
    tools: [tool('a', { description: 'An A' })],
  });
  expect(seen).toEqual([
    {
      question: 'And now?',
      turns: [[{ id: 'toolu_2', tool: 'a', input: {}, output: { new: true } }]],
      offered: [{ name: 'a', description: 'An A', parameters: { type: 'object' } }],
    },
  ]);
});

test.each<[string, Anthropic.MessageParam[]]>([
  ['these tool_use blocks have no tool_result: toolu_1', [...ASKED, use('toolu_1')]],
  ['these tool_use blocks have no tool_result: toolu_1', [...ASKED, use('toolu_1'), { role: 'user', content: 'Well?' }]],
  ['no tool_use toolu_x', [...ASKED, { role: 'user', content: [answered('toolu_x')] }]],
  ['no tool_use toolu_1', [...ASKED, use('toolu_1'), { role: 'user', content: [answered('toolu_1'), answered('toolu_1')] }]],
  [
    'tool_result blocks come first',
    [...ASKED, use('toolu_1'), { role: 'user', content: [{ type: 'text', text: 'x' }, answered('toolu_1')] }],
  ],
  ['the first message', [{ role: 'assistant', content: 'Hello' }]],
  ['messages.0.content', [{ role: 'user', content: '' }]],
  ['messages: ', []],
])('it rejects invalid messages, like the real server: %s', async (message, messages) => {
  await expect(say(messages)).rejects.toMatchObject({
    status: 400,
    error: { type: 'error', error: { type: 'invalid_request_error', message: expect.stringContaining(message) } },
  });
});

test.each<[string, Anthropic.Tool[]]>([
  ['tools.0.name', [tool('no spaces')]],
  ['unique', [tool('a'), tool('a')]],
  ['anyOf', [tool('a', { input_schema: { type: 'object', anyOf: [] } })]],
  ['tools.0: ', [{ ...tool('a'), run: 'what is no part of a definition' } as Anthropic.Tool]],
  ['without defer_loading', [tool('a', { defer_loading: true })]],
])('it rejects invalid tools: %s', async (message, tools) => {
  await expect(say(ASKED, tools)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
});

test('a deferred tool is seen and called only once a tool_reference has loaded it', async () => {
  const tools = [tool('find'), tool('a', { defer_loading: true })];
  const call = { calls: [{ name: 'a', arguments: {} }] };
  const speaker = await speaking((conversation) => (conversation.question === 'Call' ? call : { content: JSON.stringify(conversation) }));
  const ask = (messages: Anthropic.MessageParam[]) => speaker.messages.create({ model: 'any', max_tokens: 100, messages, tools });
  const loaded = (question: string, name = 'a'): Anthropic.MessageParam[] => [
    { role: 'user', content: question },
    use('toolu_1', 'find'),
    { role: 'user', content: [answered('toolu_1', [{ type: 'tool_reference', tool_name: name }])] },
  ];

  const offered = async (messages: Anthropic.MessageParam[]) => {
    const [block] = (await ask(messages)).content as [Anthropic.TextBlock];
    return (JSON.parse(block.text) as Conversation).offered.map(({ name }) => name);
  };
  expect(await offered([{ role: 'user', content: 'Tell' }])).toEqual(['find']);
  expect(await offered(loaded('Tell'))).toEqual(['find', 'a']);

  await expect(ask([{ role: 'user', content: 'Call' }])).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('deferred'),
  });
  expect(await ask(loaded('Call'))).toMatchObject({ content: [{ name: 'a' }] });

  await expect(ask(loaded('Tell', 'b'))).rejects.toMatchObject({ status: 400, message: expect.stringContaining('no tool b') });
  await expect(ask([...ASKED, use('toolu_1', 'a'), { role: 'user', content: [answered('toolu_1')] }])).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('before a tool_reference'),
  });
  const mixed = [
    { type: 'tool_reference' as const, tool_name: 'a' },
    { type: 'text' as const, text: 'and more' },
  ];
  await expect(ask([...ASKED, use('toolu_1', 'find'), { role: 'user', content: [answered('toolu_1', mixed)] }])).rejects.toMatchObject({
    status: 400,
  });
});

test('a tool runner with message threads gets an error with the advice to disable them', async () => {
  const runner = client.beta.messages.toolRunner({
    model: 'any',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [],
  });
  await expect(runner).rejects.toMatchObject({ status: 400, message: expect.stringContaining('thread: false') });
});

test('errors have the shape of the API, also without a key and outside of a conversation', async () => {
  const post = (init: RequestInit) => fetch(`${model.origin}/v1/messages`, init);
  const refused = await post({ method: 'POST', body: '{}' });
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { type: 'error', error: { type: 'authentication_error', message: expect.stringContaining('x-api-key') } },
  ]);
  for (const headers of [{ 'x-api-key': 'any' }, { authorization: 'Bearer any' }]) {
    const broken = await post({ method: 'POST', body: '{', headers });
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
  }
  const speaker = await speaking({ calls: [{ name: 'a', arguments: '{"cut' }] });
  await expect(speaker.messages.create({ model: 'any', max_tokens: 100, messages: ASKED })).rejects.toMatchObject({
    status: 500,
    error: { error: { type: 'api_error' } },
  });
});
