/** One attack on one catalogue: for how many of the popular queries the attacker is first. */
import { type SearchDocument, SearchIndex, type UsageExample, UsageIndex, usageTerms } from '../../service/src/catalog/search/index.ts';
import { Evidence } from '../../service/src/learning/evidence.ts';
import { isOwn } from './attack.ts';
import type { Use, Wish } from './scene.ts';

const NOW = Date.UTC(2026, 0, 1);
const UNBOUNDED = {
  keyToolkitWeight: Number.POSITIVE_INFINITY,
  queriesPerAction: Number.POSITIVE_INFINITY,
  talliesPerKey: Number.POSITIVE_INFINITY,
  tallies: Number.POSITIVE_INFINITY,
};

/** `calls`: each call counts as if by a separate key; `keys`: each key counts fully; `bounds`: like the service. */
export type Counting = 'calls' | 'keys' | 'bounds';

export interface Trial {
  wishes: readonly Wish[];
  attack: readonly SearchDocument[];
  honest: readonly Use[];
  fake: readonly Use[];
  counting: Counting;
}

export interface Outcome {
  /** Number of wishes for which the attacker is first. */
  attackerFirst: number;
  rightFirst: number;
}

export function runTrial(base: Base, { wishes, attack, honest, fake, counting }: Trial): Outcome {
  const { index, usage } = base;
  // Votes go into the index at the end, since each record would change it.
  const votes = new Map<string, UsageExample>();
  const collect = { set: (vote: UsageExample) => votes.set(vote.id, vote), remove: (id: string) => votes.delete(id) };
  const evidence = new Evidence(collect, counting === 'bounds' ? {} : UNBOUNDED);
  for (const document of attack) index.upsert(document);
  // Honest and false evidence is mixed: neither is older.
  const uses = [...honest, ...fake].map((use, order) => ({ use, at: NOW + ((order * 7_919) % 100_003) }));
  for (const [call, { use, at }] of uses.sort((a, b) => a.at - b.at).entries()) {
    const keyId = counting === 'calls' ? `${use.keyId} ${call}` : use.keyId;
    evidence.record({ keyId, action: use.action, terms: usageTerms(use.query).sort(), at, ok: true });
  }
  evidence.settle(NOW + 100_003, Number.POSITIVE_INFINITY);
  for (const vote of votes.values()) usage.set(vote);
  const first = wishes.map(({ query }) => index.search(query, { limit: 1 })[0] ?? '');
  const outcome = {
    attackerFirst: first.filter(isOwn).length / wishes.length,
    rightFirst: first.filter((id, number) => id === wishes[number]?.action).length / wishes.length,
  };
  for (const { id } of attack) index.remove(id);
  for (const id of votes.keys()) usage.remove(id);
  return outcome;
}

export interface Base {
  index: SearchIndex;
  usage: UsageIndex;
}

/** The catalogue without the attacker, used again for each trial. */
export function buildBase(documents: readonly SearchDocument[]): Base {
  const usage = new UsageIndex();
  const index = new SearchIndex(usage);
  for (const document of documents) index.upsert(document);
  return { index, usage };
}
