/** The actions of the chaos harness: one for each promise about runs. */
import type { ActionAnnotations } from '../../src/protocol/http.ts';

export type ActionName = 'charge' | 'buy' | 'read' | 'put' | 'slow' | 'long' | 'fails';

interface ActionFacts {
  description: string;
  annotations?: ActionAnnotations;
  /** The most that one call costs. */
  payment?: { amount: string };
  /** Its calls may go on without their callers for longer than ten minutes. */
  long?: boolean;
  /** A lost run may be made again. */
  repeatable: boolean;
  /** Relative number of its calls. */
  share: number;
  minWorkMs: number;
  maxWorkMs: number;
}

export const ACTIONS: Readonly<Record<ActionName, ActionFacts>> = {
  charge: { description: 'Charges an account: must never run twice', repeatable: false, share: 25, minWorkMs: 0, maxWorkMs: 60 },
  buy: {
    description: 'Costs up to a price: must never run or be charged twice',
    payment: { amount: '0.05' },
    repeatable: false,
    share: 30,
    minWorkMs: 0,
    maxWorkMs: 60,
  },
  read: { description: 'Reads', annotations: { readOnly: true }, repeatable: true, share: 20, minWorkMs: 0, maxWorkMs: 30 },
  put: { description: 'Puts', annotations: { idempotent: true }, repeatable: true, share: 15, minWorkMs: 0, maxWorkMs: 60 },
  slow: { description: 'Takes seconds, and must never run twice', repeatable: false, share: 3, minWorkMs: 500, maxWorkMs: 4_000 },
  long: {
    description: 'Goes on without its caller, and must never run twice',
    long: true,
    repeatable: false,
    share: 3,
    minWorkMs: 1_000,
    maxWorkMs: 5_000,
  },
  fails: { description: 'Fails, once', repeatable: false, share: 7, minWorkMs: 0, maxWorkMs: 30 },
};

/** The charge of a handler for a call of `buy`: nothing, a part, or the whole price. */
export function costOf(call: number): string {
  return `0.0${call % 6}`;
}

export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

export interface ChaosPayload {
  /** The number of the call. */
  call: number;
  workMs: number;
}

export interface ChaosResult {
  call: number;
  /** Unique for each run: it identifies the run of a result. */
  token: string;
}
