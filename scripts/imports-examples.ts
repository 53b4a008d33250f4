/**
 * `npm run imports:examples`: tries every API of `examples/toolkits.yaml` with its real document: filters, credentials, and a few calls to an API on
 * loopback. The MCP servers are in `npm run imports:servers`.
 *
 * Needs `npm run build:js`. Downloads 75 MB of documents once, into the cache of the user. Exits with 1 when something differs.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { importOpenapi, type ToolkitEntry } from 'svc-service/import';
import { readDescriptions } from '../service/import/described-actions.ts';
import { callAction } from './imports/call-action.ts';
import { exampleToolkits } from './imports/example-toolkits.ts';
import { cacheFolder } from './imports/package-files.ts';
import { realDocuments } from './imports/real-documents.ts';

/** Relative files of its entries are here. */
const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
/** Calls of each API. */
const CALLS = 8;

interface Received {
  url: string;
  headers: Record<string, unknown>;
}

const received: Received[] = [];
const api = createServer((request, response) => {
  received.push({ url: request.url ?? '', headers: request.headers });
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'));
}).listen(0, '127.0.0.1');
// A large document takes longer to import than an idle connection lasts by default, and its end may meet the next request.
api.keepAliveTimeout = 0;
await new Promise((listening) => api.once('listening', listening));
const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;

const entries = Object.entries(exampleToolkits(tmpdir())).flatMap(([id, entry]) => ('openapi' in entry ? [[id, entry] as const] : []));
const documents = realDocuments(
  cacheFolder(),
  entries.map(([id]) => id),
);
let failed = 0;
for (const [id, entry] of entries) {
  const problem = await tryEntry(id, entry, documents.get(id) as string).catch((error: Error) => error.message);
  if (problem !== undefined) failed++;
  if (problem !== undefined) console.error(`${id}: ${problem}`);
}
api.close();
process.exitCode = failed > 0 ? 1 : 0;

/** Undefined when all is well. */
async function tryEntry(
  id: string,
  { openapi, describe, ...shown }: Extract<ToolkitEntry, { openapi: unknown }>,
  document: string,
): Promise<string | undefined> {
  const options = { ...shown, ...openapi, toolkitId: id };
  // The document names a server that the toolkit may use, or the entry has a baseUrl.
  const { actions, leftOut, missing } = importOpenapi(document, options);
  const known = new Set([...actions.map(({ action }) => action), ...leftOut]);
  const unknown = Object.keys((await readDescriptions(describe, EXAMPLES)) ?? {}).filter((name) => !known.has(name));
  if (unknown.length > 0) return `${describe} names ${unknown.join(', ')}`;
  if (missing.length > 0) return `no credential for ${missing.map(({ scheme }) => scheme).join(', ')}`;
  const local = importOpenapi(document, { ...options, baseUrl }).actions;
  const step = Math.max(1, Math.floor(local.length / CALLS));
  const called = local.filter((_, index) => index % step === 0).slice(0, CALLS);
  for (const action of called) {
    received.length = 0;
    await callAction(action, false);
    const [request] = received;
    if (received.length !== 1 || request === undefined) return `${action.action} sent ${received.length} requests`;
    if (openapi.auth && request.headers.authorization === undefined) return `${action.action} sent no credential`;
  }
  console.log(`${id}: ${actions.length} actions, ${called.length} calls`);
  return undefined;
}
