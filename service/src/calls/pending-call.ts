/**
 * One accepted call: its record, its current attempt, its state, and the callers that wait for it.
 *
 * Only the methods named after an event of `TRANSITIONS`, and `abandon`, change the state. The timeline follows the state.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Progress } from '#sdk/protocol/http';
import { Attempt, type AttemptRequest } from '../hub/attempt';
import type { CallerIds } from '../keys/caller-ids';
import type { InvocationStart } from '../store/store';
import { type CallEvent, type CallState, type Ended, isClaimed, isPossible, mayHaveRun, type StopHandler } from './call-state';
import type { Deadlines } from './deadlines';
import { newInvocationId } from './invocation-id';
import type { Timeline } from './timeline';
import { type AwaitedCall, Waiters, type WaitingCaller } from './waiters';

export interface CallOrigin {
  /** A caller of this node, another node, or the store: a recorded call without an outcome. */
  from: 'caller' | 'peer' | 'store';
  /** Repairs that admission made to the payload. */
  repaired?: readonly string[] | undefined;
  /** Set if an observer needs timelines, at this node or at the one that forwarded the call. */
  timeline?: Timeline | undefined;
  /** The search that led to the call, according to the caller. */
  searchId?: string | undefined;
  /** The caller's ids of session and user, for records. */
  callerIds?: CallerIds | undefined;
  /** Set for a call of a caller. */
  observer?: PendingCallObserver | undefined;
}

export interface PendingCallObserver {
  /** A caller of this node started a call. `call.timeline` is set if any observer implements this event. */
  callStarted(call: PendingCall): void;
  /** Called again when a result arrives after the call was given up. */
  callEnded(call: PendingCall, ended: Ended): void;
}

/** The part of the directory that a call uses. */
interface ClaimDirectory {
  readonly deadlines: Deadlines;
  onImpossible(message: string): void;
  claimChanged(call: PendingCall): void;
}

type SuppliedPayload = Pick<AttemptRequest, 'payloadJson' | 'deadline' | 'actionVersion' | 'used'>;
type AttemptChange = Partial<Pick<AttemptRequest, 'id' | 'attempt'>>;

const RECEIVED: CallState = { name: 'received' };
const CLAIMING: CallState = { name: 'claiming' };
const CLAIMED: CallState = { name: 'claimed' };
const FORWARDED: CallState = { name: 'forwarded' };
const FOLLOWING: CallState = { name: 'following' };
const NO_REPAIRS: readonly string[] = [];

export class PendingCall implements AwaitedCall {
  readonly origin: CallOrigin;
  readonly #directory: ClaimDirectory;
  readonly #waiters: Waiters;
  #state: CallState = RECEIVED;
  #record: InvocationStart;
  #attempt: Attempt;
  /** Payload, deadline, version and connection of a retry, for the next attempt. After a restart the first attempt has none of them. */
  #payload: SuppliedPayload | undefined;
  #onEnded: ((ended: Ended) => void)[] | undefined;

  constructor(directory: ClaimDirectory, record: InvocationStart, request: AttemptRequest, origin: CallOrigin) {
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

  /** The attempt that was sent last, or will be sent next. */
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

  /** False for a call from before a restart, until a retry joins it. */
  get hasPayload(): boolean {
    return this.payloadJson !== null || this.#payload !== undefined;
  }

  /** Callers whose answer a draining node owes. */
  get hasCallers(): boolean {
    return this.#waiters.hasAttached;
  }

  /** The error of the last caller that left; undefined while a caller waits. */
  get abandoned(): SvcError | undefined {
    return this.#waiters.abandoned;
  }

  get ended(): Promise<Ended> {
    if (this.#state.name === 'ended') return Promise.resolve(this.#state.ended);
    this.#onEnded ??= [];
    const listeners = this.#onEnded;
    return new Promise((resolve) => listeners.push(resolve));
  }

  join(caller: WaitingCaller): void {
    if (this.#state.name === 'ended') caller.answer(this.#state.ended);
    else this.#waiters.add(caller);
  }

  /** Answers the callers that match with `error` and removes them. */
  dismiss(error: SvcError, matches: (caller: WaitingCaller) => boolean = () => true): void {
    this.#waiters.dismiss(error, matches);
  }

  /** A person cancels the call, also for callers that came back to it. */
  cancel(): void {
    this.#waiters.cancel(new SvcError('INVOCATION_CANCELLED', `A person cancelled ${this.id} in the console`, { invocationId: this.id }));
  }

  /** Calls `listener` when the last caller leaves. Returns a function that removes the listener. */
  whenAbandoned(listener: (error: SvcError) => void): () => void {
    return this.#waiters.whenAbandoned(listener);
  }

  /** Calls `listener` when a caller joins after the last one had left. Returns a function that removes the listener. */
  whenWanted(listener: () => void): () => void {
    return this.#waiters.whenWanted(listener);
  }

  /** A retry brings the payload, which a restart of the service loses. */
  supplyPayload({ payloadJson, deadline, actionVersion, used }: SuppliedPayload): void {
    this.#payload = { payloadJson, deadline, ...(actionVersion !== undefined && { actionVersion }), ...(used && { used }) };
  }

  /** Receives progress that another node reports. */
  report(progress: Progress): void {
    this.#report(progress);
  }

  abandon(error: SvcError): void {
    this.timeline?.add('cancelled', error.code);
    const state = this.#state;
    if (state.name !== 'dispatched' && state.name !== 'cancelled') return;
    this.#change('cancel', { name: 'cancelled', stop: state.stop, error });
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

  /** The call was dispatched before this node had it. */
  adopt(stop: StopHandler): void {
    this.#change('adopt', { name: 'dispatched', stop });
  }

  /** The handler did not receive the call, or its toolkit declares it repeatable. */
  sendAgain(attempt: number): void {
    this.#renewAttempt({ attempt });
    this.#change('sendAgain', CLAIMED);
  }

  /** The store has freed the key, so the next caller with it runs the call. */
  release(): void {
    this.#change('release', RECEIVED);
  }

  forward(to: string): void {
    this.timeline?.forwarded(to);
    this.#change('forward', FORWARDED);
  }

  /** No other node took the call. */
  takeBack(): void {
    this.#change('takeBack', RECEIVED);
  }

  follow(): void {
    this.#change('follow', FOLLOWING);
  }

  stopFollowing(): void {
    this.#change('stopFollowing', RECEIVED);
  }

  /** Starts again under a new id, because the record of the old one has ended. */
  startOver(attempt: number): void {
    const id = newInvocationId();
    this.#change('startOver', RECEIVED);
    this.#record = { ...this.#record, id };
    this.#renewAttempt({ id, attempt });
  }

  end(ended: Ended): void {
    this.#change('end', { name: 'ended', ended, mayHaveRun: this.mayHaveRun });
    this.#payload = undefined;
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
