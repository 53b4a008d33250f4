/**
 * `node bench/adapters.ts [--rounds 2000] [--imports 15]`: what an adapter adds, in microseconds to a call and in milliseconds to an import.
 *
 * A call: `tools.invoke`, the same call through the framework's own tool, and an empty tool of the same framework, one after the other in
 * every round; what the adapter adds is the second without the first and the third, median of the rounds. The service answers in this
 * process, at once, so that nothing else is in the way. An import: the framework and then its adapter, timed within a process that does
 * nothing else; the adapters take turns, so that what the machine does meanwhile hits all of them.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Tools } from 'svc-sdk';
import type { AdapterCase, Call, CallCase } from './adapters/adapter-case.ts';
import { ADAPTERS, OTHER_CALLS } from './adapters/cases.ts';
import { instantService } from './adapters/instant-service.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { temporaryFolder } from './common/processes.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { builtFile } from './svc/built-file.ts';

const { rounds, imports } = benchCommand('npm run bench:adapters --')
  .option('--rounds <count>', 'calls of each adapter', wholeNumber, 2_000)
  .option('--imports <count>', 'imports of each adapter', wholeNumber, 15)
  .parse()
  .opts<{ rounds: number; imports: number }>();

const WARM_UP_ROUNDS = 500;

console.log(describeMachine(machineFacts()));
const calls: string[][] = [];
for (const callCase of [...ADAPTERS, ...OTHER_CALLS]) calls.push(await measureCalls(callCase));
console.log(formatTable(['a call, microseconds', 'client', 'empty tool', 'with adapter', 'adapter adds', 'quartiles'], calls));
console.log(formatTable(['\nan import, milliseconds', 'framework', 'adapter adds', 'quartiles'], await measureImports()));

async function measureCalls({ name, prepare }: CallCase): Promise<string[]> {
  const tools = new Tools({ apiKey: 'svc_agent_bench', baseUrl: 'http://service', fetch: instantService });
  const { withAdapter, empty, client = () => tools.invoke('bench__echo', { text: 'hello' }) } = await prepare(tools);
  for (const call of [client, empty, withAdapter]) await checkAnswer(name, call);
  const times: Record<'client' | 'empty' | 'withAdapter', number>[] = [];
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const measured = { client: await timeOf(client), empty: await timeOf(empty), withAdapter: await timeOf(withAdapter) };
    if (round >= 0) times.push(measured);
  }
  const medians = (['client', 'empty', 'withAdapter'] as const).map((part) => spreadOf(times.map((time) => time[part])).median.toFixed(0));
  return [
    name,
    ...medians,
    ...spreadCells(
      times.map((time) => time.withAdapter - time.client - time.empty),
      0,
    ),
  ];
}

/** A failure is an answer too, and a quick one. */
async function checkAnswer(name: string, call: Call): Promise<void> {
  const answer = JSON.stringify(await call());
  if (!answer.includes('hello') || answer.includes('error')) throw new Error(`${name} answered ${answer}`);
}

/** Microseconds. */
async function timeOf(call: Call): Promise<number> {
  const startedAt = performance.now();
  await call();
  return (performance.now() - startedAt) * 1_000;
}

interface ImportTimes {
  framework: number;
  adapter: number;
}

async function measureImports(): Promise<string[][]> {
  const folder = temporaryFolder();
  const timed = ADAPTERS.map((adapter) => ({ adapter, file: writeImports(folder, adapter), times: [] as ImportTimes[] }));
  // Round 0 fills the file cache; it does not count.
  for (let round = 0; round <= imports; round++) {
    for (const { file, times } of timed) {
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file]);
      if (round > 0) times.push(JSON.parse(stdout));
    }
  }
  return timed.map(({ adapter: { name, framework }, times }) => [
    `${name} after ${framework}`,
    spreadOf(times.map((time) => time.framework)).median.toFixed(0),
    ...spreadCells(
      times.map((time) => time.adapter),
      1,
    ),
  ]);
}

function writeImports(folder: string, { name, framework }: AdapterCase): string {
  const file = join(folder, `${name}.mjs`);
  const [theirs, ours] = [import.meta.resolve(framework), pathToFileURL(builtFile(`dist/${name}.js`))];
  writeFileSync(
    file,
    `const startedAt = performance.now();
     await import('${theirs}');
     const framework = performance.now() - startedAt;
     // The framework's garbage is its own: without this, it is collected in the middle of the adapter's import now and then.
     gc();
     const collectedAt = performance.now();
     await import('${ours}');
     console.log(JSON.stringify({ framework, adapter: performance.now() - collectedAt }));`,
  );
  return file;
}

function spreadCells(times: number[], digits: number): string[] {
  const { lowerQuartile, median, upperQuartile } = spreadOf(times);
  return [median.toFixed(digits), `${lowerQuartile.toFixed(digits)} to ${upperQuartile.toFixed(digits)}`];
}
