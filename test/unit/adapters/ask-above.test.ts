/** The rule for prices in the kit for adapters, against scripted answers. With a real service it is in test/contract. */
import { SvcError, Tools } from 'svc-sdk';
import { type AgentTool, agentTools, type LoadSvcToolsOptions, optionsWithoutApproval, type SvcToolsOptions } from 'svc-sdk/agent-tool';
import { beforeEach, expect, test } from 'vitest';
import { sendJson, sendProblem, sendResult, wireServer } from '../tools/wire-server';

/** Differs from test to test: limits are remembered for the whole process. */
let order = 0;
beforeEach(() => {
  order += 1;
});
const call = (action = 'shop__buy') => ({ action, payload: { order } });

/** A service with one action, whose price a test changes. */
async function startShop(start: { price?: string; destructive?: boolean } = {}) {
  const shop = { ...start, failing: undefined as SvcError | undefined };
  const service = await wireServer((response, { path, body }) => {
    if (path === '/v1/invoke') return sendResult(response, 'bought');
    if (shop.failing) return sendProblem(response, shop.failing.code, shop.failing.message, shop.failing.details);
    const { action, payload } = body as ReturnType<typeof call>;
    const annotations = { destructive: shop.destructive === true };
    const payment = shop.price === undefined ? {} : { payment: { amount: shop.price, currency: 'USD' } };
    sendJson(response, { action: { action, description: 'Buys', payloadSchema: {}, annotations, ...payment }, payload });
  });
  const tool = (options: SvcToolsOptions = {}) => agentTools({ tools: service.tools(), ...options })[1] as AgentTool;
  const limits = () => service.requests.filter(({ path }) => path === '/v1/invoke').map(({ headers }) => headers['svc-max-payment']);
  return { shop, tool, limits, requests: service.requests };
}

test.each<[price: string | undefined, askAbove: string | undefined, asks: boolean]>([
  ['0.05', undefined, false],
  ['0.05', '0.05', false],
  ['0.050001', '0.05', true],
  ['10', '9', true],
  ['9', '10', false],
  ['999999999999.999999', '999999999999.999998', true],
  ['0.05', '0', true],
  [undefined, '0', false],
  ['a lot', '10', true],
])('a price of %s with askAbove %s', async (price, askAbove, asks) => {
  const { tool } = await startShop({ ...(price && { price }) });
  expect(await tool({ askAbove }).needsApproval(call())).toBe(asks);
  expect(Boolean((await tool({ askAbove }).decide(call())).needed)).toBe(asks);
});

test('the price rule applies in addition to every other rule', async () => {
  const dear = await startShop({ price: '1' });
  for (const needsApproval of [undefined, false, true, () => false]) {
    expect(await dear.tool({ needsApproval, askAbove: '0.5' }).needsApproval(call())).toBe(true);
    expect(await dear.tool({ needsApproval, askAbove: '2' }).needsApproval(call())).toBe(needsApproval === true);
  }
  const destructive = await startShop({ price: '1', destructive: true });
  expect(await destructive.tool({ askAbove: '2' }).needsApproval(call())).toBe(true);
  expect(await destructive.tool({ needsApproval: false, askAbove: '2' }).needsApproval(call())).toBe(false);
});

test('after an approval the call costs at most the approved price, even if the price rose', async () => {
  const { shop, tool, limits } = await startShop({ price: '1' });
  const asking = tool({ askAbove: '0.5' });
  await asking.needsApproval(call(), { toolCallId: 'call_1' });
  shop.price = '2';
  await asking.call(call(), { toolCallId: 'call_1' });
  expect(limits()).toEqual(['1']);
});

test('a second check after the answer does not raise the limit; new tools for each request keep it too', async () => {
  const { shop, tool, limits } = await startShop({ price: '1' });
  await tool({ askAbove: '0.5' }).needsApproval(call(), { toolCallId: 'call_1' });
  shop.price = '2';
  const later = tool({ askAbove: '0.5' });
  expect(await later.needsApproval(call(), { toolCallId: 'call_1' })).toBe(true);
  await later.call(call(), { toolCallId: 'call_1' });
  expect(limits()).toEqual(['1']);
});

test('if the framework has no id at the check, the price is looked up by the input', async () => {
  const { shop, tool, limits } = await startShop({ price: '1' });
  const asking = tool({ askAbove: '0.5' });
  await asking.needsApproval(call('shop__rent'));
  shop.price = '2';
  await asking.call(call('shop__sell'), { toolCallId: 'call_1' });
  await asking.call(call('shop__rent'), { toolCallId: 'call_1' });
  expect(limits()).toEqual([undefined, '1']);
});

test('a call that was free at its approval stays free; each approval is for one call', async () => {
  const { tool, limits } = await startShop({ destructive: true });
  const asking = tool();
  await asking.needsApproval(call(), { toolCallId: 'call_1' });
  await asking.answer(call(), { toolCallId: 'call_1' });
  await asking.answer(call(), { toolCallId: 'call_1' });
  expect(limits()).toEqual(['0', undefined]);
});

test('a call without a question costs at most askAbove', async () => {
  const { tool, limits } = await startShop({ price: '0.05' });
  const asking = tool({ askAbove: '0.5' });
  expect(await asking.needsApproval(call(), { toolCallId: 'call_1' })).toBe(false);
  await asking.call(call(), { toolCallId: 'call_1' });
  await asking.callUnapproved(call(), { toolCallId: 'call_2' });
  expect(limits()).toEqual(['0.5', '0.5']);
});

test('without askAbove a call without an approval has only its own limit', async () => {
  const { tool, limits } = await startShop({ price: '0.05' });
  expect(await tool().needsApproval(call(), { toolCallId: 'call_1' })).toBe(false);
  await tool().call(call(), { toolCallId: 'call_1' });
  await tool().call(call(), { toolCallId: 'call_1', maxPayment: '0.1' });
  expect(limits()).toEqual([undefined, '0.1']);
});

test('the lowest of all limits is sent', async () => {
  const { tool, limits } = await startShop({ price: '1' });
  for (const maxPayment of ['0.9', '1.1']) {
    await tool({ askAbove: '0.5' }).needsApproval(call(), { toolCallId: 'call_1' });
    await tool({ askAbove: '0.5' }).call(call(), { toolCallId: 'call_1', maxPayment });
  }
  expect(limits()).toEqual(['0.9', '1']);
});

test('a call that the key may not pay for needs no approval, and stays unpaid', async () => {
  const { shop, tool, limits } = await startShop({ price: '1', destructive: true });
  shop.failing = new SvcError('PAYMENT_REQUIRED', 'shop__buy costs up to 1 USD');
  expect(await tool().needsApproval(call(), { toolCallId: 'call_1' })).toBe(false);
  await tool().call(call(), { toolCallId: 'call_1' });
  expect(limits()).toEqual(['0']);
});

test('a call with an unknown price needs approval, and the approval covers no price above askAbove', async () => {
  const { shop, tool, limits } = await startShop({ price: '1' });
  shop.failing = new SvcError('INTERNAL', 'broken', { retryable: false });
  expect(await tool({ askAbove: '0.5' }).needsApproval(call(), { toolCallId: 'call_1' })).toBe(true);
  await tool({ askAbove: '0.5' }).call(call(), { toolCallId: 'call_1' });
  expect(limits()).toEqual(['0.5']);
});

test('at most 1,000 open questions are kept, the oldest are removed', async () => {
  const { tool, limits } = await startShop({ price: '1' });
  const asking = tool({ askAbove: '0.5' });
  for (let index = 0; index <= 1_000; index += 1) await asking.needsApproval(call(), { toolCallId: `call_${index}` });
  for (const toolCallId of ['call_0', 'call_1', 'call_1000']) await asking.call(call(), { toolCallId });
  expect(limits()).toEqual([undefined, '1', '1']);
});

test.each([0.5, '1e3', '-1', '0.0000001', '1,000', ''])('askAbove: %j is refused at once', (askAbove) => {
  const refused = expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringMatching(/^askAbove must be .*"0\.50"/) });
  expect(() => agentTools({ askAbove } as LoadSvcToolsOptions)).toThrow(refused);
});

test('an adapter without approval refuses askAbove instead of ignoring it', () => {
  const tools = new Tools();
  const options = { tools, askAbove: '1' } as object;
  expect(() => optionsWithoutApproval('Some SDK', options)).toThrow(/^Some SDK has no approval before a call, so askAbove has no effect/);
});
