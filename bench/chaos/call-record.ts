/** A caller's records of its calls. Times are milliseconds since the epoch. */
import type { ActionName } from './actions.ts';

export interface CallRecord extends CallPlan {
  /** Never empty; all with the call's key. */
  tries: Try[];
}

/** The plan of a call; the same for the same seed. */
export interface CallPlan {
  /** Unique in the whole run. */
  number: number;
  /** `sdk`: `Tools.invoke`, which retries. `raw`: one HTTP request a try, each to another node. */
  caller: 'sdk' | 'raw';
  /** Index of the agent key. */
  agent: number;
  toolkit: string;
  action: ActionName;
  key: string;
  workMs: number;
  /** Deadline of each try. */
  deadlineMs: number;
  /** Sends the call once more after its final answer. */
  asksAgain: boolean;
  firstNode: number;
}

export interface Try {
  /** A node, or `front`. */
  through: string;
  sentAt: number;
  answeredAt: number;
  deadlineMs: number;
  outcome: Outcome;
}

export type Outcome =
  /** `charged` is the cost of a paid call in its answer. */
  | { kind: 'result'; call: unknown; token: unknown; charged?: string | undefined }
  /** `token` is from the error of the handler of a failed action. */
  | { kind: 'error'; code: string; message: string; token?: string | undefined; retryAfterMs?: number | undefined }
  /** No answer, or one that docs/protocol.md does not define. */
  | { kind: 'broken'; what: string };

/** `RESULT`, the error code, or `BROKEN`. */
export function outcomeName(outcome: Outcome): string {
  return outcome.kind === 'error' ? outcome.code : outcome.kind.toUpperCase();
}

/** The answer that every later try must receive too. Undefined when a later try may end otherwise. */
export function finalAnswer(outcome: Outcome): string | undefined {
  const name = outcomeName(outcome);
  if (outcome.kind === 'result') return `${name} ${outcome.token}`;
  if (outcome.kind === 'error' && name === 'ACTION_FAILED') return `${name} ${outcome.token}`;
  return name === 'OUTCOME_UNKNOWN' ? name : undefined;
}

/** The budget of the key does not cover the call. It may again when another call releases what it holds, so this is not final. */
export function isUnpaid(outcome: Outcome): boolean {
  return outcomeName(outcome) === 'PAYMENT_REQUIRED';
}

/** The service gave up the call earlier and repeats that answer at once. A late result may still replace it. */
export function isKeptGivingUp({ outcome, sentAt, answeredAt, deadlineMs }: Try): boolean {
  const name = outcomeName(outcome);
  return (name === 'INVOCATION_TIMEOUT' || name === 'INVOCATION_CANCELLED') && answeredAt - sentAt < deadlineMs;
}

/** The outcome for the caller: the first final answer, else the last answer. */
export function endOf({ tries }: CallRecord): Outcome {
  const final = tries.find(({ outcome }) => finalAnswer(outcome) !== undefined);
  return final?.outcome ?? tries.at(-1)?.outcome ?? { kind: 'broken', what: 'was never sent' };
}
