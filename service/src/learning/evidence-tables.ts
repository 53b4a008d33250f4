/**
 * The tallies of agents' use, by vote, action and agent key. The tallies of one action and query are one vote.
 *
 * Shape:  a vote, action or key without a tally is removed with its last one.
 */
import { ACTION_ID_SEPARATOR } from '#sdk/protocol/ids';
import { EvidenceGroup } from './evidence-group';
import type { Tally } from './tally';

export interface Vote {
  id: string;
  terms: readonly string[];
  action: ActionEvidence;
  /** Tallies by agent key. */
  tallies: Map<string, Tally>;
  weight: number;
  /** The key behind the weight; null for several keys. */
  key: string | null;
}

export interface ActionEvidence {
  id: string;
  votes: Set<Vote>;
  reliability: number;
}

export interface KeyEvidence {
  /** Oldest first. */
  tallies: Set<Tally>;
  groups: Map<string, EvidenceGroup>;
}

export class EvidenceTables {
  readonly #votes = new Map<string, Vote>();
  readonly #actions = new Map<string, ActionEvidence>();
  readonly #keys = new Map<string, KeyEvidence>();
  /** Tallies of all keys, oldest first. */
  readonly #tallies = new Map<Tally, Vote>();
  /** Terms of all votes. */
  #terms = 0;

  /** How many tallies there are. */
  get size(): number {
    return this.#tallies.size;
  }

  get terms(): number {
    return this.#terms;
  }

  get keyCount(): number {
    return this.#keys.size;
  }

  get votes(): ReadonlyMap<string, Vote> {
    return this.#votes;
  }

  find(action: string, query: string, keyId: string): Tally | undefined {
    return this.#votes.get(voteId(action, query))?.tallies.get(keyId);
  }

  voteWith(tally: Tally): Vote | undefined {
    return this.#tallies.get(tally);
  }

  /** Adds the action when it is new. */
  action(id: string): ActionEvidence {
    const action = this.#actions.get(id) ?? { id, votes: new Set(), reliability: 1 };
    this.#actions.set(id, action);
    return action;
  }

  key(id: string): KeyEvidence | undefined {
    return this.#keys.get(id);
  }

  /** The evidence of the tally's key for the toolkit of its action. Adds both when they are new. */
  group({ agentKeyId, action }: Tally): EvidenceGroup {
    return groupIn(this.#keyOf(agentKeyId), action);
  }

  oldest(): Tally {
    return first(this.#tallies.keys());
  }

  /** Adds the tally, or makes it the youngest of all and of its key. */
  put(tally: Tally, now: number): { vote: Vote; group: EvidenceGroup } {
    const vote = this.#voteOf(tally);
    vote.tallies.set(tally.agentKeyId, tally);
    // One list for all keys.
    tally.terms = vote.terms;
    const key = this.#keyOf(tally.agentKeyId);
    const group = groupIn(key, tally.action);
    group.add(tally, now);
    key.tallies.delete(tally);
    key.tallies.add(tally);
    this.#tallies.delete(tally);
    this.#tallies.set(tally, vote);
    return { vote, group };
  }

  /** Returns the vote that had the tally. */
  remove(tally: Tally): Vote | undefined {
    const vote = this.#tallies.get(tally);
    if (!vote) return undefined;
    this.#tallies.delete(tally);
    this.#removeFromKey(tally);
    vote.tallies.delete(tally.agentKeyId);
    if (vote.tallies.size === 0) this.#removeVote(vote);
    return vote;
  }

  clear(): void {
    this.#votes.clear();
    this.#actions.clear();
    this.#keys.clear();
    this.#tallies.clear();
    this.#terms = 0;
  }

  #removeVote(vote: Vote): void {
    this.#votes.delete(vote.id);
    this.#terms -= vote.terms.length;
    vote.action.votes.delete(vote);
    if (vote.action.votes.size === 0) this.#actions.delete(vote.action.id);
  }

  #removeFromKey(tally: Tally): void {
    const key = this.#keyOf(tally.agentKeyId);
    key.tallies.delete(tally);
    const group = groupIn(key, tally.action);
    group.delete(tally);
    if (group.size === 0) key.groups.delete(toolkitOf(tally.action));
    if (key.tallies.size === 0) this.#keys.delete(tally.agentKeyId);
  }

  #voteOf({ action, query, terms }: Tally): Vote {
    const id = voteId(action, query);
    const known = this.#votes.get(id);
    if (known) return known;
    const vote = { id, terms, action: this.action(action), tallies: new Map(), weight: 0, key: null };
    vote.action.votes.add(vote);
    this.#votes.set(id, vote);
    this.#terms += terms.length;
    return vote;
  }

  #keyOf(id: string): KeyEvidence {
    const key = this.#keys.get(id) ?? { tallies: new Set(), groups: new Map() };
    this.#keys.set(id, key);
    return key;
  }
}

export function first<T>(items: Iterable<T>): T {
  for (const item of items) return item;
  throw new Error('Expected at least one item');
}

function groupIn({ groups }: KeyEvidence, action: string): EvidenceGroup {
  const toolkit = toolkitOf(action);
  const group = groups.get(toolkit) ?? new EvidenceGroup();
  groups.set(toolkit, group);
  return group;
}

function voteId(action: string, query: string): string {
  return `${action} ${query}`;
}

function toolkitOf(action: string): string {
  return action.split(ACTION_ID_SEPARATOR, 1)[0] ?? action;
}
