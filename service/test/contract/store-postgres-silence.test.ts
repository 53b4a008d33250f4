// @module-tag postgres
/** Faults that are detected after a timeout: a silent server, a dead node, a lock that is not released. A fifth of the real times. */
import '../../../test/support/own-modules';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { ownPostgres } from '../../../test/support/postgres';
import { openPostgresStore } from '../../src/store/postgres/open';
import { DEAD_AFTER_MS } from '../../src/store/postgres/times';
import type { Store } from '../../src/store/store';
import { aCall, OK } from './store-records';

vi.mock('../../src/store/postgres/times', async (original) => {
  const times = await original<Record<string, number>>();
  return Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, ms / 5]));
});
afterAll(() => void vi.resetModules());

const postgres = ownPostgres();
/** Longer than a node may be silent. */
const LONG = 30_000;

/** Stores on a separate database; their errors are expected here. */
async function openNodes(count: number) {
  const url = await postgres.server.newDatabase();
  const nodes: Store[] = [];
  for (let node = 0; node < count; node++) nodes.push(await openPostgresStore({ url, shared: true, onError: () => {} }));
  onTestFinished(async () => void (await Promise.allSettled(nodes.map((node) => node.close()))));
  return { nodes: nodes as [Store, ...Store[]], execute: (sql: string) => postgres.server.execute(sql, url) };
}

test('the real times give a node five heartbeats, and let the server cancel a statement before the connection is given up', async () => {
  expect(await vi.importActual('../../src/store/postgres/times')).toMatchObject({
    BEAT_MS: 2_000,
    DEAD_AFTER_MS: 10_000,
    LOCK_MS: 2_000,
    STATEMENT_MS: 8_000,
    QUERY_MS: 10_000,
  });
});

test(
  'a node without heartbeats loses its calls to exactly one other node, a living node never',
  async () => {
    const { nodes, execute } = await openNodes(3);
    const [living, ...others] = nodes;
    const lost = Array.from({ length: 100 }, (_, index) => aCall({ idempotencyKey: `lost-${index}`, startedAt: index }));
    const kept = Array.from({ length: 100 }, (_, index) => aCall({ idempotencyKey: `kept-${index}` }));
    await Promise.all([...lost, ...kept].map((call) => living.invocations.start(call)));
    // The state after a node crash; the other nodes detect it by missing heartbeats.
    await execute("INSERT INTO nodes VALUES ('node_dead', (extract(epoch FROM now()) * 1000)::bigint)");
    await execute("UPDATE invocations SET node = 'node_dead' WHERE idempotency_key LIKE 'lost-%'");
    expect((await Promise.all(others.map(({ invocations }) => invocations.takeAbandoned()))).flat()).toEqual([]);

    await execute(`UPDATE nodes SET seen_at = seen_at - ${DEAD_AFTER_MS} WHERE id = 'node_dead'`);
    const taken = await vi.waitFor(
      async () => {
        const some = await Promise.all(others.map(({ invocations }) => invocations.takeAbandoned()));
        expect(some.flat()).not.toEqual([]);
        return some;
      },
      { timeout: LONG, interval: 100 },
    );
    expect(
      taken
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(lost.map(({ id }) => id).sort());
    for (const [index, records] of taken.entries()) {
      expect(records.every(({ node }) => node === others[index]?.node)).toBe(true);
      expect(records.map(({ startedAt }) => startedAt)).toEqual(
        records.map(({ startedAt }) => startedAt).sort((one, other) => one - other),
      );
    }
    expect(await living.invocations.find('key_agent', 'kept-7')).toMatchObject({ node: living.node, outcome: null });
    await execute("UPDATE nodes SET seen_at = 1 WHERE id = 'node_dead'");
    await living.invocations.takeAbandoned();
    expect(await execute("SELECT 1 FROM nodes WHERE id = 'node_dead'")).toEqual([]);
  },
  LONG,
);

test('a server that stops answering is detected, and used again when it answers', async () => {
  const { nodes } = await openNodes(1);
  const [{ invocations }] = nodes;
  const call = aCall({ idempotencyKey: 'once' });
  await invocations.start(call);
  postgres.server.freeze();
  onTestFinished(() => postgres.server.thaw());
  const ended = invocations.end(call.id, OK);
  const unavailable = { code: 'SERVICE_UNAVAILABLE' };
  await expect(invocations.start(aCall({ idempotencyKey: 'other' }))).rejects.toMatchObject(unavailable);
  await expect(invocations.find('key_agent', 'once')).rejects.toMatchObject(unavailable);
  postgres.server.thaw();
  expect(await ended).toEqual(OK);
  expect(await invocations.find('key_agent', 'once')).toMatchObject({ outcome: OK });
});

test('a second node is refused unless both nodes have a bus', async () => {
  const url = await postgres.server.newDatabase();
  const alone = await openPostgresStore({ url });
  const refused = { code: 'INVALID_REQUEST', message: expect.stringContaining('--nats') };
  await expect(openPostgresStore({ url })).rejects.toMatchObject(refused);
  await expect(openPostgresStore({ url, shared: true })).rejects.toMatchObject(refused);
  await alone.close();
  const nodes = [await openPostgresStore({ url, shared: true }), await openPostgresStore({ url, shared: true })];
  await expect(openPostgresStore({ url })).rejects.toMatchObject(refused);
  await Promise.all(nodes.map((node) => node.close()));
  await (await openPostgresStore({ url })).close();
});
