// @module-tag postgres
// @module-tag nats
/** The access tokens of connected apps at several nodes. */
import { expect, test } from 'vitest';
import { startConsole } from '../../../test/support/console-service';
import { startNats } from '../../../test/support/nats';
import { newDatabase } from '../../../test/support/postgres';
import { startService } from '../../../test/support/service';
import { OAuthClient, ping } from '../support/oauth-client';

test('a token is good at every node, until its grant ends at any: all then refuse it with a challenge, and another grant stays', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const first = await startConsole({ database, nats: nats.url });
  const second = await startService({ database, nats: nats.url, console: true });
  const client = await OAuthClient.register(first.url);
  const [ended, other] = [await client.signIn(first.owner), await client.signIn(first.owner)];
  const refusals = (token: string) =>
    Promise.all(
      [first, second].map(async ({ url }) => {
        const answer = await ping(url, token);
        await answer.text();
        return answer.ok ? 'accepted' : [answer.status, answer.headers.get('www-authenticate')?.includes('error="invalid_token"')];
      }),
    );
  for (const { access_token: token } of [ended, other]) expect(await refusals(token)).toEqual(['accepted', 'accepted']);

  expect((await client.at(second.url).revoke(ended.refresh_token)).status).toBe(200);
  const refused = [401, true];
  await expect.poll(() => refusals(ended.access_token), { timeout: 10_000 }).toEqual([refused, refused]);
  expect(await refusals(other.access_token)).toEqual(['accepted', 'accepted']);
});
