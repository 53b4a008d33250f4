/**
 * Makes the calls of one attempt of a program: ordinary calls of the key of the run, under keys that come from their content. A call that ran in an
 * earlier attempt gives its recorded outcome.
 *
 * Errors: none. A failed call is an answer for the program.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fullJitterMs } from '#sdk/protocol/backoff';
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import type { InvokeResponse, UnfinishedInvocation } from '#sdk/protocol/http';
import type { RunAsk } from '#sdk/protocol/runs';
import type { Begin, CallRequest } from '../calls/call-request';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import type { Logger } from '../lib/logger';
import { decodeInvocation } from '../payload/decode-invocation';
import type { ProgramAnswer, ProgramCall, ProgramHost } from '../sandbox/sandbox';
import { callKeyOf } from './call-key';
import { HOW_TO, RUN_CODE } from './how-to';
import type { RunRights } from './kept-run';
import type { RunCaller } from './run-caller';
import type { RunMemory, WaitingCall } from './run-memory';

/** As `Tools` does: docs/protocol.md, section 3. */
const MAX_TRIES = 3;
const BACKOFF = { firstMs: 250, longestMs: 2_000 };
/** A node that stops lets the run go within this time. */
const STOPPING_MS = 250;

export const ENDED_KEY: ReadonlySet<string> = new Set<SvcErrorCode>(['KEY_REVOKED', 'KEY_EXPIRED']);

interface ProgramSearch {
  key: CallingKey;
  callerIds: CallerIds | undefined;
  /** Not checked yet. */
  body: unknown;
  previousId: string | undefined;
}

export interface ProgramCallsDeps {
  begin: Begin;
  /** Counts a call against the rate of the key. Rejects with RATE_LIMITED. */
  charge(key: CallingKey): Promise<void>;
  /** Resolves with the JSON text of a `SearchResponse`, and the id of the search. */
  search(asked: ProgramSearch): Promise<{ json: string; id: string | undefined }>;
  /** Returns JSON for `tools.describe(id)`. Throws ACTION_NOT_FOUND. */
  describe(key: CallingKey, id: string): object;
  /** A text that changes when another account of the caller could serve the action. */
  accountsOf(request: Pick<CallRequest, 'key' | 'callerIds' | 'connectionNames'>, actionId: string): Promise<string>;
  logger: Logger;
}

export interface AttemptedRun {
  id: string;
  rights: RunRights;
  caller: RunCaller;
  memory: RunMemory;
  /** The keys of calls that were counted in an earlier attempt. */
  counted: ReadonlySet<string>;
  deadlineAt: number;
  /** Called when the key of the run has ended. */
  keyEnded(error: SvcError): void;
}

export class ProgramCalls implements ProgramHost {
  /** The keys of all calls for which the program has asked. */
  readonly asked = new Set<string>();
  /** Handles and approvals of calls, which have another key in their records. */
  readonly joined = new Set<string>();
  readonly waiting: WaitingCall[] = [];
  readonly #run: AttemptedRun;
  readonly #deps: ProgramCallsDeps;
  #isLeaving = false;

  constructor(run: AttemptedRun, deps: ProgramCallsDeps) {
    this.#run = run;
    this.#deps = deps;
  }

  /** The attempt ends without the end of its calls: another node goes on with them. */
  leave(): void {
    this.#isLeaving = true;
  }

  async call(call: ProgramCall, signal: AbortSignal): Promise<ProgramAnswer | 'waits'> {
    const { memory, id } = this.#run;
    const key = callKeyOf(id, call);
    this.asked.add(key);
    const kept = memory.answerOf(key);
    if (kept) return kept;
    const answer = await this.#answer(call, key, signal);
    // Neither an interrupted call nor one that waits has an answer.
    if (answer === 'waits' || this.#isLeaving) return 'waits';
    if (!answer.ok || call.kind !== 'invoke') memory.keep(key, answer);
    return answer;
  }

  async #answer(call: ProgramCall, key: string, signal: AbortSignal): Promise<ProgramAnswer | 'waits'> {
    try {
      return await this.#tryOften(call, key, signal);
    } catch (failure) {
      const error = this.#asError(failure);
      if (ENDED_KEY.has(error.code)) this.#run.keyEnded(error);
      if (error.details.approval) this.joined.add(error.details.approval.id);
      if (error.details.invocationId !== undefined) this.joined.add(error.details.invocationId);
      return { ok: false, errorJson: JSON.stringify(error) };
    }
  }

  async #tryOften(call: ProgramCall, key: string, signal: AbortSignal): Promise<ProgramAnswer | 'waits'> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#try(call, key, signal);
      } catch (failure) {
        const error = this.#asError(failure);
        const waits = await this.#asWaiting(error, call, key);
        if (waits) return 'waits';
        const isStopping = error.code === 'SERVICE_STOPPING';
        const ms = isStopping ? STOPPING_MS : (error.retryAfterMs ?? 0) + fullJitterMs(failures, BACKOFF);
        const mayTry = isStopping || (error.retryable && error.retryAfterMs !== undefined && failures < MAX_TRIES);
        if (!mayTry || signal.aborted || Date.now() + ms >= this.#run.deadlineAt) throw error;
        await delay(ms, undefined, { signal }).catch(() => {});
        if (signal.aborted) throw error;
      }
    }
  }

  async #try(call: ProgramCall, key: string, signal: AbortSignal): Promise<ProgramAnswer | 'waits'> {
    const { caller, counted, memory, rights } = this.#run;
    const now = await caller.now();
    if (!counted.has(key)) await this.#deps.charge(now.key);
    switch (call.kind) {
      case 'search': {
        const previousId = memory.searchId ?? rights.searchId;
        const { json, id } = await this.#deps.search({ ...now, body: JSON.parse(call.payloadJson), previousId });
        if (id !== undefined) memory.searchId = id;
        return { ok: true, dataJson: json };
      }
      case 'describe':
        if (call.action === RUN_CODE) return { ok: true, dataJson: JSON.stringify(HOW_TO) };
        return { ok: true, dataJson: JSON.stringify(this.#deps.describe(now.key, call.action)) };
      case 'invoke':
        return this.#invoke(call, key, now, signal);
    }
  }

  async #invoke(
    { action, payloadJson }: ProgramCall,
    key: string,
    caller: Pick<CallRequest, 'key' | 'callerIds'>,
    signal: AbortSignal,
  ): Promise<ProgramAnswer | 'waits'> {
    const { id, rights, memory, deadlineAt } = this.#run;
    const { connectionNames, maxPayment, ask } = rights;
    const decoded = decodeInvocation({ action, payload: JSON.parse(payloadJson) });
    const { json, status } = await new Promise<{ json: string; status: 200 | 202 }>((resolve, reject) => {
      this.#deps.begin(
        {
          ...caller,
          ...{ connectionNames, maxPayment, ask, idempotencyKey: key, madeBy: id, searchId: memory.searchId ?? rights.searchId },
          // A JSON text of the program may have lost digits.
          body: { ...decoded, hasUnsafeNumber: true },
          prefer: { respondAsync: true, waitMs: 0 },
          detached: true,
          timeoutMs: Math.max(1, deadlineAt - Date.now()),
          onDisconnect: (listener) => this.#whenOver(signal, listener),
          onProgress: undefined,
        },
        (error, answer, code = 200) => (error === undefined ? resolve({ json: answer, status: code }) : reject(error)),
      );
    });
    if (status === 202) {
      const { invocationId } = JSON.parse(json) as UnfinishedInvocation;
      this.#wait({ key, ask: { handle: invocationId, action, payload: decoded.payload } });
      return 'waits';
    }
    const { invocationId, result } = JSON.parse(json) as InvokeResponse;
    this.joined.add(invocationId);
    return { ok: true, dataJson: JSON.stringify(result ?? null) };
  }

  /** A call ends with its program, and goes on while another node takes the run. */
  #whenOver(signal: AbortSignal, listener: () => void): void {
    const over = () => {
      if (!this.#isLeaving) listener();
    };
    if (signal.aborted) over();
    else signal.addEventListener('abort', over, { once: true });
  }

  /** True for a refusal that a person can lift. */
  async #asWaiting({ code, details }: SvcError, { action, payloadJson }: ProgramCall, key: string): Promise<boolean> {
    const { approval, connect } = details;
    const ask: RunAsk = { action, payload: {} };
    if (code === 'APPROVAL_REQUIRED' && approval?.status === 'pending') ask.approval = approval;
    else if (code === 'CONNECTION_REQUIRED' && connect?.url !== undefined) ask.connect = connect;
    else return false;
    ask.payload = decodeInvocation({ action, payload: JSON.parse(payloadJson) }).payload;
    this.#wait({ key, ask, ...(ask.connect && { accounts: await this.#accounts(action) }) });
    return true;
  }

  #wait(call: WaitingCall): void {
    if (!this.waiting.some(({ key }) => key === call.key)) this.waiting.push(call);
  }

  async #accounts(action: string): Promise<string> {
    const { caller, rights } = this.#run;
    return this.#deps.accountsOf({ ...(await caller.now()), connectionNames: rights.connectionNames }, action);
  }

  #asError(error: unknown): SvcError {
    if (SvcError.is(error)) return error;
    this.#deps.logger.error({ error, run: this.#run.id }, 'a call of a program failed inside the service');
    return new SvcError('INTERNAL', 'The service failed; its log has the reason');
  }
}
