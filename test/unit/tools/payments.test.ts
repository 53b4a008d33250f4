/** Prices, limits and payments on the caller's side, against scripted answers. The service's side is in test/e2e and test/contract. */
import { SvcError, Tools, type ToolsOptions } from 'svc-sdk';
import { expect, test } from 'vitest';
import { sendJson, sendProblem, sendResult, toolCall, wireServer } from './wire-server';

const payment = { authorised: '0.05', charged: '0.03', currency: 'USD' };

/** A service whose every action is paid. */
const paidService = () => wireServer((response) => sendResult(response, { celsius: 21 }, { payment }));

const sent = (service: Awaited<ReturnType<typeof paidService>>) => service.requests.map(({ headers }) => headers['svc-max-payment']);

test('without a limit no call sends one; with a limit every call sends it', async () => {
  const service = await paidService();
  await service.tools().invoke('a__b');
  const tools = service.tools({ maxPayment: '0.05' });
  await tools.invoke('a__b');
  await tools.callTool('a__b', {});
  await tools.callTools([toolCall('call_0', 'invoke_service', { action: 'a__b', payload: {} })]);
  expect(sent(service)).toEqual([undefined, '0.05', '0.05', '0.05']);
});

test.each([
  ['0.05', '0.1', '0.05'],
  ['0.1', '0.05', '0.05'],
  ['10', '9.999999', '9.999999'],
  ['999999999999.999999', '999999999999.999998', '999999999999.999998'],
  [undefined, '0.05', '0.05'],
  ['0.05', undefined, '0.05'],
  ['0.05', '0', '0'],
])('the client allows %s, the call %s: %s is sent', async (ofClient, ofCall, expected) => {
  const service = await paidService();
  const tools = service.tools({ maxPayment: ofClient });
  await tools.invoke('a__b', {}, { maxPayment: ofCall });
  await tools.answerTool('a__b', {}, { maxPayment: ofCall });
  expect(sent(service)).toEqual([expected, expected]);
});

test('a search and a question what would run send no limit', async () => {
  const service = await wireServer((response, { path }) =>
    sendJson(response, path === '/v1/search' ? { actions: [] } : { action: { action: 'a__b' }, payload: {} }),
  );
  const tools = service.tools({ maxPayment: '0.05' });
  await tools.search('weather');
  await tools.resolve('a__b', {});
  expect(sent(service)).toEqual([undefined, undefined]);
});

test('an amount in the model’s arguments is not a limit', async () => {
  const service = await paidService();
  const input = { action: 'a__b', payload: {}, maxPayment: '9', payment: { maxPayment: '9' } };
  await service.tools({ maxPayment: '0.05' }).callTool('invoke_service', input);
  expect(sent(service)).toEqual(['0.05']);
});

const BAD: unknown[] = [
  0.05,
  1,
  '1e-2',
  '1E2',
  '+1',
  '-0.05',
  '0,05',
  '1,000',
  '0.0000001',
  '1000000000000',
  '.5',
  '5.',
  '01',
  '',
  ' 1',
  null,
  {},
  ['0.05'],
];

test.each(BAD)('maxPayment: %j is rejected at once, with the format of an amount', async (amount) => {
  const refused = expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringMatching(/^maxPayment must be .*"0\.05"/) });
  expect(() => new Tools({ maxPayment: amount } as ToolsOptions)).toThrow(refused);
  const service = await paidService();
  const tools = service.tools();
  await expect(tools.invoke('a__b', {}, { maxPayment: amount as string })).rejects.toEqual(refused);
  await expect(tools.callTool('a__b', {}, { maxPayment: amount as string })).rejects.toEqual(refused);
  expect(service.requests).toEqual([]);
});

test('invoke returns the payment', async () => {
  const service = await paidService();
  expect(await service.tools().invoke('a__b')).toEqual({ invocationId: 'inv_1', result: { celsius: 21 }, payment });
});

test('a tool call has its payment beside the result, where no model reads it', async () => {
  const service = await paidService();
  const answer = await service.tools().answerTool('a__b', {});
  expect(answer).toEqual({ value: { celsius: 21 }, result: { celsius: 21 }, content: '{"celsius":21}', payment });

  const seen: unknown[] = [];
  expect(await service.tools().answerTool('a__b', {}, { onPayment: (one) => seen.push(one) })).toEqual(answer);
  expect(await service.tools().callTool('a__b', {}, { onPayment: (one) => seen.push(one) })).toEqual({ celsius: 21 });
  expect(seen).toEqual([payment, payment]);
});

test('callTools reports each payment with the id of its call', async () => {
  const service = await wireServer((response, { body }) =>
    sendResult(response, 'done', Object(body).action === 'a__paid' ? { payment } : {}),
  );
  const seen: unknown[] = [];
  const calls = [toolCall('call_0', 'a__paid', {}), toolCall('call_1', 'a__free', {})];
  const messages = await service.tools().callTools(calls, { onPayment: (...args) => seen.push(args) });
  expect(messages.map(({ content }) => content)).toEqual(['done', 'done']);
  expect(seen).toEqual([[payment, 'call_0']]);
});

test('a free call has no payment', async () => {
  const service = await wireServer((response) => sendResult(response, 'done'));
  const seen: unknown[] = [];
  expect(await service.tools().answerTool('a__b', {}, { onPayment: (one) => seen.push(one) })).toEqual({
    value: 'done',
    result: 'done',
    content: 'done',
  });
  expect(seen).toEqual([]);
});

test('a subclass that changes a result keeps its payment', async () => {
  const service = await paidService();
  class Short extends Tools {
    override async callTool(...args: Parameters<Tools['callTool']>): Promise<unknown> {
      await super.callTool(...args);
      return 'short';
    }
  }
  const tools = new Short({ apiKey: 'svc_agent_TestKey0123456789', baseUrl: service.baseUrl });
  expect(await tools.answerTool('a__b', {})).toEqual({ value: 'short', content: 'short', payment });
});

test('PAYMENT_REQUIRED is made once, and the model reads price and what is left', async () => {
  const refused = { price: '0.05', currency: 'USD', left: '0.01', dayEndsAt: '2026-11-24T00:00:00.000Z' };
  const service = await wireServer((response) =>
    sendProblem(response, 'PAYMENT_REQUIRED', 'a__b costs up to 0.05 USD', { payment: refused }),
  );
  const { content, error, payment: paid } = await service.tools().answerTool('a__b', {});
  expect(SvcError.is(error) && error.details.payment).toEqual(refused);
  expect(JSON.parse(content)).toEqual({
    error: { code: 'PAYMENT_REQUIRED', message: 'a__b costs up to 0.05 USD', payment: refused, retryable: false },
  });
  expect(paid).toBeUndefined();
  expect(service.requests).toHaveLength(1);
});

test('resolve returns the price', async () => {
  const action = { action: 'a__b', description: 'B', payloadSchema: {}, payment: { amount: '0.05', currency: 'USD' } };
  const service = await wireServer((response) => sendJson(response, { action, payload: {} }));
  expect((await service.tools().resolve('a__b', {})).action.payment).toEqual({ amount: '0.05', currency: 'USD' });
});

test.each([
  ['Today’s weather', 'Today’s weather. Costs up to 0.05 USD a call.'],
  ['Gives the weather.', 'Gives the weather. Costs up to 0.05 USD a call.'],
  ['Rain today?', 'Rain today? Costs up to 0.05 USD a call.'],
])('the description of a static tool ends with its price: %s', async (description, expected) => {
  const free = { action: 'a__free', toolkit: 'a', description, payloadSchema: { type: 'object' }, online: true };
  const paid = { ...free, action: 'a__paid', payment: { amount: '0.05', currency: 'USD' } };
  const service = await wireServer((response) => sendJson(response, { actions: [free, paid] }));
  const selection = { dynamicTools: false, staticToolkits: ['a'] };
  const tools = await service.tools().loadDefinitions(selection);
  expect(tools).toEqual([
    { name: 'a__free', description, parameters: { type: 'object' } },
    { name: 'a__paid', description: expected, parameters: { type: 'object' }, payment: paid.payment },
  ]);
  const bytes = JSON.stringify(await service.tools().getTools(selection));
  expect(JSON.stringify(await service.tools().getTools(selection))).toBe(bytes);
  expect(bytes).toContain(expected);
});
