/**
 * Reliability of an action: failures lower the weight of all its evidence, by the number of keys that fail and not by the number of failures.
 *
 * Shape:  above 0, at most 1. One key alone lowers nothing. The lexical rank is never lowered: evidence only adds to it.
 */
import { freshness, type Tally } from './tally';

/** `CAUTION + 1` failing keys halve the evidence of an action that has worked for no key yet. */
const CAUTION = 3;

export function reliabilityOf(tallies: Iterable<Tally>, now: number): number {
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
    // A key counts at most 1, however often it called.
    const said = Math.min(1, Math.abs(successes - failures));
    if (failures > successes) failing += said;
    else working += said;
  }
  return (working + CAUTION) / (working + CAUTION + Math.max(0, failing - 1));
}
