/** The contract of every store for calls that go on without their callers. */
import { describe, expect, test } from 'vitest';
import type { NewDetachedCall } from '../../src/store/detached-store';
import type { Store } from '../../src/store/store';
import { hashOf } from './store-records';

const aDetached = (id: string, change: Partial<NewDetachedCall> = {}): NewDetachedCall => ({
  ...{ id, agentKeyId: 'key_a', userId: 'u_1', idempotencyKey: `key of ${id}`, requestHash: hashOf(id), action: 'films__render' },
  ...{ sealed: `sealed ${id}`, sealedBy: 'k1', caller: '{"userId":"u_1"}', deadlineAt: 2_000_000_000_000, approvalId: null },
  ...change,
});

export function detachedContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: calls without their callers`, () => {
    test('a stored call is read unchanged, and belongs to the node that stored it', async () => {
      const { detached, node } = await newStore();
      const call = aDetached('inv_1', { approvalId: 'apr_1' });
      const added = await detached.add(call, 100);
      const rest = { node, progress: null, cancelledAt: null, error: null, createdAt: expect.any(Number), endedAt: null };
      expect(added).toEqual({ call: { ...call, ...rest }, isNew: true });
      expect(await detached.get('inv_1')).toEqual(added?.call);
      expect(Math.abs((added?.call.createdAt ?? 0) - Date.now())).toBeLessThan(30_000);
      expect(await detached.get('inv_2')).toBeUndefined();
    });

    test('a key has one call with an idempotency key, also of many at once', async () => {
      const { detached } = await newStore();
      const same = Array.from({ length: 8 }, (_, index) => aDetached(`inv_${index}`, { idempotencyKey: 'once' }));
      const added = await Promise.all(same.map((call) => detached.add(call, 100)));
      expect(new Set(added.map((it) => it?.call.id)).size).toBe(1);
      expect(added.filter((it) => it?.isNew)).toHaveLength(1);
      const other = aDetached('inv_9', { idempotencyKey: 'once', agentKeyId: 'key_b' });
      expect(await detached.add(other, 100)).toMatchObject({ call: { id: 'inv_9' }, isNew: true });
    });

    test('so many calls of a key run at most, also of many at once, and those that ended do not count', async () => {
      const { detached } = await newStore();
      await detached.add(aDetached('inv_other', { agentKeyId: 'key_b' }), 3);
      const added = await Promise.all(Array.from({ length: 3 }, (_, index) => detached.add(aDetached(`inv_${index}`), 3)));
      expect(added.every(Boolean)).toBe(true);
      expect(await detached.add(aDetached('inv_4'), 3)).toBeUndefined();
      expect(await detached.get('inv_4')).toBeUndefined();
      expect(await detached.add(aDetached('inv_5', { idempotencyKey: 'key of inv_1' }), 3)).toMatchObject({
        call: { id: 'inv_1' },
        isNew: false,
      });
      await detached.end('inv_1', null);
      const more = await Promise.all(Array.from({ length: 4 }, (_, index) => detached.add(aDetached(`inv_more_${index}`), 3)));
      expect(more.filter(Boolean).length).toBeLessThanOrEqual(1);
    });

    test('an end removes the payload, and the first one stays', async () => {
      const { detached } = await newStore();
      await detached.add(aDetached('inv_1'), 100);
      await detached.end('inv_1', '{"code":"ACTION_NOT_FOUND"}');
      const ended = await detached.get('inv_1');
      expect(ended).toMatchObject({ sealed: '', error: '{"code":"ACTION_NOT_FOUND"}', endedAt: expect.any(Number) });
      await detached.end('inv_1', null);
      await detached.cancel('inv_1');
      await detached.report(new Map([['inv_1', '{"percent":50}']]));
      expect(await detached.get('inv_1')).toEqual(ended);
    });

    test('an ended call is forgotten, a running one is not', async () => {
      const { detached } = await newStore();
      await detached.add(aDetached('inv_1', { idempotencyKey: 'once' }), 100);
      await detached.forget('inv_1');
      expect(await detached.add(aDetached('inv_2', { idempotencyKey: 'once' }), 100)).toMatchObject({ call: { id: 'inv_1' } });
      await detached.end('inv_1', '{"code":"TOOLKIT_OFFLINE"}');
      await detached.forget('inv_1');
      expect(await detached.add(aDetached('inv_2', { idempotencyKey: 'once' }), 100)).toMatchObject({ call: { id: 'inv_2' }, isNew: true });
    });

    test('cancelled and ended calls are found among others', async () => {
      const { detached } = await newStore();
      for (const id of ['inv_1', 'inv_2', 'inv_3', 'inv_4']) await detached.add(aDetached(id), 100);
      await detached.cancel('inv_2');
      await detached.end('inv_3', null);
      await detached.end('inv_4', null);
      const changed = await detached.changed(['inv_1', 'inv_2', 'inv_3', 'inv_none']);
      expect(changed.sort((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
        { id: 'inv_2', isEnded: false },
        { id: 'inv_3', isEnded: true },
      ]);
      expect(await detached.changed([])).toEqual([]);
    });

    test('the newest reports are stored, those of many calls at once', async () => {
      const { detached } = await newStore();
      for (const id of ['inv_1', 'inv_2', 'inv_3']) await detached.add(aDetached(id), 100);
      await detached.report(new Map([['inv_2', '{"percent":1}']]));
      await detached.report(
        new Map([
          ['inv_2', '{"percent":2}'],
          ['inv_1', '{"message":"it’s so"}'],
        ]),
      );
      await detached.report(new Map());
      const stored = await Promise.all(['inv_1', 'inv_2', 'inv_3'].map((id) => detached.get(id)));
      expect(stored.map((call) => call?.progress)).toEqual(['{"message":"it’s so"}', '{"percent":2}', null]);
    });

    test('a call that its node let go is taken once, in portions; an ended one is not', async () => {
      const { detached, node } = await newStore();
      for (const id of ['inv_1', 'inv_2', 'inv_3', 'inv_4']) await detached.add(aDetached(id), 100);
      await detached.end('inv_4', null);
      expect(await detached.takeAbandoned(10)).toEqual([]);
      expect((await detached.driven()).sort()).toEqual(['inv_1', 'inv_2', 'inv_3']);
      await detached.letGo();
      expect(await detached.driven()).toEqual([]);
      expect((await detached.get('inv_1'))?.node).toBeNull();
      const taken = await detached.takeAbandoned(2);
      expect(taken).toHaveLength(2);
      taken.push(...(await detached.takeAbandoned(2)));
      expect(taken.map(({ id }) => id).sort()).toEqual(['inv_1', 'inv_2', 'inv_3']);
      expect(taken[0]).toMatchObject({ node, sealed: `sealed ${taken[0]?.id}` });
      expect(await detached.takeAbandoned(2)).toEqual([]);
    });

    test('ended calls are removed after their time, running ones stay', async () => {
      const { detached } = await newStore();
      await detached.add(aDetached('inv_1'), 100);
      await detached.add(aDetached('inv_2'), 100);
      await detached.end('inv_2', null);
      await detached.removeEnded(60_000);
      expect(await detached.get('inv_2')).toBeDefined();
      await detached.removeEnded(-60_000);
      expect(await detached.get('inv_2')).toBeUndefined();
      expect(await detached.get('inv_1')).toBeDefined();
    });
  });
}
