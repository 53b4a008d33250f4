// @module-tag postgres
/** Several nodes on one PostgreSQL, and the data after a crash of the database or of a node. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { SvcError } from '#sdk/protocol/errors';
import { ownPostgres } from '../../../test/support/postgres';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open';
import type { InvocationOutcome, Store } from '../../src/store/store';
import { startTcpProxy } from '../support/tcp-proxy';
import { aCall, aConnection, aGrant, aKey, hashOf, OFFLINE, OK } from './store-records';

const postgres = ownPostgres();
/** Longer than a node may be silent. */
const LONG = 30_000;

/** Stores on a separate database; their errors are expected here. */
async function openNodes(count: number, options: Partial<PostgresStoreOptions> = {}) {
  const url = await postgres.server.newDatabase();
  const onError = vi.fn();
  const nodes: Store[] = [];
  for (let node = 0; node < count; node++) nodes.push(await openPostgresStore({ url, shared: true, onError, ...options }));
  onTestFinished(async () => void (await Promise.allSettled(nodes.map((node) => node.close()))));
  const execute = (sql: string) => postgres.server.execute(sql, url);
  return { nodes: nodes as [Store, Store, ...Store[]], execute, onError, url };
}

test('one of twenty starts with one key at two nodes succeeds, every time', async () => {
  const { nodes } = await openNodes(2);
  for (let round = 0; round < 20; round++) {
    const idempotencyKey = `once-${round}`;
    const calls = Array.from({ length: 20 }, () => aCall({ idempotencyKey }));
    const started = await Promise.all(calls.map((call, index) => nodes[index % 2]?.invocations.start(call)));
    expect(started.filter(Boolean)).toHaveLength(1);
    const winner = calls[started.indexOf(true)];
    for (const { invocations } of nodes) expect(await invocations.find('key_agent', idempotencyKey)).toMatchObject({ id: winner?.id });
  }
});

test('a node finds its own open calls that it does not know, and none that it or another one writes', async () => {
  const { nodes, execute } = await openNodes(2);
  const [first, second] = nodes;
  const [taken, ended, recent] = [
    aCall({ idempotencyKey: 'taken', startedAt: 1 }),
    aCall({ startedAt: 1, idempotencyKey: 'ended' }),
    aCall({ idempotencyKey: 'recent', startedAt: 9 }),
  ];
  const unsaved = aCall({ startedAt: 1 });
  for (const call of [taken, ended, recent]) await second.invocations.start(call);
  await second.invocations.end(ended.id, OK);
  await second.invocations.list({ limit: 1 });
  await first.invocations.start(unsaved);
  // As when the answer to a taking over is lost.
  await execute(`UPDATE invocations SET node = '${first.node}' WHERE idempotency_key IN ('taken', 'ended')`);
  expect(await first.invocations.open(5)).toEqual([{ ...taken, node: first.node, outcome: null }]);
  expect(await second.invocations.open(5)).toEqual([]);
  expect((await second.invocations.open(10)).map(({ id }) => id)).toEqual([recent.id]);
});

test('any node releases the key of a failure, and of two starts after that only one returns true', async () => {
  const { nodes } = await openNodes(2);
  const [first, second] = nodes;
  for (let round = 0; round < 10; round++) {
    const failed = aCall({ idempotencyKey: `once-${round}` });
    await first.invocations.start(failed);
    await first.invocations.end(failed.id, { code: 'ACTION_FAILED', body: '{"retryable":true}', endedAt: 2_000 });
    const retries = [aCall({ idempotencyKey: `once-${round}` }), aCall({ idempotencyKey: `once-${round}` })];
    const started = await Promise.all(
      [second, first].map(async ({ invocations }, index) => {
        await invocations.release(failed.id);
        return invocations.start(retries[index]!);
      }),
    );
    expect(started.toSorted()).toEqual([false, true]);
    expect(await first.invocations.find('key_agent', `once-${round}`)).toMatchObject({ id: retries[started.indexOf(true)]?.id });
  }
});

test('of one code used and one grant rotated at two nodes one succeeds, every time', async () => {
  const { nodes } = await openNodes(2);
  const at = Date.now();
  for (let round = 0; round < 10; round++) {
    const [code, grant] = [hashOf(`code ${round}`), aGrant({ id: `grant${round}` })];
    await nodes[0].oauth.addCode({ hash: code, request: '{}', expiresAt: at + 60_000 });
    await nodes[0].oauth.addGrant(grant);
    const each = <T>(work: (oauth: Store['oauth']) => Promise<T>) =>
      Promise.all(Array.from({ length: 8 }, (_, index) => work((nodes[index % 2] as Store).oauth)));
    const used = await each((oauth) => oauth.useCode(code, { at, grantId: grant.id }));
    const rotated = await each((oauth) => oauth.rotateGrant(grant.id, { from: 1, at, idleUntil: grant.idleUntil }));
    expect([used, rotated].map((results) => results.filter(Boolean).length)).toEqual([1, 1]);
    expect(await nodes[1].oauth.grant(grant.id)).toMatchObject({ generation: 2 });
  }
});

test('a node whose clock is off by an hour neither refreshes a good token nor takes a claim of another node', async () => {
  const { nodes } = await openNodes(2);
  const [{ connections }, other] = nodes;
  await connections.add(aConnection({ expiresInMs: 600_000 }));
  expect(await connections.claimRefresh('con_1', { version: 1, forMs: 15_000 })).toBe(true);
  for (const hours of [1, -1]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    const row = await other.connections.find('con_1');
    expect(Number(row?.expiresAt) - Number(row?.readAt)).toBeGreaterThan(500_000);
    expect(Number(row?.expiresAt) - Number(row?.readAt)).toBeLessThanOrEqual(600_000);
    expect(await other.connections.claimRefresh('con_1', { version: 1, forMs: 15_000 })).toBe(false);
    vi.useRealTimers();
  }
  const secret = { sealed: 'bmV3', sealedBy: 'k1', scopes: '', expiresInMs: 600_000 };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  expect(await other.connections.refreshed('con_1', 1, secret)).toBe(true);
  vi.useRealTimers();
  const refreshed = await connections.find('con_1');
  expect(Math.abs(Number(refreshed?.expiresAt) - Date.now() - 600_000)).toBeLessThan(60_000);
});

test('three nodes hold together no more than the budget of the day, and book each call once', async () => {
  const { nodes, onError } = await openNodes(3);
  const startedAt = Date.now();
  const hold = { amount: 7n, currency: 'USD', perDay: 500n };
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, async (_, caller) => {
      const { invocations } = nodes[caller % 3] as Store;
      let charged = 0n;
      for (let round = 0; round < 10; round++) {
        const call = aCall({ idempotencyKey: `${caller}-${round}`, startedAt, hold });
        const started = await invocations.start(call).catch((error: SvcError) => error.code);
        if (started !== true) {
          expect(started).toBe('PAYMENT_REQUIRED');
          continue;
        }
        const cost = BigInt((caller + round) % 8);
        // Another node may have the result too, such as after a take-over.
        const ends = [invocations, (nodes[(caller + 1) % 3] as Store).invocations];
        await Promise.all(ends.map((each) => each.end(call.id, { ...OK, charged: cost })));
        charged += cost;
      }
      return charged;
    }),
  );
  const charged = outcomes.reduce((sum, each) => sum + each, 0n);
  for (const { ledger } of nodes) expect((await ledger.spent(['key_agent'], startedAt)).get('key_agent')).toEqual({ charged, held: 0n });
  expect(charged).toBeLessThanOrEqual(500n);
  expect(charged).toBeGreaterThan(500n - 7n);
  // The counters, which decide, agree with the ledger.
  const left = 500n - charged;
  const start = (amount: bigint) =>
    nodes[0].invocations.start(aCall({ idempotencyKey: `${amount}`, startedAt, hold: { ...hold, amount } }));
  await expect(start(left + 1n)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' });
  if (left > 0n) expect(await start(left)).toBe(true);
  expect(onError).not.toHaveBeenCalled();
});

test(
  'a node that stops while it books paid calls does not keep the budget from the others',
  async () => {
    const { nodes, url } = await openNodes(1);
    const proxy = await startTcpProxy(Number(new URL(url).port));
    const throughProxy = `postgres://svc@${new URL(proxy.url).host}${new URL(url).pathname}`;
    const stopped = await openPostgresStore({ url: throughProxy, shared: true, onError: () => {} });
    onTestFinished(() => stopped.close());
    const startedAt = Date.now();
    const paid = () => aCall({ idempotencyKey: crypto.randomUUID(), startedAt, hold: { amount: 7n, currency: 'USD', perDay: 100n } });
    expect(await stopped.invocations.start(paid())).toBe(true);
    const silenced = proxy.silenceAt('svc-lock');
    const started = stopped.invocations.start(paid()).catch(({ code }: SvcError) => code);
    await silenced;
    expect(await nodes[0].invocations.start(paid())).toBe(true);
    proxy.disconnect();
    expect(await started).toBe('SERVICE_UNAVAILABLE');
    const spent = await nodes[0].ledger.spent(['key_agent'], startedAt);
    expect(spent.get('key_agent')).toEqual({ charged: 0n, held: 14n });
  },
  LONG,
);

test('many keys in different orders at two nodes do not deadlock', async () => {
  const { nodes, onError } = await openNodes(2);
  for (let round = 0; round < 10; round++) {
    const keys = Array.from({ length: 200 }, (_, index) => `${round}-${index}`);
    const starts = nodes.flatMap(({ invocations }, node) => {
      const ordered = node === 0 ? keys : keys.toReversed();
      return ordered.map((idempotencyKey) => invocations.start(aCall({ idempotencyKey })));
    });
    expect((await Promise.all(starts)).filter(Boolean)).toHaveLength(200);
  }
  expect(onError).not.toHaveBeenCalled();
});

test('a taken call belongs to the new node, and both nodes may end it', async () => {
  const { nodes } = await openNodes(2);
  const [first, second] = nodes;
  const call = aCall({ idempotencyKey: 'once' });
  await first.invocations.start(call);
  expect(await second.invocations.take([call.id])).toEqual([{ ...call, node: second.node, outcome: null }]);
  expect(await first.invocations.get(call.id)).toMatchObject({ node: second.node });
  expect(await second.invocations.end(call.id, OK)).toEqual(OK);
  expect(await first.invocations.end(call.id, { ...OK, code: 'OUTCOME_UNKNOWN' })).toEqual(OK);
  expect(await first.invocations.take([call.id])).toEqual([]);
});

test('a call without an idempotency key that still runs can soon be taken too', async () => {
  const { nodes } = await openNodes(2);
  const [first, second] = nodes;
  const call = aCall();
  await first.invocations.start(call);
  await vi.waitFor(async () => expect(await second.invocations.take([call.id])).toEqual([{ ...call, node: second.node, outcome: null }]));
  expect(await second.invocations.end(call.id, OK)).toEqual({ ...OK, body: null });
  expect(await first.invocations.end(call.id, { ...OK, code: 'OUTCOME_UNKNOWN' })).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await first.invocations.settled();
  expect((await second.invocations.get(call.id))?.outcome).toEqual({ ...OK, body: null });
});

test('a refusal does not free the key of a call that another node has claimed under the same id', async () => {
  const { nodes } = await openNodes(2);
  const [first, second] = nodes;
  const call = aCall({ idempotencyKey: 'once' });
  expect(await second.invocations.start(call)).toBe(true);
  first.invocations.refused(call, OFFLINE);
  await first.invocations.settled();
  expect(await first.invocations.find('key_agent', 'once')).toMatchObject({ id: call.id, node: second.node, outcome: null });
  expect(await first.invocations.start(aCall({ idempotencyKey: 'once' }))).toBe(false);
});

test(
  'after a restart of the database, a node that could not send a heartbeat does not count as dead',
  async () => {
    const { nodes, execute } = await openNodes(2);
    const [first, second] = nodes;
    await first.invocations.start(aCall({ idempotencyKey: 'once' }));
    await execute('UPDATE nodes SET seen_at = seen_at - 3600000');
    await postgres.server.crash();
    await postgres.server.startAgain();
    const taken = await vi.waitFor(() => second.invocations.takeAbandoned(), { timeout: LONG, interval: 100 });
    expect(taken).toEqual([]);
  },
  LONG,
);

test(
  'while the database is down, calls fail fast, and outcomes wait until they are durable',
  async () => {
    const { nodes, onError } = await openNodes(1);
    const [{ invocations, keys }] = nodes;
    const [call, refused, unkeyed] = [aCall({ idempotencyKey: 'once' }), aCall({ idempotencyKey: 'again' }), aCall()];
    await invocations.start(call);
    await invocations.start(refused);
    await postgres.server.crash();

    const unavailable = { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 };
    const before = performance.now();
    await expect(invocations.start(aCall({ idempotencyKey: 'other' }))).rejects.toMatchObject(unavailable);
    await expect(invocations.find('key_agent', 'once')).rejects.toMatchObject(unavailable);
    await expect(invocations.list({ limit: 1 })).rejects.toMatchObject(unavailable);
    await expect(keys.insert(aKey())).rejects.toMatchObject(unavailable);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(await invocations.start(unkeyed)).toBe(true);
    expect(await invocations.end(unkeyed.id, OK)).toEqual({ ...OK, body: null });
    invocations.refused(refused, { ...OK, code: 'TOOLKIT_OFFLINE' });
    await expect(invocations.start(aCall({ idempotencyKey: 'again' }))).rejects.toMatchObject(unavailable);
    let told: InvocationOutcome | undefined;
    const ended = invocations.end(call.id, OK).then((outcome) => {
      told = outcome;
    });
    const settled = invocations.settled();
    await expect(invocations.find('key_agent', 'once')).rejects.toMatchObject(unavailable);
    expect(told).toBeUndefined();

    await postgres.server.startAgain();
    await Promise.all([ended, settled]);
    expect(told).toEqual(OK);
    expect(await invocations.find('key_agent', 'once')).toMatchObject({ outcome: OK });
    await vi.waitFor(async () => expect(await invocations.start(aCall({ idempotencyKey: 'again' }))).toBe(true));
    expect((await invocations.get(unkeyed.id))?.outcome).toEqual({ ...OK, body: null });
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  },
  LONG,
);

test('across crashes, no resolved start or end is lost, and keys of refused starts are free', async () => {
  const { nodes } = await openNodes(2);
  const started: string[] = [];
  const ended: string[] = [];
  const refusedKeys: string[] = [];
  let running = true;
  const worker = async ({ invocations }: Store, name: string) => {
    for (let number = 0; running; number++) {
      const call = aCall({ idempotencyKey: `${name}-${number}` });
      try {
        expect(await invocations.start(call)).toBe(true);
        started.push(call.id);
      } catch (error) {
        expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
        refusedKeys.push(call.idempotencyKey ?? '');
        await new Promise((resolve) => setTimeout(resolve, 20));
        continue;
      }
      await invocations.end(call.id, OK);
      ended.push(call.id);
    }
  };
  const workers = nodes.flatMap((node, index) => Array.from({ length: 16 }, (_, number) => worker(node, `${index}-${number}`)));
  for (let crash = 0; crash < 3; crash++) {
    const seen = ended.length;
    await vi.waitFor(() => expect(ended.length).toBeGreaterThan(seen + 200), { timeout: LONG });
    await postgres.server.crash();
    await postgres.server.startAgain();
  }
  running = false;
  await Promise.all(workers);
  await Promise.all(nodes.map(({ invocations }) => invocations.settled()));

  const books = new Map((await nodes[0].invocations.list({ limit: 1_000_000 })).map((record) => [record.id, record]));
  expect(started.filter((id) => !books.has(id))).toEqual([]);
  expect(ended.filter((id) => books.get(id)?.outcome?.code !== 'OK')).toEqual([]);
  expect(refusedKeys.length).toBeGreaterThan(0);
  const held = new Set([...books.values()].map(({ idempotencyKey }) => idempotencyKey));
  expect(refusedKeys.filter((key) => held.has(key))).toEqual([]);
}, 120_000);

test(
  'after a lost connection all keys and toolkits count as changed; the lock is acquired again',
  async () => {
    const { nodes, execute, url } = await openNodes(1, { shared: false });
    const heard = vi.fn();
    onTestFinished(nodes[0].onForeignChange(heard));
    await execute('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith({ keys: true, toolkits: 'all' }), { timeout: LONG });
    await expect(openPostgresStore({ url })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await nodes[0].invocations.start(aCall({ idempotencyKey: 'once' }))).toBe(true);
  },
  LONG,
);

test('rate limits count the calls of all nodes', async () => {
  const { nodes } = await openNodes(2);
  const counters = nodes.map((node) => node.counter({ points: 3, seconds: 60 }));
  const consume = async (index: number) => (await counters[index]?.consume('key_a'))?.remainingPoints;
  expect([await consume(0), await consume(1), await consume(0)]).toEqual([2, 1, 0]);
  await expect(consume(1)).rejects.toMatchObject({ msBeforeNext: expect.any(Number) });
  await expect(consume(0)).rejects.toMatchObject({ msBeforeNext: expect.any(Number) });
});
