/**
 * Runs of code for one user and conversation: starts a program at the service, waits for its end, and asks the application's user about its calls.
 *
 * Source: docs/protocol.md, section 14.
 */
import { SvcError } from '../protocol/errors';
import type { InvokeResponse } from '../protocol/http';
import { isObject, type JsonObject } from '../protocol/json-object';
import type { RunAnswer, RunAsk, RunningRun } from '../protocol/runs';
import type { CallerApprovals } from './caller-approvals';
import type { CallerConnections } from './caller-connections';
import { sleep } from './retry';
import { RUN_CODE_TOOL } from './run-code-definition';

/** A run, as far as it is. */
export type CodeRunState = RunAnswer | RunningRun;

/** @param waitMs the most that the service waits for an end */
export type FollowRun = (run: string, waitMs: number) => Promise<CodeRunState>;

export interface RunUser {
  userId: string | undefined;
  signal: AbortSignal | undefined;
  approvals: CallerApprovals;
  /** Undefined for an application that connects no accounts. */
  connections: CallerConnections | undefined;
  /** Whether to wait for people who decide elsewhere. */
  waitsForPeople: boolean;
}

/** The wait of one request: below the idle time after which proxies close connections. */
const ROUND_MS = 45_000;
/** A service that answers at once is asked again after this time. */
const PAUSE_MS = 250;

/**
 * Follows a run to its end, as far as the time reaches. The time in which the application asks its own user does not count.
 *
 * @param first the answer to its start
 */
export async function followCodeRun(first: CodeRunState, follow: FollowRun, user: RunUser, timeoutMs: number): Promise<CodeRunState> {
  const asked = new Set<string>();
  let leftMs = timeoutMs;
  for (let run = first; ; ) {
    if (run.status === 'done' || run.status === 'failed') return run;
    if (run.status === 'waiting' && !(await settle(run.asks, asked, user))) return run;
    if (leftMs < 1_000) return run;
    const startedAt = performance.now();
    run = await follow(run.run, Math.min(ROUND_MS, leftMs));
    const tookMs = performance.now() - startedAt;
    if (tookMs < PAUSE_MS) await sleep(PAUSE_MS - tookMs, user.signal);
    user.signal?.throwIfAborted();
    leftMs -= Math.max(tookMs, PAUSE_MS);
  }
}

/** False if the run goes on only after an answer that comes later, from elsewhere. */
async function settle(asks: readonly RunAsk[], asked: Set<string>, user: RunUser): Promise<boolean> {
  let goesOn = user.waitsForPeople || asks.some(({ handle }) => handle !== undefined);
  for (const ask of asks) {
    const name = ask.approval?.id ?? ask.connect?.toolkit;
    if (name === undefined || asked.has(name)) continue;
    asked.add(name);
    if (await isAnswered(ask, user)) goesOn = true;
  }
  return goesOn;
}

async function isAnswered({ approval, connect, action, payload }: RunAsk, user: RunUser): Promise<boolean> {
  const { userId, signal, approvals, connections } = user;
  const question = async () => ({ action: { action }, payload });
  if (approval?.decidedBy === 'app') return approvals.decide(approval, { userId, signal, isApproved: undefined, resolve: question });
  if (connect?.url !== undefined && connections) return connections.askToConnect({ ...connect, url: connect.url }, { userId, signal });
  return false;
}

/** @throws SvcError INVALID_PAYLOAD for arguments of a model that name neither a program nor a run */
export function readRunArguments(input: unknown): { code: string } | { run: string } {
  const { code, run } = isObject(input) ? input : ({} as JsonObject);
  if (typeof code === 'string' && code.trim() !== '') return { code };
  if (typeof run === 'string' && run.trim() !== '') return { run: run.trim() };
  throw new SvcError(
    'INVALID_PAYLOAD',
    `${RUN_CODE_TOOL} needs \`code\`, the text of a program; or \`run\`, to go on with an unfinished one`,
  );
}

/**
 * The run as a result for a model. A link is left out that the application shows to its user itself.
 *
 * @param hidesLinks whether the application asks its user about approvals, and about connections
 */
export function runForModel(run: CodeRunState, hidesLinks: { approvals: boolean; connections: boolean }): InvokeResponse {
  const { content, ...rest } = { content: undefined, ...run };
  const shown = rest.status === 'waiting' ? { ...rest, asks: rest.asks.map((ask) => withoutLinks(ask, hidesLinks)) } : rest;
  return { invocationId: run.run, result: { ...shown, ...nextStep(run) }, ...(content && { content }) };
}

function nextStep({ run, status }: CodeRunState): { message?: string } {
  const goOn = `${RUN_CODE_TOOL} ${JSON.stringify({ run })}`;
  if (status === 'running') return { message: `Still running. Read on with ${goOn}` };
  if (status === 'waiting')
    return { message: `The program waits for the calls in asks. Tell the user what is needed, then read on with ${goOn}` };
  return {};
}

function withoutLinks(ask: RunAsk, { approvals, connections }: { approvals: boolean; connections: boolean }): RunAsk {
  if (ask.approval?.decidedBy === 'app' && approvals) {
    const { url: _, ...approval } = ask.approval;
    return { ...ask, approval };
  }
  if (ask.connect && connections) {
    const { url: _, ...connect } = ask.connect;
    return { ...ask, connect };
  }
  return ask;
}
