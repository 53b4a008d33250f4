/** What a caller saw of one call. */
export interface CallRecord {
  /** Unique in the whole soak. */
  number: number;
  deadlineMs: number;
  /** The first, and retries with the same idempotency key; never empty. */
  attempts: Attempt[];
}

export interface Attempt {
  outcome: Outcome;
  elapsedMs: number;
}

export type Outcome =
  /** `number` as the handler gave it back. */
  | { kind: 'result'; number: unknown }
  | { kind: 'error'; code: string }
  /** No answer, or none that docs/protocol.md knows. */
  | { kind: 'broken'; what: string };

/** `RESULT`, the error code, or `BROKEN`. */
export function outcomeName(outcome: Outcome): string {
  return outcome.kind === 'error' ? outcome.code : outcome.kind.toUpperCase();
}

/** How the call ended for its caller: its last attempt. */
export function lastOutcome({ attempts }: CallRecord): Outcome {
  return attempts.at(-1)?.outcome ?? { kind: 'broken', what: 'was never sent' };
}
