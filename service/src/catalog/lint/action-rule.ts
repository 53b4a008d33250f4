import type { ActionInfo, JsonSchema, ResultMisfit } from '#sdk/protocol/http';
import type { LintFinding } from '#sdk/protocol/lint';

/** An action as agents see it, with the shape of its result, and how its results were of late. */
export interface LintedAction extends ActionInfo {
  resultSchema?: JsonSchema | undefined;
  resultMisfits?: ResultMisfit[];
}

/** One rule about one action: nothing, or what is wrong with it and what to write instead. */
export type ActionRule = (action: LintedAction) => Omit<LintFinding, 'action'> | undefined;
