/**
 * "May the call run again?": all answers in one table. docs/operations.md#when-a-call-may-run-again shows the same rows.
 *
 * A handler runs twice only where its toolkit declares the action `idempotent` or `readOnly`, or after it ended with an error that it calls
 * retryable. Otherwise the answer is OUTCOME_UNKNOWN unless it is certain that no handler got the call.
 */
import type { SvcErrorCode } from '#sdk/protocol/errors';
import { isRetryable } from '../store/call-engine';
import type { InvocationRecord } from '../store/store';

/** Limits the attempts of an idempotent action, because its payload may be what kills the processes. */
export const MAX_ATTEMPTS = 3;

const LOST_ANSWERS = [
  'error of the last caller',
  'ask the store',
  'follow',
  'start over',
  'TOOLKIT_OFFLINE',
  'release the key',
  'send once more',
  'OUTCOME_UNKNOWN',
] as const;

/** State of the last attempt to run the call -> all that may follow. Each caller of `recover` handles all of them. */
export const ANSWERS = {
  /** A new call, or one that follows an earlier call with its key. */
  none: ['run', 'run again', 'replay', 'follow', 'OUTCOME_UNKNOWN'],
  /** The process is connected and did not receive the call. */
  unsent: ['error of the last caller', 'send again'],
  /** The process has ended, or has no outcome of its handler. */
  lost: LOST_ANSWERS,
  /** The process is connected to another node. */
  moved: LOST_ANSWERS,
  /** Another node may have received the call, and its answer was lost. */
  unanswered: ['ask another node', 'claim', 'follow', 'OUTCOME_UNKNOWN'],
  /** A connecting process lists the call as unfinished. */
  returned: ['take over', 'ignore'],
} as const;

export type AttemptFate = keyof typeof ANSWERS;
export type Recovery<Fate extends AttemptFate = AttemptFate> = (typeof ANSWERS)[Fate][number];

/** State of the call in the store, or of the earlier call with its key. */
export type Stored = 'not asked' | 'nothing' | 'key free' | 'this node' | 'other node' | 'outcome' | 'retryable' | 'given up' | 'not kept';

export interface Situation<Fate extends AttemptFate = AttemptFate> {
  attempt: Fate;
  stored: Stored;
  /** Whether a caller waits. */
  wanted?: boolean;
  /** Whether the call waited while the earlier call with its key ran. */
  waited?: boolean;
  /** Whether the call has an idempotency key. */
  keyed?: boolean;
  /** Whether another node may run the call. */
  forwardable?: boolean;
  /** Whether the action is idempotent or read-only. */
  repeatable?: boolean;
  /** Whether this node has the payload. After a restart only a retry brings it. */
  payload?: boolean;
  /** Whether the call was sent fewer than `MAX_ATTEMPTS` times. */
  attemptsLeft?: boolean;
}

type Condition = Partial<Omit<Situation, 'attempt' | 'stored'>>;

interface Rule {
  attempt: readonly AttemptFate[];
  /** Default: any. */
  stored?: readonly Stored[];
  if?: Condition;
  answer: Recovery;
  because: string;
}

const ENDED: readonly Stored[] = ['outcome', 'retryable', 'given up', 'not kept'];
const GONE: readonly AttemptFate[] = ['lost', 'moved'];
const OURS: readonly Stored[] = ['this node', 'nothing'];

/** The first matching rule applies. */
export const RECOVERY_RULES: readonly Rule[] = [
  { attempt: ['none'], stored: ['nothing', 'key free'], answer: 'run', because: 'no call with the key ran, or one that may run again' },
  { attempt: ['none'], stored: ['outcome', 'given up'], answer: 'replay', because: 'every retry gets the recorded outcome' },
  {
    attempt: ['none'],
    stored: ['retryable'],
    if: { waited: true },
    answer: 'replay',
    because: 'the callers that waited for it get it',
  },
  { attempt: ['none'], stored: ['retryable'], answer: 'run again', because: 'its handler says that the attempt had no effect' },
  {
    attempt: ['none'],
    stored: ['not kept'],
    answer: 'OUTCOME_UNKNOWN',
    because: 'the result is not kept: no idempotency key, or above the quota',
  },
  { attempt: ['none'], stored: ['this node', 'other node'], answer: 'follow', because: 'one call with the key runs at a time' },
  {
    attempt: ['unsent', ...GONE],
    if: { wanted: false },
    answer: 'error of the last caller',
    because: 'no caller waits, so nothing is sent again',
  },
  { attempt: ['unsent'], answer: 'send again', because: 'no handler got it; it counts as the same attempt' },
  { attempt: GONE, stored: ['not asked'], answer: 'ask the store', because: 'another node may have the process or its result' },
  { attempt: GONE, stored: ENDED, answer: 'follow', because: 'the recorded outcome is final' },
  { attempt: GONE, stored: ['other node'], answer: 'follow', because: 'that node waits for the process' },
  { attempt: ['moved'], stored: ['this node'], answer: 'follow', because: 'the node that has the process takes the call' },
  {
    attempt: GONE,
    stored: ['key free'],
    if: { payload: true },
    answer: 'start over',
    because: 'the other node gave it up and freed its key',
  },
  { attempt: GONE, stored: ['key free'], answer: 'TOOLKIT_OFFLINE', because: 'a retry brings the payload and runs it' },
  { attempt: GONE, stored: OURS, if: { repeatable: false }, answer: 'OUTCOME_UNKNOWN', because: 'a second run could do harm' },
  { attempt: GONE, stored: OURS, if: { payload: false }, answer: 'release the key', because: 'a retry brings the payload and runs it' },
  {
    attempt: GONE,
    stored: OURS,
    if: { attemptsLeft: false },
    answer: 'OUTCOME_UNKNOWN',
    because: 'its payload may be what kills the processes',
  },
  { attempt: GONE, stored: OURS, answer: 'send once more', because: 'a second run changes nothing more' },
  {
    attempt: ['unanswered'],
    stored: ['nothing'],
    if: { keyed: false },
    answer: 'OUTCOME_UNKNOWN',
    because: 'no claim shows that it did not run',
  },
  {
    attempt: ['unanswered'],
    stored: ['nothing'],
    if: { forwardable: false },
    answer: 'claim',
    because: 'a message that is still on its way finds the call taken',
  },
  {
    attempt: ['unanswered'],
    stored: ['nothing'],
    answer: 'ask another node',
    because: 'under the same id, so only one of the two can claim it',
  },
  { attempt: ['unanswered'], answer: 'follow', because: 'a node has claimed it' },
  {
    attempt: ['returned'],
    stored: ['this node', 'other node'],
    answer: 'take over',
    because: 'the node with the process records the outcome',
  },
  { attempt: ['returned'], stored: ['given up'], answer: 'take over', because: 'a late result replaces such an outcome' },
  { attempt: ['returned'], answer: 'ignore', because: 'the outcome is known, or no caller can ask for it' },
];

export function recover<Fate extends AttemptFate>(situation: Situation<Fate>): Recovery<Fate> {
  // OUTCOME_UNKNOWN is never wrong, so it is the answer when no rule matches. Only a new call that did not ask the store has none.
  return (RECOVERY_RULES.find((rule) => fits(rule, situation))?.answer ?? 'OUTCOME_UNKNOWN') as Recovery<Fate>;
}

function fits({ attempt, stored, if: condition }: Rule, situation: Situation): boolean {
  if (!attempt.includes(situation.attempt)) return false;
  if (stored && !stored.includes(situation.stored)) return false;
  return Object.entries(condition ?? {}).every(([name, value]) => situation[name as keyof Condition] === value);
}

/** Codes of calls that did not run at the node that recorded them. */
export const REFUSAL_CODES: ReadonlySet<string> = new Set<SvcErrorCode>([
  'TOOLKIT_OFFLINE',
  'ACTION_CHANGED',
  'QUEUE_FULL',
  'SERVICE_STOPPING',
  'SERVICE_UNAVAILABLE',
]);

/** Codes that the service recorded without an outcome from the handler. */
const GIVEN_UP: ReadonlySet<string> = new Set<SvcErrorCode>(['OUTCOME_UNKNOWN', 'INVOCATION_TIMEOUT', 'INVOCATION_CANCELLED']);

/** @param idempotencyKey the key of the call; a record that no longer holds it has freed it */
export function storedAs(record: InvocationRecord | undefined, idempotencyKey: string | null, node: string): Stored {
  if (!record) return 'nothing';
  const { outcome } = record;
  if (record.idempotencyKey !== idempotencyKey) return 'key free';
  if (!outcome) return record.node === node ? 'this node' : 'other node';
  if (GIVEN_UP.has(outcome.code)) return 'given up';
  if (isRetryable(outcome)) return 'retryable';
  if (outcome.body !== null) return 'outcome';
  return REFUSAL_CODES.has(outcome.code) ? 'key free' : 'not kept';
}
