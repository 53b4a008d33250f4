/**
 * `npm run chaos -- [--seconds 60] [--seed 1] …`: runs nodes, PostgreSQL, NATS, toolkits and callers, with one fault a second. Then it compares the
 * answers of the callers with the ledgers of the handlers.
 *
 * Errors: exit 1 when a promise was broken, with the history of the calls concerned.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePrograms } from '../scripts/programs.ts';
import { Approver } from './chaos/approver.ts';
import { HANDLE_MS } from './chaos/ask.ts';
import { audit, type Books } from './chaos/audit.ts';
import { auditApprovals } from './chaos/audit-approvals.ts';
import { auditPayments } from './chaos/audit-payments.ts';
import { planCall } from './chaos/call-plan.ts';
import { Callers } from './chaos/callers.ts';
import type { DoneFault } from './chaos/faults.ts';
import { injectFaults } from './chaos/inject.ts';
import { readLedgers } from './chaos/ledger.ts';
import { allBegun, killEach, planLongCall } from './chaos/long-calls.ts';
import { type ChaosOptions, readOptions } from './chaos/options.ts';
import { planFaults } from './chaos/plan-faults.ts';
import { hasFailed, measureRecovery, RECOVERED_WITHIN_MS } from './chaos/recovery.ts';
import { byRarity, countRunsByLanguage, formatLongCalls, formatSummary, historyOf, summarise } from './chaos/report.ts';
import { restartInTurn } from './chaos/rolling.ts';
import { connectedReplicas, startWorld, stopService, stopWorld, type World } from './chaos/world.ts';
import { programsOf } from './common/language.ts';
import { describeMachine, machineFacts } from './common/machine.ts';
import { keepFolder, temporaryFolder } from './common/processes.ts';
import { loadSdk } from './svc/sdk.ts';

const RAW_SHARE = 0.35;
/** Share of the paid calls, and their average cost. */
const PAID_SHARE = 0.3;
const AVERAGE_COST = 0.025;
/** Tries of a caller while faults happen. Calls that are open afterwards are settled at the end. */
const MAX_TRIES = 4;
/** Time after the last fault: twice the time within which the service must recover. */
const CALM_MS = 2 * RECOVERED_WITHIN_MS;
/** A toolkit waits up to 30 s between two tries to connect. */
const REPLICAS_BACK_MS = 40_000;
const SETTLED_WITHIN_MS = 60_000;
/** Time in which callers ask for the end of a call, of one that goes on or waits for a person. */
const FOLLOW_MS = 30_000;
const FOLLOW_LONG_MS = 600_000;
const SHOWN_HISTORIES = 10;
const SHOWN_LINES = 60;

const options = readOptions(process.argv.slice(2));
requirePrograms(...(options.sqlite ? [] : (['postgres', 'nats'] as const)), ...programsOf(options.languages));
const machine = machineFacts();
const folder = temporaryFolder();
if (options.keep) keepFolder(folder);
console.log(describeMachine(machine));
console.log(`seed ${options.seed}${options.keep ? `, kept in ${folder}` : ''}`);

const nodeOptions = options.limit.flatMap((limit) => ['--limit', limit]);
const world = await startWorld({ folder, nodeOptions, tightBudget: tightBudgetOf(options), ...options });
const callers = await makeCallers(world, options);
const approver = new Approver(world.front.origin, { adminKey: world.adminKey, seed: options.seed });
const faults: DoneFault[] = [];
const startedAt = Date.now();
const { lastFaultEndedAt, replicasBackMs } = await (options.long ? disturbLongCalls() : disturbUnderLoad());
const failedOnce = callers.calls.filter((call) => call.tries.some((made) => hasFailed(made, call)));
await decidedWhile(() => callers.settle(Date.now() + SETTLED_WITHIN_MS));
callers.close();
await approver.close();
await stopService(world);
const rows = await world.readServiceLedger();
await stopWorld(world);
report();

/** Half of what the calls of one key cost on average. */
function tightBudgetOf({ seconds, rate }: ChaosOptions): string {
  return (seconds * rate * PAID_SHARE * AVERAGE_COST * 0.25 * 0.5).toFixed(2);
}

async function makeCallers({ front, nodes, agentKeys, replicas }: World, asked: ChaosOptions): Promise<Callers> {
  const { seed, rate, rolling, long } = asked;
  const { Tools } = await loadSdk();
  const toolkits = [...new Set(replicas.map(({ toolkit }) => toolkit))];
  const planOptions = { seed, toolkits, agents: agentKeys.length - 1, nodes: nodes.length, rawShare: rolling ? 0 : RAW_SHARE };
  return new Callers({
    plan: (number) => (long ? planLongCall(number, planOptions, asked) : planCall(number, planOptions)),
    callsPerSecond: rate,
    maxTries: rolling ? 1 : long ? Number.POSITIVE_INFINITY : MAX_TRIES,
    followMs: long ? FOLLOW_LONG_MS : FOLLOW_MS,
    tools: agentKeys.map((apiKey) => new Tools({ baseUrl: front.origin, apiKey, timeoutMs: HANDLE_MS, approvals: 'wait' })),
    agentKeys,
    doors: nodes.map(({ process: { name }, door }) => ({ name, origin: door.origin })),
  });
}

interface Disturbed {
  lastFaultEndedAt: number;
  replicasBackMs: number | undefined;
}

/** The approver decides while `work` is in progress. */
async function decidedWhile<T>(work: () => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const deciding = approver.decideUntil(ending.signal);
  const done = await work().finally(() => ending.abort());
  await deciding;
  return done;
}

/** The questions are decided after the last fault. */
async function disturbLongCalls(): Promise<Disturbed> {
  const { rolling, calls, approvals } = options;
  const onDone = (fault: DoneFault) => void faults.push(fault);
  const calling = callers.callUntil(AbortSignal.timeout(FOLLOW_LONG_MS), calls + approvals);
  await Promise.all([calling, allBegun(world, approver, options)]);
  console.log(`${approvals} questions wait and ${calls} calls run after ${Date.now() - startedAt} ms`);
  await (rolling ? restartInTurn(world.nodes, Date.now() + 1, onDone) : killEach(world, onDone));
  const lastFaultEndedAt = Math.max(...faults.map(({ to }) => to));
  const replicasBackMs = await waitForReplicas(lastFaultEndedAt);
  const running = [...readLedgers(world.ledgers).values()].filter((runs) => runs.some(({ end }) => !end)).length;
  console.log(`${running} calls still run after the last fault, ${Date.now() - startedAt} ms; the questions are decided now`);
  await decidedWhile(() => callers.ended());
  return { lastFaultEndedAt, replicasBackMs };
}

/** Calls go on until the calm after the last fault is over. */
function disturbUnderLoad(): Promise<Disturbed> {
  return decidedWhile(disturbCalls);
}

async function disturbCalls(): Promise<Disturbed> {
  const { seconds, rolling, sqlite } = options;
  const onDone = (fault: DoneFault) => void faults.push(fault);
  const plan = planFaults({ ...options, kinds: options.faults, hasNats: !sqlite, hasPostgres: !sqlite });
  const ending = new AbortController();
  const calling = callers.callUntil(ending.signal);
  await (rolling ? restartInTurn(world.nodes, Date.now() + seconds * 1_000, onDone) : injectFaults(world, plan, onDone));
  await sleep(Math.max(0, startedAt + seconds * 1_000 - Date.now()));
  const overAt = Math.max(startedAt, ...faults.map(({ to }) => to));
  const [replicasBackMs] = await Promise.all([waitForReplicas(overAt), sleep(Math.max(0, overAt + CALM_MS - Date.now()))]);
  ending.abort();
  await calling;
  await callers.ended();
  return { lastFaultEndedAt: overAt, replicasBackMs };
}

/** Milliseconds until the service reports all replicas as connected; undefined if it never did. */
async function waitForReplicas(since: number): Promise<number | undefined> {
  const { toolkits, replicas } = options;
  while (Date.now() < since + REPLICAS_BACK_MS) {
    const connected = await connectedReplicas(world);
    if (connected?.length === toolkits && connected.every((count) => count === replicas)) return Date.now() - since;
    await sleep(100);
  }
  return undefined;
}

function report(): void {
  const parts = [world.nats, world.postgres, ...world.nodes, ...world.replicas].flatMap((place) =>
    place && 'process' in place ? place.process : (place ?? []),
  );
  const kills = new Map(parts.flatMap(({ name, kills }) => [...kills].map(([life, at]) => [`${name}.${life}`, at] as const)));
  const books: Books = { calls: callers.calls, runs: readLedgers(world.ledgers), faults, kills };
  const asked = { ...books, decisions: approver.decisions };
  const findings = [...audit(books), ...auditApprovals(asked), ...auditPayments({ ...books, rows, budgets: world.budgets })];
  const summary = summarise(books, findings);
  const languages = new Map(world.replicas.map(({ process, language }) => [process.name, language]));
  const runsByLanguage = countRunsByLanguage(books.runs, languages);
  const recovery = measureRecovery(callers.calls, lastFaultEndedAt);
  const failed = options.rolling ? failedOnce : [];
  const wrong = [
    ...parts.flatMap((part) => part.faults),
    ...(recovery.errorsAfterwards > 0
      ? [`${recovery.errorsAfterwards} tries failed later than ${RECOVERED_WITHIN_MS} ms after the last fault`]
      : []),
    ...(replicasBackMs === undefined ? [`not all replicas were connected ${REPLICAS_BACK_MS} ms after the last fault`] : []),
    ...(failed.length > 0 ? [`${failed.length} calls failed during a rolling restart`] : []),
  ];

  console.log(`${formatSummary(summary)}\n`);
  console.log(`runs by language: ${JSON.stringify(runsByLanguage)}`);
  console.log(formatLongCalls(asked, summary, Date.now() - startedAt));
  console.log(`recovered ${recovery.recoveryMs} ms after the last fault; all replicas connected after ${replicasBackMs ?? '-'} ms`);
  const rarestFirst = byRarity(findings);
  const broken = [...new Set([...rarestFirst.map(({ call }) => call), ...failed.map(({ number }) => number)])];
  const histories = broken.map((number) => historyOf(callers.calls[number - 1], number, books));
  for (const finding of rarestFirst.slice(0, 3 * SHOWN_HISTORIES)) console.error(`call ${finding.call} ${finding.breach}: ${finding.what}`);
  for (const history of histories.slice(0, SHOWN_HISTORIES)) console.error(`\n${history.slice(0, SHOWN_LINES).join('\n')}`);
  for (const sentence of wrong) console.error(sentence);
  const isKept = findings.length + wrong.length === 0;
  console.log(
    isKept ? 'no promise was broken' : `${findings.length} broken promises to ${broken.length} calls, ${wrong.length} other faults`,
  );
  if (!isKept) process.exitCode = 1;
  if (options.json) {
    const { json: _, ...given } = options;
    const all = {
      ...given,
      machine,
      ...summary,
      runsByLanguage,
      ...recovery,
      replicasBackMs: replicasBackMs ?? null,
      wrong,
      findings,
      histories,
      doneFaults: faults,
    };
    writeFileSync(options.json, `${JSON.stringify(all, null, 2)}\n`);
  }
}
