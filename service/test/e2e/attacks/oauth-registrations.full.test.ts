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
  const before = rowsOf(folder.path);
  for (let round = 0; round < 200; round++) await Promise.all(Array.from({ length: 50 }, () => OAuthClient.register(url)));
  expect(rowsOf(folder.path)).toEqual(before);
  expect(await first.signIn(owner)).toHaveProperty('access_token');
});
