// @module-tag postgres
// @module-tag nats
/** The access tokens of connected apps at several nodes. */
import { expect, test, vi } from 'vitest';
import { startNodes } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { signInApp } from '../support/signed-in-app';

test('a token is good at every node, until its grant ends at any: all then refuse it, without a message, and other grants stay', async () => {
  const database = await newDatabase();
  const nodes = await startNodes(2, { database, console: true });
  const [app, other] = [await signInApp({ database }), await signInApp({ database })];
  const codes = async ({ token }: { token: string }) =>
    Promise.all(
      nodes.map(async ({ url }) => {
        const headers = {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
        const code = answer.ok ? undefined : (await answer.json()).code;
        return [answer.status, code, answer.headers.get('www-authenticate')?.includes('error="invalid_token"')];
      }),
    );
  const good = [200, undefined, undefined];
  expect([await codes(app), await codes(other)]).toEqual([
    [good, good],
    [good, good],
  ]);
  await app.end();
  await vi.waitFor(async () => expect(await codes(app)).toEqual(Array(2).fill([401, 'KEY_REVOKED', true])), { timeout: 10_000 });
  expect(await codes(other)).toEqual([good, good]);
});
