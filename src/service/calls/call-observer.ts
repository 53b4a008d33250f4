/**
 * How logs, metrics, traces, records and searches observe calls: each implements the events that it needs.
 *
 * A *request* is what one caller sent. A *call* is what runs: equal requests with one idempotency key share one.
 * Errors: an observer must return soon and must not throw.
 */
import type { SvcError } from '../../protocol/errors';
import type { TraceContext } from '../../protocol/trace-context';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallAfterSearch } from '../searches/searches';
import type { Ended, PendingCall } from './pending-call';

export interface CallObserver {
  /** The trace context that it returns goes to the handler instead of the caller's. */
  requestReceived?(request: ObservedRequest): TraceContext | undefined;
  /** `request.accepted` is set: the action was found and the payload checked. */
  requestAccepted?(request: ObservedRequest): void;
  /** The caller got its answer. `code` is `OK` or an error code; `ms` counts from the arrival of the request. */
  requestEnded?(request: ObservedRequest, code: string, ms: number): void;
  /** A call of a caller at this node begins. `call.timeline` is there if any observer has this event. */
  callStarted?(call: PendingCall): void;
  /** Called a second time when a result arrives after the call was given up. */
  callEnded?(call: PendingCall, ended: Ended): void;
  /** A request was refused before a call began. */
  callRefused?(refused: RefusedCall): void;
  /** This node has recorded the outcome of a call that a handler got and that names a search. Once per call. */
  outcomeRecorded?(call: CallAfterSearch): void;
}

export interface ObservedRequest {
  readonly key: CallingKey;
  /** The search that led to it, as the caller says. */
  readonly searchId: string | undefined;
  /** Trace context of the caller. */
  readonly trace: TraceContext | undefined;
  /** Action id as the caller wrote it, at most 100 characters. Undefined until it is decoded. */
  askedAction: string | undefined;
  accepted: AcceptedCall | undefined;
}

interface AcceptedCall {
  invocationId: string;
  actionId: string;
  toolkitId: string;
}

export interface RefusedCall {
  id: string;
  /** As far as it was decoded. */
  payload: unknown;
  error: SvcError;
}

/** All observers as one. */
export class CallObservers implements Required<CallObserver> {
  readonly #observers: readonly CallObserver[];
  /** Whether an observer wants the timeline of each call. */
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

  outcomeRecorded(call: CallAfterSearch): void {
    for (const observer of this.#observers) observer.outcomeRecorded?.(call);
  }
}
