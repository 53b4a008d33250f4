import type { ActionInfo } from '../../../protocol/http';
import type { LintFinding } from '../../../protocol/lint';

/** One rule about one action: nothing, or what is wrong with it and what to write instead. */
export type ActionRule = (action: ActionInfo) => Omit<LintFinding, 'action'> | undefined;
