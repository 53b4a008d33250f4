/** Rules of keys and defaults by hint, over a real service. service/test/unit/rules has the matching. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Toolkit, Tools } from 'svc-sdk';
import type { CreatedKey, CreateKeyRequest, KeyInfo, Rule } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type AuditPage, type ConnectedAppsPage, type SettingsPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { startService, type TestService } from '../../../test/support/service';
import { signInApp } from '../support/signed-in-app';

const DENY_DESTRUCTIVE: Rule[] = [{ match: { hint: 'destructive' }, do: 'deny' }];
const REFUSED = { code: 'ACTION_NOT_ALLOWED' };

/** A shop that looks, refunds and deletes. */
function defineShop(toolkit: Toolkit, ran: string[] = []): void {
  const amount = { amount: { type: 'number' } } as const;
  toolkit.action({ action: 'look', actionDescription: 'Looks at an order', annotations: { readOnly: true } }, () => ran.push('look'));
  toolkit.action({ action: 'refund', actionDescription: 'Refunds an order', payloadDescription: amount }, () => ran.push('refund'));
  toolkit.action({ action: 'delete', actionDescription: 'Deletes an order', annotations: { destructive: true } }, () => ran.push('delete'));
}

async function startShop<Started extends TestService>(service: Started): Promise<{ service: Started; ran: string[] }> {
  const ran: string[] = [];
  await service.toolkit('shop', (toolkit) => defineShop(toolkit, ran));
  return { service, ran };
}

async function ask(service: TestService, key: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(service.url + path, { headers, ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }) });
  return response.json();
}

test('a call that a rule denies does not run, and the same action runs with another payload', async () => {
  const { service, ran } = await startShop(await startService());
  const tools = await service.tools(
    {},
    { rules: [{ match: { action: 'shop__refund', payload: [{ path: '/amount', above: 100 }] }, do: 'deny' }] },
  );
  await expect(tools.invoke('shop__refund', { amount: 101 })).rejects.toMatchObject(REFUSED);
  // The checker repairs the text, and the rule matches the repaired payload.
  await expect(tools.callTool('invoke_service', { action: 'shop__refund', payload: '{"amount":"101"}' })).rejects.toMatchObject(REFUSED);
  expect(ran).toEqual([]);
  await tools.invoke('shop__refund', { amount: 100 });
  expect(ran).toEqual(['refund']);
});

test('an action that is denied whatever its payload is hidden as one outside the allow list is', async () => {
  const { service } = await startShop(await startService());
  const answersOf = async (request: Partial<CreateKeyRequest>) => {
    const { key } = await service.keys.create({ kind: 'agent', name: 'x', ...request });
    const answers = await Promise.all([
      ask(service, key, '/v1/actions'),
      ask(service, key, '/v1/actions/shop__delete'),
      ask(service, key, PATHS.toolkits),
      ask(service, key, PATHS.search, { query: 'delete refund look order' }),
      ask(service, key, PATHS.explain, { query: 'delete', action: 'shop__delete' }),
      ask(service, key, PATHS.invoke, { action: 'shop__delete', payload: {} }),
      ask(service, key, PATHS.resolve, { action: 'shop__delete', payload: {} }),
    ]);
    return { answers, misspelt: await ask(service, key, PATHS.invoke, { action: 'shop__deletee', payload: {} }) };
  };
  const ruled = await answersOf({ rules: DENY_DESTRUCTIVE });
  const limited = await answersOf({ allow: { actions: ['shop__look', 'shop__refund'] } });
  const named = (answer: unknown) => JSON.stringify(answer).match(/shop__(?:look|refund|delete)"/g);
  expect(ruled.answers.map(named)).toEqual(limited.answers.map(named));
  expect(ruled.answers).toEqual(limited.answers);
  expect(ruled.answers[5]).toMatchObject(REFUSED);
  expect(ruled.misspelt).toMatchObject({ code: 'ACTION_NOT_FOUND' });
  expect(JSON.stringify(ruled.misspelt)).not.toContain('"shop__delete"');
});

test('/mcp has no static tool of a hidden action, and does not run it', async () => {
  const { service, ran } = await startShop(await startService());
  const { key } = await service.keys.create({ kind: 'agent', name: 'x', rules: DENY_DESTRUCTIVE });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp?staticToolkits=shop`), { requestInit }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('shop__look');
  expect(names).not.toContain('shop__delete');
  const called = await client.callTool({ name: 'invoke_service', arguments: { action: 'shop__delete', payload: {} } });
  expect(called).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('This key may not use') }] });
  expect(ran).toEqual([]);
});

test('a change of rules applies to the next call, also of a token that was made before', async () => {
  const { service, ran } = await startShop(await startService());
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'x' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const minted = await fetch(service.url + PATHS.tokens, { method: 'POST', headers, body: JSON.stringify({ ttlSeconds: 60 }) });
  const { token } = (await minted.json()) as { token: string };
  const both = [key, token].map((apiKey) => new Tools({ baseUrl: service.url, apiKey }));
  for (const tools of both) await tools.invoke('shop__delete', {});
  expect((await service.keys.change(id, { rules: DENY_DESTRUCTIVE })).rules).toEqual(DENY_DESTRUCTIVE);
  for (const tools of both) await expect(tools.invoke('shop__delete', {})).rejects.toMatchObject(REFUSED);
  await service.keys.change(id, { rules: null });
  for (const tools of both) await tools.invoke('shop__delete', {});
  expect(ran).toEqual(['delete', 'delete', 'delete', 'delete']);
});

test('a rule for a user matches the user as the caller names them', async () => {
  const { service, ran } = await startShop(await startService());
  const tools = await service.tools({}, { rules: [{ match: { user: 'guest-*' }, do: 'deny' }] });
  await expect(tools.invoke('shop__refund', {}, { userId: 'guest-7' })).rejects.toMatchObject(REFUSED);
  await tools.invoke('shop__refund', {}, { userId: 'u_7' });
  await tools.invoke('shop__refund', {});
  expect(ran).toHaveLength(2);
});

test('members set the rules of their own keys, which the log of changes shows', async () => {
  const service = await startConsole();
  const [anna, ben] = [await service.join('anna'), await service.join('ben')];
  const { id } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'hers', rules: DENY_DESTRUCTIVE });
  const path = `${PATHS.keys}/${id}`;
  const asked: Rule[] = [{ match: {}, do: 'ask', decidedBy: 'app' }];
  expect((await ben.ask('PATCH', path, { rules: null })).status).toBe(404);
  expect(await anna.json<KeyInfo>('PATCH', path, { rules: asked })).toMatchObject({ id, rules: asked });
  const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries.find(({ what }) => what === 'key.change')?.details).toMatchObject({
    from: { rules: DENY_DESTRUCTIVE },
    to: { rules: asked },
  });
  const refused = anna.json('PATCH', path, { rules: [{ match: { hnit: 'destructive' }, do: 'deny' }] });
  await expect(refused).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('rules.0.match has the unknown member hnit'),
  });
});

test('only owners set defaults by hint; they apply at once and lift by a rule that allows', async () => {
  const { service, ran } = await startShop(await startConsole());
  const anna = await service.join('anna');
  const settings = { ruleDefaults: { destructive: 'deny' } };
  expect((await anna.ask('PATCH', ADMIN_PATHS.settings, settings)).status).toBe(403);
  const plain = await service.tools();
  const exempt = await service.tools({}, { rules: [{ match: { action: 'shop__delete' }, do: 'allow' }] });
  await plain.invoke('shop__delete', {});
  const changed = await service.owner.json<SettingsPage>('PATCH', ADMIN_PATHS.settings, settings);
  expect(changed.settings.ruleDefaults).toEqual({ destructive: 'deny' });
  await expect(plain.invoke('shop__delete', {})).rejects.toMatchObject(REFUSED);
  expect((await plain.search('delete order')).actions.map(({ action }) => action)).not.toContain('shop__delete');
  await exempt.invoke('shop__delete', {});
  expect(ran).toEqual(['delete', 'delete']);
  const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries[0]).toMatchObject({
    what: 'settings.change',
    subject: 'ruleDefaults',
    details: { from: {}, to: { destructive: 'deny' } },
  });
});

test('an option of the service holds whatever the owners set, and is shown', async () => {
  const { service } = await startShop(await startConsole({ ruleDefaults: { destructive: 'deny' } }));
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { ruleDefaults: { destructive: 'allow', readOnly: 'deny' } });
  const tools = await service.tools();
  for (const action of ['shop__delete', 'shop__look']) await expect(tools.invoke(action, {})).rejects.toMatchObject(REFUSED);
  const { fixed } = await service.owner.json<SettingsPage>('GET', ADMIN_PATHS.settings);
  expect(fixed.find(({ name }) => name === 'rule defaults')?.value).toBe('destructive=deny');
  await expect(startService({ ruleDefaults: { destructive: 'no' } as never })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('the key of a connected app takes rules, which the list of apps shows', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { service, ran } = await startShop(await startConsole({ data: folder.path }));
  const app = await signInApp({ data: folder.path });
  await service.owner.json<KeyInfo>('PATCH', `${PATHS.keys}/${app.id}`, { rules: DENY_DESTRUCTIVE });
  const { apps } = await service.owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
  expect(apps).toMatchObject([{ id: app.id, rules: DENY_DESTRUCTIVE }]);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'invoke_service', arguments: { action: 'shop__delete' } },
  };
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  expect(await answer.text()).toContain('ACTION_NOT_ALLOWED');
  expect(ran).toEqual([]);
});
