/**
 * Calls that other nodes run: lets one of them take a call, and waits for what another one has claimed.
 *
 * Who has a call is what the store says. An answer over the bus is the quick way; where it may have been lost the store is asked.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError, type SvcErrorCode } from '../../protocol/errors';
import type { Limits } from '../../protocol/limits';
import { readTraceContext } from '../../protocol/trace-context';
import type { Cluster } from '../cluster/cluster';
import type { CallAnswer } from '../cluster/messages';
import type { InvocationRecord, InvocationStore } from '../store/store';
import type { CallDirectory } from './call-directory';
import type { Ended, PendingCall } from './pending-call';
import { replay } from './replay';
import { untilAvailable } from './until-available';

/** Between two questions to the store about a call whose node does not answer. */
const POLL_MS = 500;
/** In which a call without an idempotency key comes into the books. */
const BOOKED_MS = 500;

/** Why a node may refuse a call that another one can take. */
const ELSEWHERE: ReadonlySet<string> = new Set<SvcErrorCode>(['TOOLKIT_OFFLINE', 'QUEUE_FULL', 'SERVICE_STOPPING', 'SERVICE_UNAVAILABLE']);

/** Why callers leave without a wish that the handler goes on: a node that stops is none, and a deadline the other node knows itself. */
const CANCELS: ReadonlySet<string> = new Set<SvcErrorCode>(['INVOCATION_CANCELLED', 'KEY_REVOKED', 'KEY_EXPIRED']);

/** `refused`: it did not run there. `lost`: whether it ran is for the store to say. */
type Heard = Ended | { refused: SvcError; node: string } | 'nobody' | 'busy' | 'lost';

export interface RemoteExecutorDeps {
  cluster: Cluster;
  node: string;
  store: InvocationStore;
  runs: CallDirectory;
  /** Of a call that is this node's, and that nobody here runs: waits for the instance that may have it. */
  adopt: (record: InvocationRecord) => void;
  limits: Pick<Limits, 'reconnectGraceMs'>;
}

export class RemoteExecutor {
  readonly #cluster: Cluster;
  readonly #node: string;
  readonly #store: InvocationStore;
  readonly #runs: CallDirectory;
  readonly #adopt: RemoteExecutorDeps['adopt'];
  readonly #limits: RemoteExecutorDeps['limits'];

  constructor({ cluster, node, store, runs, adopt, limits }: RemoteExecutorDeps) {
    this.#cluster = cluster;
    this.#node = node;
    this.#store = store;
    this.#runs = runs;
    this.#adopt = adopt;
    this.#limits = limits;
  }

  /** Whether another node could take the call. */
  offer(run: PendingCall): boolean {
    const { toolkitId, actionName } = run.invocation.request;
    return !run.fromNode && this.#cluster.offers(toolkitId, actionName);
  }

  /** Lets one node after the other try. Undefined when none has taken it: it did not run. Rejects with why the last one did not. */
  async send(run: PendingCall): Promise<Ended | undefined> {
    const { toolkitId, actionName } = run.invocation.request;
    const tried = new Set<string>();
    let heard = await this.#sendTo(run, { toolkitId }, false);
    for (let isDoubtful = false; ; ) {
      if (heard === 'lost') {
        isDoubtful = true;
        const ended = await this.#lookFor(run);
        if (ended !== 'nowhere') return ended;
        if (run.record.idempotencyKey === null) return this.#nobodyKnows(run);
        heard = await this.#sendTo(run, { toolkitId }, false);
      } else if (typeof heard === 'string') {
        if (isDoubtful) return this.#claimBack(run);
        run.sent = false;
        if (this.#cluster.connected) return undefined;
        throw new SvcError('SERVICE_UNAVAILABLE', 'The other nodes cannot be reached now; nothing ran', { retryAfterMs: 1_000 });
      } else if ('refused' in heard) {
        tried.add(heard.node);
        const next = this.#cluster.offering(toolkitId, actionName).find((node) => !tried.has(node));
        if (next === undefined) throw heard.refused;
        run.startOver(run.attempt);
        heard = await this.#sendTo(run, { node: next }, false);
      } else return heard;
    }
  }

  /** Asks one other node that may have a free replica now. Undefined when it has none. */
  async sendToFree(run: PendingCall): Promise<Ended | undefined> {
    const { toolkitId, actionName } = run.invocation.request;
    const nodes = this.#cluster.offering(toolkitId, actionName);
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (node === undefined) return undefined;
    const heard = await this.#sendTo(run, { node }, true);
    if (heard === 'lost') {
      const ended = await this.#lookFor(run);
      if (ended !== 'nowhere') return ended;
      return run.record.idempotencyKey === null ? this.#nobodyKnows(run) : this.#claimBack(run);
    }
    run.sent = false;
    if (typeof heard === 'string') return undefined;
    if (!('refused' in heard)) return heard;
    run.startOver(run.attempt);
    return undefined;
  }

  /** A node may have got the call, and its answer was lost. */
  async #lookFor(run: PendingCall): Promise<Ended | undefined | 'nowhere'> {
    const found = await untilAvailable(run, () => this.#store.get(run.record.id));
    if (!found) return { error: run.abandoned ?? unavailable() };
    if (!found.answer) return 'nowhere';
    run.timeline?.claimed(run.record.id, found.answer.node);
    const ended = await this.wait(run, found.answer);
    if (!ended) run.startOver(run.attempt);
    return ended;
  }

  /** Nobody claims a call without an idempotency key: a node that is gone may have run it. */
  #nobodyKnows({ record: { id } }: PendingCall): Ended {
    const message = `The node that may have got ${id} does not answer: the action may or may not have run. Check before you call it again`;
    return { error: new SvcError('OUTCOME_UNKNOWN', message, { invocationId: id }) };
  }

  /** A node that may still have the call before it cannot take it any more: from then on it did not run. Undefined then. */
  async #claimBack(run: PendingCall): Promise<Ended | undefined> {
    const claimed = await untilAvailable(run, () => this.#store.start(run.record));
    if (!claimed) return { error: run.abandoned ?? unavailable() };
    if (claimed.answer) {
      run.claimed = true;
      run.sent = false;
      run.timeline?.claimed(run.record.id, this.#node);
      return undefined;
    }
    const ended = await this.#lookFor(run);
    return ended === 'nowhere' ? undefined : ended;
  }

  /**
   * How a call ends that another node has claimed, maybe one that is gone. Undefined when its key is free again: it did not run, or may run once more.
   * When nobody waits any more, what the last caller was told.
   */
  async wait(run: PendingCall, claimed: InvocationRecord): Promise<Ended | undefined> {
    let record: InvocationRecord | undefined = claimed;
    for (let isOrphan = false; ; ) {
      if (run.abandoned) return { error: run.abandoned };
      if (!record || record.idempotencyKey !== run.record.idempotencyKey) return undefined;
      if (record.outcome?.body === null && ELSEWHERE.has(record.outcome.code)) return undefined;
      if (record.outcome) return replay(record.outcome);
      const heard = await (record.node === this.#node ? this.#waitHere(run, record) : this.#join(run, record));
      if (typeof heard !== 'string') return heard;
      // At the first look it may have ended since the store was asked, or this node is just taking it over. Later nobody can say that it was not sent.
      if (heard === 'orphan' && isOrphan) this.#adopt(record);
      isOrphan = heard === 'orphan';
      await delay(POLL_MS);
      const now = await untilAvailable(run, () => this.#store.get(claimed.id));
      record = now ? now.answer : record;
    }
  }

  /** Another run of this node waits for the instance that has it. */
  async #waitHere(run: PendingCall, { id }: InvocationRecord): Promise<Ended | 'lost' | 'orphan' | undefined> {
    const own = this.#runs.claimed(id);
    if (!own) return 'orphan';
    if (own === run) return 'lost';
    const ended = await own.ended;
    // Refused, or abandoned before it was sent: that is for its callers, not for those of this run.
    return own.sent ? ended : undefined;
  }

  async #join(run: PendingCall, { id, node, agentKeyId }: InvocationRecord): Promise<Ended | 'lost'> {
    const heard = await this.#listen(run, (hear) =>
      this.#cluster.join(node, { id, callId: run.record.id, agentKeyId, timeoutMs: leftMs(run) }, hear),
    );
    return typeof heard === 'object' && !('refused' in heard) ? heard : 'lost';
  }

  #sendTo(run: PendingCall, to: { toolkitId: string } | { node: string }, ifFree: boolean): Promise<Heard> {
    const { record, repaired, attempt } = run;
    const { payloadJson, idempotencyKey, userId, traceparent, tracestate } = run.invocation.request;
    run.sent = true;
    run.timeline?.forwarded('node' in to ? to.node : 'a node that offers it');
    const message = {
      id: record.id,
      agentKeyId: record.agentKeyId,
      claimKey: record.idempotencyKey,
      idempotencyKey,
      requestHash: record.requestHash,
      action: record.action,
      repaired,
      timeoutMs: leftMs(run),
      attempt,
      ifFree,
      ...(run.timeline && { watched: true }),
      ...(userId !== undefined && { userId }),
      ...(run.searchId !== undefined && { searchId: run.searchId }),
      ...readTraceContext(traceparent, tracestate),
    };
    return this.#listen(run, (hear) => this.#cluster.call(to, message, payloadJson ?? '{}', hear));
  }

  /** Of a call without an idempotency key no result is kept: as long as its node is there, it is heard from that or not at all. */
  async #willAnswer(run: PendingCall): Promise<boolean> {
    if (run.record.idempotencyKey !== null) return false;
    await delay(BOOKED_MS);
    const record = await this.#store.get(run.record.id).catch(() => undefined);
    return record?.outcome === null && this.#cluster.has(record.node);
  }

  /** Until the call has ended, the answer may be lost, or nobody has waited for a while. */
  #listen(run: PendingCall, ask: (hear: (answer: CallAnswer | { kind: 'nobody' }, body: string) => void) => () => void): Promise<Heard> {
    return new Promise((resolve) => {
      let giveUp: NodeJS.Timeout | undefined;
      const finish = (heard: Heard) => {
        clearTimeout(giveUp);
        stopAsking?.();
        stopDoubting();
        stopWatching();
        stopMissing();
        resolve(heard);
      };
      const hear = (answer: CallAnswer | { kind: 'nobody' }, body: string) => {
        if (answer.kind === 'progress') run.report(answer.progress);
        else {
          if ('timeline' in answer && answer.timeline) run.timeline?.join(run.record.id, answer.timeline);
          finish(readEnd(answer, body, run));
        }
      };
      const onAbandoned = (error: SvcError) => {
        if (CANCELS.has(error.code)) this.#cluster.cancel(run.record.id);
        clearTimeout(giveUp);
        giveUp = setTimeout(() => run.abandoned && finish({ error }), this.#limits.reconnectGraceMs).unref();
      };
      const stopDoubting = this.#cluster.onPossibleLoss(async () => {
        if (!(await this.#willAnswer(run))) finish('lost');
      });
      const stopWatching = run.whenAbandoned(onAbandoned);
      // The other node has let the former caller go: it has to hear that there is one again.
      const stopMissing = run.whenWanted(() => finish('lost'));
      let stopAsking: (() => void) | undefined;
      stopAsking = ask(hear);
      if (run.abandoned) onAbandoned(run.abandoned);
    });
  }
}

function readEnd(answer: Exclude<CallAnswer, { kind: 'progress' }> | { kind: 'nobody' }, body: string, run: PendingCall): Heard {
  switch (answer.kind) {
    case 'result':
      return { responseJson: body };
    case 'error': {
      const { code, message, ...details } = answer.error;
      const error = new SvcError(code, message, details);
      // It was sent to a handler, and the node goes: whoever gets the result next records it.
      if (code === 'SERVICE_STOPPING' && !answer.refused) return 'lost';
      if (!answer.refused || !ELSEWHERE.has(code)) return { error };
      if (answer.attempts > run.attempt) run.sendAgain(answer.attempts);
      return { refused: error, node: answer.from };
    }
    case 'unknown':
      return 'lost';
    default:
      return answer.kind;
  }
}

function unavailable(): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', 'The database cannot be reached', { retryAfterMs: 1_000 });
}

function leftMs(run: PendingCall): number {
  return Math.max(1, run.invocation.request.deadline - Date.now());
}
