/** The processor time that something adds to a call: pairs of targets, without it and with it, all in turn. */
import { writeFileSync } from 'node:fs';
import { describeMachine, machineFacts } from '../common/machine.ts';
import { formatTable } from '../common/table.ts';
import { perRound, type RoundSpread } from './comparison.ts';
import { LoadGenerator } from './load-generator.ts';
import { readOptions } from './options.ts';
import { cellsOf, errorsOf, FIGURE_TITLES } from './report.ts';
import { type LoadCase, type TargetFigures, takeTurns } from './rounds.ts';
import type { Target } from './target.ts';

const DEFAULTS = { only: 'c=64,size=300', rounds: 9, seconds: 1 };

interface PairsBench {
  /** The command, for its help. */
  command: string;
  /** The difference within a pair, such as `the console`. */
  addition: string;
  /** Pairs: without the addition, and with it. */
  targets: readonly Target[];
}

interface PairsResult {
  load: LoadCase;
  targets: TargetFigures[];
}

/** Measures, prints and, with `--json`, writes. Sets the exit code to 1 when an answer was not 200 with the whole echo. */
export async function measurePairs({ command, addition, targets }: PairsBench): Promise<void> {
  const { cases, json } = readOptions(command, process.argv.slice(2), DEFAULTS);
  const before = machineFacts();
  console.log(describeMachine(before));
  const generator = new LoadGenerator();
  const results: PairsResult[] = [];
  for (const load of cases) results.push({ load, targets: await measure(targets, load, generator) });
  generator.stop();
  const after = machineFacts();

  console.log(formatTable(['case', ...FIGURE_TITLES, `${addition} adds CPU µs [quartiles]`], results.flatMap(rowsOf)));
  console.log(`load average at the end: ${after.loadAverage.map((value) => value.toFixed(2)).join(' ')}`);
  if (json) writeFileSync(json, `${JSON.stringify({ at: new Date().toISOString(), machine: { before, after }, results }, null, 2)}\n`);

  const problems = results.flatMap((result) => errorsOf(result.load, result.targets));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

async function measure(pairs: readonly Target[], load: LoadCase, generator: LoadGenerator): Promise<TargetFigures[]> {
  const targets = [];
  for (const { name, start } of pairs) targets.push({ name, running: await start() });
  const figures = await takeTurns(targets, load, generator);
  await Promise.all(targets.map(({ running }) => running.stop()));
  return figures;
}

function rowsOf({ load: { payloadBytes, concurrency }, targets }: PairsResult): string[][] {
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
