/**
 * One node and several: calls through the node that holds the toolkit's socket, through another one, on SQLite and on PostgreSQL, beside plain NATS
 * request-reply and a bare relay, all in turn. bench/README.md explains the figures.
 *
 * Errors: exit 1 when an answer was not the whole echo.
 */
import { writeFileSync } from 'node:fs';
import { requirePrograms } from '../scripts/programs.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { LoadGenerator } from './load/load-generator.ts';
import { takeTurns } from './load/rounds.ts';
import { readNodesOptions } from './nodes/options.ts';
import { formatGoals, formatResults, type NodesResult } from './nodes/report.ts';
import { startTargets } from './nodes/targets.ts';

const { nodes, cases, only, json } = readNodesOptions(process.argv.slice(2));
requirePrograms(...(nodes > 0 ? (['postgres', 'nats'] as const) : (['nats'] as const)));
const before = machineFacts();
console.log(describeMachine(before));

const { targets, stop } = await startTargets(nodes, only);
const generator = new LoadGenerator();
const results: NodesResult[] = [];
for (const load of cases) results.push({ load, targets: await takeTurns(targets, load, generator) });
generator.stop();
await stop();

const after = machineFacts();
console.log(`${formatResults(results)}\n\n${formatGoals(results)}`);
console.log(`load average at the end: ${after.loadAverage.map((value) => value.toFixed(2)).join(' ')}`);
if (json) writeFileSync(json, `${JSON.stringify({ at: new Date().toISOString(), machine: { before, after }, results }, null, 2)}\n`);

for (const { load, targets } of results) {
  for (const { name, errors } of targets) {
    for (const [error, count] of Object.entries(errors)) {
      console.error(`${name}, c=${load.concurrency}: ${count} x ${error}`);
      process.exitCode = 1;
    }
  }
}
