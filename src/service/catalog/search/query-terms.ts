/**
 * A query as weighted terms. Extensions of a query belong here.
 *
 * Shape:  each term once, with the highest of its weights; 1 is a word that was asked for.
 */
import { synonyms } from './synonyms';
import { term } from './term';
import { type Token, tokenize } from './tokenize';

/** The spelling is for people: the stem, or the two of a pair. */
export interface QueryTerm extends Token {
  weight: number;
  kind: 'word' | 'name' | 'pair' | 'synonym';
  /** The original word of a synonym, which counts at most as rare as that word. */
  standsFor?: number | undefined;
  /** The misspelled word that it is a correction of. */
  corrects?: number | undefined;
}

/** A number is most often a value for the payload, and says little about the action. */
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
  for (const word of words) add({ ...word, weight: NUMBER.test(word.spelling) ? NUMBER_WEIGHT : 1, kind: 'word' });
  for (const name of joined) add({ ...name, weight: NAME_WEIGHT, kind: 'name' });
  words.forEach((second, i) => {
    const first = words[i - 1];
    if (first) add({ ...pairOf(first, second), weight: PAIR_WEIGHT, kind: 'pair' });
  });
  for (const word of words) {
    for (const synonym of synonyms().get(word.spelling) ?? [])
      add({ ...synonym, weight: SYNONYM_WEIGHT, kind: 'synonym', standsFor: word.term });
  }
  return [...terms.values()];
}

function pairOf(first: Token, second: Token): Token {
  return { spelling: `${first.spelling} ${second.spelling}`, term: term(second.spelling, first.term) };
}
