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
  /** Goes on without its caller, which takes a handle and follows it. */
  isDetached: boolean;
  /** A rule asks a person about it. */
  isAsked: boolean;
  /** Index of the agent key. */
  agent: number;
  toolkit: string;
  action: ActionName;
  key: string;
  workMs: number;
  /** Deadline of each try; of a call that goes on without its caller that of its run. */
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
  /** The call goes on, or waits for a person. */
  | { kind: 'unfinished'; handle: string }
  | {
      kind: 'error';
      code: string;
      message: string;
      /** The error of the handler of a failed action. */
      token?: string | undefined;
      /** Id of the approval that the call lacks. */
      approval?: string | undefined;
      retryAfterMs?: number | undefined;
      retryable?: boolean | undefined;
      /** The question was withdrawn, since no process had room for the approved call: the same call asks anew. */
      isWithdrawn?: boolean | undefined;
    }
  /** No answer, or one that docs/protocol.md does not define. */
  | { kind: 'broken'; what: string };

/** `RESULT`, `UNFINISHED`, the error code, or `BROKEN`. */
export function outcomeName(outcome: Outcome): string {
  return outcome.kind === 'error' ? outcome.code : outcome.kind.toUpperCase();
}

/** The answer that every later try must receive too. Undefined when a later try may end otherwise. */
export function finalAnswer(outcome: Outcome): string | undefined {
  const name = outcomeName(outcome);
  if (outcome.kind === 'result') return `${name} ${outcome.token}`;
  if (outcome.kind === 'error' && name === 'ACTION_FAILED') return `${name} ${outcome.token}`;
  const isDenied = name === 'APPROVAL_DENIED' && !isWithdrawn(outcome);
  return name === 'OUTCOME_UNKNOWN' || isDenied ? name : undefined;
}

export function isWithdrawn(outcome: Outcome): boolean {
  return outcome.kind === 'error' && outcome.isWithdrawn === true;
}

/** The call goes on, or waits for a person, as it should. */
export function isWaiting(outcome: Outcome): boolean {
  return outcome.kind === 'unfinished' || outcomeName(outcome) === 'APPROVAL_REQUIRED';
}

/** The newest handle of the call: of its run, or of the question about it. */
export function handleOf({ tries }: CallRecord): string | undefined {
  return tries.map(({ outcome }) => handleIn(outcome)).findLast((handle) => handle !== undefined);
}

function handleIn(outcome: Outcome): string | undefined {
  if (outcome.kind === 'unfinished') return outcome.handle;
  return outcome.kind === 'error' ? outcome.approval : undefined;
}

/** The budget of the key does not cover the call. It may again when another call releases what it holds, so this is not final. */
export function isUnpaid(outcome: Outcome): boolean {
  return outcomeName(outcome) === 'PAYMENT_REQUIRED';
}

/** The service gave up the call earlier and repeats that answer at once. A late result may still replace it. */
export function isKeptGivingUp({ outcome, sentAt, answeredAt, deadlineMs }: Try): boolean {
  const name = outcomeName(outcome);
  const isKept = outcome.kind === 'error' && outcome.retryable !== true;
  return isKept && (name === 'INVOCATION_TIMEOUT' || name === 'INVOCATION_CANCELLED') && answeredAt - sentAt < deadlineMs;
}

/** The outcome for the caller: the first final answer, else the last answer. */
export function endOf({ tries }: CallRecord): Outcome {
  const final = tries.find(({ outcome }) => finalAnswer(outcome) !== undefined);
  return final?.outcome ?? tries.at(-1)?.outcome ?? { kind: 'broken', what: 'was never sent' };
}
