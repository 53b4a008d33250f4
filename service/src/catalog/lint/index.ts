export type { LintedAction } from './action-rule';
export { droppedResults } from './dropped-results';
export { type LintedToolkit, lintInCatalog, lintToolkit } from './lint-toolkit';
export { reportedFindings } from './reported-findings';
export { undeclaredResults } from './result-shapes';
