/** `/v1/imports`: owners add toolkits and approve their changes through an importer. The roles are in admin-permissions.test.ts. */
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type AuditPage } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import type { ImportPreview } from '#sdk/protocol/imports';
import { startConsole } from '../../../test/support/console-service';
import { HELD_SHA256, MemoryImporter, SHOWN_SHA256 } from '../support/memory-importer';

const REQUEST = { id: 'notes', entry: { mcp: { command: 'notes-server', args: ['--all'] } } };

test('an owner previews a source, adds what was shown, and approves what was held; the audit log has each', async () => {
  const importer = new MemoryImporter();
  const { owner } = await startConsole({ importer });
  const preview = await owner.json<ImportPreview>('POST', `${ADMIN_PATHS.imports}/preview`, REQUEST);
  expect(preview).toMatchObject({ missing: ['NOTES_TOKEN'], sha256: SHOWN_SHA256 });
  expect(importer.added).toEqual([]);
  expect(await owner.json('POST', ADMIN_PATHS.imports, { ...REQUEST, sha256: preview.sha256 })).toEqual({ id: 'notes' });
  expect(importer.added).toEqual([REQUEST]);
  expect(await owner.json('GET', ADMIN_PATHS.imports)).toMatchObject({
    available: true,
    imports: [{ id: 'notes', held: { sha256: HELD_SHA256 } }],
  });
  await owner.json('POST', `${ADMIN_PATHS.imports}/notes/approve`, { sha256: HELD_SHA256 });
  expect(importer.approved).toEqual(['notes']);

  const { entries } = await owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(
    entries.filter(({ what }) => what.startsWith('import.')).map(({ what, subject, details }) => ({ what, subject, details })),
  ).toEqual([
    { what: 'import.approve', subject: 'notes', details: { sha256: HELD_SHA256 } },
    { what: 'import.add', subject: 'notes', details: { source: 'notes-server --all', sha256: SHOWN_SHA256 } },
    { what: 'import.preview', subject: 'notes', details: { source: 'notes-server --all' } },
  ]);
});

test('without an importer nothing is added, and the error explains how to start one', async () => {
  const { owner } = await startConsole();
  expect(await owner.json('GET', ADMIN_PATHS.imports)).toEqual({ available: false, imports: [] });
  const refusal = { code: 'NOT_FOUND', message: expect.stringMatching(/svc-service serve --toolkits toolkits\.yaml.*svc-service add/) };
  await expect(owner.json('POST', `${ADMIN_PATHS.imports}/preview`, REQUEST)).rejects.toMatchObject(refusal);
  await expect(owner.json('POST', ADMIN_PATHS.imports, { ...REQUEST, sha256: SHOWN_SHA256 })).rejects.toMatchObject(refusal);
  await expect(owner.json('POST', `${ADMIN_PATHS.imports}/notes/approve`, { sha256: HELD_SHA256 })).rejects.toMatchObject(refusal);
});

test('a secret in an entry is refused with the words to name a variable, and neither the answer nor the audit log repeats it', async () => {
  const importer = new MemoryImporter();
  const { owner } = await startConsole({ importer });
  const secret = 'hunter2-hunter2';
  const url = 'https://mcp.example/mcp';
  for (const [entry, place] of [
    [{ mcp: { url, headers: { Authorization: `Bearer ${secret}` } } }, 'mcp.headers.Authorization'],
    [{ mcp: { url, headers: { 'x-api-key': secret } } }, 'mcp.headers.x-api-key'],
    [{ mcp: { url: `${url}?access_token=${secret}` } }, '"access_token" in mcp.url'],
    [{ mcp: { url: `https://me:${secret}@mcp.example/mcp` } }, 'the password in mcp.url'],
    [{ mcp: { command: 'notes-server', env: { NOTES_TOKEN: secret } } }, 'mcp.env.NOTES_TOKEN'],
    [{ mcp: { command: 'notes-server', args: ['--api-key', secret] } }, '--api-key in mcp.args'],
    [{ mcp: { command: 'notes-server', args: [`--token=${secret}`] } }, '--token in mcp.args'],
    [{ openapi: { file: 'a.json', auth: { bearer: secret } } }, 'openapi.auth.bearer'],
    [{ openapi: { file: 'a.json', auth: { schemes: { main: secret } } } }, 'openapi.auth.schemes.main'],
    [{ openapi: { file: `https://api.example/a.json?key=${secret}` } }, '"key" in openapi.file'],
  ] as const) {
    const response = await owner.ask('POST', `${ADMIN_PATHS.imports}/preview`, { id: 'notes', entry });
    const text = await response.text();
    expect([place, response.status]).toEqual([place, 400]);
    expect(JSON.parse(text).detail).toContain(`${place}: write \${NAME}`);
    expect(text).not.toContain(secret);
  }
  expect(importer.previewed).toEqual([]);
  expect(JSON.stringify(await owner.json('GET', ADMIN_PATHS.audit))).not.toContain(secret);
  const named = { url, headers: { Authorization: `Bearer \${NOTES_TOKEN}`, 'x-api-version': '2022-11-28' } };
  expect((await owner.ask('POST', `${ADMIN_PATHS.imports}/preview`, { id: 'notes', entry: { mcp: named } })).status).toBe(200);
});

test('a document of 20 MB is accepted from an owner, and is not read from a member or above 32 MB', async () => {
  const importer = new MemoryImporter();
  const service = await startConsole({ importer });
  const request = (megabytes: number) => ({
    id: 'notes',
    entry: { openapi: { file: 'a.json' } },
    document: 'x'.repeat(megabytes * 1024 * 1024),
  });
  const preview = `${ADMIN_PATHS.imports}/preview`;
  expect((await service.owner.ask('POST', preview, request(20))).status).toBe(200);
  expect(importer.previewed[0]?.document).toHaveLength(20 * 1024 * 1024);
  await expect(service.owner.json('POST', preview, request(33))).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' });
  const member = await service.join('ben');
  await expect(member.json('POST', preview, request(1))).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect(importer.previewed).toHaveLength(1);
});

test('a source cannot take the id of a toolkit that another process serves', async () => {
  const importer = new MemoryImporter();
  const service = await startConsole({ importer });
  await service.toolkit('notes', (toolkit) => {
    toolkit.action({ action: 'find', actionDescription: 'Finds notes by a word' }, () => 1);
  });
  await expect(service.owner.json('POST', ADMIN_PATHS.imports, { ...REQUEST, sha256: SHOWN_SHA256 })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('choose another id'),
  });
  expect(importer.added).toEqual([]);
});

test('a preview and an import need a fresh sign-in, because they may run a command; an admin key has none', async () => {
  const service = await startConsole({ importer: new MemoryImporter() });
  const { key } = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'admin', name: 'deploy' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
  const add = { ...REQUEST, sha256: SHOWN_SHA256 };
  for (const [path, body] of [
    [`${ADMIN_PATHS.imports}/preview`, REQUEST],
    [ADMIN_PATHS.imports, add],
  ] as const)
    await expect(service.owner.json('POST', path, body)).rejects.toMatchObject({ code: 'FRESH_SIGN_IN_REQUIRED' });
  expect(await service.as(key).json('POST', ADMIN_PATHS.imports, add)).toEqual({ id: 'notes' });
});
