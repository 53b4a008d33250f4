/** The contract of every store for runs of code. */
import { describe, expect, test } from 'vitest';
import type { NewRun, RunList } from '../../src/store/run-store';
import type { Store } from '../../src/store/store';
import { hashOf } from './store-records';

const LIMITS = { running: 10, waiting: 10 };
const ANSWER = { status: 'done', answer: { sealed: 'the answer', sealedBy: 'k2' }, calls: 3 } as const;
const STATE = { sealed: 'the state', sealedBy: 'k1' };

const aRun = (id: string, change: Partial<NewRun> = {}): NewRun => ({
  ...{ id, agentKeyId: 'key_a', userId: 'u_1', sessionId: 'chat', idempotencyKey: `key of ${id}`, requestHash: hashOf(id) },
  ...{ code: { sealed: `code ${id}`, sealedBy: 'k1' }, caller: '{"userId":"u_1"}', timeoutMs: 600_000, deadlineAt: 2_000_000_000_000 },
  ...change,
});

export function runsContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: runs of code`, () => {
    test('a stored run is read unchanged, and belongs to the node that stored it', async () => {
      const { runs, node } = await newStore();
      const run = aRun('run_1');
      const added = await runs.add(run, LIMITS);
      const rest = { node, status: 'running', attempt: 0, calls: 0, state: null, answer: null, cancelledAt: null, endedAt: null };
      expect(added).toEqual({ run: { ...run, ...rest, createdAt: expect.any(Number) }, isNew: true });
      expect(await runs.get('run_1')).toEqual(added?.run);
      expect(Math.abs((added?.run.createdAt ?? 0) - Date.now())).toBeLessThan(30_000);
      expect(await runs.get('run_2')).toBeUndefined();
      expect(await runs.named('key_a', 'key of run_1')).toEqual(added?.run);
      expect(await runs.named('key_b', 'key of run_1')).toBeUndefined();
      const bare = aRun('run_3', { userId: null, sessionId: null });
      expect((await runs.add(bare, LIMITS))?.run).toMatchObject(bare);
    });

    test('runs are listed newest first, of some keys or a conversation, page by page', async () => {
      const { runs } = await newStore();
      for (const id of ['run_1', 'run_2', 'run_3']) await runs.add(aRun(id), LIMITS);
      await runs.add(aRun('run_4', { agentKeyId: 'key_b', sessionId: null }), LIMITS);
      const ids = async (query: Partial<RunList>) => (await runs.list({ agentKeyIds: undefined, limit: 10, ...query })).map(({ id }) => id);
      expect(await ids({})).toEqual(['run_4', 'run_3', 'run_2', 'run_1']);
      expect(await ids({ agentKeyIds: ['key_a'], limit: 2 })).toEqual(['run_3', 'run_2']);
      expect(await ids({ agentKeyIds: ['key_a'], before: 'run_2' })).toEqual(['run_1']);
      expect(await ids({ sessionId: 'chat' })).toEqual(['run_3', 'run_2', 'run_1']);
      expect(await ids({ agentKeyIds: [] })).toEqual([]);
    });

    test('a key has one run with an idempotency key, also of many at once', async () => {
      const { runs } = await newStore();
      const same = Array.from({ length: 8 }, (_, index) => aRun(`run_${index}`, { idempotencyKey: 'once' }));
      const added = await Promise.all(same.map((run) => runs.add(run, LIMITS)));
      expect(new Set(added.map((it) => it?.run.id)).size).toBe(1);
      expect(added.filter((it) => it?.isNew)).toHaveLength(1);
      const other = aRun('run_9', { idempotencyKey: 'once', agentKeyId: 'key_b' });
      expect(await runs.add(other, LIMITS)).toMatchObject({ run: { id: 'run_9' }, isNew: true });
    });

    test('so many runs of a key are in progress, and so many wait; those that ended do not count', async () => {
      const { runs } = await newStore();
      const limits = { running: 2, waiting: 1 };
      await runs.add(aRun('run_other', { agentKeyId: 'key_b' }), limits);
      for (const id of ['run_1', 'run_2']) expect((await runs.add(aRun(id), limits))?.isNew).toBe(true);
      expect(await runs.add(aRun('run_3'), limits)).toBeUndefined();
      expect(await runs.get('run_3')).toBeUndefined();
      const again = aRun('run_4', { idempotencyKey: 'key of run_1' });
      expect(await runs.add(again, limits)).toMatchObject({ run: { id: 'run_1' }, isNew: false });
      await runs.end('run_1', ANSWER);
      expect((await runs.add(aRun('run_3'), limits))?.isNew).toBe(true);
      await runs.suspend('run_2', STATE, 1);
      expect(await runs.add(aRun('run_5'), limits)).toBeUndefined();
      await runs.wake('run_2');
      await runs.end('run_3', ANSWER);
      expect((await runs.add(aRun('run_5'), limits))?.isNew).toBe(true);
    });

    test('a run begins, waits, is woken, and ends; its first end stays', async () => {
      const { runs } = await newStore();
      await runs.add(aRun('run_1'), LIMITS);
      await runs.begin('run_1', 2_000_000_000_001);
      expect(await runs.get('run_1')).toMatchObject({ status: 'running', attempt: 1, deadlineAt: 2_000_000_000_001 });
      await runs.suspend('run_1', STATE, 2);
      expect(await runs.get('run_1')).toMatchObject({ status: 'waiting', state: STATE, calls: 2 });
      await runs.wake('run_1');
      await runs.begin('run_1', 2_000_000_000_002);
      expect(await runs.get('run_1')).toMatchObject({ status: 'running', attempt: 2, state: STATE });
      await runs.end('run_1', ANSWER);
      const ended = await runs.get('run_1');
      expect(ended).toMatchObject({ status: 'done', state: null, answer: ANSWER.answer, calls: 3, endedAt: expect.any(Number) });
      await runs.end('run_1', { ...ANSWER, status: 'failed' });
      await runs.cancel('run_1');
      await runs.begin('run_1', 1);
      await runs.keep('run_1', STATE);
      await runs.suspend('run_1', STATE, 9);
      await runs.wake('run_1');
      await runs.report(new Map([['run_1', 50]]));
      expect(await runs.get('run_1')).toEqual(ended);
    });

    test('a running one is not woken, and keeps answers for the next attempt', async () => {
      const { runs } = await newStore();
      await runs.add(aRun('run_1'), LIMITS);
      await runs.wake('run_1');
      await runs.keep('run_1', STATE);
      expect(await runs.get('run_1')).toMatchObject({ status: 'running', state: STATE, attempt: 0 });
    });

    test('states and numbers of calls, of many runs at once', async () => {
      const { runs } = await newStore();
      for (const id of ['run_1', 'run_2', 'run_3']) await runs.add(aRun(id), LIMITS);
      await runs.cancel('run_2');
      await runs.end('run_3', ANSWER);
      const states = await runs.states(['run_1', 'run_2', 'run_3', 'run_none']);
      expect(states.sort((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
        { id: 'run_1', status: 'running', isCancelled: false },
        { id: 'run_2', status: 'running', isCancelled: true },
        { id: 'run_3', status: 'done', isCancelled: false },
      ]);
      expect(await runs.states([])).toEqual([]);
      await runs.report(
        new Map([
          ['run_2', 7],
          ['run_1', 5],
        ]),
      );
      await runs.report(new Map());
      expect((await Promise.all(['run_1', 'run_2'].map((id) => runs.get(id)))).map((run) => run?.calls)).toEqual([5, 7]);
    });

    test('an ended run is forgotten, a running one is not', async () => {
      const { runs } = await newStore();
      await runs.add(aRun('run_1', { idempotencyKey: 'once' }), LIMITS);
      await runs.forget('run_1');
      expect(await runs.add(aRun('run_2', { idempotencyKey: 'once' }), LIMITS)).toMatchObject({ run: { id: 'run_1' } });
      await runs.end('run_1', ANSWER);
      await runs.forget('run_1');
      expect(await runs.add(aRun('run_2', { idempotencyKey: 'once' }), LIMITS)).toMatchObject({ run: { id: 'run_2' }, isNew: true });
    });

    test('a run that its node let go is taken once, in portions, also one that waits; an ended one is not', async () => {
      const { runs, node } = await newStore();
      for (const id of ['run_1', 'run_2', 'run_3', 'run_4']) await runs.add(aRun(id), LIMITS);
      await runs.suspend('run_2', STATE, 1);
      await runs.end('run_4', ANSWER);
      expect(await runs.takeAbandoned(10)).toEqual([]);
      expect((await runs.driven()).sort()).toEqual(['run_1', 'run_2', 'run_3']);
      await runs.letGo();
      expect(await runs.driven()).toEqual([]);
      expect((await runs.get('run_1'))?.node).toBeNull();
      const taken = await runs.takeAbandoned(2);
      expect(taken).toHaveLength(2);
      taken.push(...(await runs.takeAbandoned(2)));
      expect(taken.map(({ id }) => id).sort()).toEqual(['run_1', 'run_2', 'run_3']);
      expect(taken.find(({ id }) => id === 'run_2')).toMatchObject({ node, status: 'waiting', state: STATE });
      expect(await runs.takeAbandoned(2)).toEqual([]);
    });

    test('ended runs are removed after their time, others stay', async () => {
      const { runs } = await newStore();
      for (const id of ['run_1', 'run_2']) await runs.add(aRun(id), LIMITS);
      await runs.end('run_2', ANSWER);
      await runs.removeEnded(60_000);
      expect(await runs.get('run_2')).toBeDefined();
      await runs.removeEnded(-60_000);
      expect(await runs.get('run_2')).toBeUndefined();
      expect(await runs.get('run_1')).toBeDefined();
    });
  });
}
