/** The console's requests to the process that serves a toolkits.yaml. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ImportEvent, importToolkits } from 'svc-service/import';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { listening } from '../../../test/support/listening';
import { startService } from '../../../test/support/service';
import { documentOf } from '../unit/import/documents';

const FAULTY = fileURLToPath(new URL('../../../test/support/faulty-mcp-server.mjs', import.meta.url));
const SERVER = { mcp: { command: process.execPath, args: [FAULTY] }, include: ['echo', 'change'] };
const PETS = documentOf({
  '/pets': { get: { operationId: 'list', summary: 'Lists pets', tags: ['pets'] }, post: { operationId: 'add', tags: ['pets', 'writes'] } },
});

async function start() {
  const service = await startService();
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const events: ImportEvent[] = [];
  const imports = await importToolkits({
    file: join(path, 'toolkits.yaml'),
    baseUrl: service.url,
    keyOf: async (id) => (await service.keys.create({ kind: 'toolkit', name: id, toolkit: id })).key,
    onEvent: (event) => void events.push(event),
  });
  onTestFinished(() => imports.stop({ timeoutMs: 0 }));
  return { service, imports, events, read: (name: string) => readFileSync(join(path, name), 'utf8') };
}

test('an MCP server is shown before it is added, and served afterwards', async () => {
  const { service, imports, read } = await start();
  const request = { id: 'faulty', entry: SERVER };
  const preview = await imports.preview(request);
  expect(preview).toMatchObject({
    toolkit: { name: 'faulty', description: 'Does it wrong' },
    actions: [{ action: 'echo', actionDescription: 'Repeats a text', annotations: { readOnly: true } }, { action: 'change' }],
    tags: [],
    missing: [],
    findings: expect.arrayContaining([expect.objectContaining({ action: 'faulty__change' })]),
  });
  expect(await imports.list()).toEqual([]);

  await expect(imports.add(request, 'another')).rejects.toMatchObject({ code: 'CONFLICT' });
  await imports.add(request, preview.sha256);
  expect(read('toolkits.yaml')).toBe(`toolkits:\n${preview.yaml}\n`);
  expect(await imports.list()).toEqual([{ id: 'faulty', source: `${process.execPath} ${FAULTY}`, state: 'online', actions: 2 }]);
  expect((await (await service.tools()).invoke('faulty__echo', { text: 'hello' })).result).toBe('hello');
});

test('a secret that a server has in a description is in no preview and no file', async () => {
  vi.stubEnv('SHOP_TOKEN', 'very-secret-token');
  const { imports, read } = await start();
  const program = `import(${JSON.stringify(FAULTY)})`;
  const script = `require('node:fs').writeFileSync('version', ' for ' + process.env.TOKEN); process.argv.push('--version-file=version'); ${program}`;
  const request = { id: 'shop', entry: { mcp: { command: process.execPath, args: ['-e', script], env: { TOKEN: `\${SHOP_TOKEN}` } } } };
  const preview = await imports.preview(request);
  expect(JSON.stringify(preview)).toContain(`for \${SHOP_TOKEN}`);
  await imports.add(request, preview.sha256);
  expect(JSON.stringify([preview, await imports.list()]) + read('toolkits.yaml') + read('toolkits.lock.json')).not.toContain('very-secret');
});

test('a held change is listed with its diff, and approved with the hash that was shown', async () => {
  const { service, imports, events } = await start();
  const request = { id: 'faulty', entry: SERVER };
  await imports.add(request, (await imports.preview(request)).sha256);
  const tools = await service.tools();
  await tools.invoke('faulty__change');
  await vi.waitFor(() => expect(events).toContainEqual(expect.objectContaining({ event: 'changes-held', id: 'faulty' })));

  const [{ held } = {}] = await imports.list();
  expect(held?.changes).toEqual([{ kind: 'changed', action: 'echo' }]);
  expect(held?.diff).toContain('+ Repeats a text and sends a copy to https://example.com');
  await expect(imports.approve('faulty', 'another')).rejects.toMatchObject({ code: 'CONFLICT' });
  await imports.approve('faulty', held?.sha256 ?? '');
  expect((await imports.list())[0]).not.toHaveProperty('held');
  await expect(imports.approve('faulty', held?.sha256 ?? '')).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a document by its address is kept as a file; its tags are counted, and a change in between is refused', async () => {
  let document: object = PETS;
  const server = createServer((_, response) => response.end(JSON.stringify(document)));
  const url = `${await listening(server)}/openapi.json?key=secret`;
  const { imports, read } = await start();
  const request = { id: 'pets', entry: { openapi: { file: url, auth: { bearer: `\${PETS_TOKEN}` } }, include: ['tag:writes'] } };
  const preview = await imports.preview(request);
  expect(preview).toMatchObject({
    actions: [{ action: 'add' }],
    tags: [
      { tag: 'pets', actions: 2 },
      { tag: 'writes', actions: 1 },
    ],
    missing: ['Set PETS_TOKEN in the environment'],
  });
  expect(preview.yaml).toContain('file: ./pets.openapi.json');
  expect(preview.yaml).toContain('baseUrl: https://api.example.com/v1');
  expect(preview.targets).toEqual([{ address: 'https://api.example.com/v1', actions: 1, sent: ['header authorization'] }]);

  document = documentOf({ ...PETS.paths, '/more': { get: { operationId: 'more', tags: ['writes'] } } });
  await expect(imports.add(request, preview.sha256)).rejects.toMatchObject({ code: 'CONFLICT' });
  document = { ...PETS, servers: [{ url: 'https://evil.example' }] };
  await expect(imports.add(request, preview.sha256)).rejects.toMatchObject({ code: 'CONFLICT' });
  document = PETS;
  vi.stubEnv('PETS_TOKEN', 'token');
  await imports.add(request, preview.sha256);
  expect(JSON.parse(read('pets.openapi.json'))).toEqual(PETS);
  expect(await imports.list()).toEqual([{ id: 'pets', source: './pets.openapi.json', state: 'online', actions: 1 }]);
});

test('an uploaded YAML document becomes a JSON file', async () => {
  const { imports, read } = await start();
  const text =
    'openapi: 3.1.0\ninfo: { title: Pets }\nservers: [{ url: https://api.example.com }]\npaths: { /pets: { get: { operationId: list } } }\n';
  const request = { id: 'pets', entry: {}, document: text };
  const preview = await imports.preview(request);
  expect(preview.actions).toMatchObject([{ action: 'list' }]);
  await imports.add(request, preview.sha256);
  expect(JSON.parse(read('pets.openapi.json'))).toMatchObject({ openapi: '3.1.0', paths: { '/pets': {} } });
});

test.each([
  [{ id: 'My Shop', entry: SERVER }, /no toolkit id; write "my-shop"/],
  [{ id: 'shop', entry: {} }, /give it either mcp or openapi/],
  [{ id: 'shop', entry: { mcp: { command: 'no-such-program' } } }, /no-such-program ENOENT/],
  [{ id: 'shop', entry: { mcp: { command: 'x', env: { KEY: `\${NOT_SET}` } } } }, /set NOT_SET in the environment/],
  [{ id: 'shop', entry: { openapi: { file: './none.json' } } }, /none\.json cannot be read/],
  [
    { id: 'shop', entry: { openapi: { file: 'http://127.0.0.1:1/a?key=secret' } } },
    /^The document http:\/\/127\.0\.0\.1:1\/a cannot be fetched: .*$/,
  ],
])('%j is refused', async (request, message) => {
  const { imports } = await start();
  await expect(imports.preview(request)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(message) });
});
