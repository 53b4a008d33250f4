/**
 * `npm run chaos -- --long`: calls that run long without their callers, and calls that wait for a person, while every node, NATS and PostgreSQL is
 * killed once. Then each outcome is compared with the ledgers of the handlers.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type CreateKeyRequest, HEADERS, PATHS } from '../../src/protocol/http.ts';
import { formatTable } from '../common/table.ts';
import { createKeys } from '../svc/admin-keys.ts';
import { type Run, readLedgers } from './ledger.ts';
import type { ChaosOptions } from './options.ts';
import type { Restartable } from './restartable.ts';
import { startWorld, stopService, stopWorld, type World } from './world.ts';

const LONG_CALLS = 1_000;
const QUESTIONS = 200;
/** Every fourth question is denied, and every eighth is never answered. */
const DENIED_EVERY = 4;
const UNANSWERED_EVERY = 8;
const WORK_MS = 60_000;
const QUESTION_WORK_MS = 500;
const AT_ONCE = 50;
const PAUSE_MS = 4_000;
const DOWN_MS = 1_000;
const ENDED_WITHIN_MS = 180_000;
const LIMITS = ['detachedPerKey', 'approvalsPerKey'].flatMap((name) => ['--limit', `${name}=${2 * LONG_CALLS}`]);

type Decision = 'approve' | 'deny' | 'none';

interface LongCall {
  /** Its number in the ledgers. */
  number: number;
  toolkit: string;
  workMs: number;
  key: string;
  /** Present for a call that waits for a person. */
  decision?: Decision;
  handle?: string;
  /** When the approval was sent first. */
  decidedAt?: number;
  /** `RESULT <token>`, or the error code. */
  outcome?: string;
}

/** The promises, named by their violations. */
const BREACHES = {
  lost: 'ran to its end, and its caller has no result',
  runTwice: 'ran more than once',
  runWithoutApproval: 'ran before it was approved, or although it was not',
  unended: 'has no outcome in the end',
  unknown: 'OUTCOME_UNKNOWN, though no process of a toolkit was killed',
  unexpected: 'has an outcome that no fault explains',
} as const;

type Breach = keyof typeof BREACHES;

/** Resolves with the number of broken promises. */
export async function runLongWork(options: ChaosOptions, folder: string): Promise<number> {
  const nodeOptions = [...LIMITS, ...options.limit.flatMap((limit) => ['--limit', limit])];
  const replicas = Math.max(options.replicas, 4);
  const world = await startWorld({ ...options, folder, nodeOptions, replicas, tightBudget: '1' });
  const work = await LongWork.start(world);
  const startedAt = Date.now();
  await work.beginAll();
  console.log(`${LONG_CALLS} long calls and ${QUESTIONS} questions after ${Date.now() - startedAt} ms`);
  await Promise.all([killEach(world), work.decideAll()]);
  await work.endAll(Date.now() + ENDED_WITHIN_MS);
  await work.close();
  await stopService(world);
  await stopWorld(world);
  const parts = [world.nats, world.postgres, ...world.nodes.map(({ process }) => process)].filter((part) => part !== undefined);
  return report(work.calls, readLedgers(world.ledgers), parts, Date.now() - startedAt);
}

/** One after the other, so that the others can go on. */
async function killEach({ nodes, nats, postgres }: World): Promise<void> {
  for (const part of [...nodes.map(({ process }) => process), nats, postgres]) {
    if (!part) continue;
    await sleep(PAUSE_MS);
    await part.kill();
    await sleep(DOWN_MS);
    await part.start();
    console.log(`killed ${part.name}`);
  }
}

class LongWork {
  readonly calls: LongCall[];
  readonly #origins: string[];
  readonly #agentKey: string;
  readonly #askingKey: string;
  readonly #adminKey: string;
  readonly #dispatcher = new Agent({ pipelining: 1 });
  #requests = 0;

  static async start(world: World): Promise<LongWork> {
    const asking: CreateKeyRequest = { kind: 'agent', name: 'asks first', rules: [{ match: {}, do: 'ask' }] };
    const [created] = await createKeys(world.front.origin, world.adminKey, [asking]);
    return new LongWork(world, `${created?.key}`);
  }

  private constructor({ nodes, agentKeys, adminKey, replicas }: World, askingKey: string) {
    this.#origins = nodes.map(({ door }) => door.origin);
    this.#agentKey = `${agentKeys[0]}`;
    this.#askingKey = askingKey;
    this.#adminKey = adminKey;
    const toolkits = [...new Set(replicas.map(({ toolkit }) => toolkit))];
    const toolkitOf = (index: number) => `${toolkits[index % toolkits.length]}`;
    const longs = Array.from({ length: LONG_CALLS }, (_, index): LongCall => {
      return { number: index + 1, toolkit: toolkitOf(index), workMs: WORK_MS, key: randomUUID() };
    });
    const questions = Array.from({ length: QUESTIONS }, (_, index): LongCall => {
      const decision = index % UNANSWERED_EVERY === 0 ? 'none' : index % DENIED_EVERY === 1 ? 'deny' : 'approve';
      return { number: LONG_CALLS + index + 1, toolkit: toolkitOf(index), workMs: QUESTION_WORK_MS, key: randomUUID(), decision };
    });
    this.calls = [...longs, ...questions];
  }

  beginAll(): Promise<void> {
    return this.#each(this.calls, (call) => this.#begin(call));
  }

  /** Spread over the time of the faults. */
  async decideAll(): Promise<void> {
    const decided = this.calls.filter(({ decision }) => decision === 'approve' || decision === 'deny');
    for (const call of decided) {
      void this.#decide(call);
      await sleep(100);
    }
    while (decided.some(({ decidedAt }) => decidedAt === undefined)) await sleep(100);
  }

  async endAll(until: number): Promise<void> {
    await this.#each(this.calls, async (call) => {
      while (call.outcome === undefined && Date.now() < until) {
        const isWaiting = await this.#follow(call);
        if (isWaiting && call.decision === 'none') return;
      }
    });
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  async #begin(call: LongCall): Promise<void> {
    const headers = { [HEADERS.idempotencyKey]: call.key, [HEADERS.prefer]: 'respond-async', 'content-type': 'application/json' };
    const body = JSON.stringify({ action: `${call.toolkit}__slow`, payload: { call: call.number, workMs: call.workMs } });
    while (call.handle === undefined) {
      const answer = await this.#ask(PATHS.invoke, this.#keyOf(call), { method: 'POST', headers, body });
      if (answer?.status === 202) call.handle = answer.body.invocationId;
      else if (answer?.body.code === 'APPROVAL_REQUIRED') call.handle = answer.body.approval.id;
      else await sleep(200);
    }
  }

  async #decide(call: LongCall): Promise<void> {
    const body = JSON.stringify({ decision: call.decision });
    const headers = { 'content-type': 'application/json' };
    const sentAt = Date.now();
    for (;;) {
      const answer = await this.#ask(`${PATHS.approvals}/${call.handle}`, this.#adminKey, { method: 'POST', headers, body });
      // CONFLICT: an earlier try, whose answer was lost, has decided.
      if (answer?.status === 200 || answer?.body.code === 'CONFLICT') break;
      await sleep(200);
    }
    call.decidedAt = sentAt;
  }

  /** Resolves with whether it waits for a person. */
  async #follow(call: LongCall): Promise<boolean> {
    const answer = await this.#ask(`${PATHS.invocations}/${call.handle}?wait=5`, this.#keyOf(call), { method: 'GET' });
    if (answer?.status === 202) return answer.body.status === 'waiting';
    if (answer?.status === 200) call.outcome = `RESULT ${answer.body.result.token}`;
    else if (answer && answer.body.retryable !== true) call.outcome = answer.body.code;
    else await sleep(200);
    return false;
  }

  #keyOf({ decision }: LongCall): string {
    return decision === undefined ? this.#agentKey : this.#askingKey;
  }

  /** Undefined without an answer. Each request goes to another node. */
  async #ask(path: string, key: string, options: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }) {
    const origin = this.#origins[this.#requests++ % this.#origins.length];
    try {
      const headers = { ...options.headers, authorization: `Bearer ${key}` };
      const answer = await request(`${origin}${path}`, { ...options, headers, dispatcher: this.#dispatcher, headersTimeout: 20_000 });
      // biome-ignore lint/suspicious/noExplicitAny: the audit reads what is there
      return { status: answer.statusCode, body: (await answer.body.json()) as any };
    } catch {
      return undefined;
    }
  }

  async #each(calls: readonly LongCall[], work: (call: LongCall) => Promise<void>): Promise<void> {
    const open = calls.values();
    const next = async () => {
      for (const call of open) await work(call);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  }
}

function breachesOf(call: LongCall, runs: readonly Run[]): Breach[] {
  const { decision, decidedAt = Number.POSITIVE_INFINITY, outcome } = call;
  const breaches: Breach[] = [];
  if (runs.length > 1) breaches.push('runTwice');
  if (decision && (decision !== 'approve' ? runs.length > 0 : runs.some(({ beganAt }) => beganAt < decidedAt)))
    breaches.push('runWithoutApproval');
  if (decision === 'none') return outcome === undefined ? breaches : [...breaches, 'unexpected'];
  if (outcome === undefined) return [...breaches, 'unended'];
  if (decision === 'deny') return outcome === 'APPROVAL_DENIED' ? breaches : [...breaches, 'unexpected'];
  if (outcome === 'OUTCOME_UNKNOWN') breaches.push('unknown');
  else if (!outcome.startsWith('RESULT')) breaches.push('unexpected');
  if (!runs.some(({ end }) => `RESULT ${end?.token}` === outcome)) breaches.push('lost');
  return breaches;
}

function report(calls: readonly LongCall[], runs: ReadonlyMap<number, Run[]>, parts: readonly Restartable[], ms: number): number {
  const found = calls.flatMap((call) => breachesOf(call, runs.get(call.number) ?? []).map((breach) => ({ call, breach })));
  const rows = Object.entries(BREACHES).map(([breach, meaning]) => {
    const count = (isQuestion: boolean) =>
      found.filter((one) => one.breach === breach && (one.call.decision !== undefined) === isQuestion).length;
    return [breach, `${count(false)}`, `${count(true)}`, meaning];
  });
  console.log(`${LONG_CALLS} long calls, ${QUESTIONS} questions, each part killed once, ${Math.round(ms / 1_000)} s\n`);
  console.log(formatTable(['promise broken', 'long calls', 'questions', 'meaning'], rows));
  for (const { call, breach } of found.slice(0, 20))
    console.error(`call ${call.number} ${breach}: ${call.handle}, ${call.outcome ?? 'no outcome'}`);
  const faults = parts.flatMap((part) => part.faults);
  for (const fault of faults) console.error(fault);
  const broken = found.length + faults.length;
  console.log(broken === 0 ? 'no promise was broken' : `${broken} broken promises`);
  return broken;
}
