/** The calls of a toolkit that stops and does not wait for them. */
import type { ActionContext, Toolkit } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { runToolkit, startService } from '../../../test/support/service';

interface Tried {
  replica: string;
  idempotencyKey: string;
  attempt: number;
}

const hang = () => new Promise(() => {});

test.each([
  ['idempotent', 'lookup', { result: 'second' }],
  ['neither idempotent nor read-only', 'order', { code: 'OUTCOME_UNKNOWN' }],
])('of an action that is %s', async (_name, action, expected) => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const tried: Tried[] = [];
  const define = (replica: string, run: () => unknown) => (toolkit: Toolkit) => {
    const handler = ({ idempotencyKey, attempt }: ActionContext) => {
      tried.push({ replica, idempotencyKey, attempt });
      return run();
    };
    toolkit.action({ action: 'lookup', actionDescription: 'Looks up', annotations: { idempotent: true } }, handler);
    toolkit.action({ action: 'order', actionDescription: 'Orders' }, handler);
  };
  const first = await runToolkit(service.url, key, define('first', hang));
  const call = (await service.tools()).invoke(`shop__${action}`, {}, { idempotencyKey: 'mine' }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(tried).toEqual([{ replica: 'first', idempotencyKey: 'mine', attempt: 1 }]));
  await runToolkit(
    service.url,
    key,
    define('second', () => 'second'),
  );
  await first.stop({ timeoutMs: 1 });
  expect(await call).toMatchObject(expected);
  const again = { replica: 'second', idempotencyKey: 'mine', attempt: 2 };
  expect(tried.slice(1)).toEqual(action === 'lookup' ? [again] : []);
});
