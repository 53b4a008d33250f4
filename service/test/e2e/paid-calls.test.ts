/** Paid calls from the caller's side: costs, refusals, and free retries. */
import { Tools } from 'svc-sdk';
import type { CreateKeyRequest, ServiceOptions } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { Budget } from '#sdk/protocol/http';
import { startService } from '../../../test/support/service';

const BUDGET: Budget = { perCall: '0.10', perDay: '1' };
const HEADER = 'svc-max-payment';

interface Shop {
  price?: string;
  /** Null: none. */
  budget?: Budget | null;
  limits?: ServiceOptions['limits'];
}

/** A service, a toolkit with the action `shop__buy`, and a caller. */
async function openShop({ price = '0.05', budget = BUDGET, limits }: Shop = {}) {
  const service = await startService({ console: true, ...(limits && { limits }) });
  const { key: toolkitKey } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const seen = { runs: 0, finish: () => {}, fail: false, charge: undefined as string | undefined, waits: false };
  const { Toolkit } = await import('svc-sdk');
  const open = async (amount: string) => {
    const toolkit = new Toolkit({ baseUrl: service.url, apiKey: toolkitKey });
    toolkit.action({ action: 'buy', actionDescription: 'Buys', payment: { amount } }, async (ctx) => {
      seen.runs++;
      if (seen.waits)
        await new Promise<void>((resolve) => {
          seen.finish = resolve;
        });
      if (seen.charge !== undefined) ctx.charge(seen.charge);
      if (seen.fail) throw new Error('sold out');
      return { order: seen.runs };
    });
    const running = toolkit.run();
    running.catch(() => {});
    await toolkit.ready;
    onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
    return toolkit;
  };
  const toolkit = await open(price);
  const { id: keyId, key } = await service.keys.create({ kind: 'agent', name: 'agent', ...(budget && { budget }) } as CreateKeyRequest);
  const admin = (await service.keys.create({ kind: 'admin', name: 'admin' })).key;
  const asAdmin = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
    const answer = await fetch(service.url + path, { ...init, headers });
    return (await answer.json()) as Record<string, never>;
  };
  return {
    service,
    seen,
    toolkit,
    open,
    keyId,
    tools: new Tools({ baseUrl: service.url, apiKey: key }),
    /** The bare request: the status and the body of its answer. */
    async invoke(headers: Record<string, string> = {}) {
      const answer = await fetch(`${service.url}/v1/invoke`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: '{"action":"shop__buy"}',
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    change: (change: object) => asAdmin(`/v1/keys/${keyId}`, { method: 'PATCH', body: JSON.stringify(change) }),
    ledger: async () =>
      (await asAdmin(`${ADMIN_PATHS.ledger}?limit=100`)).entries as unknown as { state: string; authorised: string; charged?: string }[],
  };
}

const paid = (charged: string) => ({ authorised: '0.05', charged, currency: 'USD' });

test('an answer has the cost of the call: the price, the charge of the handler, or nothing', async () => {
  const { tools, seen, ledger } = await openShop();
  expect((await tools.invoke('shop__buy')).payment).toEqual(paid('0.05'));
  seen.charge = '0.03';
  expect((await tools.invoke('shop__buy')).payment).toEqual(paid('0.03'));
  seen.charge = '0';
  expect((await tools.invoke('shop__buy')).payment).toEqual(paid('0'));
  seen.fail = true;
  await expect(tools.invoke('shop__buy')).rejects.toMatchObject({ code: 'ACTION_FAILED' });
  expect((await ledger()).map(({ state, charged }) => [state, charged]).toSorted()).toEqual([
    ['charged', '0.03'],
    ['charged', '0.05'],
    ['released', '0'],
    ['released', '0'],
  ]);
});

test('a call without an idempotency key is booked too', async () => {
  const { invoke, ledger } = await openShop();
  expect(await invoke()).toMatchObject({ status: 200, body: { payment: paid('0.05') } });
  expect(await ledger()).toMatchObject([{ state: 'charged', charged: '0.05' }]);
});

test('a free call has no payment and no entry', async () => {
  const { service, tools, ledger } = await openShop();
  await service.toolkit('free', (toolkit) =>
    toolkit.action({ action: 'look', actionDescription: 'Looks', payment: { amount: '0' } }, () => 1),
  );
  expect(await tools.invoke('free__look')).toEqual({ invocationId: expect.any(String), result: 1 });
  expect(await ledger()).toEqual([]);
});

describe('a retry gets the first answer and costs nothing', () => {
  test.each<[string, (shop: Awaited<ReturnType<typeof openShop>>) => Promise<unknown>]>([
    ['as it is', async () => {}],
    ['after the price rose above the budget', async ({ toolkit, open }) => toolkit.stop().then(() => open('0.50'))],
    ['after the budget was taken away', async ({ change }) => change({ budget: null })],
    ['after the budget was lowered below its cost', async ({ change }) => change({ budget: { perCall: '0.01', perDay: '0.01' } })],
  ])('%s', async (_, meanwhile) => {
    const shop = await openShop();
    const first = await shop.tools.invoke('shop__buy', {}, { idempotencyKey: 'once' });
    await meanwhile(shop);
    expect(await shop.tools.invoke('shop__buy', {}, { idempotencyKey: 'once' })).toEqual({ ...first, replayed: true });
    expect(await shop.invoke({ 'idempotency-key': 'once', [HEADER]: '0.001' })).toMatchObject({ status: 200, body: { replayed: true } });
    expect(shop.seen.runs).toBe(1);
    expect(await shop.ledger()).toHaveLength(1);
  });
});

describe('a call is refused before anything runs', () => {
  test('when the key has no budget', async () => {
    const { invoke, seen, tools } = await openShop({ budget: null });
    const { status, body } = await invoke();
    expect(status).toBe(402);
    expect(body).toMatchObject({ code: 'PAYMENT_REQUIRED', retryable: false, payment: { price: '0.05', currency: 'USD' } });
    expect(body.payment).not.toHaveProperty('left');
    await expect(tools.resolve('shop__buy', {})).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' });
    expect(seen.runs).toBe(0);
  });

  test('when the price is above what the key pays for a call', async () => {
    const { invoke, seen } = await openShop({ budget: { perCall: '0.04', perDay: '1' } });
    expect(await invoke()).toMatchObject({
      status: 402,
      body: { payment: { price: '0.05', left: '1' }, detail: expect.stringContaining('0.04') },
    });
    expect(seen.runs).toBe(0);
  });

  test('when the price is above what the caller allows, which no model can raise', async () => {
    const { invoke, seen } = await openShop();
    expect(await invoke({ [HEADER]: '0.049999' })).toMatchObject({ status: 402, body: { code: 'PAYMENT_REQUIRED' } });
    expect(seen.runs).toBe(0);
    expect(await invoke({ [HEADER]: '0.05' })).toMatchObject({ status: 200 });
  });

  test('when the day has too little left, until the next day', async () => {
    const noon = new Date('2026-03-01T12:00:00Z').getTime();
    vi.useFakeTimers({ toFake: ['Date'], now: noon });
    onTestFinished(() => void vi.useRealTimers());
    const { invoke, seen, ledger } = await openShop({ budget: { perCall: '0.05', perDay: '0.08' } });
    expect(await invoke()).toMatchObject({ status: 200 });
    expect(await invoke()).toMatchObject({
      status: 402,
      body: { payment: { price: '0.05', currency: 'USD', left: '0.03', dayEndsAt: '2026-03-02T00:00:00.000Z' } },
    });
    vi.setSystemTime(new Date('2026-03-01T23:59:59.999Z'));
    expect(await invoke()).toMatchObject({ status: 402 });
    vi.setSystemTime(new Date('2026-03-02T00:00:00.000Z'));
    expect(await invoke()).toMatchObject({ status: 200 });
    expect(seen.runs).toBe(2);
    expect(await ledger()).toHaveLength(2);
  });

  test.each(['1e-2', '0,05', '-1', '+1', '0.0000001', '1000000000000', '.5', '5.', 'free', ''])(
    'with Svc-Max-Payment: %j',
    async (amount) => {
      const { invoke, seen } = await openShop();
      expect(await invoke({ [HEADER]: amount })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', detail: expect.stringContaining('0.05') },
      });
      expect(seen.runs).toBe(0);
    },
  );
});

test('a budget below what is held refuses new calls, and the running one is charged', async () => {
  const { tools, seen, change, invoke } = await openShop({ budget: { perCall: '0.05', perDay: '1' } });
  seen.waits = true;
  const running = tools.invoke('shop__buy');
  await vi.waitFor(() => expect(seen.runs).toBe(1));
  await change({ budget: { perCall: '0.05', perDay: '0.06' } });
  expect(await invoke()).toMatchObject({ status: 402, body: { payment: { left: '0.01' } } });
  await change({ budget: { perCall: '0.01', perDay: '0.02' } });
  expect(await invoke()).toMatchObject({ status: 402, body: { payment: { left: '0' } } });
  seen.finish();
  expect((await running).payment).toEqual(paid('0.05'));
});

test('a call that times out stays held until its late result, which is charged once', async () => {
  const { tools, seen, ledger } = await openShop();
  seen.waits = true;
  seen.charge = '0.02';
  const options = { idempotencyKey: 'slow', timeoutMs: 300 };
  await expect(tools.invoke('shop__buy', {}, options)).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  await vi.waitFor(async () => expect(await ledger()).toMatchObject([{ state: 'held', authorised: '0.05' }]));
  seen.finish();
  await vi.waitFor(async () => expect(await ledger()).toMatchObject([{ state: 'charged', charged: '0.02' }]));
  expect(await tools.invoke('shop__buy', {}, { idempotencyKey: 'slow' })).toMatchObject({ payment: paid('0.02'), replayed: true });
  expect(seen.runs).toBe(1);
});

test('a call that fails after its caller has left is released', async () => {
  const { tools, seen, ledger } = await openShop({ limits: { reconnectGraceMs: 100 } });
  seen.waits = true;
  seen.fail = true;
  await expect(tools.invoke('shop__buy', {}, { idempotencyKey: 'slow', timeoutMs: 200 })).rejects.toMatchObject({
    code: 'INVOCATION_TIMEOUT',
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await ledger()).toMatchObject([{ state: 'held' }]);
  seen.finish();
  await vi.waitFor(async () => expect(await ledger()).toMatchObject([{ state: 'released', charged: '0' }]));
});

test('of 64 simultaneous calls, no more run than the budget covers', async () => {
  const { tools, seen, ledger } = await openShop({ budget: { perCall: '0.05', perDay: '1' } });
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, () =>
      tools.invoke('shop__buy').then(
        () => 'OK',
        ({ code }) => code,
      ),
    ),
  );
  expect(outcomes.filter((each) => each === 'OK')).toHaveLength(20);
  expect(outcomes.filter((each) => each === 'PAYMENT_REQUIRED')).toHaveLength(44);
  expect(seen.runs).toBe(20);
  expect(await ledger()).toHaveLength(20);
});
