import type { ActionInfo, JsonSchema } from '#sdk/protocol/http';
import type { LintFinding } from '#sdk/protocol/lint';

/** An action as agents see it, with the shape of its result. */
export interface LintedAction extends ActionInfo {
  resultSchema?: JsonSchema | undefined;
}

/** One rule about one action: nothing, or what is wrong with it and what to write instead. */
export type ActionRule = (action: LintedAction) => Omit<LintFinding, 'action'> | undefined;
