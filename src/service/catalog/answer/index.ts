export { answerSearch, type SearchAnswer, type SearchParts, type SearchWish } from './answer-search';
export { readQuery } from './read-query';
