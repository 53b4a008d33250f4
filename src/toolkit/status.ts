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
  /** The number of further ones: the service sends the first 50. */
  moreWarnings: number;
  /** Ids of accepted actions that agents cannot use before an owner of the service approves them. */
  held: string[];
}

export type ToolkitStatus =
  | { state: 'connecting' }
  /**
   * Registered; again whenever the list of actions changed, and when the connection moved to another node of the service, without any other status:
   * no moment was lost. `refused`: the service did not take the change and keeps the list from before.
   */
  | ({ state: 'connected'; rejected: RejectedAction[]; refused?: SvcError } & Registration)
  /** `reason.code` is SERVICE_UNREACHABLE, CONNECTION_CLOSED, or what the service said. */
  | { state: 'disconnected'; reason: SvcError; retryInMs: number }
  /** The last status. `reason` is what `run()` rejects with; absent after `stop()`. */
  | { state: 'stopped'; reason?: SvcError };

export type StatusListener = (status: ToolkitStatus) => void;

/** A mistake of this toolkit in a call that has ended, as the service sees it. */
export type CallWarning = WarningParams;

export type WarningListener = (warning: CallWarning) => void;
