/** How often a provider is asked by calls that cannot be helped, and lives of tokens that no clock can hold. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { OAuthGrant } from '../../../src/connections/kept-secret';
import { anAccount, aSecretsKey, keptRows, storeInMemory } from '../../support/connections/kept-rows';

const HOUR_MS = 3_600_000;

async function connectedAt(answer: RequestListener, nodes = 1) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const [store, keys] = [await storeInMemory(), aSecretsKey()];
  const auth = { type: 'oauth2', from: 'user', authorizationUrl: tokenUrl, tokenUrl } as const;
  const all = await Promise.all(Array.from({ length: nodes }, () => keptRows(auth, { store, keys })));
  const [first] = all as [(typeof all)[number]];
  const secret: OAuthGrant = { type: 'oauth2', token: 'token-0', refreshToken: 'refresh-0', tokenUrl, clientId: 'svc-app' };
  const row = await first.kept.rows.keep(anAccount({ secret, expiresInMs: HOUR_MS }));
  return { ...first, all, row, asked: () => asked };
}

/** The time of the store, and so of every token in it. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

const json =
  (status: number, body: () => object): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body()));

const down: RequestListener = (_, response) => void response.writeHead(503).end();

test('after a failure a provider is not asked again for some seconds, whichever node has the next call', async () => {
  const { all, asked } = await connectedAt(down, 2);
  later(2 * HOUR_MS);
  for (const { kept, ask } of [...all, ...all, ...all])
    await expect(kept.calls.open(ask())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(
        /^The account of toolkit "github" cannot be used now: 127\.0\.0\.1:\d+ answered 503\. Try again later$/,
      ),
    });
  expect(asked()).toBe(1);
  later(5_000);
  await expect(all[1]!.kept.calls.open(all[1]!.ask())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(asked()).toBe(2);
});

test('a good token is used without another try for its successor that has just failed', async () => {
  const { kept, ask, asked } = await connectedAt(down);
  later(HOUR_MS - 30_000);
  for (let call = 0; call < 5; call++) expect((await kept.calls.open(ask())).connection.secrets).toEqual(['token-0']);
  expect(asked()).toBe(1);
});

test('a fresh token that the API refuses too is not refreshed once more', async () => {
  let tokens = 0;
  const { kept, ask, asked } = await connectedAt(
    json(200, () => ({ access_token: `token-${++tokens}`, refresh_token: `refresh-${tokens}`, token_type: 'bearer', expires_in: 3_600 })),
  );
  later(60_000);
  const opened = await kept.calls.open(ask());
  const renewed = opened.connection.renewed(await kept.calls.renew(opened.id, opened.connection));
  expect(renewed.secrets).toEqual(['token-0', 'token-1']);
  for (let call = 0; call < 5; call++) {
    const { connection, id } = await kept.calls.open(ask());
    await expect(kept.calls.renew(id, connection)).rejects.toMatchObject({
      code: 'CONNECTION_REQUIRED',
      message:
        'The API refused a token that its provider has just given. Connect the account again, with the access that the toolkit needs',
    });
  }
  expect(asked()).toBe(1);
  later(60_000);
  await kept.calls.renew(opened.id, renewed);
  expect(asked()).toBe(2);
});

test.each([0, -1, 'never', '3600', 1e13, 9e18])('a provider may say that a token lives for %s s', async (expires_in) => {
  const { kept, ask, row } = await connectedAt(json(200, () => ({ access_token: 'token-1', token_type: 'bearer', expires_in })));
  later(2 * HOUR_MS);
  const { connection } = await kept.calls.open(ask());
  expect(connection.secrets).toEqual(['token-1']);
  const stored = await kept.rows.store.find(row.id);
  expect(Number.isSafeInteger(stored?.expiresAt ?? 0)).toBe(true);
});
