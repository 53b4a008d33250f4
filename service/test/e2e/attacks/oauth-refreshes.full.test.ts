// @module-tag postgres
// @module-tag nats
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type AuditPage, type ConnectedAppsPage } from '#sdk/protocol/admin';
import { startConsoleNodes } from '../../support/console-nodes';
import { raceRefreshes } from '../../support/refresh-races';

test('800 refreshes, 40 at once with one token at three nodes, lose no sign-in and make one family', async () => {
  const { first, nodes } = await startConsoleNodes(3);
  await raceRefreshes(20, first.owner, nodes);
  const { apps } = await first.owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
  expect(apps).toMatchObject([{ signIns: 1 }]);
  const { entries } = await first.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries.map(({ what }) => what)).not.toContain('app.replay');
});
