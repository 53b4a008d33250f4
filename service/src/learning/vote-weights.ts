/**
 * The weight of each vote in the usage index. A new tally changes its own vote at once. Other votes of its action and of its key's group change
 * later, in `due`; so do votes that only age, a part of them in each round.
 *
 * Units:  times are milliseconds since the epoch, passed in; the weight is 1 for the fresh evidence of one key.
 */
import type { UsageExample } from '../catalog/search/index';
import type { EvidenceBounds } from './bounds';
import type { EvidenceGroup } from './evidence-group';
import type { ActionEvidence, EvidenceTables, Vote } from './evidence-tables';
import { reliabilityOf } from './reliability';
import { type Tally, weightOf } from './tally';

/** The usage index of the search. */
export interface VoteIndex {
  set(example: UsageExample): unknown;
  remove(id: string): unknown;
}

/** A vote with a smaller weight is not in the index. */
const MIN_WEIGHT = 0.001;
/** The smallest change of a weight, about the decay of a day. Smaller ones are not worth the work of the index. */
const MIN_CHANGE = 0.02;

export interface VoteWeightsDeps {
  index: VoteIndex;
  tables: EvidenceTables;
  bounds: EvidenceBounds;
}

export class VoteWeights {
  readonly #index: VoteIndex;
  readonly #tables: EvidenceTables;
  readonly #bounds: EvidenceBounds;
  readonly #unweighed = new Set<Vote>();
  readonly #unsettledActions = new Set<ActionEvidence>();
  readonly #unsettledGroups = new Set<EvidenceGroup>();
  #round: Iterator<Vote>;

  constructor({ index, tables, bounds }: VoteWeightsDeps) {
    this.#index = index;
    this.#tables = tables;
    this.#bounds = bounds;
    this.#round = tables.votes.values();
  }

  /** The reliability of the action may have changed, and with it all its votes. */
  actionChanged(action: ActionEvidence): void {
    this.#unsettledActions.add(action);
  }

  /** The group has grown, so each of its tallies may weigh less. */
  groupChanged(group: EvidenceGroup): void {
    this.#unsettledGroups.add(group);
  }

  /** The vote has lost a tally, maybe its last. */
  tallyRemoved(vote: Vote): void {
    const { action } = vote;
    if (vote.tallies.size > 0) this.#unweighed.add(vote);
    else {
      this.#index.remove(vote.id);
      this.#unweighed.delete(vote);
    }
    if (action.votes.size > 0) this.#unsettledActions.add(action);
    else this.#unsettledActions.delete(action);
  }

  weigh(vote: Vote, now: number): void {
    if (!this.#tables.votes.has(vote.id)) return;
    let weight = 0;
    const keys: string[] = [];
    for (const tally of vote.tallies.values()) {
      const ofKey = weightOf(tally, now) * this.#tables.group(tally).scale(this.#budget(), now);
      weight += ofKey;
      if (ofKey > 0) keys.push(tally.agentKeyId);
    }
    const key = keys.length === 1 ? (keys[0] ?? null) : null;
    weight *= vote.action.reliability;
    if (weight < MIN_WEIGHT) weight = 0;
    if (key === vote.key && Math.abs(weight - vote.weight) <= MIN_CHANGE * vote.weight) return;
    vote.weight = weight;
    vote.key = key;
    if (weight === 0) this.#index.remove(vote.id);
    else this.#index.set({ id: vote.id, action: vote.action.id, terms: vote.terms, weight, key });
  }

  /**
   * The votes to weigh again. The caller weighs each before it takes the next.
   *
   * @param most votes that are due only for their age
   */
  *due(now: number, most: number): Generator<Vote> {
    for (const action of this.#unsettledActions) this.#settleAction(action, now);
    for (const group of this.#unsettledGroups) this.#settleGroup(group, now);
    this.#unsettledActions.clear();
    this.#unsettledGroups.clear();
    for (const vote of this.#nextOfRound(most)) this.#unweighed.add(vote);
    yield* this.#unweighed;
    this.#unweighed.clear();
  }

  clear(): void {
    for (const id of this.#tables.votes.keys()) this.#index.remove(id);
    this.#unweighed.clear();
    this.#unsettledActions.clear();
    this.#unsettledGroups.clear();
  }

  #budget(): number {
    return Math.max(this.#bounds.keyToolkitWeight, this.#bounds.toolkitWeight / Math.max(1, this.#tables.keyCount));
  }

  #settleAction(action: ActionEvidence, now: number): void {
    const reliability = reliabilityOf(talliesOf(action), now);
    if (reliability === action.reliability) return;
    action.reliability = reliability;
    for (const vote of action.votes) this.#unweighed.add(vote);
  }

  #settleGroup(group: EvidenceGroup, now: number): void {
    const before = group.scale(this.#budget(), now);
    group.recount(now);
    if (before === 1 && group.scale(this.#budget(), now) === 1) return;
    for (const tally of group) {
      const vote = this.#tables.voteWith(tally);
      if (vote) this.#unweighed.add(vote);
    }
  }

  *#nextOfRound(most: number): Generator<Vote> {
    const { votes } = this.#tables;
    if (most >= votes.size) return yield* votes.values();
    for (let count = 0; count < most; count++) {
      const next = this.#round.next();
      if (next.done) this.#round = votes.values();
      else yield next.value;
    }
  }
}

function* talliesOf({ votes }: ActionEvidence): Generator<Tally> {
  for (const { tallies } of votes) yield* tallies.values();
}
