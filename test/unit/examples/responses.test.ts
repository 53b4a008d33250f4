import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import type { Conversation } from '../../../service/scripted-model/conversation.ts';
import { startScriptedModel } from '../../../service/scripted-model/server.ts';
import type { Speech } from '../../../service/scripted-model/speech.ts';

type Item = OpenAI.Responses.ResponseInputItem;

const WEATHER: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'weather__today',
  description: 'Weather',
  parameters: { type: 'object' },
  strict: false,
};
const SEARCH: OpenAI.Responses.ToolSearchTool = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds',
  parameters: { type: 'object' },
};
const CALL: Item = { type: 'function_call', call_id: 'call_1', name: 'weather__today', arguments: '{"city":"Rome"}' };
const OUTPUT: Item = { type: 'function_call_output', call_id: 'call_1', output: '{"celsius":21}' };

/** A model with these answers in order, and the requests it got. */
async function start(...speeches: Speech[]) {
  const conversations: Conversation[] = [];
  const model = await startScriptedModel({
    speak(conversation) {
      conversations.push(conversation);
      return speeches[conversations.length - 1] ?? { content: 'Nothing more.' };
    },
  });
  onTestFinished(model.close);
  const client = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  return {
    client,
    conversations,
    create: (request: OpenAI.Responses.ResponseCreateParamsNonStreaming) => client.responses.create({ model: 'm', ...request }),
  };
}

test('it answers with a text', async () => {
  const { create } = await start({ content: 'Hello.' });
  const response = await create({ input: 'Hi' });
  expect(response).toMatchObject({ object: 'response', status: 'completed', output_text: 'Hello.', error: null });
  expect(response.usage?.total_tokens).toBeGreaterThan(0);
});

test('it calls functions, and its script gets the results', async () => {
  const { create, conversations } = await start({ calls: [{ name: 'weather__today', arguments: { city: 'Rome' }, id: 'call_1' }] });
  const { output } = await create({ input: 'Hi', tools: [WEATHER] });
  expect(output).toEqual([{ ...CALL, id: expect.stringMatching(/^fc_/), status: 'completed' }]);

  await create({ input: [{ role: 'user', content: 'Hi' }, output[0] as Item, OUTPUT], tools: [WEATHER] });
  expect(conversations[1]).toEqual({
    question: 'Hi',
    turns: [[{ id: 'call_1', tool: 'weather__today', input: { city: 'Rome' }, output: { celsius: 21 } }]],
    offered: [{ name: 'weather__today', description: 'Weather', parameters: { type: 'object' } }],
  });
});

test('previous_response_id brings the conversation back, unless it was not to be stored', async () => {
  const { create, conversations } = await start({ calls: [{ name: 'weather__today', arguments: '{}', id: 'call_1' }] });
  const { id } = await create({ input: 'Hi' });
  const { id: unstored } = await create({ input: [OUTPUT], previous_response_id: id, store: false });
  expect(conversations[1]).toMatchObject({ question: 'Hi', turns: [[{ id: 'call_1', output: { celsius: 21 } }]] });
  await expect(create({ input: 'More', previous_response_id: unstored })).rejects.toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  });
});

test('a search executed by the client is a separate kind of call, and the found tools can be called then', async () => {
  const { create, conversations } = await start({ calls: [{ name: 'tool_search', arguments: { query: 'weather' }, id: 'call_2' }] });
  const { id, output } = await create({ input: 'Hi', tools: [SEARCH] });
  expect(output).toEqual([
    {
      id: expect.stringMatching(/^tsc_/),
      type: 'tool_search_call',
      call_id: 'call_2',
      execution: 'client',
      status: 'completed',
      arguments: { query: 'weather' },
    },
  ]);
  const found: Item = { type: 'tool_search_output', call_id: 'call_2', execution: 'client', tools: [{ ...WEATHER, defer_loading: true }] };
  await create({ input: [found], previous_response_id: id, tools: [SEARCH] });
  expect(conversations[1]?.offered.map(({ name }) => name)).toEqual(['tool_search', 'weather__today']);
  expect(conversations[1]?.turns).toMatchObject([[{ tool: 'tool_search', output: { tools: [{ name: 'weather__today' }] } }]]);
});

test('streamed events add up to the same response', async () => {
  const speeches: Speech[] = [
    { content: 'It is 21 degrees in Rome.' },
    {
      calls: [
        { name: 'weather__today', arguments: { city: 'Rome' } },
        { name: 'tool_search', arguments: { query: 'weather' } },
      ],
    },
  ];
  const { client } = await start(...speeches);
  const stream = () => client.responses.stream({ model: 'm', input: 'Hi', tools: [WEATHER, SEARCH] });
  const said = stream();
  const deltas: string[] = [];
  said.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
  expect((await said.finalResponse()).output_text).toBe('It is 21 degrees in Rome.');
  expect(deltas.length).toBeGreaterThan(1);
  expect(deltas.join('')).toBe('It is 21 degrees in Rome.');
  expect((await stream().finalResponse()).output).toMatchObject([
    { type: 'function_call', name: 'weather__today', arguments: '{"city":"Rome"}', status: 'completed' },
    { type: 'tool_search_call', arguments: { query: 'weather' }, status: 'completed' },
  ]);
});

test.each<[string, Item[]]>([
  ['a call without its output', [CALL]],
  ['an output without its call', [OUTPUT]],
  ['an output before its call', [OUTPUT, CALL]],
  ['two outputs of one call', [CALL, OUTPUT, OUTPUT]],
  ['a search without its output', [{ type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: {} }]],
  ['a function output for a search', [{ type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: {} }, OUTPUT]],
])('it rejects %s, like a real server', async (_what, items) => {
  const { create } = await start();
  await expect(create({ input: [{ role: 'user', content: 'Hi' }, ...items] })).rejects.toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    param: 'input',
  });
});

test.each<[string, object, string]>([
  ['a property that it does not know', { input: [{ ...CALL, parsed_arguments: {} }] }, 'input.0'],
  ['an item that it does not know', { input: [{ type: 'guess' }] }, 'input.0.type'],
  ['the id of another kind of item', { input: [{ ...CALL, id: 'msg_1' }] }, 'input.0.id'],
  ['a tool in the shape of chat completions', { tools: [{ type: 'function', function: WEATHER }] }, 'tools.0.name'],
  ['a name that is none', { tools: [{ ...WEATHER, name: 'no spaces' }] }, 'tools.0.name'],
  ['a strict function with a free-form payload', { tools: [{ ...WEATHER, strict: true }] }, 'tools.0.parameters'],
  ['a search by the server', { tools: [{ type: 'tool_search' }] }, 'tools.0.execution'],
])('it rejects %s and names the place', async (_what, request, param) => {
  const { create } = await start();
  await expect(create({ input: 'Hi', ...request })).rejects.toMatchObject({ status: 400, type: 'invalid_request_error', param });
});
