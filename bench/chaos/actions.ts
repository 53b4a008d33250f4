/** The actions of the chaos harness: one for each promise about runs. */
import type { ActionAnnotations } from '../../src/protocol/http.ts';

export type ActionName = 'charge' | 'read' | 'put' | 'slow' | 'fails';

interface ActionFacts {
  description: string;
  annotations?: ActionAnnotations;
  /** A lost run may be made again. */
  repeatable: boolean;
  /** How many calls are for it, beside the others. */
  share: number;
  minWorkMs: number;
  maxWorkMs: number;
}

export const ACTIONS: Readonly<Record<ActionName, ActionFacts>> = {
  charge: { description: 'Charges an account: must never run twice', repeatable: false, share: 45, minWorkMs: 0, maxWorkMs: 60 },
  read: { description: 'Reads', annotations: { readOnly: true }, repeatable: true, share: 25, minWorkMs: 0, maxWorkMs: 30 },
  put: { description: 'Puts', annotations: { idempotent: true }, repeatable: true, share: 20, minWorkMs: 0, maxWorkMs: 60 },
  slow: { description: 'Takes seconds, and must never run twice', repeatable: false, share: 3, minWorkMs: 500, maxWorkMs: 4_000 },
  fails: { description: 'Fails, once', repeatable: false, share: 7, minWorkMs: 0, maxWorkMs: 30 },
};

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
