// @module-tag postgres
// @module-tag nats
/** The program that made a call is in its record, whichever node runs it, and when it goes on alone. */
import { Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type InvocationDetail } from '#sdk/protocol/admin';
import { offeredAt } from '../../../test/support/nodes';
import { startConsoleNodes } from '../support/console-nodes';

test('a forwarded call and a long one keep the program in their records', async () => {
  const { first, nodes } = await startConsoleNodes(2);
  await nodes[1]?.toolkit('office', (toolkit) => {
    toolkit.action({ action: 'read', actionDescription: 'Reads', annotations: { readOnly: true }, long: true }, () => 'read');
  });
  await offeredAt([first], 'office__read');
  const { key } = await first.keys.create({ kind: 'agent', name: 'agent' });
  const tools = new Tools({ baseUrl: first.url, apiKey: key });
  const waited = await tools.invoke('office__read', {}, { madeBy: 'program' });
  const alone = await tools.invoke('office__read', {}, { madeBy: 'program', wait: false });
  for (const id of [waited.invocationId, alone.invocationId]) {
    await vi.waitFor(async () => {
      const detail = await first.owner.json<InvocationDetail>('GET', `${ADMIN_PATHS.invocations}/${id}`);
      expect(detail).toMatchObject({ code: 'OK', madeBy: 'program' });
    });
  }
});
