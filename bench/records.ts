/**
 * The cost of the console's records for each call: the built service with and without its console, in turn. bench/README.md explains the figures.
 *
 * Errors: exit 1 when an answer was not 200 with the whole echo.
 */
import { writeFileSync } from 'node:fs';
import { describeMachine, machineFacts } from './common/machine.ts';
import { formatTable } from './common/table.ts';
import { perRound, type RoundSpread } from './load/comparison.ts';
import { LoadGenerator } from './load/load-generator.ts';
import { readOptions } from './load/options.ts';
import { cellsOf, errorsOf, FIGURE_TITLES } from './load/report.ts';
import { type LoadCase, type TargetFigures, takeTurns } from './load/rounds.ts';
import { svc, svcKeyed, svcKeyedNoConsole, svcNoConsole } from './svc/target.ts';

const DEFAULTS = { only: 'c=64,size=300', rounds: 9, seconds: 1 };
/** Pairs: without the console, and with it. */
const TARGETS = [svcNoConsole, svc, svcKeyedNoConsole, svcKeyed];

interface RecordsResult {
  load: LoadCase;
  targets: TargetFigures[];
}

const { cases, json } = readOptions('node bench/records.ts', process.argv.slice(2), DEFAULTS);
const before = machineFacts();
console.log(describeMachine(before));
const generator = new LoadGenerator();
const results: RecordsResult[] = [];
for (const load of cases) results.push({ load, targets: await measure(load) });
generator.stop();
const after = machineFacts();

console.log(formatTable(['case', ...FIGURE_TITLES, 'console adds CPU µs [quartiles]'], results.flatMap(rowsOf)));
console.log(`load average at the end: ${after.loadAverage.map((value) => value.toFixed(2)).join(' ')}`);
if (json) writeFileSync(json, `${JSON.stringify({ at: new Date().toISOString(), machine: { before, after }, results }, null, 2)}\n`);

const problems = results.flatMap(({ load, targets }) => errorsOf(load, targets));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

async function measure(load: LoadCase): Promise<TargetFigures[]> {
  const targets = [];
  for (const { name, start } of TARGETS) targets.push({ name, running: await start() });
  const figures = await takeTurns(targets, load, generator);
  await Promise.all(targets.map(({ running }) => running.stop()));
  return figures;
}

function rowsOf({ load: { payloadBytes, concurrency }, targets }: RecordsResult): string[][] {
  return targets.map((target, index) => {
    const without = index % 2 === 1 ? targets[index - 1] : undefined;
    return [
      index === 0 ? `${payloadBytes} B, c=${concurrency}` : '',
      ...cellsOf(target),
      without ? formatMicros(added(target, without)) : '',
    ];
  });
}

/** Additional CPU time per call, round by round. */
function added(target: TargetFigures, without: TargetFigures): RoundSpread {
  return perRound(
    target.rounds.map(({ cpuMsPerCall }, index) => (cpuMsPerCall - (without.rounds[index]?.cpuMsPerCall ?? Number.NaN)) * 1_000),
  );
}

function formatMicros({ median, lowerQuartile, upperQuartile }: RoundSpread): string {
  return `${median.toFixed(0)} [${lowerQuartile.toFixed(0)}-${upperQuartile.toFixed(0)}]`;
}
