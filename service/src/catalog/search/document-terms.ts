/**
 * An action as weighted terms: BM25F, with everything worked out while indexing that does not depend on other actions.
 *
 * Shape:  term -> impact, 0 to 1: how much the action is about the term. Times the term's rarity in the whole catalogue it is the score.
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). The length of a field is set against a typical
 *         one instead of the average of this catalogue, so that an impact stays the same when other actions are added or removed.
 */
import type { ActionAnnotations, JsonSchema } from '#sdk/protocol/http';
import { effectOfAction } from './effects';
import { changedFieldsText, payloadText } from './payload-text';
import { term } from './term';
import { type Token, tokenize } from './tokenize';

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
  annotations?: ActionAnnotations | undefined;
}

export type FieldName = 'name' | 'toolkit' | 'id' | 'description' | 'payload' | 'toolkitDescription';
/** `changes` is a part of the payload with a separate weight. */
type PartName = FieldName | 'changes';

interface Field {
  text: (document: SearchDocument) => string;
  weight: number;
  /** Words in a usual action. */
  typicalLength: number;
  /** Whether neighbouring words are indexed as pairs too. */
  pairs: boolean;
}

/** The fields in the order of the terms of a document. */
const FIELDS: Readonly<Record<PartName, Field>> = {
  name: { text: ({ name }) => name, weight: 1.5, typicalLength: 3, pairs: true },
  description: { text: ({ description }) => description, weight: 1, typicalLength: 12, pairs: true },
  toolkit: { text: ({ toolkitId, toolkitName }) => `${toolkitId}\n${toolkitName}`, weight: 0.7, typicalLength: 3, pairs: true },
  id: { text: ({ id }) => id, weight: 0.2, typicalLength: 5, pairs: false },
  payload: { text: ({ payloadSchema }) => payloadText(payloadSchema), weight: 0.28, typicalLength: 30, pairs: false },
  /** "Close the issue" is answered by an update whose `state` may be `closed`. */
  changes: { text: changesText, weight: 0.2, typicalLength: 10, pairs: false },
  toolkitDescription: { text: ({ toolkitDescription }) => toolkitDescription, weight: 0.4, typicalLength: 13, pairs: false },
};
const PART_NAMES = Object.keys(FIELDS) as PartName[];
const OTHER_PARTS = PART_NAMES.filter((name) => name !== 'name' && name !== 'description');

/** A longer text is cut: by then no word of it counts for much. */
const MAX_FIELD_TERMS = 1_000;
/** BM25's `k1`: how soon more of the same word adds nothing. */
const SATURATION = 1.2;
/** BM25's `b`: how much the words of a long text count less. */
const DILUTION = 0.75;

/** Numbers of words of name and description, each once. */
export interface TextCounts {
  ofName: number;
  ofBoth: number;
  ofDescription: number;
}

export interface DocumentTerms {
  /** Each once: words of the name alone, words of name and description, words that the description adds, then all others. */
  terms: number[];
  counts: TextCounts;
  /** The terms of `terms`; good until the next document. */
  impacts: Float64Array;
  /** Those of the terms that are words, not names or pairs. */
  words: Token[];
}

/** Numbers in an array of their own are not boxed, and this runs for every word of the catalogue. */
let scratch = new Float64Array(1_024);

export function documentTerms(document: SearchDocument): DocumentTerms {
  const terms: number[] = [];
  const words: Token[] = [];
  const places = new Map<number, number>();
  /** Returns false for a term that was there before. */
  const add = (found: number, share: number): boolean => {
    const place = places.get(found);
    if (place !== undefined) {
      scratch[place] = (scratch[place] as number) + share;
      return false;
    }
    if (terms.length === scratch.length) scratch = longer(scratch);
    scratch[terms.length] = share;
    places.set(found, terms.length);
    terms.push(found);
    return true;
  };
  const texts = textsOf(document);
  const addWords = (name: PartName, passes = (_: number) => true): number => {
    const share = fieldShare(name, texts[name]);
    for (const word of texts[name].words) if (passes(word.term) && add(word.term, share)) words.push(word);
    return words.length;
  };
  const described = new Set(texts.description.words.map((word) => word.term));
  const ofNameAlone = addWords('name', (one) => !described.has(one));
  const ofName = addWords('name', (one) => described.has(one));
  const ofDescription = addWords('description') - ofNameAlone;
  for (const name of OTHER_PARTS) addWords(name);
  for (const name of PART_NAMES) {
    const share = fieldShare(name, texts[name]);
    for (const other of texts[name].others) add(other, share);
  }
  for (let i = 0; i < terms.length; i++) scratch[i] = saturate(scratch[i] as number);
  return { terms, counts: { ofName, ofBoth: ofName - ofNameAlone, ofDescription }, impacts: scratch, words };
}

function longer(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(2 * numbers.length);
  copy.set(numbers);
  return copy;
}

/** The share of each field in the impact of a term; empty when the action does not contain it. */
export function impactByField(document: SearchDocument, wanted: number): Partial<Record<FieldName, number>> {
  const frequencies = new Map<FieldName, number>();
  const texts = textsOf(document);
  for (const name of PART_NAMES) {
    const text = texts[name];
    const count = [...text.words.map(({ term }) => term), ...text.others].filter((number) => number === wanted).length;
    if (count === 0) continue;
    const field = name === 'changes' ? 'payload' : name;
    frequencies.set(field, (frequencies.get(field) ?? 0) + count * fieldShare(name, text));
  }
  const total = [...frequencies.values()].reduce((sum, frequency) => sum + frequency, 0);
  return Object.fromEntries(Array.from(frequencies, ([name, frequency]) => [name, (frequency / total) * saturate(total)]));
}

/** Empty unless the annotations declare that the action changes something. */
function changesText({ annotations, payloadSchema }: SearchDocument): string {
  return annotations === undefined || effectOfAction(annotations) === 'reads' ? '' : changedFieldsText(payloadSchema);
}

function saturate(frequency: number): number {
  return frequency / (SATURATION + frequency);
}

interface FieldTerms {
  /** Number of words before the cut. */
  length: number;
  words: readonly Token[];
  /** Joined names and pairs. */
  others: number[];
}

function fieldShare(name: PartName, { length }: FieldTerms): number {
  const { weight, typicalLength } = FIELDS[name];
  return weight / (1 - DILUTION + DILUTION * (length / typicalLength));
}

function textsOf(document: SearchDocument): Record<PartName, FieldTerms> {
  return {
    name: fieldTerms('name', document),
    description: fieldTerms('description', document),
    toolkit: fieldTerms('toolkit', document),
    id: fieldTerms('id', document),
    payload: fieldTerms('payload', document),
    changes: fieldTerms('changes', document),
    toolkitDescription: fieldTerms('toolkitDescription', document),
  };
}

/** The terms of the last document's toolkit: the actions of a toolkit come one after another, with the same texts about their toolkit. */
const last = new Map<PartName, { text: string; terms: FieldTerms }>();

function fieldTerms(name: PartName, document: SearchDocument): FieldTerms {
  const { text: textOf, pairs } = FIELDS[name];
  const text = textOf(document);
  const known = last.get(name);
  if (known?.text === text) return known.terms;
  const tokens = tokenize(text);
  const words = tokens.words.slice(0, MAX_FIELD_TERMS);
  const others = tokens.joined.slice(0, MAX_FIELD_TERMS).map((joined) => joined.term);
  if (pairs) for (let i = 1; i < words.length; i++) others.push(term((words[i] as Token).spelling, (words[i - 1] as Token).term));
  const terms = { length: tokens.words.length, words, others };
  last.set(name, { text, terms });
  return terms;
}
