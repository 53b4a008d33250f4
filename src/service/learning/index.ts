export { Evidence } from './evidence';
export { HashedTerms } from './hashed-terms';
export { type Learner, Learning } from './learning';
export { type LearningSetting, readLearningSetting } from './setting';
