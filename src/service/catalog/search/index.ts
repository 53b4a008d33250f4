export type { SearchDocument } from './document-terms';
export { nearestIds } from './nearest-ids';
export { SearchIndex } from './search-index';
