export { answerSearch } from './answer-search';
export { cleanQuery } from './clean-query';
