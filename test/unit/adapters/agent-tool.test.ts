/** The kit that adapters are made of, on the real service. Behaviour in a framework is in test/contract/adapters. */
import { SvcError, Tools } from 'svc-sdk';
import {
  agentTools,
  defineAdapter,
  type LoadSvcToolsOptions,
  loadAgentTools,
  optionsWithoutApproval,
  type ToolsLike,
  toBeAwaited,
} from 'svc-sdk/agent-tool';
import { expect, test } from 'vitest';
import { type Stage, stagesOfFile } from '../../contract/stage';

const startStage = stagesOfFile();

const invokeTool = (options: ToolsLike | LoadSvcToolsOptions) => agentTools(options)[1]!;

const erase = (name: string) => ({ action: 'probe__erase', payload: { name } });

test('without options there are the two tools, and no network call is made', () => {
  const names = agentTools().map(({ name }) => name);
  expect(names).toEqual(['search_services', 'invoke_service']);
  expect(agentTools().map(({ name, description, parameters }) => ({ name, description, parameters }))).toEqual(new Tools().definitions());
});

test('static tools without a network call are refused with what to write instead', () => {
  for (const options of [{ dynamicTools: false }, { staticToolkits: ['a'] }, { staticActions: ['a__b'] }])
    expect(() => agentTools(options as object)).toThrow(/await loadSvcTools/);
  expect(agentTools({ staticActions: undefined } as object)).toHaveLength(2);
});

test('a promise, or a value that is not a Tools, is rejected where it is passed', () => {
  expect(() => agentTools(Promise.resolve({}) as object)).toThrow(/await/);
  expect(() => agentTools({ tools: Promise.resolve(new Tools()) as unknown as Tools })).toThrow(/new Tools/);
  expect(() => agentTools({ tools: {} as Tools })).toThrow(/new Tools/);
  expect(() => agentTools({ tools: new Tools(), apiKey: 'svc_agent_x' })).toThrow(/not both/);
});

test('a Tools of another copy of the package works', async () => {
  const stage = await startStage();
  const { definitions, loadDefinitions, answerTool, resolve, search } = Tools.prototype;
  const other = {
    definitions: definitions.bind(stage.tools),
    loadDefinitions: loadDefinitions.bind(stage.tools),
    answerTool: answerTool.bind(stage.tools),
    resolve: resolve.bind(stage.tools),
    search: search.bind(stage.tools),
  };
  expect(other).not.toBeInstanceOf(Tools);
  for (const options of [other, { tools: other }]) {
    const { value } = await invokeTool(options).answer({ action: 'weather__today', payload: { city: 'Rome' } });
    expect(value).toEqual({ city: 'Rome', celsius: 21 });
  }
});

test('a promise of tools that is used as the tools throws the reason on every access', async () => {
  const promise = toBeAwaited(Promise.resolve({ a: 1 }));
  expect(() => Object.entries(promise)).toThrow(/await loadSvcTools/);
  expect(() => ({ ...promise })).toThrow(/await loadSvcTools/);
  expect(() => Object.assign({}, promise)).toThrow(/await loadSvcTools/);
  expect(() => [...(promise as unknown as unknown[])]).toThrow(/await loadSvcTools/);
  await expect(promise).resolves.toEqual({ a: 1 });
  await expect(promise.then(({ a }) => a)).resolves.toBe(1);

  const looked: { tool?: string } = toBeAwaited(Promise.resolve({}), 'tool') as object;
  expect(() => looked.tool).toThrow(/await loadSvcTools/);
});

test('defineAdapter makes both functions of one translation, which also gets the Tools and further arguments', async () => {
  const stage = await startStage();
  const { svcTools, loadSvcTools } = defineAdapter({
    translate: (tools, client, suffix: string) => ({ names: tools.map(({ name }) => name + suffix), client }),
  });
  expect(svcTools(stage.tools, '?')).toEqual({ names: ['search_services?', 'invoke_service?'], client: stage.tools });
  const promise = loadSvcTools({ tools: stage.tools, dynamicTools: false, staticActions: ['weather__today'] }, '!');
  expect(() => ({ ...promise })).toThrow(/await loadSvcTools/);
  expect(await promise).toEqual({ names: ['weather__today!'], client: stage.tools });
  await expect(loadSvcTools({ tools: stage.tools, staticActions: ['weather__tody'] }, '')).rejects.toMatchObject({
    code: 'ACTION_NOT_FOUND',
  });
});

test('an adapter without approval refuses needsApproval in both functions', async () => {
  const { svcTools, loadSvcTools } = defineAdapter({ withoutApproval: 'Some SDK', translate: (tools) => tools.length });
  const options = { tools: new Tools(), needsApproval: true };
  expect(svcTools({ tools: new Tools() })).toBe(2);
  expect(() => svcTools(options)).toThrow(/^Some SDK has no approval/);
  await expect(loadSvcTools(options)).rejects.toThrow(/^Some SDK has no approval/);
});

test('an adapter without approval refuses a rule for approval instead of ignoring it', () => {
  const tools = new Tools();
  for (const needsApproval of [true, () => false])
    expect(() => optionsWithoutApproval('Some SDK', { tools, needsApproval } as object)).toThrow(/^Some SDK has no approval/);
  expect(optionsWithoutApproval('Some SDK', tools)).toEqual({ tools });
  expect(optionsWithoutApproval('Some SDK', { tools, needsApproval: false, staticActions: ['a__b'] } as object)).toEqual({
    tools,
    staticActions: ['a__b'],
  });
  expect(optionsWithoutApproval('Some SDK').tools).toBeInstanceOf(Tools);
});

test('a failure as an exception: the message, and the text, are the JSON for the model; code and details stay readable', async () => {
  const stage = await startStage();
  const error = await invokeTool(stage.tools)
    .call({ action: 'weather__tody', payload: {} })
    .catch((thrown: unknown) => thrown);
  if (!SvcError.is(error)) throw new Error('not an SvcError');
  const told = { error: { code: 'ACTION_NOT_FOUND', didYouMean: ['weather__today'], message: expect.any(String), retryable: false } };
  expect(JSON.parse(error.message)).toEqual(told);
  expect(JSON.parse(String(error))).toEqual(told);
  expect(JSON.parse(JSON.stringify({ error }))).toEqual(told);
  expect(error).toMatchObject({ code: 'ACTION_NOT_FOUND', details: { didYouMean: ['weather__today'] } });
});

test('a human approves the decoded action and payload, with the known data of the action', async () => {
  const stage = await startStage();
  const tool = invokeTool(stage.tools);
  const expected = { action: { action: 'probe__erase', annotations: { destructive: true } }, payload: { name: 'a' } };
  for (const input of [erase('a'), JSON.stringify(erase('a')), { invoke_service: erase('a') }, { ...erase('a'), payload: '{"name":"a"}' }])
    expect((await tool.decide(input)).needed).toMatchObject(expected);
  expect((await tool.decide({ action: 'weather__today', payload: { city: 'Rome' } })).needed).toBeUndefined();
});

test.each<[LoadSvcToolsOptions['needsApproval'], boolean, boolean]>([
  [undefined, true, false],
  [true, true, true],
  [false, false, false],
  [() => false, true, false],
  [
    async (action, { city }, { annotations }) => action === 'weather__today' && city === 'Rome' && annotations?.readOnly === true,
    true,
    true,
  ],
])('needsApproval: %s', async (needsApproval, forErase, forWeather) => {
  const stage = await startStage();
  const tool = invokeTool({ tools: stage.tools, needsApproval });
  expect(await tool.needsApproval(erase('a'))).toBe(forErase);
  expect(await tool.needsApproval({ action: 'weather__today', payload: { city: 'Rome' } })).toBe(forWeather);
  expect(await agentTools({ tools: stage.tools, needsApproval })[0]?.needsApproval({ query: 'erase' })).toBe(false);
});

test('a call needs approval if the service is unreachable, but not if it cannot run', async () => {
  const stage = await startStage();
  const unreachable = invokeTool({ ...stage.connection, baseUrl: 'http://127.0.0.1:9', timeoutMs: 300 });
  expect(await unreachable.needsApproval(erase('a'))).toBe(true);
  await expect(unreachable.decide(erase('a'))).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' });

  const tool = invokeTool(stage.tools);
  expect(await tool.needsApproval({ action: 'probe__ersae', payload: {} })).toBe(false);
  expect(await tool.needsApproval('{"action": "probe__erase", "payl')).toBe(false);
  const broken = invokeTool({ tools: stage.tools, needsApproval: () => Promise.reject(new Error('my rule broke')) });
  await expect(broken.needsApproval({ action: 'weather__today', payload: { city: 'Rome' } })).rejects.toThrow('my rule broke');
});

test.each([
  ['takes too long', undefined],
  ['is another program', new Response('<h1>Not here</h1>', { status: 404, headers: { 'content-type': 'text/html' } })],
  ['does not know how to resolve', Response.json(new SvcError('NOT_FOUND', 'There is nothing here').toProblem(), { status: 404 })],
])('a service that %s gives no decision: the call needs approval', async (_what, answer) => {
  const never = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const fetch = async (_url: string, { signal }: { signal: AbortSignal }) => answer ?? never(signal);
  const tool = invokeTool({ tools: new Tools({ apiKey: 'svc_agent_any', fetch, timeoutMs: 1 }) });
  expect(await tool.needsApproval(erase('a'))).toBe(true);
});

test('an unapproved call runs if it needs no approval; otherwise the model gets the error', async () => {
  const stage = await startStage();
  const tool = invokeTool(stage.tools);
  expect(await tool.callUnapproved({ action: 'weather__today', payload: { city: 'Rome' } })).toMatchObject({ city: 'Rome' });
  for (const [input, code] of [
    [erase('a'), 'INVALID_REQUEST'],
    [{ action: 'probe__ersae' }, 'ACTION_NOT_FOUND'],
  ] as const) {
    const message = await tool.callUnapproved(input).catch((error: Error) => error.message);
    expect(JSON.parse(String(message))).toEqual({ error: expect.objectContaining({ code }) });
  }
  expect(stage.erased).toEqual([]);
});

test('an action whose toolkit is offline needs approval too', async () => {
  const stage = await startStage();
  await stage.probe.stop();
  expect(await invokeTool(stage.tools).needsApproval(erase('a'))).toBe(true);
});

test('a resolve runs nothing and records nothing', async () => {
  const stage: Stage = await startStage();
  await invokeTool(stage.tools).decide(erase('a'));
  expect(await invokeTool(stage.tools).decide({ action: 'probe__erase' })).toEqual({ callOptions: {} });
  await stage.tools.invoke('weather__today', { city: 'Rome' });
  await expect.poll(() => stage.records()).toEqual([{ action: 'weather__today', code: 'OK' }]);
  expect(stage.erased).toEqual([]);
});

test('loaded tools are checked before they are given out, and take their own rule for approval', async () => {
  const stage = await startStage();
  await expect(loadAgentTools({ tools: stage.tools, dynamicTools: false })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  const [tool] = await loadAgentTools({ tools: stage.tools, dynamicTools: false, staticActions: ['probe__erase'] });
  expect(await tool?.needsApproval({ name: 'a' })).toBe(true);
  expect(await tool?.decide({ name: 'a' })).toMatchObject({ needed: { payload: { name: 'a' } } });
});
