export type { SearchDocument } from './document-terms';
export type { Explanation } from './explanation';
export { MAX_WANTED_CHARS, nearestIds } from './nearest-ids';
export { DEFAULT_RANK_WEIGHTS, FEATURES, type Feature, type RankWeights, WORDS_ALONE } from './rank-weights';
export { type RankWeightsSetting, readRankWeights } from './read-rank-weights';
export { type MeaningOptions, type RankingOptions, SearchIndex } from './search-index';
export type { Meaning } from './second-stage';
export { type UsageExample, UsageIndex } from './usage-index';
export { usageTerms } from './usage-terms';
