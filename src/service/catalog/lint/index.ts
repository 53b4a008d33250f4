export { type LintedToolkit, lintToolkit } from './lint-toolkit';
export { toldFindings } from './told-findings';
