/** A service of several nodes while what it stands on goes away, stands still or comes back, and messages come late. */
import { expect, test, vi } from 'vitest';
import { startPostgres } from '../support/postgres';
import { startService } from '../support/service';

const postgres = await startPostgres();

test('calls that the database could not claim leave their places at the toolkit', async () => {
  const service = await startService({ database: await postgres.newDatabase() });
  await service.toolkit('shop', (toolkit) => toolkit.action({ action: 'buy', actionDescription: 'Buys' }, () => 'bought'));
  const tools = await service.tools({ maxRetries: 0 });
  await tools.invoke('shop__buy', {}, { idempotencyKey: 'before' });
  await postgres.crash();
  try {
    const calls = Array.from({ length: 40 }, (_, n) => tools.invoke('shop__buy', {}, { idempotencyKey: `meanwhile-${n}` }));
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  } finally {
    await postgres.startAgain();
  }
  await vi.waitFor(
    async () =>
      expect(await tools.invoke('shop__buy', {}, { idempotencyKey: 'after', timeoutMs: 2_000 })).toMatchObject({ result: 'bought' }),
    { timeout: 10_000 },
  );
});
