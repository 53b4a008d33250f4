/**
 * `npm run bench:languages -- [--languages ts,python,rust] [--rounds 9] …`: the SDKs beside each other, and each beside the HTTP client below it: calls,
 * toolkits, restarts of the service, memory, imports. bench/README.md explains the figures.
 *
 * Errors: exit 1 when an answer was not the echo.
 */
import { writeFileSync } from 'node:fs';
import { requirePrograms } from '../scripts/programs.ts';
import { benchCommand, positiveNumber, wholeNumber } from './common/command.ts';
import { LANGUAGES, type Language, programsOf, readLanguages } from './common/language.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { callerGoals, formatCallers, measureCallers } from './languages/callers.ts';
import { formatIdle, measureIdle } from './languages/idle.ts';
import { formatImports, measureImports } from './languages/imports.ts';
import { formatRestarts, measureRestarts } from './languages/restarts.ts';
import { startStage } from './languages/stage.ts';
import { formatToolkits, measureToolkits, toolkitGoals } from './languages/toolkits.ts';
import { payloadOf } from './load/payload.ts';
import { errorsOf } from './load/report.ts';

interface Options {
  languages: readonly Language[];
  rounds: number;
  seconds: number;
  concurrency: number;
  bytes: number;
  restarts: number;
  connections: number;
  json?: string;
}

const { languages, rounds, seconds, concurrency, bytes, restarts, connections, json } = benchCommand('npm run bench:languages --')
  .option('--languages <list>', `some of ${LANGUAGES.join(', ')}`, readLanguages, LANGUAGES)
  .option('--rounds <count>', 'how often each is measured', wholeNumber, 9)
  .option('--seconds <count>', 'length of a measurement', positiveNumber, 1)
  .option('--concurrency <count>', 'calls in flight', wholeNumber, 16)
  .option('--bytes <count>', 'size of a payload', wholeNumber, 300)
  .option('--restarts <count>', 'of the service', wholeNumber, 10)
  .option('--connections <count>', 'idle ones of a process', wholeNumber, 200)
  .option('--json <file>', 'write everything as JSON')
  .parse()
  .opts<Options>();
requirePrograms(...programsOf(languages));

const machine = machineFacts();
console.log(describeMachine(machine));
const stage = await startStage(languages);
const { origin, agentKey } = stage;
const call = { baseUrl: origin, apiKey: agentKey, action: `${languages[0]}__echo`, payload: payloadOf(bytes) };
const callers = await measureCallers(stage.languages, { ...call, concurrency, measureMs: seconds * 1_000 }, rounds);
console.log(`${formatCallers(callers)}\n`);
const load = { payloadBytes: bytes, concurrency, rounds, sliceSeconds: seconds };
const toolkits = await measureToolkits(stage, load);
console.log(`${formatToolkits(toolkits)}\n`);
const back = await measureRestarts(stage, restarts);
console.log(`${formatRestarts(back)}\n`);
const idle = await measureIdle(stage, connections);
console.log(formatIdle(idle));
await stage.stop();
const imports = languages.includes('python') ? await measureImports(rounds) : [];
if (imports.length > 0) console.log(`\n${formatImports(imports)}`);
const goals = [...callerGoals(callers), ...toolkitGoals(toolkits)];
if (goals.length > 0) console.log(`\n${goals.join('\n')}`);

if (json) writeFileSync(json, `${JSON.stringify({ machine, load, callers, toolkits, back, idle, imports }, null, 2)}\n`);
const problems = errorsOf(load, toolkits);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
