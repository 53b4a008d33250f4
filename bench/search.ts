/**
 * `npm run bench:search -- --actions FILE… --toolkits FILE… --queries FILE…`: measures search by the size of the catalogue, in process, in shards
 * and over HTTP. bench/README.md explains the figures.
 *
 * Errors: exit 1 with a sentence for a file that cannot be read.
 */
import { writeFileSync } from 'node:fs';
import { describeMachine, machineFacts } from './common/machine.ts';
import { formatTable } from './common/table.ts';
import { endOnBadInput } from './retrieval/bad-input.ts';
import { readFiles } from './retrieval/files.ts';
import type { Latency } from './retrieval/stop-watch.ts';
import { formatSearchGoals, GOAL_ACTIONS } from './search/goals.ts';
import { measureShards, measureSize, type SizeFigures } from './search/in-process.ts';
import { readOptions } from './search/options.ts';
import { type HttpFigures, measureHttp } from './search/over-http.ts';
import { documentsUpTo } from './search/synthetic.ts';
import { chooseQuestions } from './search-eval/questions.ts';
import { toUsageLog } from './search-eval/usage-log.ts';

const COLUMNS = [
  'build ms',
  'cpu',
  'heap MB',
  'peak RSS MB',
  ...['search', 'with usage', 'update', 'remove'].flatMap((what) => [`${what} p50`, 'p99', 'cpu p50', 'p99']),
];

await endOnBadInput(main);

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const machine = machineFacts();
  const { entries, lines } = readFiles(options);
  const { questions } = chooseQuestions(lines, options.split, entries);
  const queries = questions.map(({ query }) => query);
  const { searches } = toUsageLog(lines, entries, questions);
  const past = searches.flatMap(({ query, actions }) => actions.map((action) => ({ query, action })));
  const real = entries.map(({ document }) => document);
  const sizes = options.sizes.map((size) => (size === 'all' ? real.length : size));
  console.log(`${describeMachine(machine)}\n${queries.length} queries, ${past.length} past ones`);

  const measured: Record<string, SizeFigures> = {};
  for (const size of sizes) measured[nameOf(size, real.length)] = await measureSize(documentsUpTo(size, real), queries, past);
  console.log(`\n${formatTable(['in process', ...COLUMNS], Object.entries(measured).map(sizeRow))}`);

  const largest = Math.max(...sizes);
  const sharded = options.shards > 0 ? await measureShards(() => documentsUpTo(largest, real), options.shards, queries, past) : undefined;
  if (sharded) {
    const rows = sharded.shards.map((shard, number) => sizeRow([`shard ${number + 1}: ${shard.build.actions}`, shard]));
    const { slowest, merge } = sharded;
    console.log(`\n${formatTable([`${largest} in shards by toolkit`, ...COLUMNS], rows)}`);
    console.log(formatLatency('slowest shard of each query', slowest));
    console.log(formatLatency('merging', merge));
  }

  const http = options.seconds > 0 ? await measureHttp(real, queries, options.seconds) : undefined;
  if (http) console.log(`\n${formatHttp(http)}`);
  const measuredGoal = measured[nameOf(GOAL_ACTIONS, real.length)];
  if (measuredGoal) console.log(`\n${formatSearchGoals(measuredGoal)}`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ sizes: measured, sharded, http, machine }, null, 2)}\n`);
}

function nameOf(size: number, real: number): string {
  if (size === real) return `${size} (all)`;
  return size < real ? String(size) : `${size} (${size - real} of them made of real ones)`;
}

function sizeRow([name, { build, memory, search, searchWithUsage, update, remove }]: [string, SizeFigures]): string[] {
  const times = [search, searchWithUsage, update, remove].flatMap(({ p50Ms, p99Ms, cpuP50Ms, cpuP99Ms }) =>
    [p50Ms, p99Ms, cpuP50Ms, cpuP99Ms].map(ms),
  );
  return [name, build.ms.toFixed(0), build.cpuMs.toFixed(0), memory.heapMb.toFixed(1), memory.peakRssMb.toFixed(0), ...times];
}

function formatLatency(what: string, { p50Ms, p99Ms, cpuP50Ms, cpuP99Ms }: Latency): string {
  return `${what}: p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms; cpu p50 ${ms(cpuP50Ms)} ms, p99 ${ms(cpuP99Ms)} ms`;
}

function formatHttp({ actions, callers, perSecond, p50Ms, p99Ms }: HttpFigures): string {
  return `over HTTP, ${actions} actions, ${callers} callers: ${perSecond.toFixed(0)} searches/s, p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms`;
}

function ms(value: number): string {
  return value.toFixed(3);
}
