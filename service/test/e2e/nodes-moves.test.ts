// @module-tag postgres
// @module-tag nats
/** A process of a toolkit that moves between nodes while it works: each result is delivered once, each undelivered call is sent once. */
import { expect, test, vi } from 'vitest';
import { startNats } from '../../../test/support/nats';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';

const buy = { action: 'buy', actionDescription: 'Buys' };

test('a process that moves to another node and back delivers its result', async () => {
  const [first, second] = await startNodes(2);
  const { key } = await first!.keys.create({ kind: 'toolkit', name: 'shop' });
  const before = await RawToolkit.connect(first!, key);
  await before.register([buy]);
  const call = (await first!.tools()).invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  const { id } = await before.invoked();

  const meanwhile = await RawToolkit.connect(second!, key);
  expect(await meanwhile.register([buy], { unfinished: [id] })).toMatchObject({ result: { awaiting: [id] } });
  await vi.waitFor(() => expect(before.closed).toBeDefined());
  const after = await RawToolkit.connect(first!, key);
  expect(await after.register([buy], { unfinished: [id] })).toMatchObject({ result: { awaiting: [id] } });
  await vi.waitFor(() => expect(meanwhile.closed).toBeDefined());
  await after.request('result', { invocationId: id, result: { order: 1 } });
  expect(await call).toMatchObject({ invocationId: id, result: { order: 1 } });
});

test('a late message about a former connection does not affect the reconnected process', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const first = await startService({ database, nats: nats.url });
  const second = await startService({ database, nats: nats.url });
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'shop' });
  const before = await RawToolkit.connect(first, key);
  await before.register([buy], { connection: 1 });
  await offeredAt([second], 'shop__buy');
  await before.close();

  nats.signal('SIGSTOP');
  const meanwhile = await RawToolkit.connect(second, key);
  await meanwhile.register([buy], { connection: 2 });
  await meanwhile.close();
  const after = await RawToolkit.connect(first, key);
  await after.register([buy], { connection: 3 });
  const call = (await first.tools()).invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  const { id } = await after.invoked();
  const rival = await RawToolkit.connect(first, key);
  await rival.register([buy], { instance: 'another-instance' });
  nats.signal('SIGCONT');
  // After this message, all earlier messages of the second node have arrived.
  await second.toolkit('later', (toolkit) => toolkit.action({ action: 'do', actionDescription: 'Does' }, () => 1));
  await offeredAt([first], 'later__do');

  expect(after.closed).toBeUndefined();
  after.send({ jsonrpc: '2.0', id, result: { order: 1 } });
  expect(await call).toMatchObject({ invocationId: id, result: { order: 1 } });
  expect(rival.received.filter(({ method }) => method === 'invoke')).toEqual([]);
});
