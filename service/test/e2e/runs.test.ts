/** Runs of code at one node, with a real toolkit and real programs. */
import type { CreateKeyRequest } from 'svc-service';
import { expect, test, vi } from 'vitest';
import { startConsole } from '../../../test/support/console-service';
import { runToolkit, startService } from '../../../test/support/service';
import { Coder, coder, Shop } from '../support/code-runs';

const PATIENCE = { timeout: 20_000 };

async function setUp({ key = {}, options = {} }: { key?: Partial<CreateKeyRequest>; options?: object } = {}) {
  const service = await startService({ code: true, ...options });
  const shop = new Shop();
  const toolkit = await service.toolkit('shop', shop.define);
  return { service, shop, toolkit, coder: await coder(service, key) };
}

test('a program searches, describes and calls, logs, emits, and returns a result', async () => {
  const { coder, shop } = await setUp();
  const { status, body } = await coder.run(
    `const found = await tools.search('price of a shop');
     const action = await tools.describe('shop__price');
     const prices = await Promise.all(['tea', 'bread'].map((item) => tools.shop.price({ item })));
     console.log('prices', prices.length);
     emit('two prices');
     return { found: found.data.actions[0].action, schema: action.data.payloadSchema.type, sum: prices.reduce((sum, { data }) => sum + data.cents, 0) };`,
    { 'svc-user-id': 'u_1' },
  );
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      ...{ run: expect.stringMatching(/^run_/), status: 'done', calls: 4, log: 'prices 2' },
      ...{ result: { found: 'shop__price', schema: 'object', sum: 800 }, content: [{ type: 'text', text: 'two prices' }] },
    },
  });
  expect(shop.calls).toEqual([
    { action: 'price', userId: 'u_1' },
    { action: 'price', userId: 'u_1' },
  ]);
  expect(await coder.follow(body.run)).toEqual({ status: 200, body });
});

test('failed calls are answers, and the failure of a program has its line, its log, and the actions that ran', async () => {
  const { coder } = await setUp();
  const caught = await coder.run(
    `const answers = [await tools.shop.fail({ item: 'tea' }), await tools.shop.nothing(), await tools.shop.price('tea')];
     return answers.map(({ ok, error }) => [ok, error?.code]);`,
  );
  expect(caught.body.result).toEqual([
    [false, 'ACTION_FAILED'],
    [false, 'ACTION_NOT_FOUND'],
    [false, 'INVALID_PAYLOAD'],
  ]);
  const failed = await coder.run(`await tools.shop.order({ item: 'tea' });\nconsole.log('ordered');\nthrow new TypeError('odd');`);
  expect(failed).toMatchObject({
    status: 200,
    body: { status: 'failed', error: { code: 'PROGRAM_ERROR', at: { line: 3 } }, log: 'ordered', ran: ['shop__order'] },
  });
});

test('the same request attaches to the run, during it and after its end; other code under the same name is refused', async () => {
  const { coder, shop } = await setUp();
  const code = `return (await tools.shop.pack({ item: 'box' })).data;`;
  const named = { more: { run: 'mine' } };
  const first = await coder.run(code, { ...named, prefer: 'respond-async' });
  expect(first).toEqual({ status: 202, body: { run: expect.any(String), status: 'running', calls: expect.any(Number) } });
  const { run } = first.body;
  await vi.waitFor(() => expect(shop.isBusyWith('box')).toBe(true), PATIENCE);
  const waiting = [coder.run(code, named), coder.run(code, { 'idempotency-key': 'mine' }), coder.follow(run, 60)];
  await vi.waitFor(async () => expect((await coder.follow(run)).body).toEqual({ run, status: 'running', calls: 1 }), PATIENCE);
  shop.end('box');
  const done = { status: 200, body: { run, status: 'done', result: { packed: 'box' }, calls: 1 } };
  for (const answer of await Promise.all(waiting)) expect(answer).toEqual(done);
  expect(await coder.run(code, named)).toEqual(done);
  expect(shop.orders).toEqual(new Map([['box', 1]]));
  expect(await coder.run(`${code} `, named)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } });
  expect(await coder.run(code, { ...named, 'svc-user-id': 'other' })).toMatchObject({ status: 422 });
  expect(await coder.run(code, { ...named, 'idempotency-key': 'yours' })).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
});

test('a run is cancelled with its call, and a cancel after its end changes nothing', async () => {
  const { coder, shop } = await setUp();
  const { run } = (await coder.run(`return await tools.shop.pack({ item: 'box' });`, { prefer: 'respond-async' })).body;
  await vi.waitFor(() => expect(shop.isBusyWith('box')).toBe(true), PATIENCE);
  expect(await coder.cancel(run)).toEqual({ status: 204, body: undefined });
  const cancelled = await coder.follow(run, 60);
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'failed', error: { code: 'CANCELLED' }, ran: ['shop__pack'] } });
  await vi.waitFor(() => expect(shop.aborted).toEqual(['box']), PATIENCE);
  await coder.cancel(run);
  expect(await coder.follow(run)).toEqual(cancelled);
});

test('a run ends at its deadline, and its call with it', async () => {
  const { coder, shop } = await setUp();
  // The process of programs takes a moment to start.
  await coder.run('return 1;');
  const { body } = await coder.run(`return await tools.shop.pack({ item: 'box' });`, { 'svc-timeout-ms': '4000' });
  expect(body).toMatchObject({ status: 'failed', error: { code: 'TIMEOUT', message: expect.stringContaining('4000 ms') } });
  expect(body.ran).toEqual(['shop__pack']);
  await vi.waitFor(() => expect(shop.aborted).toEqual(['box']), PATIENCE);
});

test('runs belong to their key, and to the user of a token', async () => {
  const { service, coder } = await setUp();
  const { run } = (await coder.run('return 1;')).body;
  const other = await service.keys.create({ kind: 'agent', name: 'other', code: true });
  const stranger = new Coder(service, other.key);
  for (const answer of [await stranger.follow(run), await stranger.cancel(run)])
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  const token = async (userId: string) => {
    const made = await coder.ask('/v1/tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ttlSeconds: 60, userId }),
    });
    return new Coder(service, made.body.token);
  };
  const [ada, bob] = [await token('ada'), await token('bob')];
  const own = (await ada.run('return 2;')).body.run;
  expect(await ada.follow(own)).toMatchObject({ status: 200, body: { result: 2 } });
  expect(await bob.follow(own)).toMatchObject({ status: 404 });
  expect(await ada.follow(run)).toMatchObject({ status: 404 });
  expect(await coder.follow(own)).toMatchObject({ status: 200 });
});

test('only keys with that right run code, and only where the service runs any', async () => {
  const { service } = await setUp();
  const plain = await service.keys.create({ kind: 'agent', name: 'plain' });
  const refused = { status: 403, body: { code: 'ACTION_NOT_ALLOWED', detail: expect.stringContaining('may not run code') } };
  expect(await new Coder(service, plain.key).run('return 1;')).toMatchObject(refused);
  expect(await service.keys.change(plain.id, { code: true })).toMatchObject({ code: true });
  expect(await new Coder(service, plain.key).run('return 1;')).toMatchObject({ status: 200 });
  const off = await startService();
  const answer = await (await coder(off)).run('return 1;');
  expect(answer).toMatchObject({ status: 403, body: { code: 'ACTION_NOT_ALLOWED', detail: expect.stringContaining('--code') } });
  await expect(service.keys.create({ kind: 'toolkit', name: 'no', code: true })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a credential of the caller is refused, since a run may go on without it', async () => {
  const { coder } = await setUp();
  expect(await coder.run('return 1;', { 'svc-connections': 'shop Bearer secret-of-ada' })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST', detail: expect.not.stringContaining('secret-of-ada') },
  });
});

test('the limits of the key hold inside: its allow list, its rules, its rate and its runs', async () => {
  const { service, shop, coder: all } = await setUp({ options: { limits: { runsPerKey: 1 } } });
  const allowed = await coder(service, { allow: { toolkits: [], actions: ['shop__price'] } });
  const denied = await coder(service, { rules: [{ match: { action: 'shop__order' }, do: 'deny' }] });
  const code = `return (await tools.shop.order({ item: 'tea' })).error.code;`;
  for (const one of [allowed, denied]) expect((await one.run(code)).body.result).toMatch(/ACTION_NOT_(ALLOWED|FOUND)/);
  expect(shop.orders.size).toBe(0);

  const slow = await coder(service, { callsPerMinute: 3 });
  const calls = `const answers = []; for (const item of ['a', 'b', 'c']) answers.push(await tools.shop.price({ item })); return answers.map(({ ok, error }) => ok || error.code);`;
  expect((await slow.run(calls, { 'svc-timeout-ms': '2000' })).body.result).toEqual([true, true, 'RATE_LIMITED']);

  await all.run(`return await tools.shop.pack({ item: 'box' });`, { prefer: 'respond-async' });
  expect(await all.run('return 1;')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) } });
});

test('a key that is revoked ends its run and the call in it', async () => {
  const { service, shop } = await setUp();
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'soon gone', code: true });
  const caller = new Coder(service, key);
  const { run } = (await caller.run(`return await tools.shop.pack({ item: 'box' });`, { prefer: 'respond-async' })).body;
  await vi.waitFor(() => expect(shop.isBusyWith('box')).toBe(true), PATIENCE);
  await service.keys.revoke(id);
  await vi.waitFor(() => expect(shop.aborted).toEqual(['box']), PATIENCE);
  expect(await caller.follow(run)).toMatchObject({ status: 401, body: { code: 'KEY_REVOKED' } });
});

test('the budget of the key is spent inside, and the rest of the calls are refused', async () => {
  const { service } = await setUp();
  let bought = 0;
  await service.toolkit('market', (market) => {
    market.action({ action: 'buy', actionDescription: 'Buys', payment: { amount: '0.05' } }, () => ({ bought: ++bought }));
  });
  const rich = await coder(service, { budget: { perCall: '0.05', perDay: '0.10' } });
  const { body } = await rich.run(
    `const answers = []; for (const no of [1, 2, 3]) answers.push(await tools.market.buy({ no })); return answers.map(({ ok, error }) => ok || error.code);`,
  );
  expect(body).toMatchObject({ status: 'done', result: [true, true, 'PAYMENT_REQUIRED'] });
  expect(bought).toBe(2);
});

test('records name the run that made a call, and members give no key the right to run code', async () => {
  const service = await startConsole({ code: true });
  const ben = await service.join('ben');
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const shop = new Shop();
  await runToolkit(service.url, toolkit.key, shop.define);
  const { run } = (await (await coder(service)).run(`return (await tools.shop.price({ item: 'tea' })).ok;`)).body;
  await vi.waitFor(async () => {
    const { invocations } = await service.owner.json<{ invocations: { madeBy?: string }[] }>('GET', '/v1/invocations');
    expect(invocations).toMatchObject([{ madeBy: run }]);
  }, PATIENCE);
  const own = await ben.json<{ id: string }>('POST', '/v1/keys', { kind: 'agent', name: 'own' });
  expect((await ben.ask('POST', '/v1/keys', { kind: 'agent', name: 'coder', code: true })).status).toBe(403);
  expect((await ben.ask('PATCH', `/v1/keys/${own.id}`, { code: true })).status).toBe(403);
  expect(await service.owner.json('PATCH', `/v1/keys/${own.id}`, { code: true })).toMatchObject({ code: true });
});
