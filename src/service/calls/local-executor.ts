/** Calls that this node runs itself: claimed in the store, sent to one of its replicas, their outcome recorded before it is told. */
import { SvcError } from '../../protocol/errors';
import { formatActionId } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import type { Catalog } from '../catalog/catalog';
import type { AttemptOutcome, ResultText } from '../hub/attempt';
import type { Hub } from '../hub/hub';
import type { Slot } from '../hub/toolkit-replicas';
import type { Logger } from '../lib/logger';
import type { InvocationOutcome, InvocationStore } from '../store/store';
import type { CallObservers } from './call-observer';
import { mayRunAgain } from './may-run-again';
import type { Ended, PendingCall } from './pending-call';
import type { RemoteExecutor } from './remote-executor';
import { replay, requireSameCall } from './replay';
import { responseJson } from './response-json';
import { untilAvailable } from './until-available';

/** An idempotent action is not sent to one process after the other for ever: the payload may be what kills them. */
const MAX_ATTEMPTS = 3;

/** What became of the process that had a call. */
const LOST = { lost: 'the process is gone', moved: 'the process is at another node', unsent: 'the process never got it' } as const;

export interface LocalExecutorDeps {
  node: string;
  catalog: Catalog;
  hub: Hub;
  store: InvocationStore;
  others: RemoteExecutor;
  observers: Pick<CallObservers, 'outcomeRecorded'>;
  limits: Pick<Limits, 'resultBytes'>;
  logger: Logger;
}

export class LocalExecutor {
  readonly #node: string;
  readonly #catalog: Catalog;
  readonly #hub: Hub;
  readonly #store: InvocationStore;
  readonly #others: RemoteExecutor;
  readonly #observers: LocalExecutorDeps['observers'];
  readonly #limits: LocalExecutorDeps['limits'];
  readonly #logger: Logger;

  constructor({ node, catalog, hub, store, others, observers, limits, logger }: LocalExecutorDeps) {
    this.#node = node;
    this.#catalog = catalog;
    this.#hub = hub;
    this.#store = store;
    this.#others = others;
    this.#observers = observers;
    this.#limits = limits;
    this.#logger = logger;
  }

  /** A replica has room for it now. */
  isFree(run: PendingCall): boolean {
    const { toolkitId, actionName } = run.invocation.request;
    return this.#hub.isFree(toolkitId, actionName);
  }

  /** A replica offers it, even if it has no room now. */
  offers(run: PendingCall): boolean {
    const { toolkitId, actionName } = run.invocation.request;
    return this.#hub.isOnline(formatActionId(toolkitId, actionName));
  }

  /** Rejects with SvcError when it did not run, such as TOOLKIT_OFFLINE. */
  async run(run: PendingCall): Promise<Ended> {
    for (;;) {
      if (run.abandoned && !run.claimed) throw run.abandoned;
      // Where nothing is free now, a kept answer needs no place; where something is, the claim tells whether there is one.
      if (!run.claimed && !this.isFree(run)) {
        const earlier = await this.earlier(run);
        if (earlier) return earlier;
        // The books tell the node that has sent it, should it ask, that it waits here.
        if (run.fromNode && run.record.idempotencyKey === null) await this.#claim(run);
      }
      const { toolkitId, actionName } = run.invocation.request;
      const place = this.#hub.reserve(toolkitId, actionName, run);
      if (place instanceof Promise) run.timeline?.add('waiting');
      const slot = place instanceof Promise ? await place : place;
      if (!run.claimed) {
        if (!(await this.#claimFor(slot, run))) {
          const earlier = await this.earlier(run);
          if (earlier) return earlier;
          // The node that has sent it has given it up meanwhile.
          if (run.fromNode && (await this.#store.get(run.record.id)))
            throw new SvcError('TOOLKIT_OFFLINE', `${run.record.id} was refused before`, { retryAfterMs: 1_000 });
          // Another node had it, and refused it.
          if (!run.fromNode) run.startOver(run.attempt);
          continue;
        }
      }
      if (run.abandoned) {
        slot.release();
        throw run.abandoned;
      }
      run.sent = slot.send(run.invocation);
      if (run.sent) run.timeline?.add('sent', `process ${slot.instance} at ${this.#node}`);
      const ended = run.sent ? await this.outcome(run) : undefined;
      if (ended) return ended;
    }
  }

  /**
   * It counts as claimed from the beginning: the store may show the claim to others before this node hears that it is its own. What is not its own
   * needs no place.
   */
  async #claimFor(slot: Slot, run: PendingCall): Promise<boolean> {
    run.claimed = true;
    try {
      await this.#claim(run);
    } catch (error) {
      run.claimed = false;
      throw error;
    } finally {
      if (!run.claimed) slot.release();
    }
    return run.claimed;
  }

  async #claim(run: PendingCall): Promise<void> {
    run.claimed = await this.#store.start(run.record);
    if (run.claimed) run.timeline?.claimed(run.record.id, this.#node);
  }

  /** Of a call that was sent. Undefined when it may be sent again. */
  async outcome(run: PendingCall): Promise<Ended | undefined> {
    const outcome = await run.invocation.outcome;
    if ('gone' in outcome) return this.#gone(run, outcome.gone);
    const ended = this.#ended(run, outcome);
    return this.#record(run, ended);
  }

  /** What came of an earlier call with the same key, wherever it runs. Undefined when there is none, or its key is free again. */
  async earlier(run: PendingCall): Promise<Ended | undefined> {
    const { agentKeyId, idempotencyKey, requestHash } = run.record;
    if (idempotencyKey === null) return undefined;
    const earlier = await this.#store.find(agentKeyId, idempotencyKey);
    if (!earlier) return undefined;
    requireSameCall(earlier, requestHash);
    if (earlier.outcome) return replay(earlier.outcome);
    // As long as it waits for that one, nobody can say that the action did not run.
    run.sent = true;
    const ended = await this.#others.wait(run, earlier);
    if (!ended) run.sent = false;
    return ended;
  }

  async #gone(run: PendingCall, fate: 'lost' | 'moved' | 'unsent'): Promise<Ended | undefined> {
    run.timeline?.add('lost', LOST[fate]);
    if (run.abandoned) return this.#record(run, { error: run.abandoned });
    if (fate === 'unsent') {
      run.sendAgain(run.attempt);
      return undefined;
    }
    // The instance may have registered at another node, or its result may have arrived there: the store knows.
    const now = (await untilAvailable(run, () => this.#store.get(run.record.id)))?.answer;
    if (run.abandoned) return this.#record(run, { error: run.abandoned });
    if (now && (now.outcome || fate === 'moved' || now.node !== this.#node)) {
      // Should the instance come back with it, that is another run: this one waits for whoever has the call.
      run.claimed = false;
      const ended = await this.#others.wait(run, now);
      if (ended) return ended;
      if (!run.canBeSent) return { error: mayComeAgain(run.record.id) };
      run.startOver(run.attempt + 1);
      return undefined;
    }
    if (!mayRunAgain(this.#catalog, run.record.action)) return this.#record(run, { error: lost(run.record.id) });
    if (!run.canBeSent) return this.#free(run);
    if (run.attempt === MAX_ATTEMPTS) return this.#record(run, { error: lost(run.record.id) });
    run.sendAgain(run.attempt + 1);
    return undefined;
  }

  /** Nobody waits here who could bring its payload: whoever comes with its key, or waits at another node, runs it again. */
  #free(run: PendingCall): Ended {
    const error = mayComeAgain(run.record.id);
    this.#store.refused(run.record, { code: error.code, body: null, endedAt: Date.now() });
    run.sent = false;
    return { error };
  }

  async #record(run: PendingCall, ended: Ended): Promise<Ended> {
    const { id, agentKeyId, action, idempotencyKey } = run.record;
    const code = 'error' in ended ? ended.error.code : 'OK';
    const body = 'error' in ended ? JSON.stringify(ended.error) : ended.responseJson;
    const outcome: InvocationOutcome = { code, body: idempotencyKey === null ? null : body, endedAt: Date.now() };
    if (run.abandoned && idempotencyKey !== null) run.invocation.onLate = (late) => this.#recordLate(run, late);
    const stands = await this.#store.end(id, outcome);
    if (run.searchId !== undefined) this.#observers.outcomeRecorded({ searchId: run.searchId, agentKeyId, action, code });
    return stands.code === code || stands.body === null ? ended : replay(stands);
  }

  /** Its last caller has left, and the handler has gone on: a retry gets what came of it. */
  #recordLate(run: PendingCall, late: AttemptOutcome): void {
    if (!('resultJson' in late)) return;
    const { id } = run.record;
    const responseJson = this.#responseJson(run, late);
    this.#store.end(id, { code: 'OK', body: responseJson, endedAt: Date.now() }).then(
      ({ body }) => body === responseJson && run.endedLate({ responseJson }),
      (error: unknown) => this.#logger.error({ error, invocation: id }, 'a late result is lost'),
    );
  }

  #ended(run: PendingCall, outcome: ResultText | { error: SvcError }): Ended {
    // An error after a cancel is most often the cancel itself: the record says what the caller was told.
    if ('error' in outcome) return { error: run.cancelledAs ?? outcome.error };
    return { responseJson: this.#responseJson(run, outcome) };
  }

  #responseJson({ record, repaired }: PendingCall, { resultJson, contentJson }: ResultText): string {
    return responseJson({ invocationId: record.id, resultJson, contentJson, repaired, maxResultBytes: this.#limits.resultBytes });
  }
}

function mayComeAgain(invocationId: string): SvcError {
  return new SvcError('TOOLKIT_OFFLINE', `The process that got ${invocationId} is gone; it may run again`, { retryAfterMs: 250 });
}

function lost(invocationId: string): SvcError {
  const message = `The process that got ${invocationId} is gone, and its result with it: the action may or may not have run. Check before you call it again`;
  return new SvcError('OUTCOME_UNKNOWN', message, { invocationId });
}
