import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type SessionPage } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { AGENT, sellAtMost5Cents } from '../../../test/support/paid-shop';

test('a session has the cost of each paid call, and none for a call that is free', async () => {
  const { url, keys, owner, toolkit } = await startConsole();
  await toolkit('shop', (shop) => {
    sellAtMost5Cents(shop);
    shop.action({ action: 'look', actionDescription: 'Looks', payloadDescription: {} }, () => 'nice');
  });
  const tools = new Tools({ baseUrl: url, apiKey: (await keys.create(AGENT)).key, sessionId: 'buyer' });
  await tools.invoke('shop__sell', { cost: '0.03' });
  await tools.invoke('shop__look', {});
  await tools.invoke('shop__sell', { cost: '0.05', fails: true }).catch(() => {});

  const { entries } = await owner.json<SessionPage>('GET', `${ADMIN_PATHS.sessions}/buyer`);
  expect(entries.map((entry) => entry.kind === 'call' && entry.cost)).toEqual([
    { currency: 'USD', authorised: '0.05', charged: '0.03', state: 'charged' },
    undefined,
    { currency: 'USD', authorised: '0.05', charged: '0', state: 'released' },
  ]);
});
