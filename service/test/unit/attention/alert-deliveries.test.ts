/** Deliveries through an hour without a receiver, and through the end of the process between sending and noting. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { AlertDeliveries } from '../../../src/attention/delivery/alert-deliveries';
import type { AlertMessage } from '../../../src/attention/delivery/alert-message';
import { silentLogger } from '../../../src/lib/logger';
import type { AlertStore } from '../../../src/store/alert-store';
import { openSqliteStore } from '../../../src/store/sqlite/open';

async function stage() {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_900_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { alerts, close } = await openSqliteStore({ path: ':memory:' });
  onTestFinished(close);
  const target = { isDown: false, sent: [] as string[], tries: 0 };
  const channel = {
    atOnce: 1,
    async send(messages: readonly AlertMessage[]) {
      target.tries++;
      if (target.isDown) throw new Error('it answered 503');
      target.sent.push(...messages.map(({ id }) => id));
    },
  };
  const node = (store = alerts) =>
    new AlertDeliveries({ store, targets: { channel: async () => channel }, linkOf: () => undefined, logger: silentLogger });
  const run = async (deliveries: AlertDeliveries) => {
    await deliveries.run();
    await deliveries.close();
  };
  const alert = { kind: 'backup-old', subject: '', severity: 'warning', text: 'old', link: '/system' } as const;
  return { alerts, target, node, run, alert };
}

test('a webhook that is down for an hour gets begin and end once, in order, when it is back', async () => {
  const { alerts, target, node, run, alert } = await stage();
  target.isDown = true;
  await alerts.begin('alr_1', alert, ['hook']);
  for (let second = 0; second < 3_600; second += 5) {
    if (second === 600) await alerts.end('alr_1');
    // Each second node is a restart.
    await run(node());
    vi.setSystemTime(Date.now() + 5_000);
  }
  expect(target.tries).toBeGreaterThan(5);
  expect(target.tries).toBeLessThan(20);
  expect(await alerts.targetStates()).toMatchObject([{ waiting: 2, failing: { error: 'it answered 503' } }]);
  target.isDown = false;
  for (let minute = 0; minute < 12; minute++) {
    await run(node());
    vi.setSystemTime(Date.now() + 60_000);
  }
  expect(target.sent).toEqual(['alr_1.begun', 'alr_1.ended']);
  expect(await alerts.targetStates()).toMatchObject([{ waiting: 0, failing: null }]);
});

test('a process that ends between the answer and its note sends the message again, with the same id', async () => {
  const { alerts, target, node, run, alert } = await stage();
  await alerts.begin('alr_1', alert, ['hook']);
  const killed = () => Promise.reject(new Error('killed'));
  const bound: Partial<AlertStore> = {
    hasMessages: () => alerts.hasMessages(),
    claimMessages: (limit, leaseMs) => alerts.claimMessages(limit, leaseMs),
    messageSent: killed,
    messageFailed: killed,
  };
  await run(node(bound as AlertStore));
  expect(target.sent).toEqual(['alr_1.begun']);
  await run(node());
  expect(target.sent).toHaveLength(1);
  vi.setSystemTime(Date.now() + 61_000);
  await run(node());
  expect(target.sent).toEqual(['alr_1.begun', 'alr_1.begun']);
  vi.setSystemTime(Date.now() + 3_600_000);
  await run(node());
  expect(target.sent).toHaveLength(2);
});

test('two nodes send a message once', async () => {
  const { alerts, target, node, run, alert } = await stage();
  await alerts.begin('alr_1', alert, ['hook']);
  await Promise.all([run(node()), run(node()), run(node())]);
  expect(target.sent).toEqual(['alr_1.begun']);
});
