/** Bounds of weight and memory for a key, an action and everything, so that no single key, toolkit or flood of queries decides what others find. */
export interface EvidenceBounds {
  /**
   * How much all that one key did with one toolkit may weigh together; beyond it each weighs less. With few keys the bound is wider: each has
   * `toolkitWeight / keys` when that is more, because without other searchers there is no agent to mislead.
   */
  keyToolkitWeight: number;
  toolkitWeight: number;
  /** Past queries of an action; the weakest are removed first. */
  queriesPerAction: number;
  /** Records of one key; the oldest is removed first. */
  talliesPerKey: number;
  /** Records of all keys; the oldest is removed first. About half a kilobyte each. */
  tallies: number;
  /** Terms of all remembered queries together, at most 200 each; the oldest are removed first. About 60 bytes each. */
  terms: number;
}

export const BOUNDS: Readonly<EvidenceBounds> = {
  keyToolkitWeight: 2,
  toolkitWeight: 80,
  queriesPerAction: 200,
  talliesPerKey: 1_000,
  tallies: 100_000,
  terms: 3_000_000,
};
