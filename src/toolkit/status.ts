/** The statuses that `onStatus` and `ready` report about the connection: one shape per state. */
import type { SvcError } from '../protocol/errors';
import type { RegisterResult, RejectedAction, WarningParams } from '../protocol/frames';
import type { LintFinding } from '../protocol/lint';

/** The service's answer to the registration. */
export interface Registration {
  toolkit: RegisterResult['toolkit'];
  /** Action ids. */
  accepted: string[];
  /** Findings of the linter about served actions. */
  warnings: LintFinding[];
  /** The number of further warnings: the service sends the first 50. */
  moreWarnings: number;
  /** Ids of accepted actions that agents cannot use before an owner of the service approves them. */
  held: string[];
}

export type ToolkitStatus =
  | { state: 'connecting' }
  /**
   * Registered. Reported again after each change of the list of actions, and after a move to another node of the service, which is without
   * interruption. `refused`: the service refused the change and keeps the former list.
   */
  | ({ state: 'connected'; rejected: RejectedAction[]; refused?: SvcError } & Registration)
  /** `reason.code` is SERVICE_UNREACHABLE, CONNECTION_CLOSED, or the service's own code. */
  | { state: 'disconnected'; reason: SvcError; retryInMs: number }
  /** The last status. `run()` rejects with `reason`; absent after `stop()`. */
  | { state: 'stopped'; reason?: SvcError };

export type StatusListener = (status: ToolkitStatus) => void;

/** A mistake of this toolkit in a call, as the service or the SDK sees it. */
export type CallWarning = WarningParams;

export type WarningListener = (warning: CallWarning) => void;
