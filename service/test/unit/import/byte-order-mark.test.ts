/** Editors and shells of Windows write a byte order mark before UTF-8, and UTF-16. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  fetchDocument,
  importOpenapi,
  keptDocument,
  openToolkitsFolder,
  readLockFile,
  readMcpServers,
  readToolkitsFile,
} from 'svc-service/import';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../../test/support/folder';
import { recordedApi } from '../../support/recorded-api';
import { documentOf } from './documents';

const MARK = '\ufeff';
const DOCUMENT = JSON.stringify(documentOf({ '/pets': { get: {} } }));
const YAML = `openapi: 3.0.3
info: { title: Pets }
servers: [{ url: https://api.example.com }]
paths: { /pets: { get: {} } }
`;

test.each([
  ['an OpenAPI document in JSON', () => importOpenapi(MARK + DOCUMENT).actions.length, 1],
  ['an OpenAPI document in YAML', () => importOpenapi(MARK + YAML).actions.length, 1],
  ['toolkits.yaml', () => readToolkitsFile(`${MARK}toolkits: {}\n`), {}],
  ['toolkits.lock.json', () => readLockFile(`${MARK}{"version":1,"toolkits":{}}`), {}],
  ['mcp.json', () => readMcpServers(`${MARK}{"mcpServers":{}}`).toolkits, {}],
  ['a kept document', () => keptDocument('pets', { openapi: { file: 'x' } }, MARK + DOCUMENT).document, DOCUMENT],
])('%s may begin with a mark', (_name, read, value) => expect(read()).toEqual(value));

test.each(['utf8', 'utf16le'] as const)('a document in %s with a mark is read from a file and from an address', async (encoding) => {
  const bytes = Buffer.from(MARK + DOCUMENT, encoding);
  const folder = testFolder();
  await writeFile(join(folder, 'pets.json'), bytes);
  const api = await recordedApi((_request, response) => response.end(bytes));
  expect([await fetchDocument('pets.json', folder), await fetchDocument(api.url, folder)]).toEqual([DOCUMENT, DOCUMENT]);
});

test.each(['utf8', 'utf16le'] as const)('a folder reads toolkits.yaml in %s with a mark', async (encoding) => {
  const folder = testFolder();
  const text = `${MARK}toolkits:\n  pets: { mcp: { command: node } }\n`;
  await writeFile(join(folder, 'toolkits.yaml'), Buffer.from(text, encoding));
  const { entries } = await openToolkitsFolder(join(folder, 'toolkits.yaml'));
  expect(entries).toEqual({ pets: { mcp: { command: 'node' } } });
});

function testFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}
