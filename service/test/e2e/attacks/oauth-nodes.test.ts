// @module-tag postgres
// @module-tag nats
/** Races and replays of an app's tokens at three nodes, which share a store and send each other nothing about them. */
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import type { AuditPage, ConnectedAppsPage } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import type { SignedInPerson } from '../../../../test/support/console-service';
import { offeredAt } from '../../../../test/support/nodes';
import { startConsoleNodes } from '../../support/console-nodes';
import { OAuthClient, ping, postJson, tokensOf } from '../../support/oauth-client';
import { raceRefreshes } from '../../support/refresh-races';

async function auditOf(owner: SignedInPerson): Promise<string[]> {
  return (await owner.json<AuditPage>('GET', ADMIN_PATHS.audit)).entries.map(({ what }) => what);
}

const signInsOf = async (owner: SignedInPerson) =>
  (await owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps)).apps.map(({ signIns }) => signIns);

test('40 refreshes at once with one token at three nodes lose no sign-in and make one family', async () => {
  const { first, nodes } = await startConsoleNodes(3);
  const tokens = await raceRefreshes(2, first.owner, nodes);
  for (const { url } of nodes) expect((await ping(url, tokens.access_token)).status).toBe(200);
  expect(await signInsOf(first.owner)).toEqual([1]);
  expect(await auditOf(first.owner)).not.toContain('app.replay');
});

test('a replay at one node ends the sign-in at all, and no member of the family refreshes', async () => {
  const { first, nodes } = await startConsoleNodes(3);
  const { owner } = first;
  const client = await OAuthClient.register(first.url);
  const family = [await client.signIn(owner)];
  for (let index = 0; index < 3; index++)
    family.push(await tokensOf(await client.at(nodes[index]!.url).refresh(family[index]!.refresh_token)));
  const live = family.at(-1)!;
  for (const { url } of nodes) expect((await ping(url, live.access_token)).status).toBe(200);
  expect((await client.at(nodes[1]!.url).refresh(family[0]!.refresh_token)).status).toBe(400);
  await Promise.all(
    nodes.map(({ url }) => expect.poll(async () => (await ping(url, live.access_token)).status, { interval: 20 }).toBe(401)),
  );
  for (const { access_token, refresh_token } of family) {
    for (const { url } of nodes) {
      expect((await client.at(url).refresh(refresh_token)).status).toBe(400);
      expect((await ping(url, access_token)).status).toBe(401);
    }
  }
  expect(await signInsOf(owner)).toEqual([]);
  expect((await auditOf(owner)).filter((what) => what === 'app.replay')).toHaveLength(1);
});

test('a code at three nodes in the same moment is exchanged at one, and the sign-in stays', async () => {
  const { first, nodes } = await startConsoleNodes(3);
  const { owner } = first;
  const client = await OAuthClient.register(first.url);
  for (let round = 0; round < 10; round++) {
    const code = await client.code(owner);
    const answers = await Promise.all(nodes.map(({ url }) => client.at(url).exchange(code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const tokens = await tokensOf(answers.find(({ ok }) => ok)!);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  }
  expect(await auditOf(owner)).not.toContain('app.replay');
});

test('a revocation at one node holds at the others, and Disconnect ends a call that runs at another node', async () => {
  const { first, nodes } = await startConsoleNodes(3);
  const { owner } = first;
  const calls = { running: 0, cancelled: 0 };
  await first.toolkit('hanging', (toolkit) => {
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async ({ signal }) => {
      calls.running++;
      await once(signal, 'abort');
      calls.cancelled++;
      throw signal.reason;
    });
  });
  await offeredAt(nodes, 'hanging__wait');
  const client = await OAuthClient.register(first.url);
  const [revoked, tokens] = [await client.signIn(owner), await client.signIn(owner)];
  expect((await client.at(nodes[2]!.url).revoke(revoked.refresh_token)).status).toBe(200);
  for (const { url } of nodes) await expect.poll(async () => (await ping(url, revoked.access_token)).status).toBe(401);

  const message = { name: 'invoke_service', arguments: { action: 'hanging__wait', payload: {} } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: message };
  const headers = { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json, text/event-stream' };
  const running = postJson(nodes[1]!.url + PATHS.mcp, body, headers).then((answer) => answer.text());
  await vi.waitFor(() => expect(calls.running).toBe(1));
  const { apps } = await owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
  expect((await owner.ask('DELETE', `${ADMIN_PATHS.connectedApps}/${apps[0]?.id}`)).status).toBe(204);
  expect(await running).toContain('KEY_REVOKED');
  await vi.waitFor(() => expect(calls.cancelled).toBe(1));
  expect((await client.at(nodes[1]!.url).refresh(tokens.refresh_token)).status).toBe(400);
});

test('a person who allows an app at three nodes at once has one key for it', async () => {
  const { first, nodes } = await startConsoleNodes(3);
  const allow = async (client: OAuthClient, url: string) => {
    const headers = { cookie: first.owner.cookie, origin: url };
    const answer = await postJson(`${url}${ADMIN_PATHS.oauth}/decisions`, { query: client.at(url).query(), decision: 'allow' }, headers);
    return new URL((await answer.json()).redirect).searchParams.get('code') ?? '';
  };
  for (let round = 1; round <= 4; round++) {
    const client = await OAuthClient.register(first.url, { client_name: `App ${round}` });
    const codes = await Promise.all([...nodes, ...nodes].map(({ url }) => allow(client, url)));
    for (const code of codes) expect((await client.exchange(code)).status).toBe(200);
    expect(await signInsOf(first.owner)).toEqual(Array.from({ length: round }, () => 6));
  }
});
