/**
 * `npm run bench:console`: measures each query of the console's pages at a million calls. bench/README.md explains the figures.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../service/src/store/open-store.ts';
import type { Store } from '../service/src/store/store.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { percentile } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { fillPostgres, fillSqlite, hasTables } from './console/fill.ts';
import { readConsoleOptions } from './console/options.ts';
import { type Question, questions } from './console/questions.ts';
import { KEYS, keyId, searchesOf } from './console/synthetic.ts';

interface Figures {
  medianMs: number;
  p95Ms: number;
}

const options = readConsoleOptions(process.argv.slice(2));
const machine = machineFacts();
console.log(describeMachine(machine));
const asked = questions();
const results: Record<string, Record<string, Figures>> = {};

const data = options.data ?? mkdtempSync(join(tmpdir(), 'svc-bench-console-'));
mkdirSync(data, { recursive: true });
try {
  const isNew = !existsSync(join(data, 'svc.sqlite'));
  results.SQLite = await measure({ data }, isNew ? () => fillSqlite(join(data, 'svc.sqlite'), options.calls) : undefined);
  console.log(`the file has ${Math.round(statSync(join(data, 'svc.sqlite')).size / 2 ** 20)} MiB`);
} finally {
  if (options.data === undefined) rmSync(data, { recursive: true, force: true });
}
const { database } = options;
if (database !== undefined) {
  const isNew = !(await hasTables(database));
  results.PostgreSQL = await measure({ database }, isNew ? () => fillPostgres(database, options.calls) : undefined);
}

const head = Object.keys(results).flatMap((engine) => [`${engine} ms`, 'p95']);
const rows = Array.from(asked.keys(), (name) => [name, ...Object.values(results).flatMap((figures) => toCells(figures[name]))]);
console.log(`\n${formatTable([`${options.calls} calls`, ...head], rows)}`);
console.log(
  `load average at the end: ${machineFacts()
    .loadAverage.map((value) => value.toFixed(2))
    .join(' ')}`,
);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ at: new Date().toISOString(), machine, options, results }, null, 2)}\n`);

async function measure(place: { data: string } | { database: string }, fill: (() => Promise<void>) | undefined) {
  if (fill) {
    const store = await open(place);
    for (let number = 0; number < KEYS; number++) await store.keys.insert(aKey(number));
    await store.searches.add(searchesOf());
    await store.close();
    const startedAt = performance.now();
    await fill();
    console.log(`filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  }
  const store = await open(place);
  const figures: Record<string, Figures> = {};
  for (const [name, question] of asked) figures[name] = await timesOf(store, question);
  await store.close();
  return figures;
}

async function timesOf(store: Store, question: Question): Promise<Figures> {
  const times: number[] = [];
  // The first round finds the cursor and does not count.
  for (let round = 0; round <= options.rounds; round++) {
    const startedAt = performance.now();
    await question(store);
    if (round > 0) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { medianMs: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

function open(place: { data: string } | { database: string }): Promise<Store> {
  const logger = { info() {}, warn() {}, error: console.error };
  return openStore({ data: undefined, database: undefined, ...place }, { durability: 'normal', shared: false, logger });
}

function aKey(number: number) {
  const nothing = {
    toolkitId: null,
    allow: null,
    callsPerMinute: null,
    budget: null,
    rules: null,
    code: false,
    expiresAt: null,
    revokedAt: null,
    ownerId: null,
    clientId: null,
  };
  return { ...nothing, id: keyId(number), kind: 'agent' as const, name: `agent ${number}`, hash: String(number), createdAt: 0 };
}

function toCells(figures: Figures | undefined): string[] {
  return figures ? [figures.medianMs.toFixed(1), figures.p95Ms.toFixed(1)] : ['', ''];
}
