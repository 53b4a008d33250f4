/**
 * Agents' successes and failures with actions after their queries, in memory. It is bounded against floods and against those
 * who would push their own actions, it decays, and it passes its weights to the index. It knows neither text nor store.
 *
 * Shape:  (action, query, agent key) -> tally. The tallies of one action and query are one vote in the index, which weighs the sum of its keys.
 * Units:  times are milliseconds since the epoch, passed in; a vote's weight is 1 for the fresh evidence of one key.
 */

import { ACTION_ID_SEPARATOR } from '../../protocol/ids';
import type { UsageExample } from '../catalog/search/index';
import type { EvidenceId } from '../store/store';
import { BOUNDS, type EvidenceBounds } from './bounds';
import { queryId } from './hashed-terms';
import { standingOf } from './standing';
import { count, FORGOTTEN_AFTER_MS, type Tally, weightOf } from './tally';
import { ToolkitShare } from './toolkit-share';

/** Where the votes go: the usage index of the search. */
export interface Votes {
  set(example: UsageExample): unknown;
  remove(id: string): unknown;
}

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

export interface EvidenceChanges {
  save: readonly Tally[];
  remove: readonly EvidenceId[];
}

interface Vote {
  id: string;
  terms: readonly string[];
  action: ActionEvidence;
  /** Tallies by agent key. */
  tallies: Map<string, Tally>;
  weight: number;
  /** The key behind the weight; null for several keys. */
  key: string | null;
}

interface ActionEvidence {
  id: string;
  votes: Set<Vote>;
  standing: number;
}

interface KeyEvidence {
  /** Oldest first. */
  tallies: Set<Tally>;
  shares: Map<string, ToolkitShare>;
}

/** A success that repeats a fresh one changes so little that it need not be written more often. */
const UNCHANGED_MS = 60 * 60 * 1000;
const SURE_SUCCESSES = 2;
/** Votes that are weighed again in one `settle` for no reason but their age. */
const VOTES_PER_ROUND = 1_000;
/** Less is not worth a place in the index. */
const MIN_WEIGHT = 0.001;
/** The smallest change of a weight, about the decay of a day. Smaller ones are not worth the work of the index. */
const MIN_CHANGE = 0.02;

export class Evidence {
  readonly #index: Votes;
  readonly #bounds: EvidenceBounds;
  readonly #votes = new Map<string, Vote>();
  readonly #actions = new Map<string, ActionEvidence>();
  readonly #keys = new Map<string, KeyEvidence>();
  /** Records of all keys, oldest first. */
  readonly #tallies = new Map<Tally, Vote>();
  /** Terms of all votes. */
  #terms = 0;
  readonly #unweighed = new Set<Vote>();
  readonly #unsettledActions = new Set<ActionEvidence>();
  readonly #unsettledShares = new Set<ToolkitShare>();
  #round: Iterator<Vote> = this.#votes.values();
  readonly #save = new Set<Tally>();
  readonly #remove = new Map<string, EvidenceId>();

  constructor(index: Votes, bounds: Partial<EvidenceBounds> = {}) {
    this.#index = index;
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  /** How many tallies there are. */
  get size(): number {
    return this.#tallies.size;
  }

  record({ keyId, action, terms, text, at, ok, strength = 1 }: UseOfAction): void {
    if (terms.length === 0) return;
    const query = queryId(terms);
    const known = this.#votes.get(voteId(action, query))?.tallies.get(keyId);
    const tally = known ?? {
      ...{ action, query, agentKeyId: keyId, terms, text: null },
      ...{ successes: 0, failures: 0, succeededAt: null, changedAt: at },
    };
    const unchanged = ok && known !== undefined && known.successes >= SURE_SUCCESSES && at - known.changedAt < UNCHANGED_MS;
    count(tally, { ok, strength, at });
    if (ok) tally.text ??= text ?? null;
    if (!unchanged) {
      tally.changedAt = Math.max(at, tally.changedAt);
      this.#save.add(tally);
    }
    if (!ok) this.#unsettledActions.add(this.#actionOf(action));
    this.#put(tally, at);
  }

  /** Takes over what another process, or a former one, has recorded; what is known to be newer stays. */
  merge(record: Tally, now: number): void {
    if (now - record.changedAt > FORGOTTEN_AFTER_MS) return;
    const known = this.#votes.get(voteId(record.action, record.query))?.tallies.get(record.agentKeyId);
    if (known && known.changedAt >= record.changedAt) return;
    const tally = known ? Object.assign(known, record) : { ...record };
    this.#unsettledActions.add(this.#actionOf(record.action));
    this.#put(tally, now);
  }

  /** The key no longer counts. False when nothing was known of it. */
  dropKey(keyId: string): boolean {
    const key = this.#keys.get(keyId);
    for (const tally of key?.tallies ?? []) this.#drop(tally);
    return key !== undefined;
  }

  clear(): void {
    for (const { id } of this.#votes.values()) this.#index.remove(id);
    this.#votes.clear();
    this.#terms = 0;
    this.#actions.clear();
    this.#keys.clear();
    this.#tallies.clear();
    this.#unweighed.clear();
    this.#unsettledActions.clear();
    this.#unsettledShares.clear();
    this.takeChanges();
  }

  /**
   * Weighs again what recent records have touched beside their own votes, and the next of all the others for their age. Call it now and then.
   *
   * @param most votes to weigh for their age; `Infinity` for all
   */
  settle(now: number, most = VOTES_PER_ROUND): void {
    for (const action of this.#unsettledActions) this.#settleAction(action, now);
    for (const share of this.#unsettledShares) this.#settleShare(share, now);
    this.#unsettledActions.clear();
    this.#unsettledShares.clear();
    for (const vote of this.#nextOfRound(most)) this.#unweighed.add(vote);
    for (const vote of this.#unweighed) {
      for (const tally of vote.tallies.values()) if (now - tally.changedAt > FORGOTTEN_AFTER_MS) this.#drop(tally);
      this.#weigh(vote, now);
    }
    this.#unweighed.clear();
  }

  /** Changes since the last call, for the store. */
  takeChanges(): EvidenceChanges {
    const changes = { save: Array.from(this.#save, (tally) => ({ ...tally })), remove: [...this.#remove.values()] };
    this.#save.clear();
    this.#remove.clear();
    return changes;
  }

  #put(tally: Tally, now: number): void {
    const vote = this.#voteOf(tally);
    vote.tallies.set(tally.agentKeyId, tally);
    // One list for all keys.
    tally.terms = vote.terms;
    this.#remove.delete(tallyId(tally));
    const key = this.#keyOf(tally.agentKeyId);
    const share = shareOf(key, tally);
    share.add(tally, now);
    this.#unsettledShares.add(share);
    makeYoungest(key.tallies, tally);
    this.#tallies.delete(tally);
    this.#tallies.set(tally, vote);
    this.#weigh(vote, now);
    this.#keepBounds(vote, key);
  }

  #keepBounds(vote: Vote, key: KeyEvidence): void {
    const { queriesPerAction, talliesPerKey, tallies, terms } = this.#bounds;
    if (vote.action.votes.size > queriesPerAction) this.#dropVote(weakest(vote.action.votes));
    if (key.tallies.size > talliesPerKey) this.#drop(first(key.tallies));
    if (this.#tallies.size > tallies) this.#drop(first(this.#tallies.keys()));
    while (this.#terms > terms && this.#tallies.size > 1) this.#drop(first(this.#tallies.keys()));
  }

  #weigh(vote: Vote, now: number): void {
    if (!this.#votes.has(vote.id)) return;
    let weight = 0;
    const keys: string[] = [];
    for (const tally of vote.tallies.values()) {
      const share = shareOf(this.#keyOf(tally.agentKeyId), tally);
      const ofKey = weightOf(tally, now) * share.scale(this.#budget(), now);
      weight += ofKey;
      if (ofKey > 0) keys.push(tally.agentKeyId);
    }
    const key = keys.length === 1 ? (keys[0] ?? null) : null;
    weight *= vote.action.standing;
    if (weight < MIN_WEIGHT) weight = 0;
    if (key === vote.key && Math.abs(weight - vote.weight) <= MIN_CHANGE * vote.weight) return;
    vote.weight = weight;
    vote.key = key;
    if (weight === 0) this.#index.remove(vote.id);
    else this.#index.set({ id: vote.id, action: vote.action.id, terms: vote.terms, weight, key });
  }

  #budget(): number {
    return Math.max(this.#bounds.keyToolkitWeight, this.#bounds.toolkitWeight / Math.max(1, this.#keys.size));
  }

  #settleAction(action: ActionEvidence, now: number): void {
    const standing = standingOf(talliesOf(action), now);
    if (standing === action.standing) return;
    action.standing = standing;
    for (const vote of action.votes) this.#unweighed.add(vote);
  }

  /** Earlier evidence of a key weighs less when it does more. */
  #settleShare(share: ToolkitShare, now: number): void {
    const before = share.scale(this.#budget(), now);
    share.recount(now);
    if (before === 1 && share.scale(this.#budget(), now) === 1) return;
    for (const tally of share) {
      const vote = this.#tallies.get(tally);
      if (vote) this.#unweighed.add(vote);
    }
  }

  *#nextOfRound(most: number): Generator<Vote> {
    if (most >= this.#votes.size) return yield* this.#votes.values();
    for (let count = 0; count < most; count++) {
      const next = this.#round.next();
      if (next.done) this.#round = this.#votes.values();
      else yield next.value;
    }
  }

  #dropVote(vote: Vote): void {
    for (const tally of vote.tallies.values()) this.#drop(tally);
  }

  #drop(tally: Tally): void {
    const vote = this.#tallies.get(tally);
    if (!vote) return;
    this.#tallies.delete(tally);
    this.#save.delete(tally);
    const { action, query, agentKeyId } = tally;
    this.#remove.set(tallyId(tally), { action, query, agentKeyId });
    this.#forgetInKey(tally);
    vote.tallies.delete(agentKeyId);
    this.#unweighed.add(vote);
    this.#unsettledActions.add(vote.action);
    if (vote.tallies.size > 0) return;
    this.#index.remove(vote.id);
    this.#votes.delete(vote.id);
    this.#terms -= vote.terms.length;
    this.#unweighed.delete(vote);
    vote.action.votes.delete(vote);
    if (vote.action.votes.size > 0) return;
    this.#actions.delete(vote.action.id);
    this.#unsettledActions.delete(vote.action);
  }

  #forgetInKey(tally: Tally): void {
    const key = this.#keyOf(tally.agentKeyId);
    key.tallies.delete(tally);
    const share = shareOf(key, tally);
    share.delete(tally);
    if (share.size === 0) key.shares.delete(toolkitOf(tally.action));
    if (key.tallies.size === 0) this.#keys.delete(tally.agentKeyId);
  }

  #voteOf({ action, query, terms }: Tally): Vote {
    const id = voteId(action, query);
    const known = this.#votes.get(id);
    if (known) return known;
    const vote = { id, terms, action: this.#actionOf(action), tallies: new Map(), weight: 0, key: null };
    vote.action.votes.add(vote);
    this.#votes.set(id, vote);
    this.#terms += terms.length;
    return vote;
  }

  #actionOf(id: string): ActionEvidence {
    const action = this.#actions.get(id) ?? { id, votes: new Set(), standing: 1 };
    this.#actions.set(id, action);
    return action;
  }

  #keyOf(id: string): KeyEvidence {
    const key = this.#keys.get(id) ?? { tallies: new Set(), shares: new Map() };
    this.#keys.set(id, key);
    return key;
  }
}

function shareOf(key: KeyEvidence, { action }: Tally): ToolkitShare {
  const toolkit = toolkitOf(action);
  const share = key.shares.get(toolkit) ?? new ToolkitShare();
  key.shares.set(toolkit, share);
  return share;
}

function* talliesOf({ votes }: ActionEvidence): Generator<Tally> {
  for (const { tallies } of votes) yield* tallies.values();
}

/** The oldest of those that weigh least. */
function weakest(votes: Iterable<Vote>): Vote {
  let least = first(votes);
  for (const vote of votes) if (vote.weight < least.weight) least = vote;
  return least;
}

function makeYoungest<T>(items: Set<T>, item: T): void {
  items.delete(item);
  items.add(item);
}

function first<T>(items: Iterable<T>): T {
  for (const item of items) return item;
  throw new Error('There is no first of nothing');
}

function voteId(action: string, query: string): string {
  return `${action} ${query}`;
}

function tallyId({ action, query, agentKeyId }: EvidenceId): string {
  return `${action} ${query} ${agentKeyId}`;
}

function toolkitOf(action: string): string {
  return action.split(ACTION_ID_SEPARATOR, 1)[0] ?? action;
}
