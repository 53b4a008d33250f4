/**
 * An action as weighted terms: BM25F, with everything worked out while indexing that does not depend on other actions.
 *
 * Shape:  term -> impact, 0 to 1: how much the action is about the term. Times the term's rarity in the whole catalogue it is the score.
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.6. Lengths are set against typical
 *         lengths that were measured once, not against the average of this catalogue: so an impact never changes when other actions come and go.
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
  /** Words in the median action. */
  typicalLength: number;
  /** Whether neighbouring words are indexed as pairs too. */
  pairs: boolean;
}

const FIELDS: readonly Field[] = [
  { text: (document) => document.name, weight: 1, typicalLength: 3, pairs: true },
  { text: (document) => `${document.toolkitId}\n${document.toolkitName}`, weight: 0.5, typicalLength: 3, pairs: true },
  { text: (document) => document.id, weight: 0.2, typicalLength: 5, pairs: false },
  { text: (document) => document.description, weight: 1, typicalLength: 12, pairs: true },
  { text: (document) => payloadText(document.payloadSchema), weight: 0.5, typicalLength: 30, pairs: false },
  { text: (document) => document.toolkitDescription, weight: 0.2, typicalLength: 12, pairs: false },
];

const MAX_FIELD_WORDS = 1_000;
/** BM25's `k1`: how soon more of the same word stops to count. */
const SATURATION = 1.2;
/** BM25's `b`: how much a long text dilutes its words. */
const LENGTH_NORM = 0.75;

export function documentTerms(document: SearchDocument): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { text, weight, typicalLength, pairs } of FIELDS) {
    const tokens = tokenize(text(document));
    const words = tokens.words.slice(0, MAX_FIELD_WORDS)
    const share = weight / (1 - LENGTH_NORM + (LENGTH_NORM * words.length) / typicalLength);
    const terms = [tokens.words, tokens.joined, pairs ? tokens.pairs : []].flatMap((list) => list.slice(0, MAX_FIELD_WORDS));
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + share);
  }
  for (const [term, weight] of weights) weights.set(term, weight / (SATURATION + weight));
  return weights;
}
