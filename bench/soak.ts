/**
 * `node bench/soak.ts [--seconds 60] [--callers 32]`: callers at work while the toolkit's processes are killed, one every second; then what
 * the callers saw is held against what the handlers noted.
 *
 * Errors: exit 1 when a promise was broken, with one line for each.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { startNode, temporaryFolder } from './common/processes.ts';
import { callUntil } from './soak/caller.ts';
import { killInTurn } from './soak/kill-in-turn.ts';
import { readLedger } from './soak/ledger.ts';
import { formatOutcomes, formatUnknown } from './soak/report.ts';
import { findViolations } from './soak/violations.ts';
import { toolkitEnvironment } from './svc/sdk.ts';
import { createKey, onDisk, startService, waitForAction } from './svc/service.ts';

const SHOWN_VIOLATIONS = 50;
const TOOLKIT = fileURLToPath(new URL('soak/toolkit.ts', import.meta.url));

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, callers: { type: 'string', default: '32' } } });
const [seconds, callers] = [Number(values.seconds), Number(values.callers)];
if (!(seconds > 0 && callers >= 1)) throw new Error('--seconds and --callers need numbers above 0');

const folder = temporaryFolder();
const ledgerFile = join(folder, 'runs');
const agentKey = await createKey('agent', onDisk(folder));
const toolkitKey = await createKey('toolkit', onDisk(folder));
const service = startService(onDisk(folder));
const [origin] = await service.ready;
const startToolkit = () => startNode([TOOLKIT, ledgerFile], { env: toolkitEnvironment(origin, toolkitKey), ready: /ready/ });
const toolkits = [startToolkit(), startToolkit()];
await Promise.all(toolkits.map(({ ready }) => ready));
const actionId = await waitForAction(origin, agentKey, 'work');

const pool = new Pool(origin, { connections: callers });
const until = performance.now() + seconds * 1_000;
let lastNumber = 0;
const callee = { pool, actionId, agentKey };
const atWork = Array.from({ length: callers }, (_, caller) => callUntil(until, callee, () => ++lastNumber, caller % 2 === 0));
const [kills, records] = await Promise.all([killInTurn(toolkits, startToolkit, until), Promise.all(atWork)]);
await pool.close();

const deaths = service.isAlive() ? [] : ['the service ended by itself'];
// The toolkits end first: only then is the ledger complete, also of runs that nobody waits for any more.
await Promise.all(toolkits.map((toolkit) => toolkit.stop()));
await service.stop();

const calls = records.flat().toSorted((a, b) => a.number - b.number);
const runs = readLedger(ledgerFile);
const runCount = [...runs.values()].reduce((sum, count) => sum + count, 0);
console.log(`${callers} callers, ${seconds} s, ${kills} kills: ${calls.length} calls, ${runCount} runs of ${runs.size} calls`);
console.log(`${formatOutcomes(calls, runs)}\n${formatUnknown(calls, runs)}`);

const violations = [...deaths, ...findViolations(calls, runs)];
console.log(violations.length === 0 ? 'no promise was broken' : `${violations.length} violations`);
for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
