import { expect, test, vi } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import type { CallWrite } from '../../../src/store/call-engine';
import { GroupCommit, RETRY_MS } from '../../../src/store/group-commit';

const full = new SvcError('SERVICE_UNAVAILABLE', 'full');

function start(id: string, done: (error: unknown) => void): CallWrite {
  return { op: 'start', call: { id, agentKeyId: 'key', idempotencyKey: id, requestHash: '', action: 'a__b', startedAt: 0 }, done };
}

test('an outcome on a full disk is kept and committed first; starts are refused until the probe succeeds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isFull = true;
  const committed: string[] = [];
  const refuseIfFull = () => {
    if (isFull) throw full;
  };
  const groups = new GroupCommit({
    lanes: 1,
    commit(group) {
      refuseIfFull();
      for (const write of group) {
        committed.push(write.op);
        write.done(undefined);
      }
    },
    asUnavailable: (error) => (error === full ? full : undefined),
    probe: refuseIfFull,
    onError() {},
  });
  const [delayed, ended, refused, started] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  groups.add({ op: 'end', id: 'inv_1', outcome: { code: 'OK', body: null, endedAt: 0 }, delayed, done: ended });
  groups.add(start('inv_2', refused));
  await vi.waitFor(() => expect(refused).toHaveBeenCalledWith(full));
  expect(delayed).toHaveBeenCalledWith(full);
  expect(groups.fault).toBe(full);

  vi.advanceTimersByTime(3 * RETRY_MS);
  groups.add(start('inv_3', refused));
  expect(refused).toHaveBeenCalledTimes(2);
  expect(ended).not.toHaveBeenCalled();

  isFull = false;
  vi.advanceTimersByTime(RETRY_MS);
  expect(ended).toHaveBeenCalledWith(undefined);
  groups.add(start('inv_4', started));
  await vi.waitFor(() => expect(started).toHaveBeenCalledWith(undefined));
  expect(committed).toEqual(['end', 'start']);
  expect(groups.fault).toBeUndefined();
});

test('a full disk is noticed without a write, and a closed one gives its outcomes up', async () => {
  const groups = new GroupCommit({
    lanes: 1,
    commit() {
      throw full;
    },
    asUnavailable: () => full,
    probe() {
      throw full;
    },
    onError() {},
  });
  groups.check();
  expect(groups.fault).toBe(full);
  const done = vi.fn();
  groups.add({ op: 'end', id: 'inv_1', outcome: { code: 'OK', body: null, endedAt: 0 }, delayed() {}, done });
  groups.close();
  expect(done).toHaveBeenCalledWith(full);
});
