export { HashedTerms } from './hashed-terms';
export { Learning } from './learning';
export { type EvidenceSummary, type LoggedQuery, openEvidence, type StoredEvidence } from './open-evidence';
export { type LearningSetting, readLearningSetting } from './setting';
