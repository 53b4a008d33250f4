/**
 * Agents' successes and failures with actions after their queries, in memory. It is bounded against floods and against those
 * who would push their own actions, it decays, and it passes its weights to the index. It has no texts and no store.
 *
 * Shape:  (action, query, agent key) -> tally. The tallies of one action and query are one vote in the index, which weighs the sum of its keys.
 * Units:  times are milliseconds since the epoch, passed in; a vote's weight is 1 for the fresh evidence of one key.
 */
import { BOUNDS, type EvidenceBounds } from './bounds';
import { EvidenceTables, first, type Vote } from './evidence-tables';
import { queryId } from './hashed-terms';
import { count, FORGOTTEN_AFTER_MS, type Tally } from './tally';
import { type EvidenceChanges, UnsavedEvidence } from './unsaved-evidence';
import { type VoteIndex, VoteWeights } from './vote-weights';

export interface UseOfAction {
  keyId: string;
  /** Action id. */
  action: string;
  /** The query's terms in order, each once. */
  terms: readonly string[];
  /** The query, when its text may be kept. */
  text?: string | undefined;
  at: number;
  ok: boolean;
  /** The weight of a success: 1, or less when it may not belong to the query. */
  strength?: number;
}

/** A success that repeats a fresh one changes so little that it need not be written more often. */
const UNCHANGED_MS = 60 * 60 * 1000;
const SURE_SUCCESSES = 2;
/** Votes that are weighed again in one `settle` for no reason but their age. */
const VOTES_PER_ROUND = 1_000;

export class Evidence {
  readonly #bounds: EvidenceBounds;
  readonly #tables = new EvidenceTables();
  readonly #unsaved = new UnsavedEvidence();
  readonly #weights: VoteWeights;

  constructor(index: VoteIndex, bounds: Partial<EvidenceBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#weights = new VoteWeights({ index, tables: this.#tables, bounds: this.#bounds });
  }

  /** How many tallies there are. */
  get size(): number {
    return this.#tables.size;
  }

  record({ keyId, action, terms, text, at, ok, strength = 1 }: UseOfAction): void {
    if (terms.length === 0) return;
    const query = queryId(terms);
    const known = this.#tables.find(action, query, keyId);
    const tally = known ?? {
      ...{ action, query, agentKeyId: keyId, terms, text: null },
      ...{ successes: 0, failures: 0, succeededAt: null, changedAt: at },
    };
    const unchanged = ok && known !== undefined && known.successes >= SURE_SUCCESSES && at - known.changedAt < UNCHANGED_MS;
    count(tally, { ok, strength, at });
    if (ok) tally.text ??= text ?? null;
    if (!unchanged) {
      tally.changedAt = Math.max(at, tally.changedAt);
      this.#unsaved.save(tally);
    }
    if (!ok) this.#weights.actionChanged(this.#tables.action(action));
    this.#put(tally, at);
  }

  /** Takes over what another process, or a former one, has recorded; what is known to be newer stays. */
  merge(record: Tally, now: number): void {
    if (now - record.changedAt > FORGOTTEN_AFTER_MS) return;
    const known = this.#tables.find(record.action, record.query, record.agentKeyId);
    if (known && known.changedAt >= record.changedAt) return;
    const tally = known ? Object.assign(known, record) : { ...record };
    this.#weights.actionChanged(this.#tables.action(record.action));
    this.#put(tally, now);
  }

  /** The key no longer counts. False when nothing was known of it. */
  dropKey(keyId: string): boolean {
    const key = this.#tables.key(keyId);
    for (const tally of key?.tallies ?? []) this.#drop(tally);
    return key !== undefined;
  }

  clear(): void {
    this.#weights.clear();
    this.#tables.clear();
    this.#unsaved.take();
  }

  /**
   * Weighs again what recent records have touched beside their own votes, and the next of all the others for their age. Call it now and then.
   *
   * @param most votes to weigh for their age; `Infinity` for all
   */
  settle(now: number, most = VOTES_PER_ROUND): void {
    for (const vote of this.#weights.due(now, most)) {
      for (const tally of vote.tallies.values()) if (now - tally.changedAt > FORGOTTEN_AFTER_MS) this.#drop(tally);
      this.#weights.weigh(vote, now);
    }
  }

  /** Changes since the last call, for the store. */
  takeChanges(): EvidenceChanges {
    return this.#unsaved.take();
  }

  #put(tally: Tally, now: number): void {
    this.#unsaved.keep(tally);
    const { vote, group } = this.#tables.put(tally, now);
    this.#weights.groupChanged(group);
    this.#weights.weigh(vote, now);
    this.#keepBounds(vote, tally.agentKeyId);
  }

  #keepBounds(vote: Vote, keyId: string): void {
    const { queriesPerAction, talliesPerKey, tallies, terms } = this.#bounds;
    const key = this.#tables.key(keyId);
    if (vote.action.votes.size > queriesPerAction) this.#dropVote(weakest(vote.action.votes));
    if (key && key.tallies.size > talliesPerKey) this.#drop(first(key.tallies));
    if (this.#tables.size > tallies) this.#drop(this.#tables.oldest());
    while (this.#tables.terms > terms && this.#tables.size > 1) this.#drop(this.#tables.oldest());
  }

  #dropVote(vote: Vote): void {
    for (const tally of vote.tallies.values()) this.#drop(tally);
  }

  #drop(tally: Tally): void {
    const vote = this.#tables.remove(tally);
    if (!vote) return;
    this.#unsaved.remove(tally);
    this.#weights.tallyRemoved(vote);
  }
}

/** The oldest of those that weigh least. */
function weakest(votes: Iterable<Vote>): Vote {
  let least = first(votes);
  for (const vote of votes) if (vote.weight < least.weight) least = vote;
  return least;
}
