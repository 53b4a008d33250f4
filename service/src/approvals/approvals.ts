/**
 * Asks a person about calls, and lets callers wait for the answer.
 *
 * Shape:  equal calls share one pending question, at all nodes. Approved, one run serves them all, and one more equal call after it: that of a model
 *         which makes its call again.
 * Errors: APPROVAL_REQUIRED and APPROVAL_DENIED, with what a model needs to go on; RATE_LIMITED when too many questions of the key wait.
 */

import { SvcError } from '#sdk/protocol/errors';
import type { UnfinishedInvocation } from '#sdk/protocol/http';
import type { Limits } from '#sdk/protocol/limits';
import type { AcceptedToken, CallingKey } from '../keys/agent-tokens';
import { callerOf } from '../keys/caller-ids';
import { type KeptCaller, keptCaller } from '../keys/kept-caller';
import type { Doorbell } from '../lib/doorbell';
import type { KeptTexts } from '../lib/kept-texts';
import { within } from '../lib/within';
import type { CallApprovalRecord, CallApprovalStore, NewCallApproval } from '../store/approval-store';
import { afterWrite, isUnavailable, LATE_MS, mayBeStored, outcomeLater, whileAway } from '../store/store-unavailable';
import { mustBeApproved, refusedApproval, toRequiredApproval } from './approval-errors';
import { newApprovalId } from './approval-id';
import type { ApprovedCalls } from './approved-calls';
import type { ApprovedRuns, FollowedRun } from './approved-runs';
import { APPROVAL_KEYS, type ApprovalAsk, type Approved, type CallApprovals } from './call-approvals';
import { openPayload, sealPayload } from './kept-payload';
import { type AskingCaller, isOutdated } from './present-call';

/** A ring may be lost between nodes. */
const LOOK_MS = 1_000;
/** The same call is refused for so long after a person said no. */
const DENIED_MS = 600_000;
/** So long after it ran with its caller, a retry of the caller gets the outcome. */
const RETRY_MS = 3_600_000;
/** Calls that get the outcome of one run. */
const MAX_CALLERS = 100;
const ASKED_PERHAPS =
  'It may have the question about this call; then the call runs when a person approves it. Make the same call again: equal calls share one question and one run';
const APPROVED = 'A person approved this call, and it runs. Make the same call again for its result';

export interface ApprovalsDeps {
  store: CallApprovalStore;
  texts: KeptTexts;
  calls: ApprovedCalls;
  runs: ApprovedRuns;
  doorbell: Pick<Doorbell, 'wait'>;
  /** Wakes the waiters at all nodes, and refreshes pages. */
  announce(id: string): void;
  /** The page where people decide. Undefined without a console. */
  pageOf(id: string): string | undefined;
  limits: Pick<Limits, 'approvalsPerKey' | 'approvalMs'>;
}

type Wait = Pick<ApprovalAsk, 'waitMs' | 'onDisconnect'>;

export class Approvals implements CallApprovals {
  readonly #deps: ApprovalsDeps;
  readonly #waiting = new Set<AbortController>();
  #isDraining = false;
  /** Agent key ids. Those of `#justAsked` may be missing from a query that is under way. */
  #asked: ReadonlySet<string> = new Set();
  #justAsked = new Set<string>();

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  hasAsked(agentKeyId: string): boolean {
    return this.#asked.has(agentKeyId) || this.#justAsked.has(agentKeyId);
  }

  /**
   * Follows the questions of other nodes, and those that were removed. Call it before the first call, and each second. Resolves with whether the
   * store has any.
   */
  async refreshKeys(): Promise<boolean> {
    const stored = await this.#deps.store.agentKeyIds();
    this.#asked = new Set([...stored, ...this.#justAsked]);
    this.#justAsked = new Set();
    return stored.length > 0;
  }

  async settle(ask: ApprovalAsk): Promise<Approved | undefined> {
    const record = await this.#present(ask, false);
    return record && hasRun(record) ? this.#runOf(record) : undefined;
  }

  async require(ask: ApprovalAsk): Promise<Approved> {
    const there = await this.#present(ask, true);
    // A call with a run of its own gets the outcome of that one: free, it would run a second time.
    if (!hasRun(there) && (await this.#isApprovedForSession(ask, there))) {
      // Its own question must not make a second run.
      if (there?.status !== 'pending' || (await this.#withdraw(there))) return { free: true };
    }
    const { record, isNew } = there ? { record: there, isNew: false } : await this.#newQuestion(ask);
    const decided = record.status === 'pending' ? await this.#decisionOf(record, ask) : record;
    if (hasRun(decided)) return ask.isBefore ? { free: true } : this.#runOf(decided);
    const approval = { ...toRequiredApproval(decided, this.#deps.pageOf(decided.id)), ...(isNew && { isNew }) };
    throw decided.status === 'pending' ? mustBeApproved(decided, approval) : refusedApproval(decided, approval);
  }

  /** Whether there is such a question, of whichever key. */
  async has(id: string): Promise<boolean> {
    return (await this.#deps.store.find(id)) !== undefined;
  }

  /** Withdraws the question, or cancels its run. */
  async cancel(id: string, key: CallingKey): Promise<void> {
    const { store, runs, announce } = this.#deps;
    const record = await this.#require(id, key);
    const isWithdrawn = await store.change(id, 'pending', { status: 'withdrawn', reason: 'its caller cancelled it' });
    if (isWithdrawn) announce(id);
    else if (record.invocationId !== null) await runs.cancel(record.invocationId, key);
  }

  /** Waits up to `waitMs` for the decision, and then for the end of the run. Rejects with NOT_FOUND for a call of another key or user. */
  async follow(id: string, key: CallingKey, wait: Wait): Promise<FollowedRun> {
    const startedAt = performance.now();
    const found = await this.#require(id, key);
    const record = found.status === 'pending' ? await this.#decisionOf(found, wait) : found;
    const approval = toRequiredApproval(record, this.#deps.pageOf(id));
    if (record.status === 'pending') return unfinished({ invocationId: id, status: 'waiting', approval });
    if (record.status === 'approved' || record.status === 'used') {
      if (record.invocationId === null) return unfinished({ invocationId: id, status: 'waiting', approval });
      if (record.status === 'approved') return unfinished({ invocationId: id, status: 'running' });
      const waitMs = Math.max(0, wait.waitMs - (performance.now() - startedAt));
      const followed = await this.#deps.runs.follow(record.invocationId, key, { ...wait, waitMs });
      if (followed.status === 200) await this.#deps.store.take(id);
      return followed;
    }
    throw refusedApproval(record, approval);
  }

  /** JSON text. Undefined after the call ran, and for a key that is lost. */
  payloadOf(record: CallApprovalRecord): string | undefined {
    return openPayload(this.#deps.texts, record);
  }

  /** Answers all waiting callers, and from now on each new one at once. */
  drain(): void {
    this.#isDraining = true;
    for (const waiting of this.#waiting) waiting.abort();
  }

  async #require(id: string, key: CallingKey): Promise<CallApprovalRecord> {
    const record = await this.#deps.store.find(id);
    if (!record || !isCaller(record, key)) throw new SvcError('NOT_FOUND', `You have no call "${id.slice(0, 100)}"`);
    return record;
  }

  /** Not for the very call that a person denied after that. */
  async #isApprovedForSession(
    { key, callerIds, userId, actionId, ...ask }: ApprovalAsk,
    there: CallApprovalRecord | undefined,
  ): Promise<boolean> {
    const deniedAt = there?.status === 'denied' ? (there.decidedAt ?? 0) : 0;
    const sessionId = callerOf(key, callerIds)?.sessionId;
    if (sessionId === undefined) return false;
    const standing = await this.#deps.store.ofSession(key.id, sessionId, actionId);
    return standing.some((record) => {
      return (
        record.userId === (userId ?? null) &&
        (record.decidedAt ?? 0) > deniedAt &&
        isSameHolder(record, key) &&
        !isOutdated(record, { key, callerIds, userId, actionId, ...ask })
      );
    });
  }

  async #newQuestion(ask: ApprovalAsk): Promise<{ record: CallApprovalRecord; isNew: boolean }> {
    for (;;) {
      const record = await this.#ask(ask).catch((error: unknown) => {
        throw mayBeStored(error) ? outcomeLater(ASKED_PERHAPS, error) : error;
      });
      if (record) return { record, isNew: true };
      // Another node or call was faster.
      const there = await this.#present(ask, true);
      if (there) return { record: there, isNew: false };
    }
  }

  /** Stores the question. Undefined if an equal call waits by now. */
  async #ask(ask: ApprovalAsk): Promise<CallApprovalRecord | undefined> {
    const { store, limits, announce } = this.#deps;
    const id = newApprovalId();
    const added = await store.add(this.#newApproval(id, ask), { forMs: limits.approvalMs, maxPending: limits.approvalsPerKey });
    if (added === 'full')
      throw new SvcError(
        'RATE_LIMITED',
        `Nothing ran: a person has to approve this call, and ${limits.approvalsPerKey} calls of this key wait for that already, which is its limit`,
        { retryAfterMs: 60_000 },
      );
    if (added === 'exists') return undefined;
    this.#justAsked.add(ask.key.id);
    announce(id);
    return afterWrite(async () => {
      const record = await store.find(id);
      return record && this.#joined(record, ask);
    });
  }

  /**
   * The approval for equal calls that the call attaches to.
   *
   * @param isAsked whether a rule asks about the call now
   */
  async #present(ask: ApprovalAsk, isAsked: boolean): Promise<CallApprovalRecord | undefined> {
    const { store } = this.#deps;
    const equal = await store.ofEqualCalls(ask.key.id, ask.requestHash);
    if (equal.some(isOver)) await this.#expire();
    for (const record of equal)
      if (record.status === 'used' && (await this.#hasAsked(record, ask)) && (await this.#hasOutcome(record, ask))) return record;
    for (const record of equal) {
      if (record.status !== 'approved' && (record.status !== 'pending' || isOver(record))) continue;
      if (isAsked && !isOutdated(record, ask)) return this.#joined(record, ask);
      // A decision may have come meanwhile.
      if (!(await this.#withdraw(record))) return this.#present(ask, isAsked);
    }
    const [newest] = equal;
    // A model makes its call again, with another idempotency key: it gets the outcome that none of those that asked has got.
    if (newest?.status === 'used' && !newest.taken && newest.invocationId !== null && (await this.#hasOutcome(newest, ask)))
      return this.#joined(newest, ask);
    const isDenied = newest?.status === 'denied' && newest.readAt - (newest.decidedAt ?? 0) < DENIED_MS;
    return isDenied && !isOutdated(newest, ask) ? newest : undefined;
  }

  /** Retries of the call get the outcome from now on. */
  async #joined(record: CallApprovalRecord, { idempotencyKey }: ApprovalAsk): Promise<CallApprovalRecord> {
    if (idempotencyKey !== undefined) await this.#deps.store.addCaller(record.id, idempotencyKey, MAX_CALLERS);
    return record;
  }

  async #hasAsked({ id }: CallApprovalRecord, { idempotencyKey }: ApprovalAsk): Promise<boolean> {
    return idempotencyKey !== undefined && this.#deps.store.hasCaller(id, idempotencyKey);
  }

  /** True if the call may join the run, or take its outcome. Rejects with the error of a run that failed. */
  async #hasOutcome(record: CallApprovalRecord, ask: ApprovalAsk): Promise<boolean> {
    const { store, calls } = this.#deps;
    const { id, invocationId, endedAt, readAt } = record;
    if (invocationId === null) return readAt - (endedAt ?? readAt) < RETRY_MS;
    const state = await calls.stateOf(record, invocationId, ask.key);
    if (state === 'running') return true;
    if (state === 'withdrawn' || state === 'gone') return false;
    if (ask.isBefore) return true;
    const isFirst = await store.take(id);
    if (!isFirst && !(await this.#hasAsked(record, ask))) return false;
    if (state !== 'ended') throw state;
    return true;
  }

  /** The run of an approved call, which is durable when this resolves. */
  async #runOf(record: CallApprovalRecord): Promise<Approved> {
    const { store, calls } = this.#deps;
    const { id, invocationId, actionVersion, price } = record;
    if (invocationId !== null) {
      const present = await calls.started(record, invocationId).catch((error: unknown) => {
        throw isUnavailable(error) ? outcomeLater(APPROVED, error) : error;
      });
      if (present.status === 'withdrawn') throw refusedApproval(present, toRequiredApproval(present, this.#deps.pageOf(id)));
    }
    // Its caller is here, and runs it. Its end is not followed: only its caller can make it again.
    else if (await store.change(id, 'approved', { status: 'used' })) await calls.ended(record);
    const delivered = () => void store.take(id).catch(() => {});
    return {
      run: {
        ...{ id: invocationId ?? id, isAlone: invocationId !== null, idempotencyKey: APPROVAL_KEYS + id },
        ...{ actionVersion, maxPayment: price ?? 0n, delivered },
      },
    };
  }

  async #decisionOf(record: CallApprovalRecord, { waitMs, onDisconnect }: Wait): Promise<CallApprovalRecord> {
    const { store, doorbell } = this.#deps;
    if (waitMs <= 0 || this.#isDraining) return record;
    const waiting = new AbortController();
    this.#waiting.add(waiting);
    onDisconnect(() => waiting.abort());
    const until = performance.now() + waitMs;
    try {
      for (;;) {
        const leftMs = Math.max(0, until - performance.now());
        // Before the read: no ring is missed.
        const rung = doorbell.wait(record.id, Math.min(leftMs, LOOK_MS), waiting.signal);
        // While the store is away, the question waits as it did.
        const present = await within(leftMs + LATE_MS, whileAway(store.find(record.id), record), record);
        if (present?.status !== 'pending') return present ?? { ...record, status: 'expired' };
        if (isOver(present)) return { ...present, status: 'expired' };
        if (leftMs === 0 || waiting.signal.aborted) return present;
        await rung;
      }
    } finally {
      waiting.abort();
      this.#waiting.delete(waiting);
    }
  }

  async #withdraw({ id, status }: CallApprovalRecord): Promise<boolean> {
    const { store, announce } = this.#deps;
    const isWithdrawn = await store.change(id, status, { status: 'withdrawn', reason: 'the call is not the same any more' });
    if (isWithdrawn) announce(id);
    return isWithdrawn;
  }

  async #expire(): Promise<void> {
    for (const id of await this.#deps.store.expire()) this.#deps.announce(id);
  }

  #newApproval(id: string, ask: ApprovalAsk): NewCallApproval {
    const { key, callerIds, searchId, madeBy, hold, connection = null, connectionName = null, rule } = ask;
    return {
      id,
      agentKeyId: key.id,
      grantId: key.token?.grantId ?? null,
      userId: ask.userId ?? null,
      sessionId: callerOf(key, callerIds)?.sessionId ?? null,
      action: ask.actionId,
      actionVersion: ask.actionVersion,
      requestHash: ask.requestHash,
      payload: sealPayload(this.#deps.texts, id, JSON.stringify(ask.payload)),
      price: hold?.amount ?? null,
      currency: hold?.currency ?? null,
      connection,
      connectionName,
      rule: rule === undefined ? null : JSON.stringify(rule),
      decider: ask.decidedBy,
      timeoutMs: ask.timeoutMs,
      caller: JSON.stringify({ ...keptCaller(key, callerIds), searchId, madeBy } satisfies AskingCaller),
    };
  }
}

function hasRun(record: CallApprovalRecord | undefined): boolean {
  return record?.status === 'approved' || record?.status === 'used';
}

function isOver({ status, expiresAt, readAt }: CallApprovalRecord): boolean {
  return status === 'pending' && expiresAt <= readAt;
}

/** A key reads the calls of all of its users, a token those that were made with a token for the same user. */
function isCaller({ agentKeyId, caller }: CallApprovalRecord, { id, token }: CallingKey): boolean {
  if (agentKeyId !== id) return false;
  return token === undefined || isTokenOf(token, JSON.parse(caller) as KeptCaller);
}

/** The holder of a token names any session, so a session that its key's app named is not the holder's. */
function isSameHolder({ caller }: CallApprovalRecord, { token }: CallingKey): boolean {
  const kept = JSON.parse(caller) as KeptCaller;
  return token === undefined ? kept.token === undefined : isTokenOf(token, kept);
}

function isTokenOf({ userId, grantId }: AcceptedToken, { token }: KeptCaller): boolean {
  return token !== undefined && token.userId === userId && token.grantId === grantId;
}

function unfinished(invocation: UnfinishedInvocation): FollowedRun {
  return { status: 202, json: JSON.stringify(invocation) };
}
