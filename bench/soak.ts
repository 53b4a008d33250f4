/**
 * A service under half of the load that it can take, for an hour: does anything grow? Half of the calls carry idempotency keys. bench/README.md
 * explains the figures. Needs Linux' /proc.
 *
 * Errors: exit 1 when an answer was not 200 with the whole echo.
 */
import { benchCommand, positiveNumber, wholeNumber } from './common/command.ts';
import { goalLine } from './common/goal.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { removeFolder, temporaryFolder } from './common/processes.ts';
import { spreadOf } from './common/statistics.ts';
import { formatTable } from './common/table.ts';
import { LoadGenerator } from './load/load-generator.ts';
import { jobFor } from './load/rounds.ts';
import { FIGURES, type Figure, type SoakPart, soakPart } from './soak/part.ts';
import { serveEcho } from './svc/echo.ts';
import { startServiceNode } from './svc/node.ts';
import { createKey, onDisk } from './svc/service.ts';
import { targetOf } from './svc/target.ts';

const PAYLOAD_BYTES = 300;
const CALLERS = 32;
const WARM_UP_MS = 3_000;
const FULL_LOAD_MS = 5_000;
/** A figure is flat when the median of the last third of the parts is at most this many times that of the first third. */
const MAX_GROWTH = 1.1;
/** These figures must stay flat; the rest explains them. */
const FLAT: readonly Figure[] = ['RSS MB', 'heap MB', 'loop p99 ms', 'files', 'sockets'];

const { minutes, parts: count } = benchCommand('npm run bench:soak --')
  .option('--minutes <count>', 'length of the run', positiveNumber, 60)
  .option('--parts <count>', 'how often the service is looked at', wholeNumber, 60)
  .parse()
  .opts<{ minutes: number; parts: number }>();
console.log(describeMachine(machineFacts()));

const data = temporaryFolder();
const node = await startServiceNode(onDisk(data));
const echo = await serveEcho(await createKey('admin', onDisk(data)), { servedAt: [node.address], calledAt: [node.address] });
const callers = [true, false].map((keyed) => ({
  generator: new LoadGenerator(),
  job: jobFor({ ...targetOf([node], echo, keyed), stop: echo.stop }, PAYLOAD_BYTES),
}));

const full = await load(FULL_LOAD_MS, WARM_UP_MS);
const half = full.map(({ perSecond }) => perSecond / 2);
console.log(
  `half load: ${half.map((rate, index) => `${rate.toFixed(0)} ${index === 0 ? 'keyed' : 'other'}`).join(' and ')} calls per second`,
);

const parts: SoakPart[] = [];
for (let part = 1; part <= count; part++) {
  parts.push(await soakPart(node, () => load((minutes * 60_000) / count, 0, half)));
  console.log(`${part}/${count}  ${FIGURES.map((name) => `${name} ${parts.at(-1)?.figures[name].toFixed(1)}`).join('  ')}`);
}
for (const { generator } of callers) generator.stop();
await echo.stop();
await node.stop();
removeFolder(data);

const third = Math.ceil(count / 3);
const medianOf = (some: readonly SoakPart[], name: Figure) => spreadOf(some.map(({ figures }) => figures[name])).median;
const thirds = FIGURES.map((name) => ({ name, first: medianOf(parts.slice(0, third), name), last: medianOf(parts.slice(-third), name) }));
const rows = thirds.map(({ name, first, last }) => [name, first.toFixed(1), last.toFixed(1), (last / first).toFixed(2)]);
console.log(`\n${formatTable(['', 'first third', 'last third', 'ratio'], rows)}\n`);
for (const { name, first, last } of thirds.filter((figure) => FLAT.includes(figure.name))) {
  console.log(
    goalLine(last <= first * MAX_GROWTH, `${name} is flat, at most ${MAX_GROWTH} of its first third: ${(last / first).toFixed(2)}`),
  );
}
console.log(`${parts.reduce((sum, { answered }) => sum + answered, 0)} calls`);

const errors = Object.entries(Object.assign({}, ...parts.map((part) => part.errors)));
for (const [error, times] of errors) console.error(`${error}: ${times} times in a part`);
if (errors.length > 0) process.exitCode = 1;

/** All callers at once, with a pace or as fast as they can. */
function load(measureMs: number, warmUpMs: number, paces: readonly number[] = []) {
  return Promise.all(
    callers.map(({ generator, job }, index) => {
      const callsPerSecond = paces[index];
      return generator.run({ ...job, concurrency: CALLERS, warmUpMs, measureMs, ...(callsPerSecond !== undefined && { callsPerSecond }) });
    }),
  );
}
