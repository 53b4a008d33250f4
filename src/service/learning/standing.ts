/**
 * Whether an action works for those who use it: failures lower all of its evidence, by how many keys they befall and not by how often.
 *
 * Shape:  above 0, at most 1. One key alone lowers nothing, and lexical rank is never touched: evidence adds or is silent.
 */
import { freshness, type Tally } from './tally';

/** So many keys that fail, less one, halve the evidence of an action that has worked for nobody yet. */
const CAUTION = 3;

export function standingOf(tallies: Iterable<Tally>, now: number): number {
  const keys = new Map<string, { successes: number; failures: number }>();
  for (const { agentKeyId, successes, failures, changedAt } of tallies) {
    const key = keys.get(agentKeyId) ?? { successes: 0, failures: 0 };
    keys.set(agentKeyId, key);
    const fresh = freshness(changedAt, now);
    key.successes += fresh * successes;
    key.failures += fresh * failures;
  }
  let working = 0;
  let failing = 0;
  for (const { successes, failures } of keys.values()) {
    // The maximum of a key is 1, however much it called.
    const said = Math.min(1, Math.abs(successes - failures));
    if (failures > successes) failing += said;
    else working += said;
  }
  return (working + CAUTION) / (working + CAUTION + Math.max(0, failing - 1));
}
