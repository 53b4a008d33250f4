/**
 * `npm run bench:sandbox [-- --rounds 5]`: the sandbox of programs without a service around it: its start, the start of a run, the cost of a call
 * whose answer is there at once, a hundred runs at once, and memory.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { silentLogger } from '../service/src/lib/logger.ts';
import type { ProgramHost } from '../service/src/sandbox/program.ts';
import { DEFAULT_PROGRAM_LIMITS, openSandbox } from '../service/src/sandbox/sandbox.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { percentile } from './common/statistics.ts';
import { formatTable } from './common/table.ts';

const CALLS = 100;
const RUNS = 100;
const EMPTY = 'return 1';
const SEQUENTIAL = `let sum = 0; for (let i = 0; i < ${CALLS}; i++) sum += (await tools.shop.get({ i })).data.i; return sum`;
const PARALLEL = `return (await Promise.all(Array.from({ length: ${CALLS} }, (_, i) => tools.shop.get({ i })))).length`;
const TWENTY = 'let sum = 0; for (let i = 0; i < 20; i++) sum += (await tools.shop.get({ i })).data.i; return sum';

const { rounds } = benchCommand('npm run bench:sandbox --')
  .option('--rounds <count>', 'rounds of each', wholeNumber, 5)
  .parse()
  .opts<{ rounds: number }>();

console.log(describeMachine(machineFacts()));
const host: ProgramHost = { call: async ({ payloadJson }) => ({ ok: true, dataJson: payloadJson }) };
const signal = new AbortController().signal;
const sandbox = openSandbox({ logger: silentLogger });
let runs = 0;

const startMs = await timed(() => run(EMPTY));
await run(SEQUENTIAL);
const idleMb = residentMb();
const asked: (() => void)[] = [];
const waiting: ProgramHost = { call: () => new Promise((resolve) => asked.push(() => resolve({ ok: true, dataJson: '1' }))) };
const open = Array.from({ length: RUNS }, () => run('await tools.shop.get(); return 1', '1', waiting));
while (asked.length < RUNS) await new Promise(setImmediate);
console.log(`Memory of the process: ${idleMb} MB, with ${RUNS} open runs ${residentMb()} MB`);
for (const answer of asked) answer();
await Promise.all(open);

const measures: [name: string, unit: string, perRound: number, measure: () => Promise<number>][] = [
  ['start of a run', 'ms', 20, () => timed(() => run(EMPTY))],
  ['a call, one after the other', 'µs', 5, async () => ((await timed(() => run(SEQUENTIAL))) / CALLS) * 1_000],
  ['a call, ten at once', 'µs', 5, async () => ((await timed(() => run(PARALLEL))) / CALLS) * 1_000],
  [`${RUNS} runs at once, 20 calls each`, 'ms', 1, () => timed(() => Promise.all(Array.from({ length: RUNS }, () => run(TWENTY, '190'))))],
];
const times = measures.map((): number[] => []);
for (let round = 0; round < rounds; round++)
  for (const [index, [, , perRound, measure]] of measures.entries())
    for (let number = 0; number < perRound; number++) times[index]?.push(await measure());

const rows = measures.map(([name, unit], index) => {
  const sorted = (times[index] ?? []).toSorted((one, other) => one - other);
  return [name, ...[0.5, 0.99].map((share) => percentile(sorted, share).toFixed(2)), unit];
});
console.log(`Start of the process with the first run: ${startMs.toFixed(0)} ms`);
console.log(formatTable(['', 'p50', 'p99', 'unit'], rows));

await sandbox.close();

/** @throws Error for another result than `expected` */
async function run(code: string, expected?: string, by = host): Promise<void> {
  const end = await sandbox.run({ id: `run_${++runs}`, code, startedAt: Date.now() }, by, { limits: DEFAULT_PROGRAM_LIMITS, signal });
  if (end.status !== 'done' || (expected !== undefined && end.resultJson !== expected)) throw new Error(JSON.stringify(end));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Memory of the sandbox's process, the only child of this one. */
function residentMb(): number {
  const child = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && statusOf(pid).includes(`PPid:\t${process.pid}\n`));
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(child === undefined ? '' : statusOf(child)) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // It has ended.
  }
}
