/** The cost of a call of a paid action: by the handler's charge, by its failure, and by the mistakes of its toolkit. */
import { type CallWarning, Toolkit } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type LedgerEntriesPage } from '#sdk/protocol/admin';
import type { CallPayment } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

interface Answer {
  result?: unknown;
  code?: string;
  cause?: { code: string; message: string };
  payment?: CallPayment;
  replayed?: boolean;
}

const PRICE = '0.05';
const USD = { authorised: PRICE, currency: 'USD' };
const sell = { action: 'sell', actionDescription: 'Sells a report', payment: { amount: PRICE } };

/** Calls of one agent whose budget pays for them. */
async function buyer(service: TestService) {
  const { key } = await service.keys.create({ kind: 'agent', name: 'buyer', budget: { perCall: '1', perDay: '10' } });
  const at =
    ({ url }: TestService) =>
    async (action: string, payload: object = {}, idempotencyKey?: string): Promise<Answer> => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      };
      const response = await fetch(`${url}/v1/invoke`, { method: 'POST', headers, body: JSON.stringify({ action, payload }) });
      return (await response.json()) as Answer;
    };
  return { call: at(service), at };
}

/** A toolkit that charges the amount in its payload, and the warnings that it gets. */
async function shop(service: TestService) {
  const warnings: CallWarning[] = [];
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key, onWarning: (warning) => void warnings.push(warning) });
  toolkit.action<{ charge?: string; fail?: boolean }>(sell, (ctx, { charge, fail }) => {
    if (charge !== undefined) ctx.charge(charge);
    if (fail) return ctx.error('SOLD_OUT', 'There is none left');
    return ctx.result({ held: ctx.payment });
  });
  toolkit.action({ action: 'show', actionDescription: 'Shows the reports' }, (ctx) => ctx.result(ctx.payment ?? 'free'));
  const running = toolkit.run();
  onTestFinished(async () => {
    await toolkit.stop({ timeoutMs: 0 });
    await running;
  });
  await toolkit.ready;
  return { warnings };
}

test('a call costs its price, or a smaller charge of the handler, and nothing when it fails', async () => {
  const service = await startService();
  const { warnings } = await shop(service);
  const { call } = await buyer(service);
  const held = { held: { amount: PRICE, currency: 'USD' } };
  expect(await call('shop__sell')).toMatchObject({ result: held, payment: { ...USD, charged: PRICE } });
  expect(await call('shop__sell', { charge: '0.030' })).toMatchObject({ result: held, payment: { ...USD, charged: '0.03' } });
  expect(await call('shop__sell', { charge: '0' })).toMatchObject({ result: held, payment: { ...USD, charged: '0' } });
  const failed = await call('shop__sell', { charge: '0.04', fail: true });
  expect(failed).toMatchObject({ code: 'ACTION_FAILED', cause: { code: 'SOLD_OUT' } });
  expect(failed.payment).toBeUndefined();
  expect(await call('shop__sell', { charge: '0.06' })).toMatchObject({
    code: 'ACTION_FAILED',
    cause: { code: 'INVALID_REQUEST', message: expect.stringContaining('more than ctx.payment.amount, 0.05') },
  });
  const free = await call('shop__show');
  expect(free).toMatchObject({ result: 'free' });
  expect(free.payment).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('a retry shows the charge of the first call, and the handler runs once', async () => {
  const service = await startService();
  await shop(service);
  const { call } = await buyer(service);
  const first = await call('shop__sell', { charge: '0.02' }, 'order-1');
  expect(first).toMatchObject({ payment: { ...USD, charged: '0.02' } });
  expect(await call('shop__sell', { charge: '0.02' }, 'order-1')).toEqual({ ...first, replayed: true });
});

/** A toolkit on a bare socket: it sells, and answers with anything. */
async function rawShop(service: TestService): Promise<RawToolkit> {
  const raw = await RawToolkit.connect(service);
  await raw.register([sell, { action: 'show', actionDescription: 'Shows the reports' }]);
  return raw;
}

const warningsOf = (raw: RawToolkit) => raw.received.filter(({ method }) => method === 'warning');

test('the invoke frame names the hold of a paid call, and nothing of a free one', async () => {
  const service = await startService();
  const raw = await rawShop(service);
  const { call } = await buyer(service);
  void call('raw__sell', { a: 1 });
  expect((await raw.invoked()).params).toMatchObject({ action: 'sell', payload: { a: 1 }, payment: { amount: PRICE, currency: 'USD' } });
  void call('raw__show');
  expect((await raw.invoked(1)).params).not.toHaveProperty('payment');
});

test.each<[unknown, string, string | undefined]>([
  [undefined, '0.05', undefined],
  [{ amount: '0.01' }, '0.01', undefined],
  [{ amount: '7' }, '0.05', 'payment.amount is 7, more than the 0.05 USD that the call holds. 0.05 is charged'],
  [{ amount: 0.01 }, '0', expect.stringMatching(/^payment\.amount must be a decimal text .*, not number\. Nothing is charged$/)],
  [{ amount: '-0.01' }, '0', expect.stringContaining('Nothing is charged')],
  [{ amount: '1e-2' }, '0', expect.stringContaining('Nothing is charged')],
  [{ amount: '0.01', currency: 'EUR' }, '0', 'payment.currency must be USD, or left out. Nothing is charged'],
  [null, '0', expect.stringContaining('Nothing is charged')],
  ['0.01', '0', expect.stringContaining('Nothing is charged')],
])('an answer with the payment %j charges %s', async (payment, charged, message) => {
  const service = await startService();
  const raw = await rawShop(service);
  const { call } = await buyer(service);
  const answer = call('raw__sell');
  const { id } = await raw.invoked();
  raw.send({ jsonrpc: '2.0', id, result: 'sold', ...(payment !== undefined && { payment }) });
  expect(await answer).toMatchObject({ result: 'sold', payment: { ...USD, charged } });
  const warning = { jsonrpc: '2.0', method: 'warning', params: { invocationId: id, message } };
  await raw.request('heartbeat');
  expect(warningsOf(raw)).toEqual(message === undefined ? [] : [warning]);
});

test('a payment beside the result of a free call, or beside an error, charges nothing', async () => {
  const service = await startService();
  const raw = await rawShop(service);
  const { call } = await buyer(service);
  const free = call('raw__show');
  const { id } = await raw.invoked();
  raw.send({ jsonrpc: '2.0', id, result: 'shown', payment: { amount: '0.01' } });
  expect(await free).toEqual({ invocationId: id, result: 'shown' });
  const failed = call('raw__sell');
  raw.send({ jsonrpc: '2.0', id: (await raw.invoked(1)).id, error: { code: -32000, message: 'no' }, payment: { amount: '0.01' } });
  expect(await failed).toMatchObject({ code: 'ACTION_FAILED' });
  await raw.request('heartbeat');
  expect(warningsOf(raw)).toEqual([
    { jsonrpc: '2.0', method: 'warning', params: { invocationId: id, message: expect.stringContaining('The action is free') } },
  ]);
});

test('a result after a reconnect brings its charge, and its warning reaches the new connection', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  const { call } = await buyer(service);
  for (const [amount, charged, warnings] of [
    ['0.03', '0.03', 0],
    ['3', PRICE, 1],
  ] as const) {
    const first = await RawToolkit.connect(service, key);
    await first.register([sell]);
    const answer = call('raw__sell');
    const { id } = await first.invoked();
    first.endStream();
    await vi.waitFor(() => expect(first.closed).toBeDefined());
    const second = await RawToolkit.connect(service, key);
    expect(await second.register([sell], { unfinished: [id] })).toMatchObject({ result: { awaiting: [id] } });
    const delivered = await second.request('result', { invocationId: id, result: 'sold', payment: { amount } });
    expect(delivered).toMatchObject({ result: { accepted: true } });
    expect(await answer).toMatchObject({ result: 'sold', payment: { ...USD, charged } });
    expect(warningsOf(second)).toHaveLength(warnings);
    await second.close();
  }
});

test('a result that arrives after a restart of the service has its charge, and the retry shows it', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const first = await startService({ data: folder.path });
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'raw' });
  const { call, at } = await buyer(first);
  const before = await RawToolkit.connect(first, key);
  await before.register([sell]);
  const stopped = call('raw__sell', {}, 'order-1');
  const { id } = await before.invoked();
  await first.close();
  expect(await stopped).toMatchObject({ code: 'SERVICE_STOPPING' });

  const second = await startService({ data: folder.path });
  const after = await RawToolkit.connect(second, key);
  expect(await after.register([sell], { unfinished: [id] })).toMatchObject({ result: { awaiting: [id] } });
  const retry = at(second)('raw__sell', {}, 'order-1');
  const delivered = await after.request('result', { invocationId: id, result: 'sold', payment: { amount: '3' } });
  expect(delivered).toMatchObject({ result: { accepted: true } });
  expect(await retry).toMatchObject({ invocationId: id, result: 'sold', payment: { ...USD, charged: PRICE } });
  expect(warningsOf(after)).toHaveLength(1);
});

test('each paid call is in the ledger once, and a free call is not', async () => {
  const service = await startConsole();
  await shop(service);
  const { call } = await buyer(service);
  for (const payload of [{}, { charge: '0.03' }, { charge: '0' }, { fail: true }]) await call('shop__sell', payload);
  for (let retry = 0; retry < 3; retry++) await call('shop__sell', { charge: '0.01' }, 'order-1');
  await call('shop__show');
  const { entries } = await service.owner.json<LedgerEntriesPage>('GET', ADMIN_PATHS.ledger);
  expect(entries.map(({ action, authorised, charged }) => [action, authorised, charged]).sort()).toEqual(
    ['0', '0', '0.01', '0.03', '0.05'].map((charged) => ['shop__sell', PRICE, charged]),
  );
});
