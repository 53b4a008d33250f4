/** The life of a key in the admin API, and calls as the key. */

import { openKeys } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditPage, OwnedKey, OwnedKeysPage, SettingsPage } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { runToolkit } from '../../../test/support/service';

async function stage(): Promise<{ service: ConsoleService; agent: CreatedKey; toolkit: CreatedKey }> {
  const service = await startConsole();
  const toolkit = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'maths' });
  await runToolkit(service.url, toolkit.key, (maths) => {
    maths.action(
      { action: 'add', actionDescription: 'Adds two numbers', payloadDescription: { a: { type: 'number', required: true } } },
      (ctx, { a }) => {
        ctx.progress({ progress: 1 });
        return { sum: Number(a) + 1 };
      },
    );
  });
  const agent = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'agent' });
  return { service, agent, toolkit };
}

const list = async ({ owner }: ConsoleService) => (await owner.json<OwnedKeysPage>('GET', PATHS.keys)).keys;

test('a key is made, used, changed, rotated and revoked, and each change is written down without its secret', async () => {
  const { service, agent, toolkit } = await stage();
  const owner = { id: service.owner.id, name: 'olga' };
  const [listedToolkit, listedAgent] = await list(service);
  expect(listedToolkit).toMatchObject({ id: toolkit.id, owner, lastUsedAt: expect.any(String) });
  expect(listedAgent).toMatchObject({ id: agent.id, owner });
  expect(listedAgent).not.toHaveProperty('lastUsedAt');

  const call = { action: 'maths__add', payload: { a: 1 } };
  expect((await service.as(agent.key).ask('POST', PATHS.invoke, call)).status).toBe(200);
  await expect.poll(async () => (await list(service)).find(({ id }) => id === agent.id)?.lastUsedAt).toEqual(expect.any(String));

  const one = `${PATHS.keys}/${agent.id}`;
  const scoped = await service.owner.json<OwnedKey>('PATCH', one, { allow: { toolkits: ['other'] }, callsPerMinute: 5 });
  expect(scoped).toMatchObject({ allow: { toolkits: ['other'], actions: [] }, callsPerMinute: 5, owner });
  await expect(service.as(agent.key).json('POST', PATHS.invoke, call)).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  await service.owner.json('PATCH', one, { allow: null, name: 'renamed' });
  expect((await service.as(agent.key).ask('POST', PATHS.invoke, call)).headers.get('ratelimit-limit')).toBe('5');

  const rotated = await service.owner.json<CreatedKey>('POST', `${one}/rotate`);
  await expect(service.as(agent.key).json('GET', PATHS.actions)).rejects.toMatchObject({ code: 'INVALID_KEY' });
  expect((await service.as(rotated.key).ask('GET', PATHS.actions)).status).toBe(200);
  expect((await service.owner.ask('DELETE', one)).status).toBe(204);
  await expect(service.as(rotated.key).json('GET', PATHS.actions)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  await expect(service.owner.json('PATCH', one, { name: 'late' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });

  const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries.map(({ what }) => what)).toEqual([
    'key.revoke',
    'key.rotate',
    'key.change',
    'key.change',
    'key.create',
    'actions.change',
    'key.create',
    'person.join',
  ]);
  expect(entries[3]).toMatchObject({
    actor: { kind: 'person', id: owner.id, name: 'olga' },
    subject: agent.id,
    details: { from: { name: 'agent' }, to: { name: 'agent', allow: { toolkits: ['other'] }, callsPerMinute: 5 } },
  });
  const page = await service.owner.json<AuditPage>('GET', `${ADMIN_PATHS.audit}?limit=3`);
  const next = await service.owner.json<AuditPage>('GET', `${ADMIN_PATHS.audit}?limit=9&cursor=${page.nextCursor}`);
  expect([...page.entries, ...next.entries]).toEqual(entries);

  const everything = [PATHS.keys, ADMIN_PATHS.audit, ADMIN_PATHS.people, ADMIN_PATHS.me, ADMIN_PATHS.invitations, ADMIN_PATHS.settings];
  for (const path of [...everything, `${ADMIN_PATHS.reports}/toolkits/maths`, ADMIN_PATHS.invocations]) {
    // The hash of an action's texts is public.
    const text = (await (await service.owner.ask('GET', path)).text()).replaceAll(/"maths__add":"[0-9a-f]{64}"/g, '');
    expect(text, path).not.toMatch(/svc_(agent|toolkit|admin)_[0-9A-Za-z]{10}|inv_[0-9A-Za-z]{49}|\b[0-9a-f]{64}\b|\$argon2/);
  }
});

test('a call as a key is answered byte by byte as its agent is, and leaves its rate alone', async () => {
  const { service, agent } = await stage();
  const answers = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const as = await service.owner.ask('POST', `${PATHS.keys}/${agent.id}${path.slice(3)}`, body, { headers });
    const direct = await service.as(agent.key).ask('POST', path, body, { headers });
    const read = async (response: Response) => ({
      status: response.status,
      type: response.headers.get('content-type'),
      text: (await response.text()).replace(/inv_\w[\w-]{20,}/g, 'inv'),
    });
    return [await read(as), await read(direct)] as const;
  };
  const asked: Parameters<typeof answers>[] = [
    [PATHS.search, { query: 'add numbers' }],
    [PATHS.search, { limit: 'x' }],
    [PATHS.search, '{'],
    [PATHS.resolve, { action: 'maths__add', payload: { a: '1' } }],
    [PATHS.resolve, { action: 'maths__ad' }],
    [PATHS.invoke, { action: 'maths__add', payload: { a: 1 } }],
    [PATHS.invoke, { action: 'maths__add', payload: {} }],
    [PATHS.invoke, { action: 'maths__add', payload: { a: 1 } }, { accept: 'text/event-stream' }],
    [PATHS.invoke, { action: 'maths__add' }, { 'idempotency-key': 'two words' }],
  ];
  for (const one of asked) {
    const [as, direct] = await answers(...one);
    expect(as, JSON.stringify(one)).toEqual(direct);
  }

  await service.owner.json('PATCH', `${PATHS.keys}/${agent.id}`, { callsPerMinute: 2 });
  const search = () => service.owner.ask('POST', `${PATHS.keys}/${agent.id}/search`, { query: 'add' });
  const first = await search();
  expect([first.status, first.headers.get('ratelimit-limit')]).toEqual([200, null]);
  await search();
  await search();
  const direct = () => service.as(agent.key).ask('POST', PATHS.search, { query: 'add' });
  expect((await direct()).headers.get('ratelimit-remaining')).toBe('1');
  expect((await direct()).status).toBe(200);
  expect(await (await direct()).json()).toMatchObject({ code: 'RATE_LIMITED' });
  expect((await search()).status).toBe(200);

  await service.owner.ask('DELETE', `${PATHS.keys}/${agent.id}`);
  expect(await (await search()).json()).toMatchObject({ code: 'KEY_REVOKED' });
});

test('owners and admin keys set budgets; a member sees that of an own key, may do all else with it, and not change it', async () => {
  const service = await startConsole({ currency: 'EUR' });
  const { fixed } = await service.owner.json<SettingsPage>('GET', ADMIN_PATHS.settings);
  expect(fixed).toContainEqual({ name: 'currency', value: 'EUR', meaning: expect.stringContaining('--currency') });
  const anna = await service.join('anna');
  const { id } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'bot' });
  const one = `${PATHS.keys}/${id}`;
  const budget = { perCall: '0.5', perDay: '5' };
  const refused = { code: 'NOT_PERMITTED', message: expect.stringContaining('Only owners may give a key a budget') };
  await expect(anna.json('PATCH', one, { budget })).rejects.toMatchObject(refused);
  await expect(anna.json('POST', PATHS.keys, { kind: 'agent', name: 'rich', budget })).rejects.toMatchObject(refused);

  expect(await service.owner.json('PATCH', one, { budget: { perCall: '0.50', perDay: '5.0' } })).toMatchObject({ budget });
  await expect(anna.json('PATCH', one, { name: 'other', budget: { perCall: '5', perDay: '5' } })).rejects.toMatchObject(refused);
  await expect(anna.json('PATCH', one, { budget: null })).rejects.toMatchObject(refused);
  expect(await anna.json('PATCH', one, { name: 'buyer', callsPerMinute: 9 })).toMatchObject({ name: 'buyer', budget });
  expect(await anna.json('POST', `${one}/rotate`)).toMatchObject({ budget });
  expect((await anna.json<OwnedKeysPage>('GET', PATHS.keys)).keys).toMatchObject([{ id, budget }]);

  const admin = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'admin', name: 'boss' });
  const raised = { perCall: '1', perDay: '9' };
  expect(await service.as(admin.key).json('PATCH', one, { budget: raised })).toMatchObject({ budget: raised });
  const made = await service.as(admin.key).json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'rich', budget });
  expect(made).toMatchObject({ budget });
  expect(await service.owner.json('PATCH', one, { budget: null })).not.toHaveProperty('budget');

  const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  const ofKey = (subject: string, what: string) => entries.filter((entry) => entry.subject === subject && entry.what === what).reverse();
  expect(ofKey(made.id, 'key.create')).toMatchObject([{ actor: { kind: 'key', id: admin.id }, details: { budget } }]);
  const changes = ofKey(id, 'key.change').map(({ details }) => details as { from: object; to: object });
  expect(changes.map(({ from, to }) => [from, to].map((facts) => (facts as { budget?: object }).budget))).toEqual([
    [undefined, budget],
    [budget, budget],
    [budget, raised],
    [raised, undefined],
  ]);
});

test("a key that is made beside the console is written down as the command line's", async () => {
  const { path: data, remove } = makeFolder();
  onTestFinished(remove);
  const service = await startConsole({ data });
  const keys = await openKeys(data);
  const made = await keys.create({ kind: 'agent', name: 'beside' });
  await keys.close();
  const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  const actor = { kind: 'command', name: 'command line' };
  expect(entries[0]).toMatchObject({ actor, what: 'key.create', subject: made.id, details: { kind: 'agent', name: 'beside' } });
  expect((await list(service)).find(({ id }) => id === made.id)).not.toHaveProperty('owner');
});

test('an old secret works beside the new one for a time; then its calls and sockets end, and those of the new one go on', async () => {
  const { service, agent, toolkit } = await stage();
  const rotate = (id: string, overlapSeconds: number | string) =>
    service.owner.json<CreatedKey>('POST', `${PATHS.keys}/${id}/rotate?overlapSeconds=${overlapSeconds}`);
  await expect(rotate(agent.id, 604_801)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('604800') });
  const before = await RawToolkit.connect(service, toolkit.key);
  const newAgent = await rotate(agent.id, 3);
  const newToolkit = await rotate(toolkit.id, 3);
  const after = await RawToolkit.connect(service, newToolkit.key);
  for (const { key } of [agent, newAgent]) expect((await service.as(key).ask('GET', PATHS.actions)).status).toBe(200);
  expect((await list(service)).find(({ id }) => id === agent.id)?.formerSecretUntil).toBe(newAgent.formerSecretUntil);
  expect([before.closed, after.closed]).toEqual([undefined, undefined]);

  await expect.poll(() => before.closed).toMatchObject({ reason: expect.stringContaining('KEY_EXPIRED') });
  await expect
    .poll(() =>
      service
        .as(agent.key)
        .json('GET', PATHS.actions)
        .catch((error: unknown) => error),
    )
    .toMatchObject({ code: 'KEY_EXPIRED', message: expect.stringContaining('use the new one') });
  expect((await service.as(newAgent.key).ask('GET', PATHS.actions)).status).toBe(200);
  expect(after.closed).toBeUndefined();
  expect((await list(service)).find(({ id }) => id === agent.id)).not.toHaveProperty('formerSecretUntil');
});
