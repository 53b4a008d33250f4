/** The contract of every store for viewed calls: the list, details, removal. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InvocationFilter } from '../../src/store/console-store';
import { firstIdAt } from '../../src/store/sql/statements';
import type { InvocationOutcome, InvocationRecord, InvocationStart, Store } from '../../src/store/store';
import { aCall, aKey, OFFLINE, OK } from './store-records';

const NOW = 1_700_000_000_000;
const KEYS = ['key_a', 'key_b', 'key_c'];
/** Actions of toolkits whose ids begin alike, and unknown actions. */
const ACTIONS = ['weather__now', 'weather__then', 'weather_2__now', 'weather2__now', 'maps__route', 'weather', 'weather__not a name'];
const TOOLKITS = ['weather', 'weather_2', 'weather2', 'maps'];
const CODES = ['OK', 'ACTION_FAILED', 'INVOCATION_TIMEOUT', undefined];
const RECORDS = 60;

const some = (values: readonly string[]) => fc.option(fc.subarray([...values]), { nil: undefined });
const filters = fc.record<InvocationFilter>({
  agentKeyIds: some(KEYS),
  actions: some(ACTIONS),
  toolkits: some(TOOLKITS),
  outcome: fc.constantFrom(undefined, 'ok', 'error', 'running', 'OK', 'ACTION_FAILED', 'QUEUE_FULL'),
  from: fc.option(fc.integer({ min: NOW - 5, max: NOW + RECORDS + 5 }), { nil: undefined }),
  to: fc.option(fc.integer({ min: NOW - 5, max: NOW + RECORDS + 5 }), { nil: undefined }),
  visible: fc.option(fc.record({ agentKeyIds: fc.subarray(KEYS), toolkits: fc.subarray(TOOLKITS) }), { nil: undefined }),
});

const idAt = (time: number) => `${firstIdAt(time)}${'x'.repeat(16)}`;
const isOf = (toolkits: readonly string[], action: string) => toolkits.some((id) => action.startsWith(`${id}__`));

function holds(filter: InvocationFilter, { agentKeyId, action, outcome, startedAt }: InvocationRecord): boolean {
  const { agentKeyIds, actions, toolkits, from, to, visible } = filter;
  const outcomes: Record<string, boolean> = {
    ok: outcome?.code === 'OK',
    error: outcome !== null && outcome.code !== 'OK',
    running: outcome === null,
  };
  return (
    (agentKeyIds?.includes(agentKeyId) ?? true) &&
    (actions?.includes(action) ?? true) &&
    (!toolkits || isOf(toolkits, action)) &&
    (filter.outcome === undefined || (outcomes[filter.outcome] ?? outcome?.code === filter.outcome)) &&
    startedAt >= (from ?? 0) &&
    startedAt < (to ?? Number.POSITIVE_INFINITY) &&
    (!visible || visible.agentKeyIds.includes(agentKeyId) || isOf(visible.toolkits, action))
  );
}

const callAt = (time: number, change: Partial<InvocationStart> = {}) => aCall({ id: idAt(time), startedAt: time, ...change });

/** Newest first. */
async function addRecords({ node, invocations }: Store): Promise<InvocationRecord[]> {
  const records: InvocationRecord[] = [];
  for (const [index, seed] of fc.sample(fc.nat(), { numRuns: RECORDS, seed: 7 }).entries()) {
    const pick = <T>(values: readonly T[], salt: number) => values[(seed + salt * index) % values.length] as T;
    const call = callAt(NOW + index, { agentKeyId: pick(KEYS, 3), action: pick(ACTIONS, 5) });
    const code = pick(CODES, 7);
    await invocations.start(call);
    const outcome = code === undefined ? null : { code, body: null, endedAt: NOW };
    if (outcome) await invocations.end(call.id, outcome);
    records.unshift({ ...call, node, outcome });
  }
  await invocations.list({ limit: 1 });
  return records;
}

async function allPages<T extends { id: string }>(
  list: (page: { limit: number; before: string | undefined }) => Promise<T[]>,
  limit: number,
) {
  const all: T[] = [];
  for (;;) {
    const page = await list({ limit, before: all.at(-1)?.id });
    all.push(...page);
    if (page.length < limit) return all;
  }
}

export function invocationContract(name: string, newStore: () => Promise<Store>): void {
  describe(`${name}: calls in the console`, () => {
    test('every filter returns the matching calls, newest first, page by page', async () => {
      const store = await newStore();
      const records = await addRecords(store);
      await fc.assert(
        fc.asyncProperty(filters, fc.integer({ min: 1, max: 25 }), async (filter, limit) => {
          const expected = records.filter((record) => holds(filter, record));
          expect(await allPages((page) => store.invocations.list({ ...filter, ...page }), limit)).toEqual(expected);
        }),
        { numRuns: 200 },
      );
    }, 60_000);

    test('a call is in the list as soon as it runs, and as it ended', async () => {
      const { invocations } = await newStore();
      const call = callAt(NOW);
      await invocations.start(call);
      expect(await invocations.list({ limit: 5, outcome: 'running' })).toMatchObject([{ id: call.id, outcome: null }]);
      const ended = invocations.end(call.id, OK);
      expect(await invocations.list({ limit: 5, outcome: 'ok' })).toMatchObject([{ id: call.id, outcome: { code: 'OK' } }]);
      expect(await invocations.list({ limit: 5, outcome: 'running' })).toEqual([]);
      await ended;
    });

    test.each([{ idempotencyKey: null }, { idempotencyKey: 'once' }])('a call keeps the program that made it: %o', async (change) => {
      const store = await newStore();
      const { invocations } = store;
      const [ended, refused, direct] = [
        callAt(NOW, { ...change, madeBy: 'run_1' }),
        callAt(NOW + 1, { madeBy: 'program' }),
        callAt(NOW + 2, { idempotencyKey: 'other' }),
      ];
      for (const call of [ended, direct]) {
        await invocations.start(call);
        await invocations.end(call.id, OK);
      }
      invocations.refused(refused, { code: 'CALL_DIRECTLY', body: null, endedAt: NOW + 1 });
      const expected = [direct, refused, ended].map(({ id, madeBy }) => [id, madeBy]);
      const listed = async () => (await invocations.list({ limit: 5 })).map(({ id, madeBy }) => [id, madeBy]);
      expect(await listed()).toEqual(expected);
      if (change.idempotencyKey !== null) expect(await invocations.find(ended.agentKeyId, 'once')).toMatchObject({ madeBy: 'run_1' });
      expect(await invocations.get(direct.id)).not.toHaveProperty('madeBy');
    });

    test.each([{ idempotencyKey: null }, { idempotencyKey: 'once' }])(
      'a call keeps the mark of a person, and is found by it: %o',
      async (change) => {
        const { invocations } = await newStore();
        const [ended, refused, byAgent] = [
          callAt(NOW, { ...change, origin: 'console' }),
          callAt(NOW + 1, { madeBy: 'run_1', origin: 'console' }),
          callAt(NOW + 2, { idempotencyKey: 'other' }),
        ];
        for (const call of [ended, byAgent]) {
          await invocations.start(call);
          await invocations.end(call.id, OK);
        }
        invocations.refused(refused, { code: 'CALL_DIRECTLY', body: null, endedAt: NOW + 1 });
        const listed = async (filter: { origin?: 'console' | 'agent'; agentKeyIds?: string[]; outcome?: string }) =>
          (await invocations.list({ limit: 5, ...filter })).map(({ id, origin }) => [id, origin]);
        const marked = [refused, ended].map(({ id }) => [id, 'console']);
        expect(await listed({})).toEqual([[byAgent.id, undefined], ...marked]);
        expect(await listed({ origin: 'console' })).toEqual(marked);
        expect(await listed({ origin: 'console', outcome: 'error' })).toEqual([marked[0]]);
        expect(await listed({ origin: 'agent', agentKeyIds: [ended.agentKeyId] })).toEqual([[byAgent.id, undefined]]);
      },
    );

    test.each([{ idempotencyKey: null }, { idempotencyKey: 'once' }])(
      'a failed call keeps the code of its toolkit and its duration: %o',
      async (change) => {
        const { invocations } = await newStore();
        const [declined, ok] = [callAt(NOW, { ...change, action: 'shop__charge' }), callAt(NOW + 1, { action: 'shop__charge' })];
        const failure = { code: 'ACTION_FAILED', body: null, endedAt: NOW + 1, toolkitCode: 'CARD_DECLINED', took: 8 };
        for (const [call, outcome] of [
          [declined, failure],
          [ok, OK],
        ] as const) {
          await invocations.start(call);
          await invocations.end(call.id, outcome);
        }
        expect(await invocations.list({ limit: 5, toolkitCode: 'CARD_DECLINED' })).toMatchObject([
          { id: declined.id, outcome: { code: 'ACTION_FAILED', toolkitCode: 'CARD_DECLINED', took: 8 } },
        ]);
        expect(await invocations.get(ok.id)).not.toHaveProperty('outcome.toolkitCode');
        expect(await invocations.toolkitErrors('shop', NOW)).toEqual([
          { code: 'CARD_DECLINED', action: 'shop__charge', calls: 1, lastAt: NOW },
        ]);
        expect(await invocations.toolkitErrors('shop', NOW + 1)).toEqual([]);
        expect(await invocations.toolkitErrors('other', NOW)).toEqual([]);
      },
    );

    test('keys are returned with their last call', async () => {
      const { invocations, keys } = await newStore();
      for (const id of KEYS) await keys.insert(aKey({ id }));
      for (const [time, agentKeyId] of [
        [1, 'key_a'],
        [3, 'key_a'],
        [2, 'key_b'],
      ] as const)
        await invocations.start(callAt(NOW + time, { agentKeyId }));
      expect(await invocations.lastCalls(['key_a', 'key_b', 'key_c', 'key_nobody'])).toEqual(
        new Map([
          ['key_a', NOW + 3],
          ['key_b', NOW + 2],
        ]),
      );
      expect(await invocations.lastCalls([])).toEqual(new Map());
    });

    test('the callers of a toolkit have the calls of agents that have ended, the recent ones apart', async () => {
      const { invocations } = await newStore();
      const call = async (at: number, change: Partial<InvocationStart>, outcome: InvocationOutcome | undefined) => {
        const started = callAt(NOW + at, { action: 'shop__find', ...change });
        await invocations.start(started);
        if (outcome) await invocations.end(started.id, outcome);
      };
      await call(0, { agentKeyId: 'key_a' }, OK);
      await call(10, { agentKeyId: 'key_a' }, OK);
      await call(20, { agentKeyId: 'key_a' }, OFFLINE);
      await call(21, { agentKeyId: 'key_a' }, undefined);
      await call(12, { agentKeyId: 'key_b' }, OFFLINE);
      await call(13, { agentKeyId: 'key_b', origin: 'console' }, OK);
      await call(13, { agentKeyId: 'key_c', action: 'shop-2__find' }, OK);
      const query = { toolkitId: 'shop', from: NOW + 5, recentFrom: NOW + 15, limit: 10, mostCalls: 100 };
      const { callers, countedFrom } = await invocations.callers(query);
      expect(countedFrom).toBeUndefined();
      expect(callers).toEqual([
        { agentKeyId: 'key_a', all: { calls: 2, errors: 1 }, recent: { calls: 1, errors: 1 }, lastAt: NOW + 20 },
        { agentKeyId: 'key_b', all: { calls: 1, errors: 1 }, recent: { calls: 0, errors: 0 }, lastAt: NOW + 12 },
      ]);
      expect((await invocations.callers({ ...query, limit: 1 })).callers).toHaveLength(1);
      // The two newest calls: one still runs.
      expect(await invocations.callers({ ...query, mostCalls: 2 })).toEqual({
        callers: [{ agentKeyId: 'key_a', all: { calls: 1, errors: 1 }, recent: { calls: 1, errors: 1 }, lastAt: NOW + 20 }],
        countedFrom: NOW + 20,
      });
    });

    test('details are readable at once, the last ones stay, and forbidden content is removed', async () => {
      const { invocations } = await newStore();
      const details = { id: 'inv_1', timeline: '[]', payload: '{"password":"x"}', result: null };
      const later = { ...details, timeline: '[{"ms":1,"what":"ended"}]', result: '"Grüße\\u0000"' };
      invocations.keepDetails(details);
      expect(await invocations.details('inv_1')).toEqual(details);
      invocations.keepDetails(later);
      expect(await invocations.details('inv_1')).toEqual(later);
      expect(await invocations.details('inv_2')).toBeUndefined();
      invocations.keepDetails({ ...details, id: 'inv_empty', payload: null });
      expect(await invocations.payloads(['inv_1', 'inv_2', 'inv_empty'])).toEqual(new Map([['inv_1', details.payload]]));
      expect(await invocations.payloads([])).toEqual(new Map());
      for (let index = 0; index < 1_100; index++) invocations.keepDetails({ ...details, id: `inv_more_${index}` });
      await invocations.forgetContent();
      expect(await invocations.details('inv_1')).toEqual({ ...later, payload: null, result: null });
      expect(await invocations.details('inv_more_1099')).toEqual({ ...details, id: 'inv_more_1099', payload: null });
      invocations.keepDetails(later);
      await invocations.list({ limit: 1 });
      expect(await invocations.details('inv_1')).toEqual(later);
    });

    test('old calls are removed with their details, but for those that run or hold an idempotency key', async () => {
      const { invocations } = await newStore();
      const held = callAt(NOW + 1, { idempotencyKey: 'once' });
      const running = callAt(NOW + 2);
      const young = callAt(NOW + 2_000);
      const old = Array.from({ length: 1_100 }, (_, index) => callAt(NOW + 10 + index));
      for (const call of [held, running, young, ...old]) {
        await invocations.start(call);
        if (call !== running) await invocations.end(call.id, OK);
        invocations.keepDetails({ id: call.id, timeline: '[]', payload: null, result: null });
      }
      await invocations.settled();
      expect(await invocations.remove(NOW + 1_110)).toBe(1_100);
      const left = (await invocations.list({ limit: 10 })).map(({ id }) => id);
      expect(left).toEqual([young.id, running.id, held.id]);
      for (const id of left) expect(await invocations.details(id)).toMatchObject({ id });
      expect(await invocations.details(old[0]?.id ?? '')).toBeUndefined();
      expect(await invocations.find(held.agentKeyId, 'once')).toMatchObject({ id: held.id });
      expect(await invocations.remove(NOW + 1_110)).toBe(0);
    });
  });
}
