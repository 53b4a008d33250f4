/**
 * `npm run bench:rust`: how long a toolkit in Rust takes to compile, and how large it becomes. Compiles in a temporary target folder; cargo has
 * downloaded the dependencies before.
 */
import { execFile } from 'node:child_process';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { locateProgram, requirePrograms } from '../scripts/programs.ts';
import { benchCommand, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { temporaryFolder } from './common/processes.ts';
import { formatTable } from './common/table.ts';

const CRATE = fileURLToPath(new URL('../rust/', import.meta.url));
const SOURCE = join(CRATE, 'tests/bench/echo_toolkit.rs');
const BUILDS: { name: string; options: string[] }[] = [
  { name: 'debug', options: [] },
  { name: 'release, without TLS', options: ['--release', '--no-default-features'] },
  { name: 'release', options: ['--release'] },
];

const { jobs } = benchCommand('npm run bench:rust --')
  .option('--jobs <count>', 'of cargo at a time', wholeNumber, 2)
  .parse()
  .opts<{ jobs: number }>();
requirePrograms('cargo');
console.log(describeMachine(machineFacts()));
const cargo = locateProgram('cargo');
await promisify(execFile)(cargo, ['fetch', '--quiet'], { cwd: CRATE });

const rows: string[][] = [];
for (const { name, options } of BUILDS) {
  const target = temporaryFolder();
  const fresh = await build(target, options);
  const now = new Date();
  utimesSync(SOURCE, now, now);
  const again = await build(target, options);
  const binary = join(target, options.includes('--release') ? 'release' : 'debug', 'examples/echo_toolkit');
  const megabytes = statSync(binary).size / 1_000_000;
  rows.push([name, ...[fresh, again].flatMap(({ wallMs, cpuMs }) => [wallMs, cpuMs].map(seconds)), megabytes.toFixed(1)]);
}
console.log(formatTable(['an echo toolkit', 'fresh s', 'CPU s', 'after a change s', 'CPU s', 'MB'], rows));

async function build(target: string, options: string[]): Promise<{ wallMs: number; cpuMs: number }> {
  const command = [cargo, 'build', '--quiet', '--example', 'echo_toolkit', '--jobs', `${jobs}`, ...options];
  const startedAt = performance.now();
  // The second line of `times` is the processor time of the ended children.
  const { stdout } = await promisify(execFile)('sh', ['-c', '"$@" && times', 'sh', ...command], {
    cwd: CRATE,
    env: { ...process.env, CARGO_TARGET_DIR: target },
  });
  return { wallMs: performance.now() - startedAt, cpuMs: sumOf(stdout.trim().split('\n')[1] ?? '') };
}

/** @param times such as `1m2.5s 0m3.25s` */
function sumOf(times: string): number {
  return [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60_000 + Number(rest) * 1_000,
    0,
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(1);
}
