/**
 * The events of a call. Logs, metrics, traces, records and searches each implement the events that they need.
 *
 * A *request* is one caller's message. A *call* is what runs: equal requests with the same idempotency key share one call.
 * Errors: an observer must not throw, and must return quickly.
 */
import type { SvcError } from '#sdk/protocol/errors';
import type { TraceContext } from '#sdk/protocol/trace-context';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import type { CallAfterSearch } from '../searches/searches';
import type { InvocationStart } from '../store/store';
import type { Ended } from './call-state';
import type { PendingCall, PendingCallObserver } from './pending-call';

export interface CallObserver extends Partial<PendingCallObserver> {
  /** A returned trace context replaces the caller's on the way to the handler. */
  requestReceived?(request: ObservedRequest): TraceContext | undefined;
  /** The action was found and the payload is valid; `request.accepted` is set. */
  requestAccepted?(request: ObservedRequest): void;
  /** The caller received its answer. `code` is `OK` or an error code; `ms` is the time since the request arrived. */
  requestEnded?(request: ObservedRequest, code: string, ms: number): void;
  /** A handler's result was recorded on this node, and its callers have their answers. Called once per call. */
  resultReceived?(actionId: string, resultJson: string): void;
  /** A request was refused before a call started. */
  callRefused?(refused: RefusedCall): void;
  /** This node recorded the outcome of a call that a handler received and that names a search. Called once per call. */
  outcomeRecorded?(call: CallAfterSearch): void;
}

export interface ObservedRequest {
  readonly key: CallingKey;
  /** Its arrival, by the clock of `performance`. */
  readonly startedAt: number;
  /** The search that led to the request, according to the caller. */
  readonly searchId: string | undefined;
  /** The caller's trace context. */
  readonly trace: TraceContext | undefined;
  /** The requested action id, cut to 100 characters. Undefined until the request is decoded. */
  askedAction: string | undefined;
  accepted: AcceptedCall | undefined;
}

interface AcceptedCall {
  invocationId: string;
  actionId: string;
  toolkitId: string;
}

export interface RefusedCall {
  record: InvocationStart;
  /** The arrival of the request, by the clock of `performance`. */
  startedAt: number;
  /** The decoded payload; the raw request body when decoding failed. */
  payload: unknown;
  error: SvcError;
  callerIds: CallerIds | undefined;
  searchId: string | undefined;
}

/** Forwards each event to every observer. */
export class CallObservers implements Required<CallObserver> {
  readonly #observers: readonly CallObserver[];
  /** Whether an observer needs the timeline of each call. */
  readonly needTimelines: boolean;

  constructor(observers: readonly CallObserver[]) {
    this.#observers = observers;
    this.needTimelines = observers.some(({ callStarted }) => callStarted !== undefined);
  }

  requestReceived(request: ObservedRequest): TraceContext | undefined {
    let trace = request.trace;
    for (const observer of this.#observers) trace = observer.requestReceived?.(request) ?? trace;
    return trace;
  }

  requestAccepted(request: ObservedRequest): void {
    for (const observer of this.#observers) observer.requestAccepted?.(request);
  }

  requestEnded(request: ObservedRequest, code: string, ms: number): void {
    for (const observer of this.#observers) observer.requestEnded?.(request, code, ms);
  }

  callStarted(call: PendingCall): void {
    for (const observer of this.#observers) observer.callStarted?.(call);
  }

  callEnded(call: PendingCall, ended: Ended): void {
    for (const observer of this.#observers) observer.callEnded?.(call, ended);
  }

  callRefused(refused: RefusedCall): void {
    for (const observer of this.#observers) observer.callRefused?.(refused);
  }

  resultReceived(actionId: string, resultJson: string): void {
    for (const observer of this.#observers) observer.resultReceived?.(actionId, resultJson);
  }

  outcomeRecorded(call: CallAfterSearch): void {
    for (const observer of this.#observers) observer.outcomeRecorded?.(call);
  }
}
