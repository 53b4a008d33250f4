/** What the linter says of a toolkit: how its actions are found more easily, and used with less risk. docs/toolkit.md lists the rules. */
export type LintRule =
  | 'vague-name'
  | 'vague-description'
  | 'long-description'
  | 'colliding'
  | 'undescribed-parameters'
  | 'large-payload'
  | 'instructs-model'
  | 'undeclared-destructive'
  | 'toolkit-description';

export interface LintFinding {
  rule: LintRule;
  /** An error should not be served: it is an attack, or looks like one. Nothing is refused for it. */
  severity: 'error' | 'warning';
  /** Action id; absent when it is about the toolkit itself. */
  action?: string;
  /** What is wrong. */
  message: string;
  /** What to write instead. */
  hint: string;
}
