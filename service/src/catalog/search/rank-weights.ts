/**
 * The weights of the second stage, as data: `npm run learn:rank` learned them from the public queries, and learns others from a log of your own.
 *
 * Units:  of one candidate, each feature is 0 to 1, `meaning` in standard deviations of the candidates that words and meaning found.
 */
export interface RankWeights {
  /** Points by words, as a share of the best candidate's. */
  words: number;
  /** Words of the query that are anywhere in the action. */
  query: number;
  /** Words of its name that are in the query. */
  name: number;
  /** Words that its description adds to the name and that are in the query. */
  description: number;
  /** Points by words of its toolkit's best three candidates. */
  toolkit: number;
  /** Whether it reads, changes or destroys as the query requests: by its annotations. */
  effect: number;
  /** Cosine of its vector with the query's, where embeddings are on. */
  meaning: number;
  /** Votes of past queries like this one. */
  usage: number;
}

export type Feature = keyof RankWeights;

export const FEATURES: readonly Feature[] = ['words', 'query', 'name', 'description', 'toolkit', 'effect', 'meaning', 'usage'];

export const DEFAULT_RANK_WEIGHTS: RankWeights = {
  words: 1,
  query: 2.17,
  name: 0.55,
  description: 0.56,
  toolkit: 0.62,
  effect: 0.7,
  meaning: 0.3,
  usage: 14,
};

/** Turns the second stage off: words rank, with use, and with meaning where embeddings are on. */
export const WORDS_ALONE: RankWeights = { words: 1, query: 0, name: 0, description: 0, toolkit: 0, effect: 0, meaning: 0.2, usage: 2 };
