/**
 * A query as weighted terms. Extensions of a query belong here.
 *
 * Shape:  each term once, with the highest of its weights; 1 is a word of the query.
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

/** A number is most often a value for the payload, and describes little of the action. */
const NUMBER_WEIGHT = 0.25;
const NAME_WEIGHT = 0.8;
/** Neighbours only show that the words belong together. */
const PAIR_WEIGHT = 0.5;
const SYNONYM_WEIGHT = 0.3;

const NUMBER = /^\p{N}+$/u;

export function queryTerms(query: string): QueryTerm[] {
  const { words, joined } = tokenize(query);
  const terms = new Map<number, QueryTerm>();
  const add = ({ spelling, term }: Token, weight: number, kind: QueryTerm['kind'], standsFor?: number) => {
    const known = terms.get(term);
    if (known === undefined || known.weight < weight) terms.set(term, { spelling, term, weight, kind, standsFor });
  };
  for (const word of words) add(word, NUMBER.test(word.spelling) ? NUMBER_WEIGHT : 1, 'word');
  for (const name of joined) add(name, NAME_WEIGHT, 'name');
  for (let i = 1; i < words.length; i++) add(pairOf(words[i - 1] as Token, words[i] as Token), PAIR_WEIGHT, 'pair');
  for (const word of new Set(words)) {
    for (const synonym of synonyms().get(word.spelling) ?? []) add(synonym, SYNONYM_WEIGHT, 'synonym', word.term);
  }
  return [...terms.values()];
}

function pairOf(first: Token, second: Token): Token {
  return { spelling: `${first.spelling} ${second.spelling}`, term: term(second.spelling, first.term) };
}
