/**
 * One accepted call: its record, its attempt at a handler, its state, and the callers that wait for it.
 *
 * Each method that is named by an event of `TRANSITIONS` changes the state; nothing else does. The timeline follows the state.
 */
import type { SvcError } from '../../protocol/errors';
import type { Progress } from '../../protocol/http';
import { Attempt, type AttemptRequest } from '../hub/attempt';
import type { InvocationStart } from '../store/store';
import type { CallDirectory } from './call-directory';
import type { CallObservers } from './call-observer';
import { type CallEvent, type CallState, isClaimed, isPossible, mayHaveRun, type StopHandler } from './call-state';
import { newInvocationId } from './invocation-id';
import type { Timeline } from './timeline';
import { type AwaitedCall, Waiters, type WaitingCaller } from './waiters';

/** JSON text of an `InvokeResponse`, or why there is none. */
export type Ended = { responseJson: string } | { error: SvcError };

export interface CallOrigin {
  /** Who asked for it: a caller of this node, another node, or the store, which had it without an outcome. */
  from: 'caller' | 'peer' | 'store';
  /** Repairs of the payload. */
  repaired?: readonly string[] | undefined;
  /** Present if an observer, here or at the node that forwarded the call, wants it. */
  timeline?: Timeline | undefined;
  /** The search that led to the call. */
  searchId?: string | undefined;
  /** For a call of a caller. */
  observer?: Pick<CallObservers, 'callEnded'> | undefined;
}

type AttemptChange = Partial<Pick<AttemptRequest, 'id' | 'attempt'>>;

const RECEIVED: CallState = { name: 'received' };
const CLAIMING: CallState = { name: 'claiming' };
const CLAIMED: CallState = { name: 'claimed' };
const FORWARDED: CallState = { name: 'forwarded' };
const FOLLOWING: CallState = { name: 'following' };
const NO_REPAIRS: readonly string[] = [];

export class PendingCall implements AwaitedCall {
  readonly origin: CallOrigin;
  readonly #directory: CallDirectory;
  readonly #waiters: Waiters;
  #state: CallState = RECEIVED;
  #record: InvocationStart;
  #attempt: Attempt;
  /** Of a retry: what the attempt lacks that a former process of the service sent. */
  #payload: Pick<AttemptRequest, 'payloadJson' | 'deadline'> | undefined;
  #onEnded: ((ended: Ended) => void)[] | undefined;

  constructor(directory: CallDirectory, record: InvocationStart, request: AttemptRequest, origin: CallOrigin) {
    this.#directory = directory;
    this.#record = record;
    this.origin = origin;
    this.#attempt = new Attempt(request);
    this.#attempt.onProgress = (progress) => this.#report(progress);
    this.#waiters = new Waiters(this, directory.deadlines);
  }

  get id(): string {
    return this.#record.id;
  }

  get record(): InvocationStart {
    return this.#record;
  }

  get state(): CallState {
    return this.#state;
  }

  get isClaimed(): boolean {
    return isClaimed(this.#state);
  }

  get mayHaveRun(): boolean {
    return mayHaveRun(this.#state);
  }

  /** As it is sent next, or was sent last. */
  get attempt(): Attempt {
    return this.#attempt;
  }

  get payloadJson(): string | null {
    return this.#attempt.request.payloadJson;
  }

  get timeline(): Timeline | undefined {
    return this.origin.timeline;
  }

  get repaired(): readonly string[] {
    return this.origin.repaired ?? NO_REPAIRS;
  }

  /** False for a call of a former process of the service until a retry joins. */
  get hasPayload(): boolean {
    return this.payloadJson !== null || this.#payload !== undefined;
  }

  get hasCallers(): boolean {
    return this.#waiters.size > 0;
  }

  /** What the last caller was told, while nobody waits. */
  get abandoned(): SvcError | undefined {
    return this.#waiters.abandoned;
  }

  get ended(): Promise<Ended> {
    if (this.#state.name === 'ended') return Promise.resolve(this.#state.ended);
    this.#onEnded ??= [];
    const listeners = this.#onEnded;
    return new Promise((resolve) => listeners.push(resolve));
  }

  /** A caller waits for the call from now on. */
  join(caller: WaitingCaller): void {
    if (this.#state.name === 'ended') caller.answer(this.#state.ended);
    else this.#waiters.add(caller);
  }

  /** Every caller that `matches` is told `error`, and has left. */
  dismiss(error: SvcError, matches: (caller: WaitingCaller) => boolean = () => true): void {
    this.#waiters.dismiss(error, matches);
  }

  /** Returns the function that stops listening. */
  whenAbandoned(listener: (error: SvcError) => void): () => void {
    return this.#waiters.whenAbandoned(listener);
  }

  /** Calls back when a caller joins after the last one had left. Returns the function that stops listening. */
  whenWanted(listener: () => void): () => void {
    return this.#waiters.whenWanted(listener);
  }

  /** A retry supplies what a restart of the service has lost. */
  supplyPayload({ payloadJson, deadline }: Pick<AttemptRequest, 'payloadJson' | 'deadline'>): void {
    this.#payload = { payloadJson, deadline };
  }

  /** Progress that another node reports. */
  report(progress: Progress): void {
    this.#report(progress);
  }

  abandon(error: SvcError): void {
    this.timeline?.add('cancelled', error.code);
    const state = this.#state;
    if (state.name !== 'dispatched' && state.name !== 'cancelled') return;
    this.#change('cancel', { name: 'cancelled', stop: state.stop, told: error });
    state.stop(this, error);
  }

  queue(): void {
    this.timeline?.add('waiting');
    this.#change('queue', { name: 'queued', isClaimed: this.isClaimed });
  }

  leaveQueue(): void {
    this.#change('leaveQueue', this.isClaimed ? CLAIMED : RECEIVED);
  }

  askForClaim(): void {
    this.#change('askForClaim', CLAIMING);
  }

  loseClaim(): void {
    this.#change('loseClaim', RECEIVED);
  }

  winClaim(node: string): void {
    this.timeline?.claimed(this.id, node);
    this.#change('winClaim', CLAIMED);
  }

  dispatch(stop: StopHandler): void {
    this.#change('dispatch', { name: 'dispatched', stop });
  }

  /** Dispatched before this node had it. */
  adopt(stop: StopHandler): void {
    this.#change('adopt', { name: 'dispatched', stop });
  }

  /** The handler has never got it, or its toolkit allows another run. */
  sendAgain(attempt: number): void {
    this.#renewAttempt({ attempt });
    this.#change('sendAgain', CLAIMED);
  }

  /** The store has freed its key: the next caller with the key runs it. */
  release(): void {
    this.#change('release', RECEIVED);
  }

  forward(to: string): void {
    this.timeline?.forwarded(to);
    this.#change('forward', FORWARDED);
  }

  /** No node took it. */
  takeBack(): void {
    this.#change('takeBack', RECEIVED);
  }

  follow(): void {
    this.#change('follow', FOLLOWING);
  }

  stopFollowing(): void {
    this.#change('stopFollowing', RECEIVED);
  }

  /** Under a new id: in the store, the old one has ended. */
  startOver(attempt: number): void {
    const id = newInvocationId();
    this.#change('startOver', RECEIVED);
    this.#record = { ...this.#record, id };
    this.#renewAttempt({ id, attempt });
  }

  end(ended: Ended): void {
    this.#change('end', { name: 'ended', ended, mayHaveRun: this.mayHaveRun });
    this.origin.observer?.callEnded(this, ended);
    this.#waiters.end(ended);
    if (this.#onEnded) for (const listener of this.#onEnded) listener(ended);
    this.#onEnded = undefined;
  }

  /** A result arrived after the call was given up. */
  endLate(ended: Ended): void {
    this.origin.observer?.callEnded(this, ended);
  }

  #change(event: CallEvent, next: CallState): void {
    const { name } = this.#state;
    if (!isPossible(event, name, next.name)) this.#directory.onImpossible(`Call ${this.id}: "${event}" is impossible in state "${name}"`);
    const wasClaimed = this.isClaimed;
    this.#state = next;
    if (wasClaimed !== this.isClaimed) this.#directory.claimChanged(this);
  }

  #renewAttempt(change: AttemptChange): void {
    this.#attempt = this.#attempt.again({ ...this.#payload, ...change });
  }

  #report(progress: Progress): void {
    // The node that forwarded the call adds it to its own timeline.
    if (this.origin.from !== 'peer') this.timeline?.progressed(progress);
    this.#waiters.report(progress);
  }
}
