/** A driver whose call gets no answer: store and keys only give the answers of the case. */
import { expect, test, vi } from 'vitest';
import { DetachedDriver } from '../../../src/calls/detached/detached-driver';
import { Doorbell } from '../../../src/lib/doorbell';
import { silentLogger } from '../../../src/lib/logger';
import type { InvocationOutcome } from '../../../src/store/store';
import { record } from './new-call';

function setUp(outcome: InvocationOutcome | null) {
  vi.useFakeTimers();
  const end = vi.fn(async () => {});
  let stored = { ...record };
  const call = {
    id: 'inv_1',
    agentKeyId: 'key_a',
    caller: {},
    actionId: 'shop__buy',
    payloadJson: '{}',
    idempotencyKey: 'order-1',
    deadlineAt: Date.now() + 3_600_000,
  };
  const driver = new DetachedDriver(call, {
    store: { end },
    invocations: { find: async () => stored, get: async () => stored },
    keys: { find: async () => ({ id: 'key_a' }), again: () => ({ id: 'key_a' }), hold: () => () => {} } as never,
    grants: { check: () => undefined },
    doorbell: new Doorbell(),
    // The answer of the node that ran the call is lost.
    begin: () => {
      stored = { ...stored, outcome };
    },
    isOffline: () => false,
    logger: silentLogger,
  });
  return { driver, end };
}

test('an outcome whose answer was lost ends the call', async () => {
  const { driver, end } = setUp({ code: 'OK', body: '{"result":1}', endedAt: 1 });
  const driven = driver.drive();
  await vi.advanceTimersByTimeAsync(60_000);
  await driven;
  expect(end).toHaveBeenCalledExactlyOnceWith('inv_1', null);
});

test('a call that runs is awaited', async () => {
  const { driver, end } = setUp(null);
  const driven = driver.drive();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(end).not.toHaveBeenCalled();
  driver.leave();
  await driven;
  expect(end).not.toHaveBeenCalled();
});
