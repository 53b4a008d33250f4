/**
 * Calls of seven days, the same in every run: 100 keys and 1,000 actions of 40 toolkits, each the rarer the higher its number (Zipf), 3 % errors.
 * Ten calls are a session, and ten sessions are those of a user, except that each tenth is that of the first one.
 */

import { bucketOf } from '../../service/src/records/duration-buckets.ts';
import type { CallCount, SearchCount } from '../../service/src/store/console-store.ts';
import { firstIdAt } from '../../service/src/store/sql/statements.ts';
import { randomOf } from '../common/random.ts';

export const KEYS = 100;
export const TOOLKITS = 40;
export const ACTIONS = 1_000;
const DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Fixed, so that a database filled earlier can be queried again. */
export const END = Date.UTC(2026, 0, 8);
export const START = END - DAYS * DAY_MS;
const ERROR_SHARE = 0.03;
const OWN_ERRORS = ['CARD_DECLINED', 'OUT_OF_STOCK', 'UNKNOWN_CUSTOMER'];
const ERRORS = ['ACTION_FAILED', 'INVOCATION_TIMEOUT', 'TOOLKIT_OFFLINE', 'INVALID_PAYLOAD', 'QUEUE_FULL'];

export interface Call {
  id: string;
  key: string;
  action: string;
  startedAt: number;
  endedAt: number;
  code: string;
  toolkitCode: string | null;
}

export const keyId = (number: number) => `key_${String(number).padStart(16, '0')}`;
export const userId = (number: number) => `customer-${number}`;
export const toolkitId = (number: number) => `toolkit-${number}`;
export const actionId = (number: number) => `${toolkitId(number % TOOLKITS)}__action_${number}`;

/** Oldest first. */
export function* callsOf(count: number): Generator<Call> {
  const random = randomOf('console');
  const [key, action, error] = [zipf(KEYS, random), zipf(ACTIONS, random), zipf(ERRORS.length, random)];
  for (let index = 0; index < count; index++) {
    const startedAt = START + Math.floor((index / count) * (END - START));
    const endedAt = startedAt + Math.ceil(20 * Math.exp(2 * (random() - 0.5) * 3));
    const code = random() < ERROR_SHARE ? (ERRORS[error()] ?? '') : 'OK';
    yield {
      id: `${firstIdAt(startedAt)}${index.toString(36).padStart(16, '0')}`,
      key: keyId(key()),
      action: actionId(action()),
      startedAt,
      endedAt,
      code,
      toolkitCode: code === 'ACTION_FAILED' ? (OWN_ERRORS[index % OWN_ERRORS.length] ?? null) : null,
    };
  }
}

export interface Conversation {
  sessionId: string;
  userId: string;
  key: string;
  firstAt: number;
  lastAt: number;
  inVain: number;
  errors: number;
  cost: number;
}

const CALLS_PER_SESSION = 10;

/** Oldest first. @param calls as many as `callsOf` made */
export function* conversationsOf(calls: number): Generator<Conversation> {
  const random = randomOf('conversations');
  const key = zipf(KEYS, random);
  const count = Math.floor(calls / CALLS_PER_SESSION);
  for (let index = 0; index < count; index++) {
    const firstAt = START + Math.floor((index / count) * (END - START));
    yield {
      sessionId: `chat-${index}-${Math.floor(random() * 1_000)}`,
      userId: userId(index % 10 === 0 ? 0 : Math.floor(random() * (count / 10))),
      key: keyId(key()),
      firstAt,
      lastAt: firstAt + Math.floor(random() * 600_000),
      inVain: Number(random() < 0.1),
      errors: Number(random() < 0.2),
      cost: Math.floor(random() * 1_000_000),
    };
  }
}

/** Counts as in the service: by the minute, the hour and the day, of all, keys, toolkits and actions. */
export class Counting {
  readonly #counts = new Map<string, CallCount>();

  add({ key, action, startedAt, endedAt, code }: Call): void {
    const names = { all: '', key, toolkit: action.slice(0, action.indexOf('__')), action };
    const bucket = bucketOf(endedAt - startedAt);
    for (const step of [60, 3_600, 86_400] as const) {
      const start = endedAt - (endedAt % (step * 1_000));
      for (const [dimension, name] of Object.entries(names) as [CallCount['dimension'], string][]) {
        const place = `${dimension} ${name} ${step} ${start} ${code} ${bucket}`;
        const count = this.#counts.get(place);
        if (count) count.calls++;
        else this.#counts.set(place, { dimension, name, step, start, code, bucket, calls: 1 });
      }
    }
  }

  /** Yields and drops the counts of steps that began before `before`. */
  *take(before: number): Generator<CallCount> {
    for (const [place, count] of this.#counts) {
      if (count.start + count.step * 1_000 > before) continue;
      this.#counts.delete(place);
      yield count;
    }
  }
}

/** 20,000 texts over seven days. */
export function searchesOf(): SearchCount[] {
  const random = randomOf('searches');
  const [text, key, action] = [zipf(20_000, random), zipf(KEYS, random), zipf(ACTIONS, random)];
  return Array.from({ length: 60_000 }, (_, index) => {
    const at = START + Math.floor((index / 60_000) * (END - START));
    const search = { day: at - (at % DAY_MS), query: `what agents look for, number ${text()}`, searches: 1, empty: 0, lastAt: at };
    if (index % 2) return { ...search, action: actionId(action()), used: 0 };
    return { ...search, agentKeyIds: [keyId(key())], used: Number(random() < 0.5) };
  });
}

/** 0 up to `count`, number n as often as 1 / (n + 1). */
function zipf(count: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  for (let index = 0, sum = 0; index < count; index++) {
    sum += 1 / (index + 1);
    sums[index] = sum;
  }
  const total = sums.at(-1) ?? 0;
  return () => {
    const wanted = random() * total;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
