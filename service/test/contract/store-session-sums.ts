/** The contract of every store for the sums of sessions and users. */
import { describe, expect, test } from 'vitest';
import type { SessionAddition, SessionListQuery, UsageRecord, UserAddition } from '../../src/store/session-store';
import type { Store } from '../../src/store/store';

const DAY = 86_400_000;
/** The number is too large to be exact in JavaScript. */
const LARGE = 9_007_199_254_740_993n;

const nothing = { firstAt: 1_000, lastAt: 1_000, searches: 0, inVain: 0, calls: 0, errors: 0, cost: 0n };
const aSession = (change: Partial<SessionAddition> = {}): SessionAddition => ({
  ...{ agentKeyId: 'key_a', sessionId: 'chat', userId: null, lastCall: null },
  ...nothing,
  ...change,
});
const aUser = (change: Partial<UserAddition> = {}): UserAddition => ({
  ...{ agentKeyId: 'key_a', userId: 'ada', day: 0 },
  ...nothing,
  ...change,
});
const aReport = (change: Partial<UsageRecord> = {}): UsageRecord => ({
  ...{ agentKeyId: 'key_a', sessionId: 'chat', userId: null, id: 'u1', model: 'gpt-6', at: 2_000 },
  tokens: { input: 1_200, cached: 1_024, output: 86 },
  ...change,
});

export function sessionSumContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: sums of sessions and users`, () => {
    test('additions of all nodes add up, each key for itself', async () => {
      const { sessionSums } = await newStore();
      await sessionSums.add({ sessions: [], users: [] });
      const first = aSession({ searches: 2, inVain: 2, calls: 1, cost: LARGE, lastCall: { at: 1_000, code: 'OK' } });
      const second = aSession({ firstAt: 500, lastAt: 9_000, userId: 'ada', inVain: -1, calls: 1, errors: 1, cost: 1n });
      await sessionSums.add({ sessions: [first, aSession({ agentKeyId: 'key_b', calls: 7 })], users: [] });
      await Promise.all([
        sessionSums.add({ sessions: [{ ...second, lastCall: { at: 9_000, code: 'ACTION_FAILED' } }], users: [] }),
        sessionSums.add({ sessions: [aSession({ lastCall: { at: 800, code: 'NOT_FOUND' } })], users: [] }),
      ]);
      const sums = {
        ...{ agentKeyId: 'key_a', sessionId: 'chat', userId: 'ada', firstAt: 500, lastAt: 9_000, lastCode: 'ACTION_FAILED' },
        ...{ searches: 2, inVain: 1, calls: 2, errors: 1, cost: LARGE + 1n, tokens: { input: 0, cached: 0, output: 0 } },
      };
      expect(await sessionSums.find('chat', ['key_a'])).toEqual([sums]);
      expect((await sessionSums.find('chat')).map(({ agentKeyId, calls }) => [agentKeyId, calls])).toEqual([
        ['key_a', 2],
        ['key_b', 7],
      ]);
      expect(await sessionSums.find('chat', [])).toEqual([]);
    });

    test('a report of tokens counts once, by session, user, day and model', async () => {
      const { sessionSums } = await newStore();
      const report = aReport({ userId: 'ada' });
      await sessionSums.addUsage([]);
      await sessionSums.addUsage([report]);
      const other = aReport({ id: 'u2', model: 'small', userId: 'ada', at: DAY + 1, tokens: { input: 10, cached: 0, output: 5 } });
      await sessionSums.addUsage([report, other]);
      await Promise.all([sessionSums.addUsage([other]), sessionSums.addUsage([other, aReport({ agentKeyId: 'key_b' })])]);

      const tokens = { input: 1_210, cached: 1_024, output: 91 };
      expect(await sessionSums.find('chat', ['key_a'])).toMatchObject([
        { userId: 'ada', tokens, calls: 0, firstAt: 2_000, lastAt: DAY + 1 },
      ]);
      expect(await sessionSums.user('ada')).toMatchObject({ tokens, firstAt: 2_000, lastAt: DAY + 1 });
      expect((await sessionSums.daysOf('ada')).map(({ day, tokens: ofDay }) => [day, ofDay.input])).toEqual([
        [0, 1_200],
        [DAY, 10],
      ]);
      const models = [
        { model: 'gpt-6', tokens: report.tokens },
        { model: 'small', tokens: other.tokens },
      ];
      expect(await sessionSums.models({ sessionId: 'chat' }, ['key_a'])).toEqual(models);
      expect(await sessionSums.models({ userId: 'ada' })).toEqual(models);
      await sessionSums.forgetModels();
      expect(await sessionSums.models({ sessionId: 'chat' }, ['key_a'])).toEqual([{ model: '', tokens }]);
    });

    test('sessions are filtered, sorted and paged without gap or repetition', async () => {
      const { sessionSums } = await newStore();
      const sessions = Array.from({ length: 1_203 }, (_, index) =>
        aSession({
          sessionId: `Chat-${index}`,
          agentKeyId: index % 2 ? 'key_a' : 'key_b',
          lastAt: 1_000 + index,
          calls: index % 3,
          errors: index % 3 === 2 ? 1 : 0,
          inVain: index === 7 ? 1 : 0,
          userId: index === 7 ? 'ada' : null,
          cost: BigInt(index % 5),
          lastCall: { at: 1, code: index % 3 === 2 ? 'ACTION_FAILED' : 'OK' },
        }),
      );
      await sessionSums.add({ sessions, users: [] });
      const of = async (change: Partial<SessionListQuery>) =>
        (await sessionSums.list({ sort: 'lastActivity', order: 'desc', limit: 2_000, ...change })).map(({ sessionId }) => sessionId);
      expect((await of({})).slice(0, 2)).toEqual(['Chat-1202', 'Chat-1201']);
      expect(await of({ userId: 'ada' })).toEqual(['Chat-7']);
      expect(await of({ inVain: true })).toEqual(['Chat-7']);
      expect(await of({ text: 'cHAT-120', order: 'asc' })).toEqual(['Chat-120', 'Chat-1200', 'Chat-1201', 'Chat-1202']);
      expect(await of({ text: '%' })).toEqual([]);
      expect(await of({ from: 1_010, to: 1_012 })).toEqual(['Chat-11', 'Chat-10']);
      expect(await of({ outcome: 'endedInError' })).toHaveLength(401);
      expect(await of({ outcome: 'error' })).toHaveLength(401);
      expect(await of({ outcome: 'ok' })).toHaveLength(802);
      expect(await of({ dearerThan: 3n })).toHaveLength(240);
      expect(await of({ agentKeyIds: ['key_a', 'key_c'] })).toHaveLength(601);
      expect(await of({ agentKeyIds: [] })).toEqual([]);
      for (const order of ['asc', 'desc'] as const) {
        const paged: string[] = [];
        for (let after: SessionListQuery['after']; ; ) {
          const page = await sessionSums.list({ sort: 'cost', order, limit: 250, after });
          paged.push(...page.map(({ sessionId }) => sessionId));
          const last = page.at(-1);
          if (!last) break;
          after = { value: String(last.cost), agentKeyId: last.agentKeyId, sessionId: last.sessionId };
        }
        expect(paged).toEqual(await of({ sort: 'cost', order }));
        expect(new Set(paged).size).toBe(1_203);
      }
      for (const sort of ['searches', 'calls', 'errors', 'tokens', 'duration'] as const) expect(await of({ sort })).toHaveLength(1_203);
    });

    test('the days of users add up, of some keys, in pages', async () => {
      const { sessionSums } = await newStore();
      const users = [
        aUser({ calls: 1, cost: 5n }),
        aUser({ day: DAY, firstAt: DAY, lastAt: DAY + 5, calls: 2, errors: 1, cost: 7n }),
        aUser({ agentKeyId: 'key_b', searches: 3, inVain: 1 }),
        aUser({ userId: 'bob', calls: 9 }),
      ];
      await sessionSums.add({ sessions: [aSession({ userId: 'ada' }), aSession({ sessionId: 'other', userId: 'ada' })], users });
      const ada = { userId: 'ada', firstAt: 1_000, lastAt: DAY + 5, searches: 3, inVain: 1, calls: 3, errors: 1, cost: 12n };
      expect(await sessionSums.user('ada')).toMatchObject(ada);
      expect(await sessionSums.user('ada', ['key_b'])).toMatchObject({ calls: 0, searches: 3 });
      expect(await sessionSums.user('ada', ['key_c'])).toBeUndefined();
      const idsOf = async (change: object) =>
        (await sessionSums.users({ sort: 'calls', order: 'desc', limit: 10, ...change })).map(({ userId }) => userId);
      expect(await idsOf({})).toEqual(['bob', 'ada']);
      expect(await idsOf({ after: { value: '9', userId: 'bob' } })).toEqual(['ada']);
      expect(await idsOf({ text: 'B' })).toEqual(['bob']);
      expect(await idsOf({ agentKeyIds: ['key_b'] })).toEqual(['ada']);
      expect(await idsOf({ from: DAY })).toEqual(['ada']);
      expect((await sessionSums.daysOf('ada')).map(({ day, calls, cost }) => [day, calls, cost])).toEqual([
        [0, 1, 5n],
        [DAY, 2, 7n],
      ]);
      expect(await sessionSums.sessionsOf(['ada', 'bob'])).toEqual(new Map([['ada', 2]]));
      expect(await sessionSums.sessionsOf([])).toEqual(new Map());
    });

    test('old sums and reports are removed, thousands of them', async () => {
      const { sessionSums } = await newStore();
      const sessions = Array.from({ length: 1_200 }, (_, at) => aSession({ sessionId: `chat-${at}`, lastAt: at }));
      await sessionSums.add({ sessions, users: [aUser(), aUser({ day: 5 * DAY, calls: 1 })] });
      await sessionSums.addUsage([aReport({ sessionId: 'old' }), aReport({ sessionId: 'new', at: 5 * DAY })]);
      await sessionSums.prune(1_100);
      expect(await sessionSums.list({ sort: 'lastActivity', order: 'asc', limit: 2_000 })).toHaveLength(102);
      await sessionSums.prune(3 * DAY);
      expect((await sessionSums.list({ sort: 'lastActivity', order: 'asc', limit: 9 })).map(({ sessionId }) => sessionId)).toEqual(['new']);
      expect(await sessionSums.daysOf('ada')).toMatchObject([{ day: 5 * DAY, calls: 1 }]);
      expect(await sessionSums.models({ sessionId: 'old' })).toEqual([]);
    });
  });
}
