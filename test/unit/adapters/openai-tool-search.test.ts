import OpenAI from 'openai';
import { loadSvcResponsesTools, svcToolSearch } from 'svc-sdk/openai';
import { expect, test } from 'vitest';
import type { Speaker } from '../../../service/scripted-model/server.ts';
import { type Stage, stagesOfFile } from '../../contract/stage';

const startStage = stagesOfFile();

const search = (input: unknown, call_id = 'call_1') => ({ type: 'tool_search_call', call_id, execution: 'client', arguments: input });

/** Runs a conversation over the wire; returns the model's last text and last request. */
async function converse(stage: Stage, tools: OpenAI.Responses.Tool[], speak: Speaker) {
  const model = await stage.model(speak);
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const { callTools } = svcToolSearch(stage.tools);
  let response = await openai.responses.create({ model: 'm', tools, input: 'Please do it.' });
  for (;;) {
    const input = await callTools(response.output);
    if (input.length === 0) return { text: response.output_text, conversation: model.conversations.at(-1) };
    response = await openai.responses.create({ model: 'm', tools, input, previous_response_id: response.id });
  }
}

test('the model searches, calls the found action by its id, and answers', async () => {
  const stage = await startStage();
  const { text, conversation } = await converse(stage, svcToolSearch(stage.tools), ({ turns, offered }) => {
    if (turns.length === 0) return { calls: [{ name: 'tool_search', arguments: { query: 'weather of today in a city' } }] };
    const [found] = offered.filter(({ name }) => name !== 'tool_search');
    return turns.length === 1 ? { calls: [{ name: String(found?.name), arguments: { city: 'Rome' } }] } : { content: 'Done.' };
  });
  expect(text).toBe('Done.');
  const [today] = (await stage.tools.getTools({ dynamicTools: false, staticActions: ['weather__today'] })).map((tool) => tool.function);
  expect(conversation?.turns[0]?.[0]?.output).toMatchObject({
    tools: [{ type: 'function', ...today, strict: false, defer_loading: true }],
  });
  expect(conversation?.turns[1]?.[0]).toMatchObject({ tool: 'weather__today', output: { city: 'Rome', celsius: 21 } });
});

test('searches and calls of one response are answered together, static actions beside the search as well', async () => {
  const stage = await startStage();
  const actions = await loadSvcResponsesTools({ tools: stage.tools, dynamicTools: false, staticActions: ['weather__today'] });
  const { conversation } = await converse(stage, [...svcToolSearch(stage.tools), ...actions], ({ turns }) =>
    turns.length > 0
      ? { content: 'Done.' }
      : {
          calls: [
            { name: 'weather__today', arguments: { city: 'Oslo' } },
            { name: 'tool_search', arguments: { query: 'erase a file' } },
            { name: 'tool_search', arguments: { query: 'gives back its payload' } },
            { name: 'weather__tody', arguments: { city: 'Oslo' } },
          ],
        },
  );
  const names = (output: unknown) => Object(output).tools.map(({ name }: { name: string }) => name);
  const [weather, erase, payload, unknown] = conversation?.turns[0]?.map(({ output }) => output) ?? [];
  expect(weather).toEqual({ city: 'Oslo', celsius: 21 });
  expect(names(erase)).toContain('probe__erase');
  expect(names(payload)).toContain('schemas__nested');
  expect(unknown).toEqual({ error: expect.objectContaining({ code: 'ACTION_NOT_FOUND', didYouMean: ['weather__today'] }) });
});

test.each([
  ['that finds nothing', { query: 'zzzzz' }],
  ['without a query', {}],
  ['with null', null],
  ['with a text', 'weather'],
])('a search %s returns a hint', async (_what, input) => {
  const { tools } = await startStage();
  const [output, message] = await svcToolSearch(tools).callTools([search(input)]);
  expect(output).toEqual({ type: 'tool_search_output', call_id: 'call_1', execution: 'client', status: 'completed', tools: [] });
  expect(message).toEqual({
    type: 'message',
    role: 'developer',
    content: expect.stringMatching(/"hint":"(Nothing fits|The query has no words)/),
  });
});

test('an action with a schema that the API would refuse can be called too: the model reads the schema', async () => {
  const payloadSchema = { type: 'object', anyOf: [{ required: ['city'] }, { required: ['postcode'] }], additionalProperties: false };
  const fetch = async () => Response.json({ actions: [{ action: 'weather__now', description: 'Weather now', payloadSchema }] });
  const [output] = await svcToolSearch({ apiKey: 'svc_agent_any', fetch }).callTools([search({ query: 'weather' })]);
  const description = `Weather now\nIts arguments: ${JSON.stringify(payloadSchema)}`;
  const tool = { type: 'function', name: 'weather__now', description, parameters: { type: 'object' }, strict: false, defer_loading: true };
  expect(output).toMatchObject({ tools: [tool] });
});

test('a service that does not answer leaves the run alive, and the outputs before the words', async () => {
  const stage = await startStage();
  const tools = svcToolSearch({ ...stage.connection, baseUrl: 'http://127.0.0.1:9', timeoutMs: 300 });
  const items = await tools.callTools([search({ query: 'weather' }), search({ query: 'erase' }, 'call_2')]);
  expect(items.map(({ type }) => type)).toEqual(['tool_search_output', 'tool_search_output', 'message', 'message']);
  expect(items[2]).toMatchObject({ role: 'developer', content: expect.stringContaining('SERVICE_UNREACHABLE') });
});
