export type { SearchDocument } from './document-terms';
export { type Explanation, MAX_ABOVE } from './explanation';
export { MAX_WANTED_CHARS, nearestIds } from './nearest-ids';
export { type RankingOptions, SearchIndex } from './search-index';
export { type UsageExample, UsageIndex } from './usage-index';
export { usageTerms } from './usage-terms';
