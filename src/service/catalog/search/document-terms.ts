/**
 * An action as weighted terms: BM25F, with everything worked out while indexing that does not depend on other actions.
 *
 * Shape:  term -> impact, 0 to 1: how much the action is about the term. Times the term's rarity in the whole catalogue it is the score.
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). The length of a field is set against a typical
 *         one instead of the average of this catalogue, so that an impact stays the same when other actions come and go.
 */
import type { JsonSchema } from '../../../protocol/http';
import { payloadText } from './payload-text';
import { tokenize } from './tokenize';

export interface SearchDocument {
  /** Action id. */
  id: string;
  toolkitId: string;
  toolkitName: string;
  toolkitDescription: string;
  /** The action's name, without the toolkit id. */
  name: string;
  description: string;
  payloadSchema: JsonSchema;
}

interface Field {
  text: (document: SearchDocument) => string;
  weight: number;
  /** Words in a usual action. */
  typicalLength: number;
  /** Whether neighbouring words are indexed as pairs too. */
  pairs: boolean;
}

const FIELDS: readonly Field[] = [
  { text: ({ name }) => name, weight: 1.5, typicalLength: 3, pairs: true },
  { text: ({ toolkitId, toolkitName }) => `${toolkitId}\n${toolkitName}`, weight: 0.7, typicalLength: 3, pairs: true },
  { text: ({ id }) => id, weight: 0.2, typicalLength: 5, pairs: false },
  { text: ({ description }) => description, weight: 1, typicalLength: 12, pairs: true },
  { text: ({ payloadSchema }) => payloadText(payloadSchema), weight: 0.3, typicalLength: 30, pairs: false },
  { text: ({ toolkitDescription }) => toolkitDescription, weight: 0.3, typicalLength: 12, pairs: false },
];

/** A longer text is cut: by then no word of it counts for much. */
const MAX_FIELD_TERMS = 1_000;
/** BM25's `k1`: how soon more of the same word adds nothing. */
const SATURATION = 1.2;
/** BM25's `b`: how much the words of a long text count less. */
const DILUTION = 0.75;

export function documentTerms(document: SearchDocument): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const field of FIELDS) {
    const { words, joined, pairs } = tokenize(field.text(document));
    const share = field.weight / (1 - DILUTION + DILUTION * (words.length / field.typicalLength));
    for (const terms of field.pairs ? [words, joined, pairs] : [words, joined]) {
      for (const term of terms.slice(0, MAX_FIELD_TERMS)) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
    }
  }
  return new Map(Array.from(frequencies, ([term, frequency]) => [term, frequency / (SATURATION + frequency)]));
}
