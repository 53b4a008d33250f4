import { expect, test } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import type { FollowedRun } from '../../../src/approvals/approved-runs';
import { followRun } from '../../../src/calls/follow-run';

const AWAY = new SvcError('SERVICE_UNAVAILABLE', 'The database is away');
const DONE: FollowedRun = { status: 200, json: '{"result":1}' };

/** @param answers of the store, in turn; the last one again and again */
function followed(timeoutMs: number, answers: (() => Promise<FollowedRun>)[]) {
  let asked = 0;
  let disconnect = () => {};
  const ended = followRun(
    {
      detached: { follow: () => (answers[asked++] ?? answers.at(-1)!)() },
      shutdown: { error: (advice) => new SvcError('SERVICE_STOPPING', advice) },
    },
    {
      ...{ id: 'inv_1', key: {} as never, timeoutMs, onProgress: undefined },
      onDisconnect: (listener) => {
        disconnect = listener;
      },
    },
  );
  return { ended, disconnect: () => disconnect() };
}

const away = () => Promise.reject(AWAY);
const silent = () => new Promise<never>(() => {});

test('a run whose store was away is followed to its end', async () => {
  expect(await followed(60_000, [away, async () => DONE]).ended).toBe(DONE.json);
});

test.each([
  ['away', away],
  ['silent', silent],
])('while the store is %s, the caller has the error of its deadline: the run goes on', async (_, answer) => {
  await expect(followed(50, [answer]).ended).rejects.toMatchObject({
    code: 'INVOCATION_TIMEOUT',
    message: 'No result of inv_1 in 50 ms: it goes on, and the same call gets its result',
  });
});

test('a caller that leaves while the store is away follows no longer', async () => {
  const { ended, disconnect } = followed(60_000, [away]);
  disconnect();
  await expect(ended).rejects.toMatchObject({ code: 'INVOCATION_CANCELLED' });
});

test('any other error is the error of the run', async () => {
  const failed = new SvcError('ACTION_FAILED', 'No stock');
  await expect(followed(60_000, [() => Promise.reject(failed)]).ended).rejects.toBe(failed);
});
