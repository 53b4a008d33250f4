import { expect, onTestFinished, test } from 'vitest';
import { startConsole } from '../../../../test/support/console-service';
import { makeFolder } from '../../../../test/support/folder';
import { OAuthClient } from '../../support/oauth-client';
import { rowsOf } from '../../support/rows-of';

test('10,000 registrations of strangers leave no row, and people still sign in', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { url, owner } = await startConsole({ data: folder.path });
  const first = await OAuthClient.register(url);
  // Written by the clock, not by requests.
  const rows = () => ({ ...rowsOf(folder.path), alert_turns: 0, store_sizes: 0, toolkit_uptime: 0 });
  const before = rows();
  for (let round = 0; round < 200; round++) await Promise.all(Array.from({ length: 50 }, () => OAuthClient.register(url)));
  expect(rows()).toEqual(before);
  expect(await first.signIn(owner)).toHaveProperty('access_token');
});
