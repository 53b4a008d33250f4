/** Interleavings of a call at several nodes that nothing real can be made to show at will: of store and bus there is only what they answer. */
import { expect, test, vi } from 'vitest';
import { CallDirectory } from '../../../src/service/calls/call-directory';
import { LocalExecutor } from '../../../src/service/calls/local-executor';
import { PendingCall } from '../../../src/service/calls/pending-call';
import { RemoteExecutor } from '../../../src/service/calls/remote-executor';
import type { Catalog } from '../../../src/service/catalog/catalog';
import type { Cluster } from '../../../src/service/cluster/cluster';
import { Attempt } from '../../../src/service/hub/attempt';
import type { Hub } from '../../../src/service/hub/hub';
import { silentLogger } from '../../../src/service/lib/logger';
import type { InvocationRecord, InvocationStore } from '../../../src/service/store/store';

const start = { agentKeyId: 'key_a', idempotencyKey: 'order-1', requestHash: 'hash', action: 'shop__buy', startedAt: 0 };

function runOf(id: string, payloadJson: string | null): PendingCall {
  const request = {
    toolkitId: 'shop',
    actionName: 'buy',
    agentId: 'key_a',
    idempotencyKey: 'order-1',
    attempt: 1,
    deadline: Date.now() + 60_000,
  };
  return new PendingCall({ ...start, id }, new Attempt({ ...request, id, payloadJson }));
}

function storeOf(answers: Partial<InvocationStore>): InvocationStore {
  return answers as InvocationStore;
}

test('a call that this node takes over just now is not taken for one that was never sent', async () => {
  const runs = new CallDirectory();
  const record: InvocationRecord = { ...start, id: 'inv_1', node: 'node_here', outcome: null };
  const refused = vi.fn();
  const store = storeOf({ get: async () => record, refused, settled: async () => {} });
  const adopt = vi.fn();
  const others = new RemoteExecutor({ cluster: {} as Cluster, node: 'node_here', store, runs, adopt, limits: { reconnectGraceMs: 1_000 } });
  const waiting = others.wait(runOf('inv_2', '{}'), record);

  // The store has shown it before it has answered whoever takes it.
  const taken = runOf('inv_1', null);
  taken.claimed = true;
  taken.sent = true;
  runs.add(taken);
  taken.end({ responseJson: '{"result":1}' });
  expect(await waiting).toEqual({ responseJson: '{"result":1}' });
  expect(refused).not.toHaveBeenCalled();
  expect(adopt).not.toHaveBeenCalled();
});

test('a call of this node that nobody here runs any more is waited for, not run again', async () => {
  const record: InvocationRecord = { ...start, id: 'inv_1', node: 'node_here', outcome: null };
  const runs = new CallDirectory();
  const adopt = vi.fn(() => {
    const adopted = runOf('inv_1', null);
    adopted.claimed = true;
    adopted.sent = true;
    runs.add(adopted);
    adopted.end({ responseJson: '{"result":1}' });
  });
  const store = storeOf({ get: async () => record });
  const others = new RemoteExecutor({ cluster: {} as Cluster, node: 'node_here', store, runs, adopt, limits: { reconnectGraceMs: 1_000 } });
  expect(await others.wait(runOf('inv_2', '{}'), record)).toEqual({ responseJson: '{"result":1}' });
  expect(adopt).toHaveBeenCalledOnce();
});

test('the error of a caller that left before its call was sent is not told to those who wait at the same node', async () => {
  const record: InvocationRecord = { ...start, id: 'inv_1', node: 'node_here', outcome: null };
  const runs = new CallDirectory();
  const left = runOf('inv_1', '{}');
  left.claimed = true;
  runs.add(left);
  const others = new RemoteExecutor({
    cluster: {} as Cluster,
    node: 'node_here',
    store: storeOf({}),
    runs,
    adopt: vi.fn(),
    limits: { reconnectGraceMs: 1_000 },
  });
  const waiting = others.wait(runOf('inv_2', '{}'), record);
  left.end({ error: Object.assign(new Error('left'), { code: 'INVOCATION_CANCELLED' }) as never });
  expect(await waiting).toBeUndefined();
});

test('a call that was taken over without its payload is never sent, also when it may run again', async () => {
  const record: InvocationRecord = { ...start, id: 'inv_1', node: 'node_there', outcome: null };
  const store = storeOf({ get: async () => record });
  const here = new LocalExecutor({
    node: 'node_here',
    catalog: {} as Catalog,
    hub: {} as Hub,
    store,
    others: { wait: async () => undefined } as unknown as RemoteExecutor,
    observers: { outcomeRecorded: () => {} },
    limits: { resultBytes: 1_000 },
    logger: silentLogger,
  });
  const run = runOf('inv_1', null);
  run.claimed = true;
  run.sent = true;
  run.invocation.settle({ gone: 'lost' });
  expect(await here.outcome(run)).toMatchObject({ error: { code: 'TOOLKIT_OFFLINE', retryable: true } });
});

test('a caller whose time is over while an earlier call runs elsewhere is not told that the action did not run', async () => {
  const record: InvocationRecord = { ...start, id: 'inv_1', node: 'node_there', outcome: null };
  const here = new LocalExecutor({
    node: 'node_here',
    catalog: {} as Catalog,
    hub: {} as Hub,
    store: storeOf({ find: async () => record }),
    others: { wait: () => new Promise(() => {}) } as unknown as RemoteExecutor,
    observers: { outcomeRecorded: () => {} },
    limits: { resultBytes: 1_000 },
    logger: silentLogger,
  });
  const run = runOf('inv_2', '{}');
  void here.earlier(run);
  const told = run.wait({ keyId: 'key_a', timeoutMs: 10, whenGone: () => {}, onProgress: undefined });
  await expect(told).rejects.toMatchObject({
    code: 'INVOCATION_TIMEOUT',
    retryable: false,
    message: expect.stringContaining('may still have run'),
  });
});
