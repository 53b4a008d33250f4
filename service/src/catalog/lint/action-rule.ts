import type { ActionInfo } from '#sdk/protocol/http';
import type { LintFinding } from '#sdk/protocol/lint';

/** One rule about one action: nothing, or what is wrong with it and what to write instead. */
export type ActionRule = (action: ActionInfo) => Omit<LintFinding, 'action'> | undefined;
