/** Who keeps what happens to calls. Each call is told of at the node that its caller came to, once, whatever retries join it. */
import type { SvcError } from '../../protocol/errors';
import type { Ended, Run } from './run';

/** Hears of one run. */
export interface RunWatch {
  /** Once more when a result comes after it was given up. */
  ended(outcome: Ended): void;
}

/** Nothing here may throw, or take long. */
export interface RunWatcher {
  /** `run.timeline` tells what happens from here on. */
  started(run: Run): RunWatch;
  /** Before it could run. */
  refused(call: RefusedCall): void;
}

export interface RefusedCall {
  id: string;
  /** As far as it was understood. */
  payload: unknown;
  error: SvcError;
}
