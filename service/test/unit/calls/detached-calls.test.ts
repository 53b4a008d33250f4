/** Calls without their callers on a real store, whose answers are lost as when a connection breaks after the commit. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { DetachedCalls } from '../../../src/calls/detached/detached-calls';
import type { DetachedCall } from '../../../src/calls/detached/detached-runner';
import { Doorbell } from '../../../src/lib/doorbell';
import { silentLogger } from '../../../src/lib/logger';
import { openSqliteStore } from '../../../src/store/sqlite/open';
import type { Store } from '../../../src/store/store';
import { StoreUnavailable } from '../../../src/store/store-unavailable';

const CALL: DetachedCall = {
  ...{ id: 'inv_1', key: { id: 'key_a' } as DetachedCall['key'], callerIds: undefined, actionId: 'shop__buy', payloadJson: '{"n":1}' },
  ...{ idempotencyKey: 'order-1', requestHash: 'hash', deadlineAt: Date.now() + 60_000 },
};

async function setUp() {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const begun: unknown[] = [];
  const doorbell = new Doorbell();
  const calls = new DetachedCalls({
    store: store.detached,
    invocations: store.invocations,
    keys: { find: async () => ({ id: 'key_a' }), again: () => ({ id: 'key_a' }), hold: () => () => {} } as never,
    grants: { check: () => undefined } as never,
    cluster: { doorbell, ring: (id) => doorbell.ring(id) },
    texts: { seal: (sealed) => ({ sealed, sealedBy: 'k1' }), open: ({ sealed }) => sealed },
    limits: { detachedPerKey: 100 },
    begin: ({ body }) => void begun.push(body),
    isOffline: () => false,
    logger: silentLogger,
  });
  onTestFinished(() => calls.letGo());
  return { store, calls, begun, doorbell };
}

/** The store does what it is asked to, and its answer is lost. */
function loseAnswer<Name extends 'add' | 'takeAbandoned'>({ detached }: Store, name: Name): void {
  const real = detached[name].bind(detached) as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(detached, name).mockImplementationOnce((async (...args: unknown[]) => {
    await real(...args);
    throw new StoreUnavailable('the database cannot be reached', 'The connection was reset', undefined, true);
  }) as never);
}

test('a call is begun whose store lost the answer that it is stored', async () => {
  const { store, calls, begun } = await setUp();
  loseAnswer(store, 'add');
  await expect(calls.start(CALL)).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT', retryable: true, retryAfterMs: 1_000 });
  expect(await calls.start({ ...CALL, id: 'inv_2' })).toBe('inv_1');
  await calls.takeAbandoned();
  await vi.waitFor(() => expect(begun).toMatchObject([{ action: 'shop__buy', payload: { n: 1 } }]));
  await calls.takeAbandoned();
  expect(begun).toHaveLength(1);
});

test('a call is begun whose store lost the answer that it is taken over', async () => {
  const { store, calls, begun } = await setUp();
  loseAnswer(store, 'add');
  await calls.start(CALL).catch(() => undefined);
  await store.detached.letGo();
  loseAnswer(store, 'takeAbandoned');
  await calls.takeAbandoned().catch(() => undefined);
  expect(begun).toEqual([]);
  await calls.takeAbandoned();
  await vi.waitFor(() => expect(begun).toHaveLength(1));
});

test('a node that has let its calls go leaves the store alone, which may be closed', async () => {
  const { store, calls, doorbell } = await setUp();
  const { takeAbandoned, driven } = store.detached;
  const slow = Promise.withResolvers<void>();
  vi.spyOn(store.detached, 'takeAbandoned').mockImplementation(async (max) => {
    await slow.promise;
    return takeAbandoned.call(store.detached, max);
  });
  const looked = vi.spyOn(store.detached, 'driven').mockImplementation(() => driven.call(store.detached));
  const handedOver = vi.spyOn(store.detached, 'letGo');
  await calls.start(CALL);
  doorbell.ring('detached calls');
  await vi.waitFor(() => expect(store.detached.takeAbandoned).toHaveBeenCalled());
  let hasLetGo = false;
  const lettingGo = calls.letGo().then(() => {
    hasLetGo = true;
  });
  await new Promise(setImmediate);
  expect(hasLetGo).toBe(false);
  slow.resolve();
  await lettingGo;
  const [looks, handOvers] = [looked.mock.calls.length, handedOver.mock.calls.length];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([looked.mock.calls.length, handedOver.mock.calls.length]).toEqual([looks, handOvers]);
});
