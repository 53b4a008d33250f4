/** toolkits.yaml, toolkits.lock.json and documents on a real disk. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryYaml, importOpenapi, openToolkitsFolder, pinsOf, type ToolkitEntry } from 'svc-service/import';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../../test/support/folder';
import { documentOf } from './documents';

const WRITTEN = `# Our toolkits, the important ones first
toolkits:
    files: # the documents
        mcp: { command: npx, args: [-y, '@modelcontextprotocol/server-filesystem',
            ./docs] }

    # Ask Ada before you change this one
    shop: { mcp: { url: https://mcp.shop.example/mcp, headers: { Authorization: 'Bearer \${SHOP_TOKEN}' } } } # the shop
# the end
`;
const ENTRY: ToolkitEntry = { openapi: { file: './pets.json', baseUrl: 'https://api.example.com' }, include: ['tag:pets'] };
const DOCUMENT = JSON.stringify(documentOf({ '/pets': { get: { operationId: 'list' } } }));
const PINS = pinsOf(importOpenapi(DOCUMENT, { toolkitId: 'pets' }));

function folderWith(files: Record<string, string>) {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return { path, file: join(path, 'toolkits.yaml'), read: (name: string) => readFileSync(join(path, name), 'utf8') };
}

test('a folder without files is empty, and gets all three with the first entry', async () => {
  const { path, file, read } = folderWith({});
  const folder = await openToolkitsFolder(file);
  expect([folder.entries, folder.pins]).toEqual([{}, {}]);

  await folder.put('pets', ENTRY, PINS, DOCUMENT);
  expect(readdirSync(path).sort()).toEqual(['pets.json', 'toolkits.lock.json', 'toolkits.yaml']);
  expect(read('pets.json')).toBe(DOCUMENT);
  expect(read('toolkits.yaml')).toBe(`toolkits:\n${entryYaml('pets', ENTRY)}\n`);
  for (const opened of [folder, await openToolkitsFolder(file)]) {
    expect(opened.entries).toEqual({ pets: ENTRY });
    expect(opened.pins).toEqual({ pets: PINS });
  }
});

test('a new entry is added below the others; comments, order and line breaks stay', async () => {
  const { file, read } = folderWith({ 'toolkits.yaml': WRITTEN });
  await (await openToolkitsFolder(file)).put('pets', ENTRY, PINS);

  const [before, after] = WRITTEN.split('# the end');
  const added = entryYaml('pets', ENTRY).replaceAll(/^ {2}/gm, '    ').replace('      openapi', '      openapi');
  expect(read('toolkits.yaml')).toBe(`${before}${added}\n# the end${after}`);
});

test('an entry is replaced at its place', async () => {
  const { file, read } = folderWith({ 'toolkits.yaml': WRITTEN });
  const folder = await openToolkitsFolder(file);
  await folder.put('files', { mcp: { command: 'files-server' } }, PINS);

  expect(read('toolkits.yaml').replace(/ {4}files:[\s\S]*?files-server \}\n/, '')).toBe(
    WRITTEN.replace(/ {4}files:[\s\S]*?docs\] \}\n/, ''),
  );
  expect(Object.keys(folder.entries)).toEqual(['files', 'shop']);
  expect(folder.entries.files).toEqual({ mcp: { command: 'files-server' } });
});

test.each(['', '# nothing yet\n', 'toolkits:\n', 'toolkits: {}\n', 'toolkits: { a: { mcp: { command: x } } } # one\n'])(
  'an entry is added to %j',
  async (text) => {
    const { file, read } = folderWith({ 'toolkits.yaml': text });
    const folder = await openToolkitsFolder(file);
    const before = Object.keys(folder.entries);
    await folder.put('pets', ENTRY, PINS);
    expect(Object.keys(folder.entries)).toEqual([...before, 'pets']);
    for (const comment of text.match(/#.*/g) ?? []) expect(read('toolkits.yaml')).toContain(comment);
  },
);

test('a change by hand since the files were read is kept', async () => {
  const { file, read } = folderWith({ 'toolkits.yaml': WRITTEN });
  const folder = await openToolkitsFolder(file);
  writeFileSync(file, WRITTEN.replace('./docs', './papers'));
  await Promise.all([
    folder.put('pets', ENTRY, PINS),
    folder.put('more', { mcp: { command: 'more' } }, PINS),
    folder.approve('shop', PINS),
  ]);

  expect(read('toolkits.yaml')).toContain('./papers');
  // Writers at the same time take turns in any order.
  expect(Object.keys(folder.entries).sort()).toEqual(['files', 'more', 'pets', 'shop']);
  expect(Object.keys(folder.pins)).toEqual(['more', 'pets', 'shop']);
});

test.each([
  ['toolkits.yaml', 'toolkits: { a: { mcp: { comand: x } } }', 'did you mean "command"'],
  ['toolkits.yaml', 'toolkits: [', 'toolkits.yaml'],
  ['toolkits.lock.json', '{ "version": 1', 'toolkits.lock.json cannot be used'],
])('a broken %s is refused, also when it broke since, and nothing is written', async (name, text, message) => {
  const { path, file, read } = folderWith({ 'toolkits.yaml': WRITTEN });
  const folder = await openToolkitsFolder(file);
  writeFileSync(join(path, name), text);
  await expect(openToolkitsFolder(file)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(message) });
  await expect(folder.put('pets', ENTRY, PINS, DOCUMENT)).rejects.toThrow(message);
  expect(read(name)).toBe(text);
  expect(existsSync(join(path, 'pets.json'))).toBe(false);
});

test('a mistake is reported with the name of the file that has it', async () => {
  const { path } = folderWith({ 'other.yaml': 'toolkits: [' });
  await expect(openToolkitsFolder(join(path, 'other.yaml'))).rejects.toThrow(/^other\.yaml: /);
  writeFileSync(join(path, 'other.yaml'), 'toolkits: { a: { mcp: { comand: x } } }');
  await expect(openToolkitsFolder(join(path, 'other.yaml'))).rejects.toThrow(/^other\.yaml: .*toolkits\.a\.mcp has no "comand"/);
});

test.each(['../outside.json', '/tmp/outside.json', 'https://api.example.com/openapi.json', './toolkits.yaml', '.'])(
  'a document is not written to %s',
  async (name) => {
    const { path, file } = folderWith({});
    const folder = await openToolkitsFolder(file);
    await expect(folder.put('pets', { openapi: { file: name } }, PINS, DOCUMENT)).rejects.toThrow('name a file in the folder');
    expect(readdirSync(path)).toEqual([]);
  },
);

test('a write that fails leaves the former file and no temporary one', async () => {
  const { path, file, read } = folderWith({ 'toolkits.yaml': WRITTEN, 'toolkits.lock.json': '' });
  const folder = await openToolkitsFolder(file);
  await expect(folder.put('pets', { openapi: { file: './toolkits.lock.json/pets.json' } }, PINS, DOCUMENT)).rejects.toThrow();
  expect(readdirSync(path).sort()).toEqual(['toolkits.lock.json', 'toolkits.yaml']);
  expect(read('toolkits.yaml')).toBe(WRITTEN);
});

test('only a toolkit of the file can be approved', async () => {
  const { file } = folderWith({ 'toolkits.yaml': WRITTEN });
  const folder = await openToolkitsFolder(file);
  await expect(folder.approve('pets', PINS)).rejects.toThrow(/has no toolkit "pets"/);
});
