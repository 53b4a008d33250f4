import OpenAI from 'openai';
import { Tools } from 'svc-sdk';
import { loadSvcTools, svcResponsesTools, svcToolSearch, svcTools } from 'svc-sdk/openai';
import { expect, test } from 'vitest';
import { stagesOfFile } from '../../contract/stage';
import { toolCall } from '../../support/service';

const startStage = stagesOfFile();

const call = (call_id: string, name: string, args: unknown) => {
  const { arguments: input } = toolCall(name, args).function;
  return { type: 'function_call', call_id, name, arguments: input };
};

test('on the wire the tools are only the definitions, without the functions', async () => {
  const tools = new Tools();
  expect(JSON.parse(JSON.stringify(svcTools(tools)))).toEqual(await tools.getTools());
  const flat = tools.definitions().map((definition) => ({ type: 'function', ...definition, strict: false }));
  expect(svcResponsesTools(tools)).toEqual(flat);
  expect(JSON.stringify([svcTools(), svcResponsesTools(), svcToolSearch()])).toBe(
    JSON.stringify([svcTools(), svcResponsesTools(), svcToolSearch()]),
  );
});

test('every function_call gets its item, in order, for any arguments; items of other types get none', async () => {
  const { tools } = await startStage();
  const rome = { action: 'weather__today', payload: { city: 'Rome' } };
  const outputs = await svcResponsesTools(tools).callTools([
    { type: 'reasoning' },
    call('call_1', 'invoke_service', rome),
    { type: 'message' },
    call('call_2', 'weather', {}),
    { type: 'custom_tool_call' },
    call('call_3', 'invoke_service', ''),
    call('call_4', 'invoke_service', 'null'),
    call('call_5', 'search_services', '{"query": "wea'),
    call('call_1', 'invoke_service', rome),
    { type: 'tool_search_call' },
    call('call_6', 'probe__measure', { text: 'x'.repeat(1_000_000) }),
    { type: 'function_call' },
  ]);
  expect(outputs.map(({ type, call_id }) => [type, call_id])).toEqual(
    ['call_1', 'call_2', 'call_3', 'call_4', 'call_5', 'call_1', 'call_6', ''].map((id) => ['function_call_output', id]),
  );
  const told = outputs.map(({ output }) => JSON.parse(output));
  expect(told).toEqual([
    { city: 'Rome', celsius: 21 },
    { error: expect.objectContaining({ code: 'UNKNOWN_TOOL' }) },
    { error: expect.objectContaining({ code: 'INVALID_REQUEST' }) },
    { error: expect.objectContaining({ code: 'INVALID_REQUEST' }) },
    { error: expect.objectContaining({ code: 'INVALID_REQUEST' }) },
    { city: 'Rome', celsius: 21 },
    { characters: 1_000_000 },
    { error: expect.objectContaining({ code: 'UNKNOWN_TOOL' }) },
  ]);
});

test('the item of a call that a program made goes to that program, as a text; other items are as before', async () => {
  const { tools } = await startStage();
  const caller = { type: 'program', caller_id: 'call_program' };
  const show = { action: 'probe__show', payload: {} };
  const output = [
    { type: 'program', id: 'prog_1', call_id: 'call_program', code: 'await tools.invoke_service({})', fingerprint: 'f' },
    { ...call('call_1', 'invoke_service', show), caller },
    { ...call('call_2', 'invoke_service', show), caller: { type: 'direct' } },
    call('call_3', 'invoke_service', show),
  ];
  const texts = await svcResponsesTools(tools).callTools(output);
  expect(texts.map((item) => item.caller)).toEqual([caller, { type: 'direct' }, undefined]);
  expect(texts[2]).not.toHaveProperty('caller');
  const [ofProgram, direct, plain] = await svcResponsesTools({ tools, images: true }).callTools(output);
  expect(ofProgram).toEqual({
    type: 'function_call_output',
    call_id: 'call_1',
    output: expect.stringContaining('[image image/png'),
    caller,
  });
  expect(direct).toMatchObject({ output: [{ type: 'input_text' }, { type: 'input_image' }], caller: { type: 'direct' } });
  expect(plain).toMatchObject({ output: [{ type: 'input_text' }, { type: 'input_image' }] });
});

test('no calls give no items', async () => {
  for (const tools of [svcResponsesTools(), svcToolSearch()]) {
    for (const none of [null, undefined, [], [{ type: 'message' }, { type: 'tool_search_call', execution: 'server' }]])
      expect(await tools.callTools(none)).toEqual([]);
  }
});

test('the same call twice in one message of runTools runs twice, unless both have one id', async () => {
  const { tools } = await startStage();
  const [invoke] = svcTools(tools).slice(1);
  const run = (...ids: string[]) => {
    const input = JSON.stringify({ action: 'probe__count', payload: {} });
    const tool_calls = ids.map((id) => ({ id, type: 'function', function: { name: 'invoke_service', arguments: input } }));
    const runner = { controller: new AbortController(), messages: [{ role: 'assistant', tool_calls }, { role: 'tool' }] };
    return Promise.all(ids.map(() => invoke?.function.function(input, runner)));
  };
  expect((await run('call_9fKq2LmZ7xTbQw3RtYuIoP1a', 'call_4hJw8NsV6cYdEg5AkBuMzX2r')).sort()).toEqual(['{"count":1}', '{"count":2}']);
  expect(await run('call_7tPn3QvB9mLcRx6WzKsDfH4e')).toEqual(['{"count":3}']);
  expect(await run('call_7tPn3QvB9mLcRx6WzKsDfH4e')).toEqual(['{"count":3}']);
  const twins = await run('call_8uGk5RwC3nJdTy7XqLvZbM1s', 'call_8uGk5RwC3nJdTy7XqLvZbM1s');
  expect(twins).toEqual(['{"count":4}', '{"count":4}']);
});

test('an abort of the caller is thrown, and not sent to the model', async () => {
  const { tools } = await startStage();
  const signal = AbortSignal.abort();
  const search = { type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: { query: 'weather' } };
  await expect(svcResponsesTools(tools).callTools([call('call_1', 'search_services', {})], { signal })).rejects.toBe(signal.reason);
  await expect(svcToolSearch(tools).callTools([search], { signal })).rejects.toBe(signal.reason);
});

test.each<[string, () => unknown, RegExp]>([
  ['an approval that would never be asked', () => svcTools({ needsApproval: () => true } as object), /resolve/],
  ['an approval for a search', () => svcToolSearch({ needsApproval: true } as object), /resolve/],
  ['a promise of options', () => svcResponsesTools(Promise.resolve({}) as object), /await/],
  ['static actions without waiting', () => svcResponsesTools({ staticActions: ['a__b'] } as object), /loadSvcTools/],
  ['static actions of a search', () => svcToolSearch({ staticActions: ['a__b'] } as object), /loadSvcResponsesTools/],
  [
    'tools that answer single calls only',
    () => svcTools({ definitions: () => [], resolve: () => {}, answerTool: () => {} } as never),
    /new Tools/,
  ],
  ['a promise in the place of tools', () => ({ ...loadSvcTools() }), /await/],
])('%s is refused with what to do', (_what, make, told) => {
  expect(make).toThrow(told);
});

test('a response in the place of its output is refused with what to pass', async () => {
  for (const tools of [svcResponsesTools(), svcToolSearch()])
    await expect(tools.callTools({ output: [] } as never)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: /response\.output/ });
});

test('tools that were not awaited throw the reason, where OpenAI would find no list', async () => {
  const openai = new OpenAI({ apiKey: 'any', baseURL: 'http://127.0.0.1:9/v1', maxRetries: 0 });
  const request = { model: 'gpt-5-mini', messages: [{ role: 'user' as const, content: 'Please' }] };
  const runner = openai.chat.completions.runTools({ ...request, tools: loadSvcTools(new Tools()) as never });
  await expect(runner.finalContent()).rejects.toThrow(/await loadSvcTools/);
  await expect(openai.chat.completions.create({ ...request, tools: loadSvcTools(new Tools()) as never })).rejects.toThrow(
    /await loadSvcTools/,
  );
});
