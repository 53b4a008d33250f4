/** An explanation of a rank, beside that of the action before it, as rows for people. */
import type { ListingExplanation } from '#sdk/protocol/admin';

type Term = ListingExplanation['terms'][number];
type Feature = ListingExplanation['features'][number];

export interface WordRow {
  word: string;
  /** The word is not in the query: it means about the same as one of its words. */
  isSynonym: boolean;
  /** Places of the action that have the word, the most telling first; empty: it lacks the word. */
  own: string[];
  rival: string[];
}

export interface FeatureRow {
  feature: Feature['feature'];
  /** Value × weight; undefined where the action was not compared by it. */
  own: number | undefined;
  rival: number | undefined;
}

const PLACES: Record<keyof Term['fields'], string> = {
  name: 'name',
  toolkit: 'toolkit name',
  id: 'id',
  description: 'description',
  payload: 'parameters',
  toolkitDescription: 'toolkit description',
};

export const FEATURE_WORDS: Record<Feature['feature'], string> = {
  words: 'Words that match, the rare ones most',
  query: 'How much of the query the action answers',
  name: 'How much of its name the query names',
  description: 'How much of its description the query names',
  toolkit: 'How well its toolkit fits',
  effect: 'It reads, changes or destroys as asked',
  meaning: 'How near its meaning is',
  usage: 'Agents with similar queries used it',
};

/** Words of the query and their synonyms, with the places of both actions. */
export function wordRows({ terms, missing, rival }: Pick<ListingExplanation, 'terms' | 'missing' | 'rival'>): WordRow[] {
  const own = byWord(terms);
  const others = byWord(rival?.terms ?? []);
  const words = new Set([...own.keys(), ...others.keys(), ...missing]);
  return [...words].map((word) => ({
    word,
    isSynonym: (own.get(word) ?? others.get(word))?.kind === 'synonym',
    own: placesOf(own.get(word)),
    rival: placesOf(others.get(word)),
  }));
}

/** Words of the rival that the action lacks. */
export function onlyOfRival(rows: readonly WordRow[]): string[] {
  return rows.filter(({ own, rival }) => own.length === 0 && rival.length > 0).map(({ word }) => word);
}

export function featureRows({ features, rival }: Pick<ListingExplanation, 'features' | 'rival'>): FeatureRow[] {
  const own = new Map(features.map((one) => [one.feature, one.value * one.weight]));
  const others = new Map((rival?.features ?? []).map((one) => [one.feature, one.value * one.weight]));
  const all = [...new Set([...own.keys(), ...others.keys()])];
  return all.map((feature) => ({ feature, own: own.get(feature), rival: others.get(feature) }));
}

const byWord = (terms: readonly Term[]) => new Map(terms.map((term) => [term.term, term]));

function placesOf(term: Term | undefined): string[] {
  const places = Object.entries(term?.fields ?? {}) as [keyof Term['fields'], number][];
  return places.sort(([, one], [, other]) => other - one).map(([place]) => PLACES[place]);
}
