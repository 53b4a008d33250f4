/**
 * A query as weighted terms. What widens a query belongs here.
 *
 * Shape:  each term once, with the highest of its weights; 1 is a word that was asked for.
 */
import { SYNONYMS } from './synonyms';
import { term } from './term';
import { tokenize } from './tokenize';

export interface QueryTerm {
  term: number;
  /** For people: the stem, or the two of a pair. */
  spelling: string;
  weight: number;
  kind: 'word' | 'name' | 'pair' | 'synonym';
  /** What a synonym stands for: it counts at most as rare as that. */
  standsFor?: number;
  /** The misspelled word that it is a correction of. */
  corrects?: number;
}

/** A number is most often a value for the payload, and tells little about the action that takes it. */
const NUMBER_WEIGHT = 0.25;
const NAME_WEIGHT = 0.8;
/** Neighbours only say that the words belong together. */
const PAIR_WEIGHT = 0.5;
const SYNONYM_WEIGHT = 0.3;

const NUMBER = /^\p{N}+$/u;

export function queryTerms(query: string): QueryTerm[] {
  const { words, joined } = tokenize(query);
  const terms = new Map<number, QueryTerm>();
  const add = (queryTerm: QueryTerm) => {
    const known = terms.get(queryTerm.term);
    if (known === undefined || known.weight < queryTerm.weight) terms.set(queryTerm.term, queryTerm);
  };
  for (const word of words) add({ term: term(word), spelling: word, weight: NUMBER.test(word) ? NUMBER_WEIGHT : 1, kind: 'word' });
  for (const name of joined) add({ term: term(name), spelling: name, weight: NAME_WEIGHT, kind: 'name' });
  for (let i = 1; i < words.length; i++) {
    const [first = '', second = ''] = words.slice(i - 1, i + 1);
    add({ term: term(second, term(first)), spelling: `${first} ${second}`, weight: PAIR_WEIGHT, kind: 'pair' });
  }
  for (const word of new Set(words)) {
    for (const synonym of SYNONYMS.get(word) ?? [])
      add({ term: term(synonym), spelling: synonym, weight: SYNONYM_WEIGHT, kind: 'synonym', standsFor: term(word) });
  }
  return [...terms.values()];
}
