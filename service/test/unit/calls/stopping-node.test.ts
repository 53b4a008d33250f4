/** Calls whose attempts end in the moment in which their node stops: another node may have their processes. */
import { expect, test, vi } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { CallDirectory } from '../../../src/calls/call-directory';
import { type LocalEnd, LocalExecutor } from '../../../src/calls/local-executor';
import { silentLogger } from '../../../src/lib/logger';
import type { Callback, InvocationOutcome } from '../../../src/store/store';
import { newCall } from './new-call';

const stopping = new SvcError('SERVICE_STOPPING', 'The service is stopping');

function setUp() {
  const ended = vi.fn();
  const end = (id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>) => {
    ended(id, outcome.code);
    done(undefined, outcome);
  };
  const local = new LocalExecutor({
    node: 'node_here',
    hub: { cancel: vi.fn() } as never,
    store: { end } as never,
    observers: { outcomeRecorded() {}, resultReceived() {} },
    limits: DEFAULT_LIMITS,
    logger: silentLogger,
  });
  const directory = new CallDirectory();
  const call = newCall(directory);
  directory.add(call);
  call.join({ keyId: 'key_a', timeoutMs: 60_000, onDisconnect() {}, onProgress: undefined, answer() {} });
  const outcome = new Promise<LocalEnd | undefined>((resolve) => local.adopt(call, (_, settled) => resolve(settled)));
  return { local, call, ended, outcome };
}

test('the error with which a stopping node dismisses its callers is not the outcome of a call', async () => {
  const { local, call, ended } = setUp();
  local.stop();
  call.dismiss(stopping);
  expect(await local.record(call, { error: stopping })).toEqual({ error: stopping });
  expect(ended).not.toHaveBeenCalled();
});

test("a handler's error at a stopping node is recorded as it is", async () => {
  const { local, call, ended, outcome } = setUp();
  local.stop();
  call.dismiss(stopping);
  call.attempt.settle({ error: new SvcError('ACTION_FAILED', 'no disk') });
  expect(await outcome).toMatchObject({ error: { code: 'ACTION_FAILED' } });
  expect(ended).toHaveBeenCalledWith('inv_1', 'ACTION_FAILED');
});
