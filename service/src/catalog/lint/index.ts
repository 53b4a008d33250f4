export { droppedResults } from './dropped-results';
export { type LintedToolkit, lintInCatalog, lintToolkit } from './lint-toolkit';
export { reportedFindings } from './reported-findings';
