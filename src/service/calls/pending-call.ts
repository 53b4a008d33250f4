/**
 * One accepted call and everyone who waits for its outcome: the first caller, retries with the same idempotency key, and other nodes.
 *
 * A caller that leaves (deadline, cancel, refused key) gets its own error at once; when the last one has left, `whenAbandoned` is told.
 */
import { SvcError } from '../../protocol/errors';
import type { Progress } from '../../protocol/http';
import type { Attempt, AttemptRequest } from '../hub/attempt';
import type { InvocationStart } from '../store/store';
import type { CallObservers } from './call-observer';
import { newInvocationId } from './invocation-id';
import type { Timeline } from './timeline';

/** JSON text of an `InvokeResponse`, or why there is none. */
export type Ended = { responseJson: string } | { error: SvcError };

export interface Caller {
  keyId: string;
  timeoutMs: number;
  /** Calls back when the caller has gone; at once when it has already. */
  whenGone(listener: () => void): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

export interface PendingCallOptions {
  /** What was understood although it was not said right. */
  repaired?: string[];
  /** Another node has accepted it, and waits for it: it runs here or not at all. */
  fromNode?: boolean;
  /** Where somebody keeps what happens to it. */
  timeline?: Timeline | undefined;
  /** Of the search that led to it. */
  searchId?: string | undefined;
  /** Only for a call that began with a caller at this node. */
  observer?: Pick<CallObservers, 'callEnded'> | undefined;
}

export class PendingCall {
  readonly repaired: string[];
  readonly fromNode: boolean;
  readonly timeline: Timeline | undefined;
  readonly searchId: string | undefined;
  readonly #observer: Pick<CallObservers, 'callEnded'> | undefined;
  /** Set when nobody waits any more: what the last caller was told. */
  abandoned: SvcError | undefined;
  /** What the last caller was told when the handler was told to stop, also when somebody waits again since. */
  cancelledAs: SvcError | undefined;
  /** The store has it as this node's. */
  claimed = false;
  /** From here on only the handler's process can say what happened. */
  sent = false;
  #record: InvocationStart;
  #invocation: Attempt;
  #lent: Pick<AttemptRequest, 'payloadJson' | 'deadline'> | undefined;
  readonly #onAbandoned = new Set<(error: SvcError) => void>();
  readonly #onWanted = new Set<() => void>();
  readonly #callers = new Map<Caller, (error: SvcError) => void>();
  #ended: Ended | undefined;
  readonly #onEnded = new Set<(ended: Ended) => void>();

  constructor(
    record: InvocationStart,
    invocation: Attempt,
    { repaired = [], fromNode = false, timeline, searchId, observer }: PendingCallOptions = {},
  ) {
    this.#record = record;
    this.#invocation = invocation;
    this.repaired = repaired;
    this.fromNode = fromNode;
    this.timeline = timeline;
    this.searchId = searchId;
    this.#observer = observer;
    invocation.onProgress = (progress) => this.report(progress);
  }

  get record(): InvocationStart {
    return this.#record;
  }

  /** As it is sent now, or was sent last. */
  get invocation(): Attempt {
    return this.#invocation;
  }

  get attempt(): number {
    return this.#invocation.request.attempt;
  }

  get hasCallers(): boolean {
    return this.#callers.size > 0;
  }

  report(progress: Progress): void {
    // The node that it came from hears of it too.
    if (!this.fromNode) this.timeline?.progressed(progress);
    for (const caller of this.#callers.keys()) caller.onProgress?.(progress);
  }

  /** False for a call of a former process that nobody has asked for since. */
  get canBeSent(): boolean {
    return this.#invocation.request.payloadJson !== null || this.#lent !== undefined;
  }

  /** It is to be sent once more. */
  sendAgain(attempt: number): void {
    this.#invocation = this.#invocation.again({ ...this.#lent, attempt });
    this.sent = false;
  }

  /** Under a new id, since the books have the old one as ended: its handler's process has never got it, or is gone. */
  startOver(attempt: number): void {
    this.#record = { ...this.#record, id: newInvocationId() };
    this.#invocation = this.#invocation.again({ ...this.#lent, id: this.#record.id, attempt });
    this.claimed = false;
    this.sent = false;
  }

  /** A retry brings what a former process of the service took with it: with that the call could be sent again. */
  lend(call: Pick<AttemptRequest, 'payloadJson' | 'deadline'>): void {
    this.#lent = call;
  }

  get ended(): Promise<Ended> {
    return new Promise((resolve) => {
      if (this.#ended) resolve(this.#ended);
      else this.#onEnded.add(resolve);
    });
  }

  end(ended: Ended): void {
    this.#ended = ended;
    this.#observer?.callEnded(this, ended);
    for (const listener of this.#onEnded) listener(ended);
    this.#onEnded.clear();
  }

  /** A result that comes after the call was given up. */
  endedLate(ended: Ended): void {
    this.#observer?.callEnded(this, ended);
  }

  /** Rejects with SvcError. */
  wait(caller: Caller): Promise<string> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        this.#callers.delete(caller);
        this.#onEnded.delete(onEnded);
      };
      const onEnded = (ended: Ended) => {
        finish();
        if ('error' in ended) reject(ended.error);
        else resolve(ended.responseJson);
      };
      const leave = (error: SvcError) => {
        // Gone after its answer: nobody left.
        if (!this.#callers.has(caller)) return;
        finish();
        reject(error);
        if (this.#callers.size === 0) this.#abandon(error);
      };
      const onGone = () =>
        leave(new SvcError('INVOCATION_CANCELLED', `The caller of ${this.record.id} cancelled`, { invocationId: this.record.id }));
      const timer = setTimeout(() => leave(this.#timeout(caller.timeoutMs)), caller.timeoutMs);
      if (this.#ended) return onEnded(this.#ended);
      // Where its handler was told to stop, it may come to an end all the same.
      const isWantedAgain = this.abandoned !== undefined;
      this.abandoned = undefined;
      this.#callers.set(caller, leave);
      this.#onEnded.add(onEnded);
      caller.whenGone(onGone);
      if (isWantedAgain) for (const listener of [...this.#onWanted]) listener();
    });
  }

  /** Every caller that `matches` is told `error`, and has left. */
  dismiss(error: SvcError, matches: (caller: Caller) => boolean = () => true): void {
    for (const [caller, leave] of [...this.#callers]) if (matches(caller)) leave(error);
  }

  /** Returns the function that stops listening. */
  whenAbandoned(listener: (error: SvcError) => void): () => void {
    this.#onAbandoned.add(listener);
    return () => void this.#onAbandoned.delete(listener);
  }

  /** Calls back when somebody waits again after the last caller had left. Returns the function that stops listening. */
  whenWanted(listener: () => void): () => void {
    this.#onWanted.add(listener);
    return () => void this.#onWanted.delete(listener);
  }

  #abandon(error: SvcError): void {
    this.abandoned = error;
    if (this.sent) this.cancelledAs = error;
    this.timeline?.add('cancelled', error.code);
    for (const listener of [...this.#onAbandoned]) listener(error);
  }

  #timeout(timeoutMs: number): SvcError {
    const { id } = this.record;
    const message = this.sent
      ? `No result of ${id} in ${timeoutMs} ms; the action may still have run`
      : `No process had room for ${id} in ${timeoutMs} ms; the action did not run`;
    return new SvcError('INVOCATION_TIMEOUT', message, { invocationId: id, retryable: !this.sent });
  }
}
