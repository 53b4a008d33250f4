// @module-tag postgres
// @module-tag nats
/** The node with the toolkit's socket has the newest registration, and refuses a forwarded call that was decided for another version. */
import { Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import type { TestService } from '../../../test/support/service';

const ERASE = { action: 'erase', actionDescription: 'Erases a list' };
const ID = 'raw__erase';

test('a forwarded call runs only the version that its caller decided about', async () => {
  const [near, far] = (await startNodes(2)) as [TestService, TestService];
  const toolkit = await RawToolkit.connect(far);
  await toolkit.register([ERASE]);
  await offeredAt([near], ID);
  const { key } = await near.keys.create({ kind: 'agent', name: 'agent' });
  const tools = new Tools({ baseUrl: near.url, apiKey: key });
  const { version: actionVersion } = await tools.resolve(ID, {});

  const first = tools.invoke(ID, {}, { actionVersion, idempotencyKey: 'first' });
  const { id } = await toolkit.invoked();
  toolkit.send({ jsonrpc: '2.0', id, result: 'erased' });
  expect(await first).toMatchObject({ result: 'erased' });

  // The near node may not have read the change yet.
  await toolkit.register([{ ...ERASE, annotations: { destructive: true } }]);
  for (const idempotencyKey of ['second', undefined])
    await expect(tools.invoke(ID, {}, { actionVersion, idempotencyKey })).rejects.toMatchObject({ code: 'ACTION_CHANGED' });
  for (const decided of [actionVersion, 'none'])
    expect(await tools.invoke(ID, {}, { actionVersion: decided, idempotencyKey: 'first' })).toMatchObject({ replayed: true });
  expect(toolkit.received.filter(({ method }) => method === 'invoke')).toHaveLength(1);
});

test('the node of the process decides, not the catalogue of the node that accepted the call', async () => {
  const [near, far] = (await startNodes(2)) as [TestService, TestService];
  const { key: toolkitKey } = await far.keys.create({ kind: 'toolkit', name: 'raw' });
  const toolkit = await RawToolkit.connect(far, toolkitKey);
  await toolkit.register([{ ...ERASE, annotations: { destructive: true } }]);
  const gone = await RawToolkit.connect(near, toolkitKey);
  await gone.register([ERASE], { instance: 'another-instance' });
  const tools = await near.tools();
  const { version: actionVersion } = await tools.resolve(ID, {});
  await gone.close();
  await offeredAt([near], ID);
  await expect(tools.invoke(ID, {}, { actionVersion })).rejects.toMatchObject({ code: 'ACTION_CHANGED' });
  expect(toolkit.received.filter(({ method }) => method === 'invoke')).toEqual([]);
  // Callers decide about this version from now on.
  await vi.waitFor(async () => expect((await tools.resolve(ID, {})).action.annotations).toEqual({ destructive: true }));
});
