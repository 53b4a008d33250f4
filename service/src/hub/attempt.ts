/** One run of an action, from its slot to its outcome. */

import type { SvcError } from '#sdk/protocol/errors';
import type { CancelParams } from '#sdk/protocol/frames';
import type { Payment, Progress } from '#sdk/protocol/http';
import type { CallConnection } from '../lib/call-connection';
import type { CallUser } from './handler-users';

/** A result, its content and its `_meta` as JSON texts. */
export interface ResultText {
  resultJson: string;
  contentJson?: string;
  metaJson?: string;
  /** The cost of a paid call, in millionths, at most its hold. Absent for a free call. */
  charged?: bigint;
}

/** A toolkit's answer with a result, whose charge is not read yet. */
export interface AnsweredResult extends Omit<ResultText, 'charged'> {
  /** The unchecked member `payment` of the answer. */
  payment?: unknown;
}

/**
 * The result as the handler's process wrote it, or the reason without a result. `gone` says where the instance is: `lost` did not reconnect
 * in time, `moved` is connected to another node and has the call, `unsent` is connected to another node and never received the call.
 */
export type AttemptOutcome = ResultText | { error: SvcError } | { gone: 'lost' | 'moved' | 'unsent' };

/** `id`: the row of a kept connection. */
export interface UsedConnection {
  connection: CallConnection;
  id?: string | undefined;
}

export interface AttemptRequest extends CallUser {
  id: string;
  toolkitId: string;
  /** The action name without the toolkit id. */
  actionName: string;
  /** The only version of the action that may run; with `NO_ACTION_VERSION` none may run. Absent: any version. */
  actionVersion?: string | undefined;
  agentId: string;
  /** The caller's key. Default: the invocation id. */
  idempotencyKey: string;
  /** 1 for the first process that receives this call, 2 for the second, and so on. */
  attempt: number;
  /** The hold of a paid call. */
  payment?: Payment | undefined;
  /** The connection with which the call acts. Removed when the handler has answered. */
  used?: UsedConnection | undefined;
  /** W3C Trace Context. */
  traceparent?: string;
  tracestate?: string;
  /** Null for a call of an earlier process of the service, which is never sent again. */
  payloadJson: string | null;
  /** Milliseconds since the epoch. */
  deadline: number;
}

export class Attempt {
  readonly request: AttemptRequest;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Set when the last caller has left. A cancel is sent to the instance, and again after each reconnect. */
  cancelled: CancelParams['reason'] | undefined;
  /** Called with each outcome after the first. */
  onLate: ((outcome: AttemptOutcome) => void) | undefined;
  #settledWith: AttemptOutcome | undefined;
  #onEnd: ((outcome: AttemptOutcome) => void) | undefined;

  constructor(request: AttemptRequest) {
    this.request = request;
  }

  /** A new attempt of the same call. */
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

  /** Calls back with the first outcome; synchronously if the attempt is settled. */
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

  /** The first outcome settles the attempt. */
  settle(outcome: AttemptOutcome): void {
    if (this.#settledWith) return this.onLate?.(outcome);
    this.#settledWith = outcome;
    this.#onEnd?.(outcome);
    this.#onEnd = undefined;
  }
}
