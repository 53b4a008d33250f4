/**
 * Whether a call costs the same in a large service as in an empty one: with 1,000 toolkits, 10,000 actions, 10,000 keys, a million records or 10,000
 * idle sockets, each beside an empty service in the same run. bench/README.md explains the figures.
 *
 * Errors: exit 1 when an answer was not 200 with the whole echo.
 */
import { writeFileSync } from 'node:fs';
import { goalLine } from './common/goal.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { removeFolder, temporaryFolder } from './common/processes.ts';
import { formatTable } from './common/table.ts';
import { cpuRatio, type RoundSpread } from './load/comparison.ts';
import { LoadGenerator } from './load/load-generator.ts';
import { cellsOf, errorsOf, FIGURE_TITLES, formatSpread } from './load/report.ts';
import { type TargetFigures, takeTurns } from './load/rounds.ts';
import type { RunningTarget } from './load/target.ts';
import { readScaleOptions } from './scale/options.ts';
import type { Size } from './scale/sizes.ts';
import { serveEcho } from './svc/echo.ts';
import { startServiceNode } from './svc/node.ts';
import { createKey, onDisk } from './svc/service.ts';
import { svcKeyed, targetOf } from './svc/target.ts';

/** Processor time of a call, divided by that in the empty service. */
const MAX_RATIO = 1.1;
/** Long, so that heartbeats of idle sockets are a small part of the measurement. */
const HEARTBEAT_MS = 60_000;
const LOAD = { payloadBytes: 300, concurrency: 64 };

interface ScaleResult {
  size: string;
  empty: TargetFigures;
  full: TargetFigures;
  cpuRatio: RoundSpread;
}

const { sizes, share, rounds, sliceSeconds, json } = readScaleOptions(process.argv.slice(2));
const before = machineFacts();
console.log(describeMachine(before));
const generator = new LoadGenerator();
const results: ScaleResult[] = [];
for (const size of sizes) results.push(await measure(size));
generator.stop();
const after = machineFacts();

const rows = results.flatMap(({ size, empty, full, cpuRatio: ratio }) => [
  [size, ...cellsOf(empty), ''],
  ['', ...cellsOf(full), formatSpread(ratio)],
]);
console.log(formatTable(['size', ...FIGURE_TITLES, 'CPU to empty [quartiles]'], rows));
for (const { size, cpuRatio } of results) {
  const { median } = cpuRatio;
  console.log(goalLine(median <= MAX_RATIO, `${size}: a call takes at most ${MAX_RATIO} of the processor time: ${median.toFixed(2)}`));
}
console.log(`load average at the end: ${after.loadAverage.map((value) => value.toFixed(2)).join(' ')}`);
if (json) writeFileSync(json, `${JSON.stringify({ at: new Date().toISOString(), machine: { before, after }, results }, null, 2)}\n`);

const problems = results.flatMap(({ empty, full }) => errorsOf(LOAD, [empty, full]));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

async function measure(size: Size): Promise<ScaleResult> {
  const count = Math.ceil(size.count * share);
  const name = `${count.toLocaleString('en')} ${size.name}`;
  const targets = [
    { name: 'empty', running: await svcKeyed.start() },
    { name, running: await startFull(size, count) },
  ];
  const [empty, full] = await takeTurns(targets, { ...LOAD, rounds, sliceSeconds }, generator);
  for (const { running } of targets) await running.stop();
  if (!empty || !full) throw new Error('Each target has figures');
  return { size: name, empty, full, cpuRatio: cpuRatio(full, empty) };
}

async function startFull({ fillData, fillNode }: Size, count: number): Promise<RunningTarget> {
  const data = temporaryFolder();
  const adminKey = await createKey('admin', onDisk(data));
  await fillData?.(data, count);
  const node = await startServiceNode(onDisk(data), { limits: { heartbeatMs: HEARTBEAT_MS } });
  const empty = await fillNode?.({ origin: node.address, adminKey }, count);
  const echo = await serveEcho(adminKey, { servedAt: [node.address], calledAt: [node.address] });
  return {
    ...targetOf([node], echo, true),
    stop: async () => {
      await echo.stop();
      empty?.();
      await node.stop();
      removeFolder(data);
    },
  };
}
