/** Handles: each names a call that goes on without its caller, or a question to a person about a call. docs/protocol.md section 13. */
import type { FollowedRun } from '../approvals/approved-runs';
import type { CallingKey } from '../keys/agent-tokens';

export interface WaitForCall {
  waitMs: number;
  /** Calls `listener` when the caller disconnects. */
  onDisconnect(listener: () => void): void;
}

/** `follow` and `cancel` reject with the error of the call, and with NOT_FOUND for a handle of another key or user. */
export interface HandledCalls {
  /** Whether there is such a call, of whichever key. */
  has(id: string): Promise<boolean>;
  follow(id: string, key: CallingKey, wait: WaitForCall): Promise<FollowedRun>;
  cancel(id: string, key: CallingKey): Promise<void>;
}

const APPROVAL = 'apr_';

export class Handles implements HandledCalls {
  readonly #detached: HandledCalls;
  readonly #approvals: HandledCalls | undefined;

  constructor({ detached, approvals }: { detached: HandledCalls; approvals?: HandledCalls }) {
    this.#detached = detached;
    this.#approvals = approvals;
  }

  has(id: string): Promise<boolean> {
    return this.#of(id).has(id);
  }

  follow(id: string, key: CallingKey, wait: WaitForCall): Promise<FollowedRun> {
    return this.#of(id).follow(id, key, wait);
  }

  cancel(id: string, key: CallingKey): Promise<void> {
    return this.#of(id).cancel(id, key);
  }

  #of(id: string): HandledCalls {
    return (id.startsWith(APPROVAL) && this.#approvals) || this.#detached;
  }
}
