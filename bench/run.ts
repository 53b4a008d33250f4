/**
 * Calls per second and latency of the whole path, caller -> HTTP -> service -> socket -> handler and back: the built service beside a bare relay.
 * bench/README.md explains the figures.
 *
 * Errors: exit 1 when an answer was not 200 with the whole echo.
 */
import { writeFileSync } from 'node:fs';
import { describeMachine, machineFacts } from './common/machine.ts';
import { durableFloor, floor } from './floor/target.ts';
import { type Comparison, compare } from './load/comparison.ts';
import { formatGoals } from './load/goals.ts';
import { LoadGenerator } from './load/load-generator.ts';
import { readOptions } from './load/options.ts';
import { errorLines, formatComparisons } from './load/report.ts';
import type { Target } from './load/target.ts';
import { svc, svcKeyed } from './svc/target.ts';

/** The case in which the A/A control runs too, if it is selected. */
const CONTROL_CONCURRENCY = 64;

const { cases, json, controlOnly } = readOptions('npm run bench --', process.argv.slice(2));
const floorAgain: Target = { ...floor, name: 'floor again' };
const controlCase = cases.find(({ concurrency }) => concurrency === CONTROL_CONCURRENCY) ?? cases[0];

const before = machineFacts();
console.log(describeMachine(before));
const generator = new LoadGenerator();
const comparisons: Comparison[] = [];
for (const load of cases) {
  if (controlOnly || load === controlCase) comparisons.push(await compare(floor, floorAgain, load, generator));
  if (controlOnly) continue;
  for (const target of [svc, svcKeyed]) comparisons.push(await compare(floor, target, load, generator));
  comparisons.push(await compare(durableFloor, svcKeyed, load, generator));
}
generator.stop();
const after = machineFacts();

console.log(`${formatComparisons(comparisons)}\nload average at the end: ${after.loadAverage.map((value) => value.toFixed(2)).join(' ')}`);
const goals = formatGoals(comparisons);
if (goals !== '') console.log(`\n${goals}`);
if (json) writeFileSync(json, `${JSON.stringify({ at: new Date().toISOString(), machine: { before, after }, comparisons }, null, 2)}\n`);

const problems = errorLines(comparisons);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
