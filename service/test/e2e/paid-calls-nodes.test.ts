// @module-tag postgres
// @module-tag nats
/** Paid calls that another node runs: its claim holds the amount, and its refusal is final. */
import { Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { startNodes } from '../../../test/support/nodes';
import type { TestService } from '../../../test/support/service';

test('a call through another node is held, charged and refused there, and a replay at any node costs nothing', async () => {
  const [near, far] = (await startNodes(2)) as [TestService, TestService];
  let runs = 0;
  await far.toolkit('shop', (it) =>
    it.action({ action: 'buy', actionDescription: 'Buys', payment: { amount: '0.05' } }, (ctx) => {
      runs++;
      expect(ctx.payment).toEqual({ amount: '0.05', currency: 'USD' });
      ctx.charge('0.04');
      return runs;
    }),
  );
  const budget = { perCall: '0.05', perDay: '0.10' };
  const { key } = await near.keys.create({ kind: 'agent', name: 'agent', budget });
  const [atNear, atFar] = [near, far].map(({ url }) => new Tools({ baseUrl: url, apiKey: key })) as [Tools, Tools];
  await vi.waitFor(async () => {
    const answer = await fetch(`${near.url}/v1/actions/shop__buy`, { headers: { authorization: `Bearer ${key}` } });
    expect(await answer.json()).toMatchObject({ online: true });
  });

  const payment = { authorised: '0.05', charged: '0.04', currency: 'USD' };
  const first = await atNear.invoke('shop__buy', {}, { idempotencyKey: 'first' });
  expect(first).toMatchObject({ result: 1, payment });
  for (const tools of [atNear, atFar])
    expect(await tools.invoke('shop__buy', {}, { idempotencyKey: 'first' })).toEqual({ ...first, replayed: true });
  expect(await atNear.invoke('shop__buy', {}, { idempotencyKey: 'second' })).toMatchObject({ result: 2, payment });
  const refused = { code: 'PAYMENT_REQUIRED', details: { payment: { price: '0.05', left: '0.02' } } };
  for (const tools of [atNear, atFar])
    await expect(tools.invoke('shop__buy', {}, { idempotencyKey: 'third' })).rejects.toMatchObject(refused);
  await expect(atNear.invoke('shop__buy', {}, { maxPayment: '0.01' })).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' });
  expect(runs).toBe(2);
});
