/** Calls that a connecting process lists, when another node ends them in the same moment. */
import { expect, test } from 'vitest';
import { CallDirectory } from '../../../src/calls/call-directory';
import { OrphanedCalls } from '../../../src/calls/orphaned-calls';
import type { InvocationRecord } from '../../../src/store/store';
import { newCall, record } from './new-call';

/** @param meanwhile the codes with which another node ends calls between the look at the records and their taking over */
function setUp(records: InvocationRecord[], meanwhile: Record<string, string> = {}) {
  const stored = new Map(records.map((each) => [each.id, each]));
  const directory = new CallDirectory();
  const awaited: string[] = [];
  const calls = new OrphanedCalls({
    node: 'node_here',
    store: {
      get: async (id) => stored.get(id),
      take: async (ids) => {
        for (const [id, code] of Object.entries(meanwhile))
          stored.set(id, { ...(stored.get(id) as InvocationRecord), outcome: { code, body: '{}', endedAt: 1 } });
        return ids.map((id) => stored.get(id) as InvocationRecord).filter(({ outcome }) => outcome === null);
      },
      takeAbandoned: async () => [],
      open: async (before) => records.filter(({ startedAt, outcome }) => outcome === null && startedAt < before),
    },
    directory,
    runner: {
      adopt: ({ id }) => newCall(directory, id),
      awaitInstance: ({ id }) => {
        awaited.push(id);
        return newCall(directory, id);
      },
    },
  });
  return {
    takeReturned: async (...ids: string[]) => (await calls.takeReturned('shop', ids)).map(({ id }) => id).sort(),
    awaitUnknown: () => calls.awaitUnknown(),
    directory,
    awaited,
  };
}

const call = (id: string, code?: string): InvocationRecord => ({
  ...record,
  ...{ id, node: 'node_other', outcome: code === undefined ? null : { code, body: '{}', endedAt: 1 } },
});

test('open calls and those that were given up are taken over, and those with an outcome are not', async () => {
  const { takeReturned } = setUp([call('inv_1'), call('inv_2', 'INVOCATION_TIMEOUT'), call('inv_3', 'OK')]);
  expect(await takeReturned('inv_1', 'inv_2', 'inv_3', 'inv_unknown')).toEqual(['inv_1', 'inv_2']);
});

test('a call that another node gives up meanwhile is awaited: its late result replaces that', async () => {
  const meanwhile = { inv_2: 'INVOCATION_CANCELLED', inv_3: 'OK' };
  const { takeReturned } = setUp([call('inv_1'), call('inv_2'), call('inv_3')], meanwhile);
  expect(await takeReturned('inv_1', 'inv_2', 'inv_3')).toEqual(['inv_1', 'inv_2']);
});

test('a node waits for the process of an own call that it does not know, and not for one that it has just claimed', async () => {
  const recent = { ...call('inv_recent'), startedAt: Date.now() - 20_000 };
  const { awaitUnknown, directory, awaited } = setUp([call('inv_unknown'), call('inv_known'), recent, call('inv_ended', 'OK')]);
  const known = newCall(directory, 'inv_known');
  directory.add(known);
  known.adopt(() => {});
  await awaitUnknown();
  expect(awaited).toEqual(['inv_unknown']);
});
