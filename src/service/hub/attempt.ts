/** One run of an action, from its place in the queue to its outcome. */

import type { SvcError } from '../../protocol/errors';
import type { CancelParams } from '../../protocol/frames';
import type { Payment, Progress } from '../../protocol/http';
import type { CallUser } from './handler-users';

/** JSON texts of a result and of what is beside it. */
export interface ResultText {
  resultJson: string;
  contentJson?: string;
  /** The cost of a paid call, in millionths, at most its hold. Absent for a free call. */
  charged?: bigint;
}

/** A toolkit's answer with a result: its charge is not read yet. */
export interface AnsweredResult extends Omit<ResultText, 'charged'> {
  /** The member `payment` beside the result, as the toolkit wrote it. */
  payment?: unknown;
}

/**
 * The result as the handler's process wrote it, or why there is none. `gone` is the instance: `lost` did not return in time, `moved` is connected
 * to another node and has the call, `unsent` is connected to another node and never got the call.
 */
export type AttemptOutcome = ResultText | { error: SvcError } | { gone: 'lost' | 'moved' | 'unsent' };

export interface AttemptRequest extends CallUser {
  id: string;
  toolkitId: string;
  /** The action name without the toolkit id. */
  actionName: string;
  /** The only version of the action that may run; `NO_ACTION_VERSION` if none may. Absent: any. */
  actionVersion?: string | undefined;
  agentId: string;
  /** The caller's key. Default: the invocation id. */
  idempotencyKey: string;
  /** The number of processes that have got this call, this one included. */
  attempt: number;
  /** The hold of a paid call. */
  payment?: Payment | undefined;
  /** W3C Trace Context. */
  traceparent?: string;
  tracestate?: string;
  /** Null for a call of a former process of the service, which is never sent again. */
  payloadJson: string | null;
  /** Milliseconds since the epoch. */
  deadline: number;
}

export class Attempt {
  readonly request: AttemptRequest;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Set when the last caller has left: sent to the instance, and again after a reconnect. */
  cancelled: CancelParams['reason'] | undefined;
  /** Called with each outcome after the first one. */
  onLate: ((outcome: AttemptOutcome) => void) | undefined;
  #settledWith: AttemptOutcome | undefined;
  #onEnd: ((outcome: AttemptOutcome) => void) | undefined;

  constructor(request: AttemptRequest) {
    this.request = request;
  }

  /** The same call, to be sent once more. */
  again(change: Partial<AttemptRequest>): Attempt {
    const attempt = new Attempt({ ...this.request, ...change });
    attempt.onProgress = this.onProgress;
    return attempt;
  }

  get isSettled(): boolean {
    return this.#settledWith !== undefined;
  }

  get id(): string {
    return this.request.id;
  }

  /** Calls back with the first outcome; at once when there is one. */
  onEnd(listener: (outcome: AttemptOutcome) => void): void {
    if (this.#settledWith) return listener(this.#settledWith);
    const earlier = this.#onEnd;
    this.#onEnd = earlier
      ? (outcome) => {
          earlier(outcome);
          listener(outcome);
        }
      : listener;
  }

  /** The first outcome counts. */
  settle(outcome: AttemptOutcome): void {
    if (this.#settledWith) return this.onLate?.(outcome);
    this.#settledWith = outcome;
    this.#onEnd?.(outcome);
    this.#onEnd = undefined;
  }
}
