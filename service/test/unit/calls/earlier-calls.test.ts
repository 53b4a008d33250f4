/** Interleavings of calls that real nodes cannot be made to show at will: store, hub and bus only give the answers of each case. */
import { expect, test, vi } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import { CallDirectory } from '../../../src/calls/call-directory';
import { CallRunner } from '../../../src/calls/call-runner';
import { EarlierCalls } from '../../../src/calls/earlier-calls';
import { LocalExecutor } from '../../../src/calls/local-executor';
import type { PendingCall } from '../../../src/calls/pending-call';
import type { RemoteExecutor } from '../../../src/calls/remote-executor';
import type { Attempt } from '../../../src/hub/attempt';
import { silentLogger } from '../../../src/lib/logger';
import type { Callback, InvocationOutcome, InvocationRecord, InvocationStart, InvocationStore } from '../../../src/store/store';
import { newCall, record } from './new-call';

const stop = () => {};
const result = { responseJson: '{"result":1}' };
const remote = { join: () => new Promise<never>(() => {}) };

function earlierCalls(directory: CallDirectory, stored: InvocationRecord | undefined = record): EarlierCalls {
  return new EarlierCalls({
    node: 'node_here',
    store: { get: async () => stored, find: async () => stored, release: async () => {} },
    directory,
    remote,
  });
}

function claimed(directory: CallDirectory, { dispatched = true } = {}): PendingCall {
  const call = newCall(directory);
  directory.add(call);
  call.askForClaim();
  call.winClaim('node_here');
  if (dispatched) call.dispatch(stop);
  return call;
}

test('a call that this node is taking over does not count as abandoned', async () => {
  const directory = new CallDirectory();
  const end = earlierCalls(directory).follow(newCall(directory, 'inv_2'), record);
  // The store shows the claim before it answers the call that takes it. The second look finds that call.
  await Promise.resolve();
  const taken = claimed(directory);
  const asked = vi.spyOn(taken, 'ended', 'get');
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  taken.end(result);
  expect(await end).toEqual(result);
});

test('the error of a caller that left before its call was sent is not returned to the following callers', async () => {
  const directory = new CallDirectory();
  const left = claimed(directory, { dispatched: false });
  const end = earlierCalls(directory).follow(newCall(directory, 'inv_2'), record);
  left.end({ error: new SvcError('INVOCATION_CANCELLED', 'left') });
  expect(await end).toBeUndefined();
});

interface CallbackStore {
  start(start: InvocationStart, done: Callback<boolean>): void;
  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void;
}

function runner(
  store: Partial<Pick<InvocationStore, 'get' | 'find'> & CallbackStore>,
  { follow }: { follow?: EarlierCalls['follow'] } = {},
) {
  const directory = new CallDirectory();
  const adopted: Attempt[] = [];
  const slot = { instance: 'i', send: () => true, release: () => {} };
  const hub = {
    isFree: () => true,
    offers: () => true,
    reserve: () => slot,
    reserveNow: () => slot,
    cancel: () => {},
    adopt: (attempt: Attempt) => void adopted.push(attempt),
  };
  const limits = {
    resultBytes: 1_000,
    reconnectGraceMs: 1_000,
    takeoverGraceMs: 1_000,
    keptResultBytesPerKey: 1_000_000,
    maxTimeoutMs: 1_000,
  };
  const all = store as InvocationStore;
  const observers = { outcomeRecorded: () => {}, resultReceived: () => {} };
  const local = new LocalExecutor({ node: 'node_here', hub, store: all, observers, limits, logger: silentLogger });
  const earlier = new EarlierCalls({ node: 'node_here', store: all, directory, remote });
  const deps = { node: 'node_here', catalog: { mayRepeat: () => false }, store: all, directory, limits, logger: silentLogger };
  const calls = new CallRunner({
    ...deps,
    local,
    remote: { offers: () => false } as unknown as RemoteExecutor,
    earlier: follow ? ({ find: earlier.find, follow } as EarlierCalls) : earlier,
  });
  return { calls, directory, adopted };
}

test('a call of this node without a running handler is awaited, not run again', async () => {
  const { calls, directory, adopted } = runner({
    start: (_start, done) => done(undefined, false),
    find: async () => record,
    get: async () => record,
    end: (_id, outcome, done) => done(undefined, outcome),
  });
  const retry = newCall(directory, 'inv_2');
  calls.start(retry);
  await vi.waitFor(() => expect(adopted).toHaveLength(1));
  adopted[0]?.settle({ resultJson: '1' });
  expect(await retry.ended).toEqual({ responseJson: '{"invocationId":"inv_1","result":1}' });
});

test('a call that was taken over without its payload is never sent, also when it may run again', async () => {
  const { calls } = runner({ get: async () => ({ ...record, node: 'node_there' }) }, { follow: async () => undefined });
  const call = calls.adopt(record);
  call.attempt.settle({ gone: 'lost' });
  expect(await call.ended).toMatchObject({ error: { code: 'TOOLKIT_OFFLINE', retryable: true } });
});
