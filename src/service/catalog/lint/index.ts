export { type LintedToolkit, lintToolkit } from './lint-toolkit';
export { reportedFindings } from './reported-findings';
