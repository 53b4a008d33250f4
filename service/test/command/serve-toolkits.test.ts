/** `svc-service serve --toolkits`: the toolkits of a file in a child process, after a crash of any process. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ImportPreview, ImportStatus } from '#sdk/protocol/imports';
import { makeFolder } from '../../../test/support/folder';
import { runningWith } from '../../../test/support/marked-processes';
import { runCommand, startCommand } from '../support/command';

const SERVER = fileURLToPath(new URL('../../../test/support/faulty-mcp-server.mjs', import.meta.url));
const SECRET = 'a-secret-of-the-database';

function makeToolkits(entries: Record<string, object>) {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  writeFileSync(join(path, 'toolkits.yaml'), JSON.stringify({ toolkits: entries }));
  return path;
}

/** An entry whose process has the mark in its command line. */
function faulty(mark: string, mcp: object = {}) {
  return { mcp: { command: process.execPath, args: [SERVER, mark], ...mcp }, onChange: 'accept' };
}

async function serve(cwd: string, env: Record<string, string> = {}) {
  const service = startCommand(['serve', '--port', '0', '--toolkits', 'toolkits.yaml', '--log-level', 'info'], { cwd, env });
  onTestFinished(() => service.kill('SIGKILL'));
  const [, url = ''] = await service.printed(/listens on (\S+)/);
  const keys = await openKeys(join(cwd, 'svc-data'));
  onTestFinished(() => keys.close());
  const { key } = await keys.create({ kind: 'agent', name: 'me' });
  return { service, url, keys, tools: new Tools({ baseUrl: url, apiKey: key }) };
}

/** The output of the service that runs in the folder. */
function childOf(cwd: string): number | undefined {
  return runningWith('serve-imports').find((pid) => readLink(pid) === cwd);
}

function readLink(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').match(/(?:^|\0)PWD_OF_TEST=([^\0]*)/)?.[1] ?? '';
  } catch {
    // It ended.
    return '';
  }
}

const start = (cwd: string, env: Record<string, string> = {}) => serve(cwd, { PWD_OF_TEST: cwd, ...env });

test('its toolkits are served, their keys end with it, and nothing is left behind', async () => {
  const mark = `--mark=${crypto.randomUUID()}`;
  const cwd = makeToolkits({ faulty: faulty(mark) });
  const { service, keys, tools } = await start(cwd);
  await vi.waitFor(async () => expect((await tools.invoke('faulty__echo', { text: 'hi' })).result).toBe('hi'));
  expect((await keys.list()).filter(({ kind }) => kind === 'toolkit')).toMatchObject([
    { name: 'serve --toolkits (faulty)', toolkit: 'faulty' },
  ]);
  service.kill('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0 });
  expect(runningWith(mark)).toEqual([]);
  expect(childOf(cwd)).toBeUndefined();
  expect((await keys.list()).filter(({ kind, revokedAt }) => kind === 'toolkit' && revokedAt === undefined)).toEqual([]);
});

test('a killed child is started again, and its toolkits reconnect with the same keys', async () => {
  const mark = `--mark=${crypto.randomUUID()}`;
  const cwd = makeToolkits({ faulty: faulty(mark) });
  const { keys, tools } = await start(cwd);
  await vi.waitFor(async () => expect((await tools.invoke('faulty__echo', { text: 'hi' })).result).toBe('hi'));
  const former = childOf(cwd);
  process.kill(former ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect(childOf(cwd)).toSatisfy((pid) => pid !== undefined && pid !== former));
  await vi.waitFor(async () => expect((await tools.invoke('faulty__echo', { text: 'again' })).result).toBe('again'));
  expect((await keys.list()).filter(({ kind }) => kind === 'toolkit')).toHaveLength(1);
});

test('the child and its servers end when the service is killed, and the next service revokes the key that was left', async () => {
  const mark = `--mark=${crypto.randomUUID()}`;
  const cwd = makeToolkits({ faulty: faulty(mark) });
  const first = await start(cwd);
  await vi.waitFor(async () => expect((await first.tools.invoke('faulty__echo', { text: 'hi' })).result).toBe('hi'));
  const child = childOf(cwd);
  // Only the service itself: its group has the child in it.
  const parent = Number(readFileSync(`/proc/${child}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  process.kill(parent, 'SIGKILL');
  await first.service.ended;
  await vi.waitFor(() => expect([childOf(cwd), runningWith(mark)]).toEqual([undefined, []]));

  const { keys, tools } = await start(cwd);
  await vi.waitFor(async () => expect((await tools.invoke('faulty__echo', { text: 'hi' })).result).toBe('hi'));
  const ofToolkit = (await keys.list()).filter(({ kind }) => kind === 'toolkit');
  expect(ofToolkit.map(({ revokedAt }) => revokedAt !== undefined)).toEqual([true, false]);
});

test('the child has no key and no database password of the service; a variable that the file names is passed', async () => {
  const mark = `--mark=${crypto.randomUUID()}`;
  const named = { env: { NOTES: `\${NOTES_TOKEN}`, PASSWORD: `\${PGPASSWORD}` } };
  const cwd = makeToolkits({ faulty: faulty(mark, named) });
  const { tools } = await start(cwd, {
    SVC_ADMIN_API_KEY: SECRET,
    SVC_NATS_TOKEN: SECRET,
    DATABASE_URL: `postgres://me:${SECRET}@127.0.0.1/x`,
    PGPASSWORD: 'named',
    NOTES_TOKEN: 'notes',
  });
  const environment = await vi.waitFor(async () => (await tools.invoke('faulty__environment', {})).result as Record<string, string>);
  expect(environment).toMatchObject({ NOTES: 'notes', PASSWORD: 'named' });
  const ofChild = readFileSync(`/proc/${childOf(cwd)}/environ`, 'utf8');
  expect(ofChild).not.toContain(SECRET);
  expect(ofChild).not.toContain('SVC_');
  expect(ofChild).toContain('NOTES_TOKEN=notes');
});

test('an admin key adds a toolkit over the service: it is written, online, and has a separate key', async () => {
  const cwd = makeToolkits({});
  const { url, keys, tools } = await start(cwd);
  const { key } = await keys.create({ kind: 'admin', name: 'deploy' });
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const request = { id: 'faulty', entry: { mcp: { command: process.execPath, args: [SERVER] } } };
  const { sha256, actions } = await ask<ImportPreview>('POST', '/v1/imports/preview', request);
  expect(actions.map(({ action }) => action)).toContain('echo');
  await ask('POST', '/v1/imports', { ...request, sha256 });
  const { imports } = await ask<{ imports: ImportStatus[] }>('GET', '/v1/imports');
  expect(imports).toMatchObject([{ id: 'faulty', state: 'online', actions: actions.length }]);
  expect((await tools.invoke('faulty__echo', { text: 'hi' })).result).toBe('hi');
  expect(readdirSync(cwd)).toEqual(expect.arrayContaining(['toolkits.yaml', 'toolkits.lock.json']));
  expect(readFileSync(join(cwd, 'toolkits.yaml'), 'utf8')).toContain('faulty');
});

test('a file with a mistake ends the start with its place, and no process stays', async () => {
  const cwd = makeToolkits({ notes: { mpc: {} } });
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--toolkits', 'toolkits.yaml'], { cwd, env: { PWD_OF_TEST: cwd } });
  expect(code).toBe(1);
  expect(stderr).toContain('toolkits.notes');
  expect(childOf(cwd)).toBeUndefined();
});
