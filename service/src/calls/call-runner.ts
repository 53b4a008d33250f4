/**
 * Runs each call to its end: on a free replica of this node, else at another node that may have one, else after a wait in this node's queue.
 * When an attempt has no outcome, `recover` decides what happens next.
 *
 * Errors: none. Every call ends with a response or an SvcError.
 */
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import { parseActionId } from '#sdk/protocol/ids';
import type { Limits } from '#sdk/protocol/limits';
import type { Catalog } from '../catalog/catalog';
import { graceMs } from '../hub/instance-lifecycle';
import type { Logger } from '../lib/logger';
import type { InvocationRecord, InvocationStore } from '../store/store';
import { attemptRequest } from './attempt-request';
import type { CallDirectory } from './call-directory';
import type { Ended } from './call-state';
import type { EarlierCalls } from './earlier-calls';
import type { Gone, LocalEnd, LocalExecutor } from './local-executor';
import { PendingCall } from './pending-call';
import { MAX_ATTEMPTS, recover, type Stored, storedAs } from './recovery';
import type { RemoteEnd, RemoteExecutor } from './remote-executor';
import { untilAvailable } from './until-available';

/** How many times to forward a call before it waits in this node's queue. */
const MAX_ROUNDS = 3;

/** Errors of a call that another node may run. */
const LEAVES: ReadonlySet<string> = new Set<SvcErrorCode>(['TOOLKIT_OFFLINE', 'ACTION_CHANGED']);

/** Timeline texts. */
const GONE_TEXTS = {
  lost: 'the process is gone',
  moved: 'the process is at another node',
  unsent: 'the process did not receive the call',
} as const;

export interface CallRunnerDeps {
  node: string;
  catalog: Pick<Catalog, 'mayRepeat'>;
  store: Pick<InvocationStore, 'get' | 'refused' | 'settled'>;
  directory: CallDirectory;
  local: LocalExecutor;
  remote: RemoteExecutor;
  earlier: EarlierCalls;
  limits: Pick<Limits, 'reconnectGraceMs' | 'takeoverGraceMs' | 'maxTimeoutMs'>;
  logger: Logger;
}

export class CallRunner {
  readonly #deps: CallRunnerDeps;
  readonly #directory: CallDirectory;
  readonly #local: LocalExecutor;
  readonly #remote: RemoteExecutor;

  constructor(deps: CallRunnerDeps) {
    this.#deps = deps;
    this.#directory = deps.directory;
    this.#local = deps.local;
    this.#remote = deps.remote;
  }

  /** Allocates no promise for the common call: a replica is free, the key is new, and the process answers. */
  start(call: PendingCall): void {
    this.#directory.add(call);
    const slot = this.#local.reserveNow(call);
    if (slot) this.#local.run(call, slot, (error, end) => this.#afterRun(call, error, end));
    else void this.#finish(call, this.#execute(call));
  }

  /** Takes over a recorded call without an outcome. A process may still run it, or hold its result. */
  adopt(record: InvocationRecord): PendingCall {
    const { id, idempotencyKey, action } = record;
    const { toolkitId, actionName } = parseActionId(action) ?? { toolkitId: '', actionName: '' };
    // A placeholder: this attempt is not sent, and each caller that joins has its own deadline.
    const deadline = Date.now() + this.#deps.limits.maxTimeoutMs;
    const of = { toolkitId, actionName, idempotencyKey: idempotencyKey ?? id, attempt: 1, payloadJson: null, deadline };
    const call = new PendingCall(this.#directory, record, attemptRequest(record, of), { from: 'store' });
    this.#directory.add(call);
    this.#local.adopt(call, (error, end) => this.#afterRun(call, error, end));
    return call;
  }

  /** Adopts a call that no connected process is known to run, and waits for such a process to connect. */
  awaitInstance(record: InvocationRecord): PendingCall {
    const call = this.adopt(record);
    this.#local.awaitInstance(call, graceMs(this.#deps.catalog.mayRepeat(record.action), this.#deps.limits));
    return call;
  }

  #afterRun(call: PendingCall, error: unknown, end: LocalEnd | undefined): void {
    if (isEnded(end)) this.#end(call, end);
    else void this.#finish(call, this.#continue(call, error, end));
  }

  async #continue(call: PendingCall, error: unknown, end: LocalEnd | undefined): Promise<Ended> {
    if (!end) throw error;
    return (await this.#next(call, end)) ?? this.#execute(call);
  }

  async #finish(call: PendingCall, ended: Promise<Ended>): Promise<void> {
    this.#end(call, await ended.catch((error: unknown) => this.#failed(call, error)));
  }

  #end(call: PendingCall, ended: Ended): void {
    this.#directory.delete(call);
    call.end(ended);
  }

  #failed(call: PendingCall, error: unknown): Ended {
    const { id, mayHaveRun } = call;
    if (SvcError.is(error)) {
      if (!mayHaveRun) this.#refuse(call, error);
      return { error };
    }
    this.#deps.logger.error({ error, invocation: id }, 'a call failed inside the service');
    const details = { invocationId: id };
    if (mayHaveRun) return { error: new SvcError('OUTCOME_UNKNOWN', `The service failed after it had sent ${id}`, details) };
    return { error: new SvcError('INTERNAL', 'The service failed; its log has the cause', details) };
  }

  /** The action did not run: its idempotency key may be used again. */
  #refuse(call: PendingCall, { code }: SvcError): void {
    this.#deps.store.refused(call.record, { code, body: null, endedAt: Date.now() });
    if (call.timeline) call.timeline.recordId = call.id;
  }

  async #execute(call: PendingCall): Promise<Ended> {
    for (let rounds = 0; ; rounds++) {
      let ended: Ended | undefined;
      if (call.isClaimed || this.#local.isFree(call) || !this.#remote.offers(call)) {
        ended = await this.#runHereOrLeave(call);
      } else if (!this.#local.offers(call) && rounds < MAX_ROUNDS) {
        ended = await this.#afterRemote(call, await this.#remote.send(call));
      } else {
        ended = (await this.#afterRemote(call, await this.#remote.sendToFree(call))) ?? (await this.#runHere(call));
      }
      if (ended) return ended;
    }
  }

  /** Resolves with undefined when no replica of this node runs the call and another node offers the action. */
  async #runHereOrLeave(call: PendingCall): Promise<Ended | undefined> {
    try {
      return await this.#runHere(call);
    } catch (error) {
      if (!SvcError.is(error) || !LEAVES.has(error.code) || !this.#remote.offers(call)) throw error;
      if (call.isClaimed) {
        this.#deps.store.refused(call.record, { code: error.code, body: null, endedAt: Date.now() });
        await this.#deps.store.settled();
      }
      call.startOver(attemptOf(call));
      return undefined;
    }
  }

  /** Rejects with SvcError when the call did not run, such as TOOLKIT_OFFLINE. */
  async #runHere(call: PendingCall): Promise<Ended> {
    for (;;) {
      const ended = await this.#tryHere(call);
      if (ended) return ended;
    }
  }

  async #tryHere(call: PendingCall): Promise<Ended | undefined> {
    if (!call.isClaimed) {
      if (call.abandoned) throw call.abandoned;
      // A recorded outcome needs no replica. With a free replica this query is unnecessary: the claim finds the outcome.
      if (!this.#local.isFree(call)) {
        const ended = await this.#endOfEarlier(call);
        if (ended) return ended;
        // The node that forwarded the call may read the store: the claim shows that the call waits at this node.
        if (isOfPeer(call) && call.record.idempotencyKey === null) await this.#local.claim(call);
      }
    }
    const slot = await this.#local.reserve(call);
    const end = await new Promise<LocalEnd>((resolve, reject) => {
      this.#local.run(call, slot, (error, ran) => (ran ? resolve(ran) : reject(error)));
    });
    return this.#next(call, end);
  }

  /** Resolves with undefined when the call must be run again, by this node or another. */
  async #next(call: PendingCall, end: LocalEnd): Promise<Ended | undefined> {
    if (end === 'not sent') return undefined;
    if (end === 'key taken') return this.#afterTakenKey(call);
    return 'gone' in end ? this.#recover(call, end) : end;
  }

  async #afterTakenKey(call: PendingCall): Promise<Ended | undefined> {
    const ended = await this.#endOfEarlier(call);
    if (ended) return ended;
    // The earlier call freed the key.
    if (!(await this.#deps.store.get(call.id))) return undefined;
    // The node that forwarded the call gave it up meanwhile.
    if (isOfPeer(call)) throw new SvcError('TOOLKIT_OFFLINE', `${call.id} was refused before`, { retryAfterMs: 1_000 });
    // Another node had claimed the call and refused it.
    call.startOver(attemptOf(call));
    return undefined;
  }

  async #endOfEarlier(call: PendingCall): Promise<Ended | undefined> {
    const earlier = await this.#deps.earlier.find(call);
    if (!earlier) return undefined;
    call.follow();
    const ended = await this.#follow(call, earlier);
    if (!ended) call.stopFollowing();
    return ended;
  }

  async #afterRemote(call: PendingCall, end: RemoteEnd): Promise<Ended | undefined> {
    if (!end || !('claimed' in end)) return end;
    call.follow();
    const ended = await this.#follow(call, end.claimed);
    if (!ended) call.startOver(attemptOf(call));
    return ended;
  }

  /** Resolves with undefined when the key of the claimed call is free again. */
  async #follow(call: PendingCall, claimed: InvocationRecord): Promise<Ended | undefined> {
    for (;;) {
      const end = await this.#deps.earlier.follow(call, claimed);
      if (!end || !('orphan' in end)) return end;
      this.awaitInstance(end.orphan);
    }
  }

  /** Handles the loss of the process that ran the call. */
  async #recover(call: PendingCall, { gone }: Gone): Promise<Ended | undefined> {
    const { store, node } = this.#deps;
    call.timeline?.add('lost', GONE_TEXTS[gone]);
    let stored: Stored = 'not asked';
    let record: InvocationRecord | undefined;
    for (;;) {
      switch (this.#decide(call, gone, stored)) {
        case 'error of the last caller':
          return this.#local.record(call, { error: call.abandoned ?? offline(call) }, gone === 'unsent' ? 0n : undefined);
        case 'send again':
          return call.sendAgain(attemptOf(call)) as undefined;
        case 'send once more':
          return call.sendAgain(attemptOf(call) + 1) as undefined;
        case 'start over':
          return call.startOver(attemptOf(call) + 1) as undefined;
        case 'ask the store':
          record = (await untilAvailable(call, () => store.get(call.id)))?.answer;
          stored = storedAs(record, record?.outcome ? call.record.idempotencyKey : (record?.idempotencyKey ?? null), node);
          break;
        case 'follow': {
          call.follow();
          const ended = record && (await this.#follow(call, record));
          if (ended) return ended;
          stored = 'key free';
          break;
        }
        case 'release the key':
          store.refused(call.record, { code: 'TOOLKIT_OFFLINE', body: null, endedAt: Date.now() });
          call.release();
          return { error: offline(call) };
        case 'TOOLKIT_OFFLINE':
          return { error: offline(call) };
        case 'OUTCOME_UNKNOWN':
          return this.#local.record(call, { error: outcomeUnknown(call) });
      }
    }
  }

  #decide(call: PendingCall, attempt: Gone['gone'], stored: Stored) {
    return recover({
      attempt,
      stored,
      // A following call has just received its answer, so its callers still wait.
      wanted: !call.abandoned || call.state.name === 'following',
      repeatable: this.#deps.catalog.mayRepeat(call.record.action),
      payload: call.hasPayload,
      attemptsLeft: attemptOf(call) < MAX_ATTEMPTS,
    });
  }
}

function isEnded(end: LocalEnd | undefined): end is Ended {
  return typeof end === 'object' && !('gone' in end);
}

function isOfPeer(call: PendingCall): boolean {
  return call.origin.from === 'peer';
}

function attemptOf(call: PendingCall): number {
  return call.attempt.request.attempt;
}

function offline({ id }: PendingCall): SvcError {
  return new SvcError('TOOLKIT_OFFLINE', `The process that got ${id} is gone; it may run again`, { retryAfterMs: 250 });
}

function outcomeUnknown({ id }: PendingCall): SvcError {
  const message = `The process that got ${id} is gone, and its result with it: the action may or may not have run. Check before you call it again`;
  return new SvcError('OUTCOME_UNKNOWN', message, { invocationId: id });
}
