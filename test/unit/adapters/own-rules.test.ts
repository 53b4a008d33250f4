/** The rules of a program, as the kit for adapters sends them, against scripted answers. With a real service they are in approved-calls.test.ts. */
import { type ResolveResponse, SvcError, Tools } from 'svc-sdk';
import { type AgentTool, agentTools, type LoadSvcToolsOptions, optionsWithoutApproval, type SvcToolsOptions } from 'svc-sdk/agent-tool';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, sendResult, wireServer } from '../tools/wire-server';

const CALL = { action: 'shop__buy', payload: { thing: 'hat' } };
const ACTION = { action: 'shop__buy', description: 'Buys', payloadSchema: {}, payment: { amount: '1', currency: 'USD' } };

/** A service whose answers to a resolve a test changes. */
async function startShop(answer: Partial<ResolveResponse> = {}) {
  const shop: { answer: Partial<ResolveResponse>; failing?: SvcError; changes: number } = { answer, changes: 0 };
  const service = await wireServer((response, { path }) => {
    if (path === '/v1/invoke' && shop.changes-- > 0) return sendProblem(response, 'ACTION_CHANGED', 'It changed');
    if (path === '/v1/invoke') return sendResult(response, 'bought');
    if (shop.failing) return sendProblem(response, shop.failing.code, shop.failing.message, shop.failing.details);
    sendJson(response, { action: ACTION, payload: CALL.payload, version: 'v1', ...shop.answer });
  });
  const tool = (options: SvcToolsOptions = {}) => agentTools({ tools: service.tools(), ...options })[1] as AgentTool;
  /** The path of each request, and its rules. */
  const sent = () =>
    service.requests.map(({ path, headers }) => [path.replace('/v1/', ''), headers['svc-ask'], headers['svc-action-version']]);
  return { shop, tool, sent };
}

const APP = { id: 'apr_1', status: 'pending', decidedBy: 'app', expiresAt: '2030-01-01T00:00:00Z' } as const;

test.each<[SvcToolsOptions, string | undefined]>([
  [{}, 'destructive'],
  [{ needsApproval: true }, 'always'],
  [{ askAbove: '0.50' }, 'destructive, above=0.50'],
  [{ needsApproval: true, askAbove: '0.50' }, 'always, above=0.50'],
  [{ needsApproval: false, askAbove: '0.50' }, 'above=0.50'],
])('%j: the question and the call have these rules', async (options, rules) => {
  const { tool, sent } = await startShop();
  expect(await tool(options).needsApproval(CALL)).toBe(false);
  await tool(options).call(CALL);
  expect(sent()).toEqual([
    ['resolve', rules, undefined],
    ['invoke', rules, undefined],
  ]);
});

test('with needsApproval: false there are no rules and no question', async () => {
  const { tool, sent } = await startShop();
  const silent = tool({ needsApproval: false });
  expect(await silent.needsApproval(CALL)).toBe(false);
  await silent.call(CALL);
  expect(sent()).toEqual([['invoke', undefined, undefined]]);
});

test.each([
  ['the program', { approval: APP }, true],
  ['other people', { approval: { ...APP, decidedBy: 'people' as const } }, false],
  ['no person', {}, false],
])('a question that %s decides', async (_who, answer, asks) => {
  const { tool } = await startShop(answer);
  const { needed, callOptions } = await tool().decide(CALL);
  expect(needed !== undefined).toBe(asks);
  expect(callOptions).toEqual(asks ? { approved: true, maxPayment: '1', actionVersion: 'v1' } : {});
});

test('a service before 0.14 holds no rules: a human decides about every call', async () => {
  const { tool } = await startShop({ version: undefined as never });
  expect(await tool().needsApproval(CALL)).toBe(true);
  await expect(tool().callUnapproved(CALL)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a call that a function chooses gets a question, and needs its approval when it runs', async () => {
  const { tool, sent } = await startShop();
  const choosing = tool({ needsApproval: (action, payload) => action === 'shop__buy' && payload.thing === 'hat' });
  await choosing.decide(CALL);
  await choosing.call(CALL);
  await choosing.call(CALL, { approved: true });
  expect(sent()).toEqual([
    ['resolve', 'destructive', undefined],
    ['resolve', 'always', undefined],
    ['resolve', undefined, undefined],
    ['invoke', 'always', undefined],
    ['invoke', 'always', undefined],
  ]);
});

test('a call that a function does not choose runs in the version that the function saw', async () => {
  const { shop, tool, sent } = await startShop();
  shop.changes = 1;
  await tool({ needsApproval: () => false }).call(CALL);
  expect(sent()).toEqual(
    Array(2)
      .fill([
        ['resolve', undefined, undefined],
        ['invoke', 'destructive', 'v1'],
      ])
      .flat(),
  );
});

test('a function that cannot be asked: the call needs an approval', async () => {
  const { shop, tool, sent } = await startShop();
  shop.failing = new SvcError('INTERNAL', 'broken', { retryable: false });
  await tool({ needsApproval: () => false }).call(CALL);
  expect(sent().at(-1)).toEqual(['invoke', 'always', undefined]);
});

test('an action that always changes is tried twice more, then the model reads it', async () => {
  const { shop, tool, sent } = await startShop();
  shop.changes = 4;
  await expect(tool().call(CALL)).rejects.toMatchObject({ code: 'ACTION_CHANGED' });
  expect(sent()).toHaveLength(3);
});

test.each(['PAYMENT_REQUIRED', 'CONNECTION_REQUIRED', 'APPROVAL_DENIED', 'ACTION_NOT_FOUND'] as const)(
  'a call that the service refuses has no question: %s',
  async (code) => {
    const { shop, tool } = await startShop();
    shop.failing = new SvcError(code, 'no');
    expect(await tool().needsApproval(CALL)).toBe(false);
  },
);

test.each([0.5, '1e3', '-1', '0.0000001', '1,000', ''])('askAbove: %j is refused at once', (askAbove) => {
  const refused = expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringMatching(/^askAbove must be .*"0\.50"/) });
  expect(() => agentTools({ askAbove } as LoadSvcToolsOptions)).toThrow(refused);
});

test('an adapter without approval refuses askAbove instead of ignoring it', () => {
  const tools = new Tools();
  const options = { tools, askAbove: '1' } as object;
  expect(() => optionsWithoutApproval('Some SDK', options)).toThrow(/^Some SDK has no approval before a call, so askAbove has no effect/);
});
