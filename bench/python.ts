/**
 * `npm run bench:python -- [--rounds 9] [--seconds 1] …`: the SDK for Python beside bare httpx2 and beside the SDK for TypeScript: calls, toolkits,
 * restarts of the service, imports. bench/README.md explains the figures.
 *
 * Errors: exit 1 when an answer was not the echo.
 */
import { writeFileSync } from 'node:fs';
import { requirePrograms } from '../scripts/programs.ts';
import { benchCommand, positiveNumber, wholeNumber } from './common/command.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { payloadOf } from './load/payload.ts';
import { errorsOf } from './load/report.ts';
import { formatCallers, measureCallers } from './python/callers.ts';
import { formatImports, measureImports } from './python/imports.ts';
import { formatRestarts, measureRestarts } from './python/restarts.ts';
import { startStage } from './python/stage.ts';
import { formatToolkits, measureToolkits } from './python/toolkits.ts';

const { rounds, seconds, concurrency, bytes, restarts, json } = benchCommand('npm run bench:python --')
  .option('--rounds <count>', 'how often each is measured', wholeNumber, 9)
  .option('--seconds <count>', 'length of a measurement', positiveNumber, 1)
  .option('--concurrency <count>', 'calls in flight', wholeNumber, 16)
  .option('--bytes <count>', 'size of a payload', wholeNumber, 300)
  .option('--restarts <count>', 'of the service', wholeNumber, 10)
  .option('--json <file>', 'write everything as JSON')
  .parse()
  .opts<{ rounds: number; seconds: number; concurrency: number; bytes: number; restarts: number; json?: string }>();
requirePrograms('python');

const machine = machineFacts();
console.log(describeMachine(machine));
const stage = await startStage();
const { origin, agentKey } = stage;
const call = { baseUrl: origin, apiKey: agentKey, action: 'typescript__echo', payload: payloadOf(bytes) };
const callers = await measureCallers({ ...call, concurrency, measureMs: seconds * 1_000 }, rounds);
console.log(`${formatCallers(callers)}\n`);
const load = { payloadBytes: bytes, concurrency, rounds, sliceSeconds: seconds };
const toolkits = await measureToolkits(stage, load);
console.log(`${formatToolkits(toolkits)}\n`);
const back = await measureRestarts(stage, restarts);
console.log(`${formatRestarts(back)}\n`);
await stage.stop();
const imports = await measureImports(rounds);
console.log(formatImports(imports));

if (json) writeFileSync(json, `${JSON.stringify({ machine, load, callers, toolkits, back, imports }, null, 2)}\n`);
const problems = errorsOf(load, toolkits);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
