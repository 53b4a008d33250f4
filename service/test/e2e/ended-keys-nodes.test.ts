// @module-tag postgres
// @module-tag nats
/** A key that expires ends its calls at every node, also those whose toolkit is at another node. */
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { offeredAt, startNodes } from '../../../test/support/nodes';

test('the running calls of a key that expires end at both nodes, and their handlers are cancelled', async () => {
  const nodes = await startNodes(2);
  const [first] = nodes as [(typeof nodes)[0]];
  const calls = { running: 0, cancelled: 0 };
  await first.toolkit('hanging', (toolkit) => {
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async ({ signal }) => {
      calls.running++;
      await once(signal, 'abort');
      calls.cancelled++;
      throw signal.reason;
    });
  });
  await offeredAt(nodes, 'hanging__wait');
  const { key } = await first.keys.create({ kind: 'agent', name: 'agent', expiresInDays: 4 / 86_400 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ action: 'hanging__wait', payload: {} });
  const answers = nodes.map(async ({ url }) => (await fetch(url + PATHS.invoke, { method: 'POST', headers, body })).json());
  await vi.waitFor(() => expect(calls.running).toBe(2));
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ code: 'KEY_EXPIRED' });
  await vi.waitFor(() => expect(calls.cancelled).toBe(2));
});
