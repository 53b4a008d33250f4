// @module-tag postgres
// @module-tag nats
/** Several nodes settle one ledger: one at a time, in order, and the next one when it is killed. */
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startNats } from '../../../test/support/nats';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { AGENT, buy, sellAtMost5Cents } from '../../../test/support/paid-shop';
import { newDatabase } from '../../../test/support/postgres';
import { runToolkit } from '../../../test/support/service';
import { startCommand } from '../support/command';
import { LEDGER_SECRET, startLedgerReceiver } from '../support/ledger-receiver';

test('calls at every node are settled once, one at a time, in the order of their bookings', async () => {
  const settled: string[] = [];
  let running = 0;
  let most = 0;
  const settle = async ({ invocationId }: { invocationId: string }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    settled.push(invocationId);
  };
  const nodes = await startNodes(3, { settle });
  const [first, second, third] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  await third.toolkit('shop', (toolkit) => {
    sellAtMost5Cents(toolkit);
    toolkit.action({ action: 'look', actionDescription: 'Looks around' }, () => null);
  });
  await offeredAt(nodes, 'shop__look');
  const { key } = await first.keys.create(AGENT);
  const ids: string[] = [];
  for (let round = 0; round < 5; round++) for (const node of nodes) ids.push(...(await buy(node, key, ['0.01'])));
  await vi.waitFor(() => expect(settled).toEqual(ids));
  expect(most).toBe(1);

  await first.close();
  await second.close();
  const more = await buy(third, key, ['0.02', '0.03']);
  await vi.waitFor(() => expect(settled).toEqual([...ids, ...more]));
});

test('when the settling node is killed, another one continues: every entry is accepted, in order', async () => {
  const [database, nats, receiver] = await Promise.all([newDatabase(), startNats(), startLedgerReceiver()]);
  const env = { SVC_DATABASE_URL: database, SVC_NATS_URL: nats.url, SVC_LEDGER_WEBHOOK_SECRET: LEDGER_SECRET };
  const keys = await openKeys({ database });
  const { key: toolkitKey } = await keys.create({ kind: 'toolkit', name: 'shop' });
  const { key } = await keys.create(AGENT);
  await keys.close();
  const serve = async () => {
    const command = startCommand(['serve', '--port', '0', '--ledger-webhook', receiver.url], { env });
    onTestFinished(() => command.kill('SIGKILL'));
    const [, url = ''] = await command.printed(/listens on (http:\S+)/);
    return { command, url };
  };
  // The first one settles: it had the lock before the other was there.
  const first = await serve();
  const second = await serve();
  await runToolkit(second.url, toolkitKey, sellAtMost5Cents);
  const ids = await buy(second, key, ['0.01', '0.01']);
  await vi.waitFor(() => expect(receiver.accepted).toEqual(ids));

  receiver.behaviour = () => true;
  ids.push(...(await buy(second, key, ['0.02', '0.03', '0.04'])));
  await vi.waitFor(() => expect(receiver.requests.at(-1)?.charged).toBe('0.02'));
  first.command.kill('SIGKILL');
  await first.command.ended;
  receiver.behaviour = () => false;
  const killedAt = performance.now();
  await vi.waitFor(() => expect(receiver.accepted).toEqual(ids));
  expect(performance.now() - killedAt).toBeLessThan(10_000);
  // The unfinished entry was delivered again, under the same id.
  expect(receiver.requests.map(({ charged }) => charged)).toEqual(['0.01', '0.01', '0.02', '0.02', '0.03', '0.04']);
  expect(receiver.forged).toBe(0);
});
