/** One run of an action, from its place in the queue to its outcome. */

import type { SvcError } from '../../protocol/errors';
import type { CancelParams } from '../../protocol/frames';
import type { Progress } from '../../protocol/http';

/** JSON texts of a result and of what is beside it. */
export interface ResultText {
  resultJson: string;
  contentJson?: string;
}

/**
 * The result, passed on as the handler's process wrote it; or why there is none. `gone` is the instance that had it: `lost` is not back
 * in time, `moved` has it and is connected to another node, `unsent` is there too and has never got it.
 */
export type AttemptOutcome = ResultText | { error: SvcError } | { gone: 'lost' | 'moved' | 'unsent' };

export interface AttemptRequest {
  id: string;
  toolkitId: string;
  /** Without the toolkit id. */
  actionName: string;
  agentId: string;
  /** The caller's own, or the invocation id when it gave none. */
  idempotencyKey: string;
  /** From 1: how often a process has got this call, this one included. */
  attempt: number;
  /** Of the agent token that it came with. */
  userId?: string | undefined;
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
  readonly outcome: Promise<AttemptOutcome>;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Set once nobody waits for the result: sent to the instance, again after a reconnect. */
  cancelled: CancelParams['reason'] | undefined;
  /** Hears of an outcome that comes after another one has settled it. */
  onLate: ((outcome: AttemptOutcome) => void) | undefined;
  #settle: ((outcome: AttemptOutcome) => void) | undefined;

  constructor(request: AttemptRequest) {
    this.request = request;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The same call, to be sent once more. */
  again(change: Partial<AttemptRequest>): Attempt {
    const invocation = new Attempt({ ...this.request, ...change });
    invocation.onProgress = this.onProgress;
    return invocation;
  }

  get isSettled(): boolean {
    return this.#settle === undefined;
  }

  get id(): string {
    return this.request.id;
  }

  /** The first outcome counts. */
  settle(outcome: AttemptOutcome): void {
    const settle = this.#settle;
    this.#settle = undefined;
    if (settle) settle(outcome);
    else this.onLate?.(outcome);
  }
}
