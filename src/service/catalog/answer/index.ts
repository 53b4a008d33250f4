export { answerSearch } from './answer-search';
export { readQuery } from './read-query';
