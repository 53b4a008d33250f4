// @module-tag postgres
// @module-tag nats
/** Rules and defaults by hint over two nodes, one of them without a console. */
import { Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { startNats } from '../../../test/support/nats';
import { offeredAt } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { startService } from '../../../test/support/service';

const SOON = { timeout: 30_000 };
const REFUSED = { code: 'ACTION_NOT_ALLOWED' };

test('every node follows a change of rules and of defaults, also one without a console, and one that starts later', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const place = { database, nats: nats.url };
  const here = await startConsole(place);
  const there = await startService(place);
  await here.toolkit('shop', (toolkit) =>
    toolkit.action({ action: 'delete', actionDescription: 'Deletes an order', annotations: { destructive: true } }, () => 'deleted'),
  );
  await offeredAt([here, there], 'shop__delete');
  const { id, key } = await here.keys.create({ kind: 'agent', name: 'agent' });
  const toolsAt = ({ url }: { url: string }) => new Tools({ baseUrl: url, apiKey: key });
  const follows = async (expected: 'runs' | 'is refused') => {
    for (const node of [here, there])
      await vi.waitFor(async () => {
        const called = toolsAt(node).invoke('shop__delete', {});
        await (expected === 'runs'
          ? expect(called).resolves.toMatchObject({ result: 'deleted' })
          : expect(called).rejects.toMatchObject(REFUSED));
      }, SOON);
  };
  await follows('runs');
  await here.keys.change(id, { rules: [{ match: { toolkit: 'shop' }, do: 'deny' }] });
  await follows('is refused');
  await there.keys.change(id, { rules: null });
  await follows('runs');
  await here.owner.json('PATCH', ADMIN_PATHS.settings, { ruleDefaults: { destructive: 'deny' } });
  await follows('is refused');
  const late = await startService(place);
  await expect(toolsAt(late).invoke('shop__delete', {})).rejects.toMatchObject(REFUSED);
  await here.keys.change(id, { rules: [{ match: { action: 'shop__*' }, do: 'allow' }] });
  await follows('runs');
});
