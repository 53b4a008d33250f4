/** Who keeps what happens to calls. Each call is told of at the node that its caller came to, once, whatever retries join it. */
import type { SvcError } from '../../protocol/errors';
import type { PendingCall, RunWatch } from './pending-call';

/** Nothing here may throw, or take long. */
export interface RunWatcher {
  /** `run.timeline` tells what happens from here on. */
  started(run: PendingCall): RunWatch;
  /** Before it could run. */
  refused(call: RefusedCall): void;
}

export interface RefusedCall {
  id: string;
  /** As far as it was understood. */
  payload: unknown;
  error: SvcError;
}
