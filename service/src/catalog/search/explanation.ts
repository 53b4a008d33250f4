/**
 * Why a query finds an action, or does not: what each of its words adds, through which field.
 *
 * Units:  points, which mean something within one query only.
 */
import { type FieldName, impactByField, type SearchDocument } from './document-terms';
import type { QueryTerm } from './query-terms';
import type { FeatureValue } from './second-stage';

/** Maximum of actions that are listed before an action. */
export const MAX_ABOVE = 10;

export interface Explanation {
  /** The rank from 1 among the accepted actions; null when the query does not find it. */
  rank: number | null;
  score: number;
  /** Present when the whole query is one of its names; such hits rank before all hits by words. */
  exact?: ExactName;
  /** Values of the second stage; empty for an action that words rank too low for it. */
  features: FeatureValue[];
  /** Points of the words of the query, most first; words without points are left out. */
  terms: TermScore[];
  /** Words of the query that the action lacks, and whose synonyms it lacks too. */
  missing: string[];
  /** Points from past queries. */
  usage: number;
  /** Its place among those nearest by meaning, from 1; absent without embeddings, and for what is far away. */
  meaning?: number;
  /** The actions before it, best first, at most 10. */
  above: { action: string; score: number }[];
}

export type ExactName = 'id' | 'name' | 'toolkit';

export interface TermScore {
  /** Stem of a word, or of two neighbours. */
  term: string;
  kind: QueryTerm['kind'];
  /** How rare it is in the catalogue: points of an action that is about nothing else. */
  rarity: number;
  /** Points, by field. */
  fields: Partial<Record<FieldName, number>>;
}

/** A term of a query as the index weighs it. */
export interface WeighedTerm extends QueryTerm {
  rarity: number;
  /** Points of an action that is about nothing else. */
  factor: number;
}

export function explainTerms(document: SearchDocument, terms: readonly WeighedTerm[]): TermScore[] {
  const explained = terms.map(({ term, spelling, kind, rarity, factor }) => {
    const fields = Object.entries(impactByField(document, term)).map(([name, impact]) => [name, factor * impact]);
    return { term: spelling, kind, rarity, fields: Object.fromEntries(fields) as TermScore['fields'] };
  });
  const total = ({ fields }: TermScore) => Object.values(fields).reduce((sum, points) => sum + points, 0);
  return explained.filter((term) => total(term) > 0).sort((a, b) => total(b) - total(a));
}

/** @param asked the words of the query, as they were written in it or as they were corrected */
export function missingWords(asked: readonly QueryTerm[], weighed: readonly WeighedTerm[], explained: readonly TermScore[]): string[] {
  const telling = new Set(explained.map(({ term }) => term));
  const answers = (word: QueryTerm) =>
    weighed.some(({ term, spelling, standsFor, corrects }) => {
      return telling.has(spelling) && (term === word.term || standsFor === word.term || corrects === word.term);
    });
  return asked.filter((word) => word.kind === 'word' && !answers(word)).map(({ spelling }) => spelling);
}
