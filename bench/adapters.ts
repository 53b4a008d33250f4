/**
 * `node bench/adapters.ts [--rounds 2000] [--imports 15]`: what an adapter adds, in microseconds to a call and in milliseconds to an import.
 *
 * A call: `tools.invoke`, the same call through the framework's own tool, and an empty tool of the same framework, one after the other in
 * every round; what the adapter adds is the second without the first and the third, median of the rounds. The service answers in this
 * process, at once, so that nothing else is in the way. An import: the framework, and the framework with its adapter, each in a process of its own.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Tools } from 'svc-sdk';
import { type AdapterCase, CASES } from './adapters/cases.ts';
import { instantService } from './adapters/instant-service.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { temporaryFolder } from './common/processes.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { builtFile } from './svc/built-file.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2000' }, imports: { type: 'string', default: '15' } } });
const [rounds, imports] = [Number(values.rounds), Number(values.imports)];
if (!(rounds >= 1 && imports >= 1)) throw new Error('--rounds and --imports need numbers of at least 1');

const WARM_UP_ROUNDS = 500;
const folder = temporaryFolder();

console.log(describeMachine(machineFacts()));
const calls: string[][] = [];
for (const adapterCase of CASES) calls.push(await measureCalls(adapterCase));
console.log(formatTable(['microseconds, median', 'tools.invoke', 'empty tool', 'with adapter', 'adapter adds', 'quartiles'], calls));
const loads: string[][] = [];
for (const adapterCase of CASES) loads.push(await measureImports(adapterCase));
console.log(formatTable(['milliseconds, median', 'framework', 'with adapter', 'adapter adds', 'quartiles'], loads));

async function measureCalls({ entry, prepare }: AdapterCase): Promise<string[]> {
  const tools = new Tools({ apiKey: 'svc_agent_bench', baseUrl: 'http://service', fetch: instantService });
  const { withAdapter, empty } = await prepare(tools);
  const invoke = () => tools.invoke('bench__echo', { text: 'hello' });
  const times = { invoke: [] as number[], empty: [] as number[], withAdapter: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const measured = { invoke: await timeOf(invoke), empty: await timeOf(empty), withAdapter: await timeOf(withAdapter) };
    if (round < 0) continue;
    for (const name of ['invoke', 'empty', 'withAdapter'] as const) times[name].push(measured[name]);
  }
  const added = spreadOf(times.withAdapter.map((time, round) => time - (times.invoke[round] ?? 0) - (times.empty[round] ?? 0)));
  const medians = [times.invoke, times.empty, times.withAdapter].map((list) => spreadOf(list).median.toFixed(0));
  return [entry, ...medians, added.median.toFixed(0), `${added.lowerQuartile.toFixed(0)} to ${added.upperQuartile.toFixed(0)}`];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) * 1_000;
}

async function measureImports({ entry, framework }: AdapterCase): Promise<string[]> {
  const file = (name: string, specifiers: string[]) => {
    const path = join(folder, `${entry}-${name}.mjs`);
    writeFileSync(path, specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`).join('\n'));
    return path;
  };
  const theirs = framework === undefined ? [] : [import.meta.resolve(framework)];
  const bare = file('bare', theirs);
  const both = file('both', [...theirs, builtFile(`${entry}.js`)]);
  const times: { bare: number; both: number }[] = [];
  for (let round = -1; round < imports; round++) {
    const measured = { bare: await timeOf(() => run(bare)), both: await timeOf(() => run(both)) };
    if (round >= 0) times.push(measured);
  }
  const inMs = (microseconds: number) => (microseconds / 1_000).toFixed(1);
  const added = spreadOf(times.map((time) => time.both - time.bare));
  const medians = [times.map((time) => time.bare), times.map((time) => time.both)].map((list) => inMs(spreadOf(list).median));
  return [
    `${entry}${framework === undefined ? '' : `, beside ${framework}`}`,
    ...medians,
    inMs(added.median),
    `${inMs(added.lowerQuartile)} to ${inMs(added.upperQuartile)}`,
  ];
}

function run(file: string): Promise<unknown> {
  return promisify(execFile)(process.execPath, [file]);
}
