/** Findings of the linter about a toolkit: its actions can be found more easily, or used with less risk. docs/discovery.md lists the rules. */
export type LintRule =
  | 'vague-name'
  | 'vague-description'
  | 'long-description'
  | 'colliding'
  | 'undescribed-parameters'
  | 'large-payload'
  | 'result-dropped'
  | 'result-undeclared'
  | 'result-opaque'
  | 'result-huge'
  | 'instructs-model'
  | 'undeclared-destructive'
  | 'toolkit-description'
  | 'undescribed-actions'
  | 'look-alike-name'
  | 'reserved-name'
  | 'mixed-scripts'
  | 'result-misfit';

export interface LintFinding {
  rule: LintRule;
  /** An error should not be served: it is an attack, or looks like one. Nothing is refused for it. An info names something to gain. */
  severity: 'error' | 'warning' | 'info';
  /** Action id; absent when it is about the toolkit itself. */
  action?: string;
  /** The mistake. */
  message: string;
  /** The text to write instead. */
  hint: string;
}
