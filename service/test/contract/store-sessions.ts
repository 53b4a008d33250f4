/** The contract of every store for the searches and calls of sessions. */
import { describe, expect, test } from 'vitest';
import { newInvocationId } from '../../src/calls/invocation-id';
import type { SessionRequest } from '../../src/store/console-store';
import type { Store } from '../../src/store/store';

const aRequest = (change: Partial<SessionRequest> = {}): SessionRequest => ({
  id: 'inv_1',
  agentKeyId: 'key_a',
  sessionId: 'chat',
  userId: null,
  at: 1_000,
  searchId: null,
  query: null,
  shown: null,
  ...change,
});

export function sessionContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: sessions`, () => {
    test('a session is listed in order of time, a search before the calls of its millisecond, each once', async () => {
      const { sessionRequests } = await newStore();
      await sessionRequests.add([]);
      const search = aRequest({ id: 'node_1.s', userId: 'ada', searchId: 'node_1.r', query: 'wëather', shown: ['weather__now'] });
      const later = aRequest({ id: 'inv_0', at: 2_000, origin: 'console' });
      await sessionRequests.add([later, aRequest(), search]);
      await sessionRequests.add([aRequest({ sessionId: 'other' }), aRequest({ id: 'inv_9', sessionId: null, userId: 'ada' })]);
      const all = [search, aRequest(), later];
      expect(await sessionRequests.list({ sessionId: 'chat', limit: 10 })).toEqual(all);
      for (const [index, after] of all.entries())
        expect(await sessionRequests.list({ sessionId: 'chat', after, limit: 10 })).toEqual(all.slice(index + 1));
      expect(await sessionRequests.list({ sessionId: 'chat', limit: 2 })).toEqual(all.slice(0, 2));
      expect(await sessionRequests.list({ sessionId: 'other', limit: 2 })).toEqual([]);
    });

    test('a session is listed for some keys', async () => {
      const { sessionRequests } = await newStore();
      await sessionRequests.add([aRequest(), aRequest({ id: 'inv_2', agentKeyId: 'key_b' })]);
      const idsOf = async (agentKeyIds: string[]) =>
        (await sessionRequests.list({ sessionId: 'chat', agentKeyIds, limit: 10 })).map(({ id }) => id);
      expect(await idsOf(['key_b', 'key_c'])).toEqual(['inv_2']);
      expect(await idsOf([])).toEqual([]);
    });

    test('the session of a call is found by its id, also among thousands', async () => {
      const { sessionRequests } = await newStore();
      const many = Array.from({ length: 2_500 }, (_, index) => aRequest({ id: `inv_${index}` }));
      await sessionRequests.add(many);
      const found = await sessionRequests.ofCalls([...many.map(({ id }) => id), 'inv_none']);
      expect(found.size).toBe(2_500);
      expect(found.get('inv_7')).toEqual(aRequest({ id: 'inv_7' }));
      expect(await sessionRequests.ofCalls([])).toEqual(new Map());
    });

    test('texts are removed, and old requests, thousands of them', async () => {
      const { sessionRequests } = await newStore();
      const searches = Array.from({ length: 1_200 }, (_, at) => aRequest({ id: `node_${at}`, at, query: 'secret', shown: [] }));
      await sessionRequests.add(searches);
      await sessionRequests.forgetQueries();
      const listed = await sessionRequests.list({ sessionId: 'chat', limit: 2_000 });
      expect(listed.map(({ query }) => query)).toEqual(Array(1_200).fill(null));
      await sessionRequests.prune(1_100);
      expect(await sessionRequests.list({ sessionId: 'chat', limit: 2_000 })).toHaveLength(100);
    });

    test('calls are listed by session and user, newest first, with the other filters', async () => {
      const { invocations, sessionRequests } = await newStore();
      const ids = [newInvocationId(), newInvocationId(), newInvocationId(), newInvocationId()].sort();
      const codes = ['OK', 'ACTION_FAILED', 'OK', undefined];
      for (const [index, id] of ids.entries()) {
        const call = { id, agentKeyId: 'key_a', idempotencyKey: null, requestHash: '', action: 'weather__now', startedAt: Date.now() };
        await invocations.start(call);
        const code = codes[index];
        if (code) await invocations.end(id, { code, body: null, endedAt: Date.now() });
      }
      const named = ids.map((id, index) => aRequest({ id, sessionId: index === 2 ? 'other' : 'chat', userId: index === 0 ? null : 'ada' }));
      await sessionRequests.add(named);
      const found = async (filter: object) => (await invocations.list({ ...filter, limit: 10 })).map(({ id }) => ids.indexOf(id));
      expect(await found({ sessionId: 'chat' })).toEqual([3, 1, 0]);
      expect(await found({ userId: 'ada' })).toEqual([3, 2, 1]);
      expect(await found({ sessionId: 'chat', userId: 'ada' })).toEqual([3, 1]);
      expect(await found({ sessionId: 'chat', outcome: 'running' })).toEqual([3]);
      expect(await found({ sessionId: 'chat', outcome: 'error' })).toEqual([1]);
      expect(await found({ sessionId: 'chat', outcome: 'ok' })).toEqual([0]);
      expect(await found({ sessionId: 'chat', agentKeyIds: [] })).toEqual([]);
      expect(await found({ sessionId: 'chat', agentKeyIds: ['key_b'] })).toEqual([]);
      expect(await found({ userId: 'ada', before: ids[3] })).toEqual([2, 1]);
      expect(await found({ ids: [ids[2], ids[0], 'inv_none'] })).toEqual([2, 0]);
      expect(await found({ ids: [] })).toEqual([]);
    });
  });
}
