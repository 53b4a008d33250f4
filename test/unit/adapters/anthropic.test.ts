/** Additions to the contract of the adapters: results on Anthropic's wire, and its tool search, in the tool runner and in a loop. */
import Anthropic from '@anthropic-ai/sdk';
import type { Tools } from 'svc-sdk';
import { callTools, type LoadSvcAnthropicOptions, loadSvcTools, type SvcTool, svcTools } from 'svc-sdk/anthropic';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../service/scripted-model/conversation.ts';
import type { SpokenCall } from '../../../service/scripted-model/speech.ts';
import { type Stage, type StageModel, stagesOfFile } from '../../contract/stage';

const startStage = stagesOfFile();

const use = (id: string, name: string, input: unknown = {}) => ({ type: 'tool_use' as const, id, name, input });
const weatherIn = (city: string) => ({ action: 'weather__today', payload: { city } });

test('definitions hold what the API takes and nothing else, once they are JSON', () => {
  const [search] = JSON.parse(JSON.stringify(svcTools()));
  expect(Object.keys(search)).toEqual(['type', 'name', 'description', 'input_schema']);
  expect(JSON.stringify(svcTools())).toBe(JSON.stringify(svcTools()));
});

describe('callTools', () => {
  test('answers every tool_use in order, failures as is_error, and leaves other blocks alone', async () => {
    const { tools } = await startStage();
    const content = [
      { type: 'text', text: 'Let me see.' },
      use('toolu_1', 'invoke_service', weatherIn('Atlantis')),
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
      use('toolu_2', 'invoke_service', weatherIn('Rome')),
      use('toolu_3', 'weather'),
    ];
    const results = await callTools(svcTools(tools), content);
    expect(results).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: expect.any(String), is_error: true },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: '{"city":"Rome","celsius":21}' },
      { type: 'tool_result', tool_use_id: 'toolu_3', content: expect.any(String), is_error: true },
    ]);
    const codes = results.map((result) => JSON.parse(String(result.content)).error?.code);
    expect(codes).toEqual(['ACTION_FAILED', undefined, 'UNKNOWN_TOOL']);
    expect(await callTools(svcTools(tools), [{ type: 'text' }])).toEqual([]);
  });

  test('the result of a call that code made is a text: the API refuses an image there', async () => {
    const { tools } = await startStage();
    const show = { action: 'probe__show', payload: {} };
    const content = [
      { ...use('toolu_1', 'invoke_service', show), caller: { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' } },
      { ...use('toolu_2', 'invoke_service', show), caller: { type: 'direct' } },
    ];
    const [ofCode, direct] = await callTools(svcTools({ tools, images: true }), content);
    expect(ofCode?.content).toEqual(expect.stringContaining('[image image/png'));
    expect(direct?.content).toMatchObject([{ type: 'text' }, { type: 'image' }]);
  });

  test('an action that is not a static tool cannot be called as one', async () => {
    const { tools } = await startStage();
    const [result] = await callTools(svcTools(tools), [use('toolu_1', 'weather__today', { city: 'Rome' })]);
    expect(result).toMatchObject({ content: expect.stringContaining('UNKNOWN_TOOL'), is_error: true });
  });

  test("runs the caller's own tools too, as the tool runner would", async () => {
    const { tools } = await startStage();
    const upper = {
      name: 'upper',
      parse: (input: unknown) => String(Object(input).text),
      run(text: unknown) {
        if (text === 'undefined') throw new Error('no text');
        return [{ type: 'text' as const, text: String(text).toUpperCase() }];
      },
    };
    const content = [use('toolu_1', 'upper', { text: 'a' }), use('toolu_2', 'upper'), use('toolu_3', 'invoke_service', weatherIn('Rome'))];
    expect(await callTools([...svcTools(tools), upper], content)).toMatchObject([
      { content: [{ type: 'text', text: 'A' }] },
      { content: 'Error: no text', is_error: true },
      { content: expect.stringContaining('21') },
    ]);
  });

  test('throws only for an abort and for a mistake of the caller', async () => {
    const stage = await startStage();
    const tools = svcTools(stage.tools);
    const content = [use('toolu_1', 'invoke_service', { action: 'probe__hang', payload: {} })];
    const controller = new AbortController();
    const answer = callTools(tools, content, { signal: controller.signal });
    await stage.hanging();
    controller.abort(new Error('The user left'));
    await expect(answer).rejects.toThrow('The user left');
    await expect(callTools(tools, content, { signal: controller.signal })).rejects.toThrow('The user left');

    await expect(callTools(tools, { content } as never)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(callTools(loadSvcTools(stage.tools) as never, content)).rejects.toThrow(/await/);
  });
});

test('an approval through resolve() before the call applies to the decoded call, in both ways', async () => {
  const stage = await startStage();
  const asked: unknown[] = [];
  const tools = svcTools(stage.tools).map((tool) => ({
    ...tool,
    async run(...[input, context]: Parameters<SvcTool['run']>) {
      if (tool.name === 'search_services') return tool.run(input, context);
      const { action, payload } = await stage.tools.resolve(tool.name, input);
      asked.push([action.action, payload]);
      return payload.name === 'b' ? tool.run(input, context) : 'A human has refused it.';
    },
  }));
  const calls = ['a', 'b'].map((name) => ({
    name: 'invoke_service',
    arguments: { action: 'probe__erase', payload: JSON.stringify({ name }) },
  }));
  for (const converse of [throughRunner, throughLoop]) {
    const { turns } = await converse(await speaking(stage, [calls]), tools);
    expect(turns[0]?.map(({ output }) => output)).toEqual([
      'A human has refused it.',
      { result: { erased: 'b' }, note: expect.any(String) },
    ]);
  }
  expect(stage.erased).toEqual(['b', 'b']);
  expect(asked.slice(0, 2)).toEqual([
    ['probe__erase', { name: 'a' }],
    ['probe__erase', { name: 'b' }],
  ]);
});

describe.each([
  ['the tool runner', throughRunner],
  ['a loop', throughLoop],
])('tool search in %s', (_way, converse) => {
  const search = (query: string): SpokenCall => ({ name: 'search_services', arguments: { query } });
  const names = ({ offered }: Conversation) => offered.map(({ name }) => name);
  const start = async (options: LoadSvcAnthropicOptions, turns: SpokenCall[][]) => {
    const stage = await startStage();
    const tools = await loadSvcTools({ tools: stage.tools, toolSearch: true, ...options });
    return { stage, tools, model: await speaking(stage, turns) };
  };

  test('the model gets a deferred tool after the search found it, and calls it by its schema', async () => {
    const { tools, model } = await start({}, [
      [search('weather of today in a city')],
      [{ name: 'weather__today', arguments: { city: 'Rome' } }],
    ]);
    const { turns } = await converse(model, tools);
    expect(model.conversations.map(names)).toEqual([
      ['search_services', 'invoke_service'],
      expect.arrayContaining(['search_services', 'invoke_service', 'weather__today']),
      expect.arrayContaining(['weather__today']),
    ]);
    const loaded = model.conversations[1]?.offered.find(({ name }) => name === 'weather__today');
    expect(loaded?.parameters).toMatchObject({ properties: { city: { type: 'string' } }, required: ['city'] });
    expect(turns[0]?.[0]?.output).toContainEqual({ type: 'tool_reference', tool_name: 'weather__today' });
    expect(turns[1]?.[0]?.output).toEqual({ city: 'Rome', celsius: 21 });
    expect(tools.filter(({ defer_loading }) => defer_loading).map(({ name }) => name)).toContain('schemas__nested');
  });

  test('an action registered later is listed with its schema, for invoke_service', async () => {
    const { stage, tools, model } = await start({ staticToolkits: ['schemas'] }, [
      [search('weather of today in a city')],
      [{ name: 'invoke_service', arguments: weatherIn('Rome') }],
    ]);
    expect(tools.map(({ name }) => name)).toEqual(['search_services', 'invoke_service', 'schemas__nested']);
    const { turns } = await converse(model, tools);
    expect(turns[0]?.[0]?.output).toEqual(await stage.tools.search('weather of today in a city'));
    expect(turns[1]?.[0]?.output).toEqual({ city: 'Rome', celsius: 21 });
  });

  test('without invoke_service only declared actions are found, at any rank', async () => {
    const { tools, model } = await start({ dynamicTools: false, staticActions: ['probe__measure'] }, [
      [search('weather of today in a city'), search('a file, a city or a text')],
    ]);
    expect(tools.map(({ name }) => name)).toEqual(['search_services', 'probe__measure']);
    const { turns } = await converse(model, tools);
    expect(turns[0]?.map(({ output }) => output)).toEqual([
      expect.stringContaining('No tool was found'),
      [{ type: 'tool_reference', tool_name: 'probe__measure' }],
    ]);
  });

  test('a failed search, and a search without a query, are answered like in every adapter', async () => {
    const { stage, tools, model } = await start({}, [[search('weather'), { name: 'search_services', arguments: {} }]]);
    await stage.revokeKey();
    const { turns } = await converse(model, tools);
    expect(turns[0]?.map(({ output }) => output)).toMatchObject([
      { error: { code: 'KEY_REVOKED', retryable: false } },
      { error: { code: 'INVALID_REQUEST', message: expect.stringContaining('query') } },
    ]);
  });
});

describe('the schemas that the API refuses', () => {
  const anyOf = { anyOf: [{ required: ['id'] }, { required: ['name'] }], properties: { id: {}, name: {} } };
  const startUnion = async () => {
    const stage = await startStage();
    stage.weather.action({ action: 'union', actionDescription: 'Wants an id or a name', payloadDescription: anyOf }, () => 'done');
    await expect.poll(async () => (await stage.tools.search('weather__union')).actions[0]?.action).toBe('weather__union');
    return stage;
  };

  test('is not a static tool, and the error states this', async () => {
    const { tools } = await startUnion();
    const loading = loadSvcTools({ tools, staticToolkits: ['weather'] });
    await expect(loading).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/anyOf.*weather__union.*invoke_service/),
    });
  });

  test('is left to invoke_service by tool search', async () => {
    const stage = await startUnion();
    const tools = await loadSvcTools({ tools: stage.tools, toolSearch: true });
    expect(tools.map(({ name }) => name)).not.toContain('weather__union');
    const model = await speaking(stage, [[{ name: 'search_services', arguments: { query: 'weather__union' } }]]);
    const { turns } = await throughRunner(model, tools);
    expect(turns[0]?.[0]?.output).toMatchObject({
      actions: expect.arrayContaining([expect.objectContaining({ action: 'weather__union' })]),
    });
  });

  test('more deferred tools than a request may have are an error', async () => {
    const { tools } = await startStage();
    const parameters = { type: 'object' };
    const many = Array.from({ length: 10_001 }, (_, index) => ({ name: `a__${index}`, description: '', parameters }));
    const loadDefinitions: Tools['loadDefinitions'] = async () => [...tools.definitions(), ...many];
    const huge = Object.assign(Object.create(tools), { loadDefinitions });
    await expect(loadSvcTools({ tools: huge, toolSearch: true })).rejects.toMatchObject({ message: expect.stringContaining('10000') });
  });
});

test('tool search takes options as everything does: a shared Tools or a connection, not both', async () => {
  const { tools } = await startStage();
  await expect(loadSvcTools({ tools, apiKey: 'svc_agent_x', toolSearch: true })).rejects.toThrow(/not both/);
  expect(await loadSvcTools({ tools, toolSearch: false })).toHaveLength(2);
});

/** A model that makes these calls, one list a turn. */
function speaking(stage: Stage, turns: SpokenCall[][]): Promise<StageModel> {
  return stage.model((conversation) => {
    const calls = turns[conversation.turns.length];
    return calls ? { calls } : { content: 'Done.' };
  });
}

const request = () => ({
  model: 'any',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Please do it.' }] as Anthropic.MessageParam[],
});

async function throughRunner(model: StageModel, tools: SvcTool[]): Promise<Conversation> {
  const client = new Anthropic({ baseURL: model.origin, apiKey: 'any', maxRetries: 0 });
  await client.beta.messages.toolRunner({ ...request(), tools, thread: false });
  return model.conversations.at(-1) as Conversation;
}

async function throughLoop(model: StageModel, tools: SvcTool[]): Promise<Conversation> {
  const client = new Anthropic({ baseURL: model.origin, apiKey: 'any', maxRetries: 0 });
  const params = { ...request(), tools };
  for (;;) {
    const { content } = await client.messages.create(params);
    const results = await callTools(tools, content);
    if (results.length === 0) return model.conversations.at(-1) as Conversation;
    params.messages.push({ role: 'assistant', content }, { role: 'user', content: results });
  }
}
