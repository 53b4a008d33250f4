import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { answer, play } from '../../../service/scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../../service/scripted-model/server.ts';

const QUESTION = 'How many minutes does a run of 26.2 miles take at 9.5 km per hour?';
const TOOLS: ChatCompletionTool[] = ['search_services', 'invoke_service'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object' } },
}));
const FORMULA = {
  action: 'some-toolkit__calculate',
  description: 'Evaluates a formula with units',
  payloadSchema: { type: 'object', properties: { formula: { type: 'string' } }, required: ['formula'] },
};

let model: ScriptedModel;
let client: OpenAI;
beforeAll(async () => {
  model = await startScriptedModel();
  client = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
});
afterAll(() => model.close());

const say = async (messages: ChatCompletionMessageParam[], tools = TOOLS) => {
  const offered = tools.length > 0 ? { tools } : {};
  const { choices } = await client.chat.completions.create({ model: 'any', messages, ...offered });
  const message = choices[0]?.message;
  if (!message) throw new Error('no message');
  return message;
};

/** Plays a whole turn: the model's calls, each answered with the given output. */
const withOutputs = async (messages: ChatCompletionMessageParam[], outputs: unknown[]): Promise<ChatCompletionMessageParam[]> => {
  const message = await say(messages);
  const tools = (message.tool_calls ?? []).map((call, index) => ({
    role: 'tool' as const,
    tool_call_id: call.id,
    content: JSON.stringify(outputs[index]),
  }));
  return [...messages, message, ...tools];
};

const ASKED: ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }];

test('it searches first, with a unique call id', async () => {
  const [first, second] = [await say(ASKED), await say(ASKED)];
  expect(first).toMatchObject({
    role: 'assistant',
    content: null,
    tool_calls: [{ type: 'function', function: { name: 'search_services' } }],
  });
  expect(first.tool_calls?.[0]?.id).toMatch(/^call_[0-9A-Za-z]{24}$/);
  expect(first.tool_calls?.[0]?.id).not.toBe(second.tool_calls?.[0]?.id);
});

test('it invokes the found action, with a payload for the schema in the search result', async () => {
  const searched = await withOutputs(ASKED, [{ actions: [{ ...FORMULA, action: 'x__y', description: 'Sends mail' }, FORMULA] }]);
  const { tool_calls } = await say(searched);
  expect(tool_calls).toHaveLength(1);
  expect(tool_calls?.[0]).toMatchObject({ function: { name: 'invoke_service' } });
  const call = tool_calls?.[0];
  expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({
    action: 'some-toolkit__calculate',
    payload: { formula: '26.2 miles / (9.5 km/hour) to minutes' },
  });
});

test('its answer is made from the result', async () => {
  const searched = await withOutputs(ASKED, [{ actions: [FORMULA] }]);
  const invoked = await withOutputs(searched, [{ value: 125.4, text: 'whatever' }]);
  expect((await say(invoked)).content).toBe('The run takes 125 minutes: 2 hours and 5 minutes.');
});

test('it reports a search without a match, a property it cannot fill, and an action that failed', async () => {
  const nothing = await withOutputs(ASKED, [{ actions: [], hint: 'Try other words' }]);
  expect((await say(nothing)).content).toContain('found no action that fits');

  const unknown = { ...FORMULA, payloadSchema: { properties: { colour: {} }, required: ['colour'] } };
  expect((await say(await withOutputs(ASKED, [{ actions: [unknown] }]))).content).toContain('does not tell me its "colour"');

  const searched = await withOutputs(ASKED, [{ actions: [FORMULA] }]);
  const failed = await withOutputs(searched, [{ error: { code: 'TOOLKIT_OFFLINE', message: 'Nobody is there' } }]);
  expect((await say(failed)).content).toContain('TOOLKIT_OFFLINE: Nobody is there');
});

test('it has no answer outside its script, and calls no tool that is not in the request', async () => {
  expect((await say([{ role: 'user', content: 'Who are you?' }])).content).toContain('I am a script');
  expect((await say(ASKED, [])).tool_calls).toBeUndefined();
});

test('streamed pieces add up to the same message, with usage at the end on request', async () => {
  const stream = client.chat.completions.stream({ model: 'any', messages: ASKED, tools: TOOLS, stream_options: { include_usage: true } });
  const completion = await stream.finalChatCompletion();
  const whole = await client.chat.completions.create({ model: 'any', messages: ASKED, tools: TOOLS });
  const call = (choice: typeof whole) => choice.choices[0]?.message.tool_calls?.map((item) => item.type === 'function' && item.function);
  expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
  expect(call(completion)?.[0]).toMatchObject(call(whole)?.[0] as object);
  expect(completion.usage).toEqual(whole.usage);
});

test('it rejects a tool call without its message and a tool message without its call, like a real server', async () => {
  const message = await say(ASKED);
  await expect(say([...ASKED, message])).rejects.toMatchObject({ status: 400, message: expect.stringContaining('have no tool message') });
  await expect(say([...ASKED, { role: 'tool', tool_call_id: 'call_x', content: '' }])).rejects.toMatchObject({ status: 400 });
});

test('bad requests get an error that names the place', async () => {
  await expect(say([])).rejects.toMatchObject({ status: 400, param: 'messages', type: 'invalid_request_error' });
  await expect(say(ASKED, [{ type: 'function', function: { name: 'no spaces' } }])).rejects.toMatchObject({
    param: 'tools.0.function.name',
  });
  const post = (path: string, init: RequestInit) => fetch(new URL(path, model.baseURL), init);
  expect((await post('/v1/chat/completions', { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await post('/v1/chat/completions', { method: 'POST', body: '{', headers: { authorization: 'Bearer x' } })).status).toBe(400);
  expect((await post('/v1/chat/completions', {})).status).toBe(405);
  expect((await post('/v1/embeddings', { method: 'POST' })).status).toBe(404);
});

test('a script that breaks is an error of the server', async () => {
  const steps = [answer(() => JSON.parse('{'))];
  const broken = await startScriptedModel({ speak: (conversation) => play([{ about: /./, steps }], conversation) });
  onTestFinished(broken.close);
  const other = new OpenAI({ baseURL: broken.baseURL, apiKey: 'any', maxRetries: 0 });
  await expect(other.chat.completions.create({ model: 'any', messages: ASKED })).rejects.toMatchObject({
    status: 500,
    type: 'server_error',
  });
});
